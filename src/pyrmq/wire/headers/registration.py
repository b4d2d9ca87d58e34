# SPDX-License-Identifier: Apache-2.0
"""What brokers tell the name server about themselves, and what it tells them."""

from ..codes import RequestCode
from ..declare import Action, Cluster, Header, Int, Long, Resource, request


@request(RequestCode.REGISTER_BROKER, action=Action.UPDATE, scope=Resource.CLUSTER)
class RegisterBroker(Header, kw_only=True):
    """Announce a broker and, in the body, all its topics."""

    broker_name: str
    broker_addr: str
    cluster_name: Cluster
    ha_server_addr: str
    broker_id: Long
    heartbeat_timeout_millis: Long | None = None
    enable_acting_master: bool | None = None
    compressed: bool = False
    body_crc32: Int = 0


class RegisterBrokerResponse(Header, kw_only=True):
    """Where the master of the broker group is."""

    ha_server_addr: str | None = None
    master_addr: str | None = None


@request(RequestCode.UNREGISTER_BROKER, action=Action.UPDATE, scope=Resource.CLUSTER)
class UnregisterBroker(Header, kw_only=True):
    """Take a broker out of all routes."""

    broker_name: str
    broker_addr: str
    cluster_name: Cluster
    broker_id: Long


@request(RequestCode.QUERY_DATA_VERSION, action=Action.GET, scope=Resource.CLUSTER)
class QueryDataVersion(Header, kw_only=True):
    """Whether the name server's picture of a broker is out of date."""

    broker_name: str
    broker_addr: str
    cluster_name: Cluster
    broker_id: Long


class QueryDataVersionResponse(Header, kw_only=True):
    """Whether the broker must register anew."""

    changed: bool


@request(RequestCode.BROKER_HEARTBEAT, action=Action.UPDATE, scope=Resource.CLUSTER)
class BrokerHeartbeat(Header, kw_only=True):
    """Say that a broker lives, between registrations."""

    cluster_name: Cluster
    broker_addr: str
    broker_name: str
    broker_id: Long | None = None
    epoch: Int | None = None
    max_offset: Long | None = None
    confirm_offset: Long | None = None
    heartbeat_timeout_mills: Long | None = None
    election_priority: Int | None = None


@request(RequestCode.GET_BROKER_MEMBER_GROUP, action=Action.GET)
class GetBrokerMemberGroup(Header, kw_only=True):
    """The brokers that share a broker name."""

    cluster_name: Cluster
    broker_name: str


@request(RequestCode.NOTIFY_MIN_BROKER_ID_CHANGE, action=Action.UPDATE, scope=Resource.CLUSTER)
class NotifyMinBrokerIdChange(Header, kw_only=True):
    """Tell brokers that another member of their group has the lowest id now."""

    min_broker_id: Long | None = None
    broker_name: str | None = None
    min_broker_addr: str | None = None
    offline_broker_addr: str | None = None
    ha_broker_addr: str | None = None


@request(RequestCode.WIPE_WRITE_PERM_OF_BROKER, action=Action.UPDATE, scope=Resource.CLUSTER)
class WipeWritePerm(Header, kw_only=True):
    """Make all topics of a broker read-only."""

    broker_name: str


class WipeWritePermResponse(Header, kw_only=True):
    """How many topics became read-only."""

    wipe_topic_count: Int


@request(RequestCode.ADD_WRITE_PERM_OF_BROKER, action=Action.UPDATE, scope=Resource.CLUSTER)
class AddWritePerm(Header, kw_only=True):
    """Make all topics of a broker writable again."""

    broker_name: str


class AddWritePermResponse(Header, kw_only=True):
    """How many topics became writable."""

    add_topic_count: Int
