# SPDX-License-Identifier: Apache-2.0
"""The route tables: topics, broker groups, clusters, living brokers, filter servers and queue mappings.

Plain data and functions over it: no network, no clock. What must happen elsewhere as a consequence, such as
telling brokers about a new lowest id, is returned. The rules are those of `RouteInfoManager` (5.5.0).
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from ..wire.bodies.data_version import DataVersion
from ..wire.bodies.route import (
    BrokerData,
    BrokerMemberGroup,
    ClusterInfo,
    QueueData,
    TopicRouteData,
)
from ..wire.bodies.static_topic import TopicQueueMappingInfo
from ..wire.bodies.topic import TopicConfig
from ..wire.javahash import hash_map_order

logger = logging.getLogger(__name__)

MASTER_ID = 0
DEFAULT_EXPIRY_MS = 120_000
SYNC_MEMBER_TOPIC_PREFIX = "rmq_sys_SYNC_BROKER_MEMBER_"

PERM_WRITE = 0x2
PERM_READ = 0x4
UNIT_FLAG = 0x1
UNIT_SUB_FLAG = 0x2


class BrokerKey(NamedTuple):
    """What identifies one broker process."""

    cluster: str
    address: str


class LiveBroker(msgspec.Struct):
    """When a broker was last heard of, and through which connection."""

    last_update_ms: int
    expiry_ms: int
    data_version: DataVersion
    connection: object
    ha_address: str


class Registration(msgspec.Struct, kw_only=True):
    """What a broker says when it registers. `acting_master` is None for brokers too old for the notion."""

    key: BrokerKey
    broker_name: str
    broker_id: int
    ha_address: str
    data_version: DataVersion
    topics: Mapping[str, TopicConfig]
    queue_mappings: Mapping[str, TopicQueueMappingInfo]
    filter_servers: list[str] | None
    expiry_ms: int | None = None
    acting_master: bool | None = None
    zone: str | None = None


class Unregistration(NamedTuple):
    """A broker that leaves or is gone."""

    key: BrokerKey
    broker_name: str
    broker_id: int


class MinIdChange(msgspec.Struct, frozen=True):
    """News for the members of a broker group: another one has the lowest id now."""

    min_broker_id: int
    min_broker_addr: str
    offline_broker_addr: str | None
    ha_broker_addr: str | None
    recipients: tuple[str, ...]


class Registered(msgspec.Struct):
    """The answer to a registration: where a slave finds its master."""

    master_address: str | None = None
    master_ha_address: str | None = None
    change: MinIdChange | None = None


class Routes:
    """All route tables of a name server."""

    def __init__(self, *, acting_master: bool = False, delete_missing_topics: bool = False) -> None:
        self.acting_master = acting_master
        self.delete_missing_topics = delete_missing_topics
        self.topics: dict[str, dict[str, QueueData]] = {}
        self.brokers: dict[str, BrokerData] = {}
        self.clusters: dict[str, set[str]] = {}
        self.live: dict[BrokerKey, LiveBroker] = {}
        self.filter_servers: dict[BrokerKey, list[str]] = {}
        self.queue_mappings: dict[str, dict[str, TopicQueueMappingInfo]] = {}

    # --- brokers come ------------------------------------------------------------------------------------

    def register(self, new: Registration, connection: object, now_ms: int) -> Registered | None:
        """Take in a broker with its topics. None if it must register as a whole first."""
        self.clusters.setdefault(new.key.cluster, set()).add(new.broker_name)
        broker = self.brokers.get(new.broker_name)
        is_first = broker is None
        if broker is None:
            broker = BrokerData(cluster=new.key.cluster, broker_name=new.broker_name)
            self.brokers[new.broker_name] = broker
        broker.enable_acting_master = bool(new.acting_master)
        broker.zone_name = new.zone
        addresses = broker.broker_addrs
        lowest_before = min(addresses, default=MASTER_ID)
        self._forget_other_ids(addresses, new)
        if self._is_outdated(addresses, new):
            self.live.pop(new.key, None)
            return Registered()
        if new.broker_id not in addresses and len(new.topics) == 1:
            # One topic alone is an update of a broker that we should know already.
            logger.warning("refusing single-topic registration of unknown broker %s", new.key.address)
            return None
        is_first = not addresses.get(new.broker_id) or is_first
        addresses[new.broker_id] = new.key.address
        self._take_topics(new, broker, is_first)
        self._take_live(new, connection, now_ms)
        answer = self._master_of(new, broker)
        if new.broker_id < lowest_before:
            answer.change = _min_id_change(addresses, None, new.ha_address)
        return answer

    @staticmethod
    def _forget_other_ids(addresses: dict[int, str], new: Registration) -> None:
        """A slave that became master comes back with another id; one address has one id."""
        for broker_id in [other for other, address in addresses.items() if address == new.key.address]:
            if broker_id != new.broker_id:
                del addresses[broker_id]

    def _is_outdated(self, addresses: dict[int, str], new: Registration) -> bool:
        """Whether another address holds this broker id with a newer state."""
        holder = addresses.get(new.broker_id)
        if holder is None or holder == new.key.address:
            return False
        live = self.live.get(BrokerKey(new.key.cluster, holder))
        if live is None or live.data_version.state_version <= new.data_version.state_version:
            return False
        logger.warning(
            "ignoring registration of %s as %s %d: %s holds it with a newer state",
            new.key.address, new.broker_name, new.broker_id, holder,
        )  # fmt: skip
        return True

    def _take_topics(self, new: Registration, broker: BrokerData, is_first: bool) -> None:
        is_prime_slave = (
            new.acting_master is not None
            and new.broker_id != MASTER_ID
            and new.broker_id == min(broker.broker_addrs)
        )
        if new.broker_id != MASTER_ID and not is_prime_slave:
            return
        if self.delete_missing_topics and not new.queue_mappings:
            self._drop_missing_topics(new)
        is_changed = is_first or self.is_changed(new.key, new.data_version)
        for topic in new.topics.values():
            if is_changed or new.broker_name not in self.topics.get(topic.topic_name, ()):
                perm = topic.perm
                if is_prime_slave and broker.enable_acting_master:
                    perm &= ~PERM_WRITE
                self._put_queues(new.broker_name, topic, perm)
        if is_changed:
            for name, mapping in new.queue_mappings.items():
                self.queue_mappings.setdefault(name, {})[mapping.broker_name or new.broker_name] = mapping

    def _drop_missing_topics(self, new: Registration) -> None:
        for name in [name for name, queues in self.topics.items() if new.broker_name in queues]:
            if name not in new.topics:
                self._remove_queues(name, new.broker_name)

    def _put_queues(self, broker_name: str, topic: TopicConfig, perm: int) -> None:
        queues = QueueData(
            broker_name=broker_name,
            read_queue_nums=topic.read_queue_nums,
            write_queue_nums=topic.write_queue_nums,
            perm=perm,
            topic_sys_flag=topic.topic_sys_flag,
        )
        known = self.topics.setdefault(topic.topic_name, {})
        if known.get(broker_name) != queues:
            known[broker_name] = queues

    def _take_live(self, new: Registration, connection: object, now_ms: int) -> None:
        if new.key not in self.live:
            logger.info(
                "new broker %s %d at %s in %s",
                new.broker_name,
                new.broker_id,
                new.key.address,
                new.key.cluster,
            )
        expiry_ms = DEFAULT_EXPIRY_MS if new.expiry_ms is None else new.expiry_ms
        self.live[new.key] = LiveBroker(now_ms, expiry_ms, new.data_version, connection, new.ha_address)
        if new.filter_servers:
            self.filter_servers[new.key] = new.filter_servers
        elif new.filter_servers is not None:
            self.filter_servers.pop(new.key, None)

    def _master_of(self, new: Registration, broker: BrokerData) -> Registered:
        master = broker.broker_addrs.get(MASTER_ID)
        live = self.live.get(BrokerKey(new.key.cluster, master)) if master else None
        if new.broker_id == MASTER_ID or live is None:
            return Registered()
        return Registered(master, live.ha_address)

    # --- brokers live ------------------------------------------------------------------------------------

    def data_version(self, key: BrokerKey) -> DataVersion | None:
        """The version of a broker's topics that these tables hold."""
        live = self.live.get(key)
        return None if live is None else live.data_version

    def is_changed(self, key: BrokerKey, version: DataVersion) -> bool:
        """Whether a broker with this version of its topics has news for us."""
        return self.data_version(key) != version

    def touch(self, key: BrokerKey, now_ms: int) -> None:
        """Note a sign of life."""
        live = self.live.get(key)
        if live is not None:
            live.last_update_ms = now_ms

    def expired(self, now_ms: int) -> list[BrokerKey]:
        """The brokers that were silent for longer than they promised."""
        return [key for key, live in self.live.items() if live.last_update_ms + live.expiry_ms < now_ms]

    # --- brokers go --------------------------------------------------------------------------------------

    def departures(self, keys: Iterable[BrokerKey]) -> list[Unregistration]:
        """What to unregister when these brokers are gone without having said so."""
        gone = set(keys)
        return [
            Unregistration(BrokerKey(broker.cluster or "", address), name, broker_id)
            for name, broker in self.brokers.items()
            for broker_id, address in broker.broker_addrs.items()
            if BrokerKey(broker.cluster or "", address) in gone
        ]

    def behind(self, connection: object) -> list[BrokerKey]:
        """The brokers that were last heard through this connection."""
        return [key for key, live in self.live.items() if live.connection is connection]

    def unregister(self, leaving: Iterable[Unregistration]) -> list[MinIdChange]:
        """Take brokers out, all in one pass over the topics; returns what their groups must be told."""
        removed: set[str] = set()
        reduced: set[str] = set()
        changes: dict[str, MinIdChange] = {}
        for broker in leaving:
            if self.live.pop(broker.key, None) is not None:
                logger.info(
                    "broker %s %d at %s left", broker.broker_name, broker.broker_id, broker.key.address
                )
            self.filter_servers.pop(broker.key, None)
            change = self._remove_address(broker)
            if change is not None:
                changes[broker.broker_name] = change
            if broker.broker_name in self.brokers:
                reduced.add(broker.broker_name)
            else:
                removed.add(broker.broker_name)
                self._remove_from_cluster(broker)
        self._clean_topics(removed, reduced)
        return [
            change
            for name, change in changes.items()
            if name in self.brokers and self.brokers[name].enable_acting_master
        ]

    def _remove_address(self, leaving: Unregistration) -> MinIdChange | None:
        broker = self.brokers.get(leaving.broker_name)
        if broker is None:
            return None
        addresses = broker.broker_addrs
        was_lowest = leaving.broker_id == min(addresses, default=None)
        for broker_id in [known for known, address in addresses.items() if address == leaving.key.address]:
            del addresses[broker_id]
        if not addresses:
            del self.brokers[leaving.broker_name]
            return None
        return _min_id_change(addresses, leaving.key.address, None) if was_lowest else None

    def _remove_from_cluster(self, leaving: Unregistration) -> None:
        names = self.clusters.get(leaving.key.cluster)
        if names is not None:
            names.discard(leaving.broker_name)
            if not names:
                del self.clusters[leaving.key.cluster]

    def _clean_topics(self, removed: set[str], reduced: set[str]) -> None:
        masterless = {
            name
            for name in reduced - removed  # the last of a group may leave together with others
            if self.brokers[name].enable_acting_master and MASTER_ID not in self.brokers[name].broker_addrs
        }
        for topic in list(self.topics):
            queues = self.topics[topic]
            for name in removed:
                queues.pop(name, None)
            if not queues:
                del self.topics[topic]
            for name in masterless & queues.keys():
                queues[name].perm &= ~PERM_WRITE

    # --- topics ------------------------------------------------------------------------------------------

    def register_topic(self, topic: str, queues: Iterable[QueueData]) -> None:
        """Add one topic's queues; stops at a broker that is not known, as the original does."""
        known = dict(self.topics.get(topic, {}))
        for entry in queues:
            if entry.broker_name not in self.brokers:
                logger.warning("topic %s names unknown broker %s", topic, entry.broker_name)
                break
            known[entry.broker_name] = entry
            if topic in self.topics:
                self.topics[topic][entry.broker_name] = entry
        else:
            if known:
                self.topics[topic] = known

    def delete_topic(self, topic: str, cluster: str | None = None) -> None:
        """Forget a topic, everywhere or on the brokers of one cluster."""
        if not cluster:
            self.topics.pop(topic, None)
            return
        for broker_name in self.clusters.get(cluster, ()):
            self._remove_queues(topic, broker_name)

    def _remove_queues(self, topic: str, broker_name: str) -> None:
        queues = self.topics.get(topic, {})
        queues.pop(broker_name, None)
        if not queues:
            self.topics.pop(topic, None)

    def wipe_write_permission(self, broker_name: str) -> int:
        """Make all topics of a broker read-only; returns how many there are."""
        return sum(
            1 for queues in self._queues_of(broker_name) if _set_perm(queues, queues.perm & ~PERM_WRITE)
        )

    def add_write_permission(self, broker_name: str) -> int:
        """Make all topics of a broker readable and writable; returns how many there are."""
        return sum(1 for queues in self._queues_of(broker_name) if _set_perm(queues, PERM_READ | PERM_WRITE))

    def _queues_of(self, broker_name: str) -> Iterator[QueueData]:
        return (queues[broker_name] for queues in self.topics.values() if broker_name in queues)

    # --- questions ---------------------------------------------------------------------------------------

    def route(self, topic: str) -> TopicRouteData | None:
        """Where a topic's queues are; None if no living broker has any."""
        queues = self.topics.get(topic)
        if queues is None:
            return None
        names = hash_map_order(queues)
        brokers = [_copy(self.brokers[name]) for name in names if name in self.brokers]
        if not brokers:
            return None
        route = TopicRouteData(
            broker_datas=brokers,
            queue_datas=[queues[name] for name in names],
            filter_server_table=self._filter_servers_of(brokers),
            topic_queue_mapping_by_broker=self.queue_mappings.get(topic),
        )
        if self.acting_master and not topic.startswith(SYNC_MEMBER_TOPIC_PREFIX):
            self._promote_acting_masters(brokers, queues)
        return route

    def _filter_servers_of(self, brokers: list[BrokerData]) -> dict[str, list[str]]:
        if not self.filter_servers:
            return {}
        keys = (
            BrokerKey(broker.cluster or "", address)
            for broker in brokers
            for address in broker.broker_addrs.values()
        )
        return {key.address: self.filter_servers[key] for key in keys if key in self.filter_servers}

    @staticmethod
    def _promote_acting_masters(brokers: list[BrokerData], queues: dict[str, QueueData]) -> None:
        """Where a master is gone and the topic read-only, show the lowest slave under the master's id."""
        for broker in brokers:
            addresses = broker.broker_addrs
            if not addresses or MASTER_ID in addresses or not broker.enable_acting_master:
                continue
            if not queues[broker.broker_name].perm & PERM_WRITE:
                broker.broker_addrs = {MASTER_ID: addresses.pop(min(addresses)), **addresses}

    def cluster_info(self) -> ClusterInfo:
        """All clusters and broker groups."""
        return ClusterInfo(
            broker_addr_table={name: _copy(self.brokers[name]) for name in hash_map_order(self.brokers)},
            cluster_addr_table={
                name: hash_map_order(sorted(self.clusters[name])) for name in hash_map_order(self.clusters)
            },
        )

    def member_group(self, cluster: str, broker_name: str) -> BrokerMemberGroup:
        """The members of a broker group; empty if there is no such group."""
        broker = self.brokers.get(broker_name)
        addresses = dict(sorted(broker.broker_addrs.items())) if broker else {}
        return BrokerMemberGroup(cluster=cluster, broker_name=broker_name, broker_addrs=addresses)

    def topics_of_cluster(self, cluster: str) -> list[str]:
        """The topics that any broker of a cluster has."""
        names = self.clusters.get(cluster, set())
        return [topic for topic, queues in self.topics.items() if names & queues.keys()]

    def system_topics(self) -> tuple[list[str], str | None]:
        """The names of clusters and brokers, each of which is a topic too, and the address of some broker."""
        names: list[str] = []
        for cluster, brokers in self.clusters.items():
            names += [cluster, *sorted(brokers)]
        address = next((a for b in self.brokers.values() for a in b.broker_addrs.values()), None)
        return list(dict.fromkeys(names)), address

    def topics_by_flag(self, *, present: int = 0, absent: int = 0) -> list[str]:
        """The topics whose flags, on the first broker that has them, hold and lack the given bits."""
        first = ((topic, next(iter(queues.values())).topic_sys_flag) for topic, queues in self.topics.items())
        return [topic for topic, flags in first if flags & present == present and not flags & absent]


def in_zone(route: TopicRouteData, zone: str) -> TopicRouteData:
    """The route without broker groups of other zones; a group without a master stays, for its readers."""
    kept = [
        broker
        for broker in route.broker_datas
        if MASTER_ID not in broker.broker_addrs or (broker.zone_name or "").lower() == zone.lower()
    ]
    removed = [broker for broker in route.broker_datas if broker not in kept]
    names = {broker.broker_name for broker in removed}
    addresses = {address for broker in removed for address in broker.broker_addrs.values()}
    return TopicRouteData(
        order_topic_conf=route.order_topic_conf,
        broker_datas=kept,
        queue_datas=[queues for queues in route.queue_datas if queues.broker_name not in names],
        filter_server_table={
            a: servers for a, servers in route.filter_server_table.items() if a not in addresses
        },
        topic_queue_mapping_by_broker=route.topic_queue_mapping_by_broker,
    )


def _copy(broker: BrokerData) -> BrokerData:
    addresses = dict(sorted(broker.broker_addrs.items()))
    return msgspec.structs.replace(broker, broker_addrs=addresses)


def _set_perm(queues: QueueData, perm: int) -> bool:
    queues.perm = perm
    return True


def _min_id_change(addresses: Mapping[int, str], offline: str | None, ha_address: str | None) -> MinIdChange:
    lowest = min(addresses)
    if offline is not None or len(addresses) == 1:
        recipients = tuple(addresses.values())
    else:
        recipients = tuple(address for broker_id, address in addresses.items() if broker_id != lowest)
    return MinIdChange(lowest, addresses[lowest], offline, ha_address, recipients)
