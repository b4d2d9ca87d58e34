# SPDX-License-Identifier: Apache-2.0
"""Clients of a broker: heartbeats, group members, queue locks, and what brokers ask clients."""

from typing import ClassVar

from msgspec import field

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Long, Resource, RpcHeader, Topic, TopicHeader, request


@request(RequestCode.HEART_BEAT, action=(Action.PUB, Action.SUB), scope=Resource.GROUP)
class Heartbeat(RpcHeader, kw_only=True):
    """Say that a client lives; the body says what it produces and consumes."""


class HeartbeatResponse(Header, kw_only=True):
    """What the broker understood of the heartbeat."""

    supports_v2: bool | None = field(name="IS_SUPPORT_HEART_BEAT_V2", default=None)
    subscription_changed: bool | None = field(name="IS_SUB_CHANGE", default=None)


@request(RequestCode.UNREGISTER_CLIENT, action=(Action.PUB, Action.SUB))
class UnregisterClient(RpcHeader, kw_only=True):
    """Leave a producer or consumer group."""

    client_id: str = field(name="clientID")
    producer_group: str | None = None
    consumer_group: Group | None = None


@request(RequestCode.GET_CONSUMER_LIST_BY_GROUP, action=(Action.SUB, Action.GET))
class GetConsumerListByGroup(RpcHeader, kw_only=True):
    """The client ids of a consumer group."""

    consumer_group: Group


@request(RequestCode.NOTIFY_CONSUMER_IDS_CHANGED, action=Action.SUB)
class NotifyConsumerIdsChanged(RpcHeader, kw_only=True):
    """Tell a client that its group has other members now."""

    consumer_group: Group


@request(RequestCode.LOCK_BATCH_MQ, action=Action.SUB)
class LockBatch(RpcHeader, kw_only=True):
    """Reserve queues for ordered consumption; the body lists them."""


@request(RequestCode.UNLOCK_BATCH_MQ, action=Action.SUB)
class UnlockBatch(RpcHeader, kw_only=True):
    """Give reserved queues back; the body lists them."""


@request(RequestCode.GET_CONSUMER_RUNNING_INFO, action=Action.GET)
class GetConsumerRunningInfo(RpcHeader, kw_only=True):
    """What a consumer is doing; the broker passes it on to the client."""

    consumer_group: Group
    client_id: str
    jstack_enable: bool = False


@request(RequestCode.CONSUME_MESSAGE_DIRECTLY, action=Action.SUB)
class ConsumeMessageDirectly(TopicHeader, kw_only=True):
    """Let one client consume one message right now, and report."""

    consumer_group: Group
    client_id: str | None = None
    msg_id: str | None = None
    message_broker_name: str | None = field(name="brokerName", default=None)
    topic: Topic | None = None
    topic_sys_flag: Int | None = None
    group_sys_flag: Int | None = None


@request(
    RequestCode.INVOKE_BROKER_TO_GET_CONSUMER_STATUS,
    RequestCode.GET_CONSUMER_STATUS_FROM_CLIENT,
    action=Action.GET,
)
class GetConsumerStatus(TopicHeader, kw_only=True):
    """Offsets as the clients of a group see them; also sent on to clients."""

    topic: Topic
    group: Group
    client_addr: str | None = None


@request(RequestCode.CONSUMER_SEND_MSG_BACK, action=Action.SUB)
class ConsumerSendMsgBack(RpcHeader, kw_only=True):
    """Return a message that could not be consumed, for a later try."""

    inherited_first: ClassVar[tuple[str, ...]] = ("namespace", "broker_name", "oneway")
    offset: Long
    group: Group
    delay_level: Int
    origin_msg_id: str | None = None
    origin_topic: str | None = None
    unit_mode: bool = False
    max_reconsume_times: Int | None = None
