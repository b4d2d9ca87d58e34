# SPDX-License-Identifier: Apache-2.0
"""Pop consumption: the broker hands out messages, each to be acknowledged within a time."""

from typing import ClassVar

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Long, Topic, TopicHeader, request


@request(RequestCode.POP_MESSAGE, action=Action.SUB)
class PopMessage(TopicHeader, kw_only=True):
    """Take messages of a topic, hiding them from others for a time."""

    consumer_group: Group
    topic: Topic
    queue_id: Int
    max_msg_nums: Int
    poll_time: Long
    invisible_time: Long
    born_time: Long
    init_mode: Int
    exp_type: str | None = None
    exp: str | None = None
    order: bool = False
    attempt_id: str | None = None


class PopMessageResponse(Header, kw_only=True):
    """The receipt: when, for how long, and which offsets were taken."""

    pop_time: Long
    invisible_time: Long
    revive_qid: Int
    rest_num: Long
    start_offset_info: str | None = None
    msg_offset_info: str | None = None
    order_count_info: str | None = None


@request(RequestCode.PEEK_MESSAGE, action=Action.SUB)
class PeekMessage(TopicHeader, kw_only=True):
    """Look at the next messages without taking them."""

    inherited_first: ClassVar[tuple[str, ...]] = ("oneway",)
    topic: Topic
    queue_id: Int
    max_msg_nums: Int
    consumer_group: Group


@request(RequestCode.ACK_MESSAGE, action=Action.SUB)
class AckMessage(TopicHeader, kw_only=True):
    """Mark one taken message as consumed."""

    inherited_first: ClassVar[tuple[str, ...]] = ("oneway",)
    consumer_group: Group
    topic: Topic
    queue_id: Int
    extra_info: str
    offset: Long
    lite_topic: str | None = None


@request(RequestCode.CHANGE_MESSAGE_INVISIBLETIME, action=Action.SUB)
class ChangeInvisibleTime(TopicHeader, kw_only=True):
    """Hide a taken message for another while."""

    consumer_group: Group
    topic: Topic
    queue_id: Int
    extra_info: str
    offset: Long
    invisible_time: Long
    lite_topic: str | None = None
    suspend: bool = False


class ChangeInvisibleTimeResponse(Header, kw_only=True):
    """The receipt that replaces the old one."""

    pop_time: Long
    invisible_time: Long
    revive_qid: Int


@request(RequestCode.NOTIFICATION, action=Action.SUB)
class Notification(TopicHeader, kw_only=True):
    """Wait until a topic has messages to pop."""

    inherited_first: ClassVar[tuple[str, ...]] = ("logical",)
    consumer_group: Group
    topic: Topic
    queue_id: Int
    poll_time: Long
    born_time: Long
    order: bool = False
    attempt_id: str | None = None
    exp_type: str | None = None
    exp: str | None = None
    is_lite_consumer: bool | None = None
    client_id: str | None = None


class NotificationResponse(Header, kw_only=True):
    """Whether there is anything to pop."""

    has_msg: bool = False
    polling_full: bool = False


@request(RequestCode.POLLING_INFO, action=Action.GET)
class PollingInfo(TopicHeader, kw_only=True):
    """How many requests wait for messages of a queue."""

    consumer_group: Group
    topic: Topic
    queue_id: Int


class PollingInfoResponse(Header, kw_only=True):
    """The number of waiting requests."""

    polling_num: Int
