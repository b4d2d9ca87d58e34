# SPDX-License-Identifier: Apache-2.0
"""Lite topics: many small queues below one parent topic (5.5)."""

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Long, RpcHeader, Topic, request


@request(RequestCode.POP_LITE_MESSAGE)
class PopLiteMessage(RpcHeader, kw_only=True):
    """Take messages of the lite topics a client subscribes to."""

    client_id: str
    consumer_group: Group
    topic: Topic
    max_msg_num: Int
    invisible_time: Long
    poll_time: Long
    born_time: Long
    attempt_id: str | None = None


class PopLiteMessageResponse(Header, kw_only=True):
    """The receipt: when, for how long, and which offsets were taken."""

    pop_time: Long
    invisible_time: Long
    revive_qid: Int
    start_offset_info: str | None = None
    msg_offset_info: str | None = None
    order_count_info: str | None = None


@request(RequestCode.LITE_SUBSCRIPTION_CTL)
class LiteSubscriptionCtl(RpcHeader, kw_only=True):
    """Change what lite topics clients subscribe to; the body tells how."""


@request(RequestCode.NOTIFY_UNSUBSCRIBE_LITE, action=Action.SUB)
class NotifyUnsubscribeLite(RpcHeader, kw_only=True):
    """Tell a client that it lost a lite topic."""

    lite_topic: str
    consumer_group: Group
    client_id: str


@request(RequestCode.GET_PARENT_TOPIC_INFO)
class GetParentTopicInfo(Header, kw_only=True):
    """What lite topics and groups a parent topic has."""

    topic: Topic


@request(RequestCode.GET_LITE_TOPIC_INFO)
class GetLiteTopicInfo(Header, kw_only=True):
    """Offsets and subscribers of one lite topic."""

    parent_topic: str | None = None
    lite_topic: str | None = None


@request(RequestCode.GET_LITE_CLIENT_INFO)
class GetLiteClientInfo(Header, kw_only=True):
    """What lite topics one client reads."""

    parent_topic: str | None = None
    group: str | None = None
    client_id: str | None = None
    max_count: Int = 1000


@request(RequestCode.GET_LITE_GROUP_INFO)
class GetLiteGroupInfo(Header, kw_only=True):
    """How far behind a group is on its lite topics."""

    group: Group
    lite_topic: str | None = None
    top_k: Int = 0


@request(RequestCode.TRIGGER_LITE_DISPATCH)
class TriggerLiteDispatch(Header, kw_only=True):
    """Hand pending lite events to the clients of a group now."""

    group: Group
    client_id: str | None = None
