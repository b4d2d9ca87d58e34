# SPDX-License-Identifier: Apache-2.0
"""Routes: which broker groups exist, at which addresses, and what queues a topic has on each."""

from msgspec import field

from ..javajson import Body
from .static_topic import TopicQueueMappingInfo


class QueueData(Body, kw_only=True):
    """A topic's queues on one broker group."""

    broker_name: str
    read_queue_nums: int = 0
    write_queue_nums: int = 0
    perm: int = 0
    topic_sys_flag: int = 0


class BrokerData(Body, kw_only=True):
    """A broker group: addresses by broker id, 0 being the master."""

    cluster: str | None = None
    broker_name: str
    broker_addrs: dict[int, str] = field(default_factory=dict)
    enable_acting_master: bool = False
    zone_name: str | None = None


class TopicRouteData(Body, kw_only=True):
    """Everything a client needs to reach the queues of a topic."""

    order_topic_conf: str | None = None
    queue_datas: list[QueueData] = field(default_factory=list)
    broker_datas: list[BrokerData] = field(default_factory=list)
    filter_server_table: dict[str, list[str]] = field(default_factory=dict)
    topic_queue_mapping_by_broker: dict[str, TopicQueueMappingInfo] | None = None


class ClusterInfo(Body, kw_only=True):
    """All broker groups by name, and the names that make up each cluster."""

    broker_addr_table: dict[str, BrokerData] | None = None
    cluster_addr_table: dict[str, list[str]] | None = None


class BrokerMemberGroup(Body, kw_only=True):
    """The living brokers that share a name, by broker id."""

    cluster: str | None = None
    broker_name: str | None = None
    broker_addrs: dict[int, str] = field(default_factory=dict)


class GetBrokerMemberGroupResponseBody(Body, kw_only=True):
    """A broker group, or nothing if the name server knows none of that name."""

    broker_member_group: BrokerMemberGroup | None = None
