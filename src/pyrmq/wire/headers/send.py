# SPDX-License-Identifier: Apache-2.0
"""Sending messages, replying to them and recalling them."""

from typing import ClassVar

from msgspec import field

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Long, Topic, TopicHeader, request


@request(RequestCode.SEND_MESSAGE, RequestCode.SEND_REPLY_MESSAGE, action=Action.PUB)
class SendMessage(TopicHeader, kw_only=True):
    """Store one message; the long-winded form of `SendMessageV2`."""

    inherited_first: ClassVar[tuple[str, ...]] = ("logical",)
    producer_group: str
    topic: Topic
    default_topic_queue_nums: Int
    queue_id: Int
    sys_flag: Int
    born_timestamp: Long
    properties: str | None = None
    default_topic: str
    reconsume_times: Int | None = None
    unit_mode: bool | None = None
    batch: bool | None = None
    max_reconsume_times: Int | None = None
    flag: Int


@request(
    RequestCode.SEND_MESSAGE_V2,
    RequestCode.SEND_BATCH_MESSAGE,
    RequestCode.SEND_REPLY_MESSAGE_V2,
    action=Action.PUB,
)
class SendMessageV2(TopicHeader, kw_only=True):
    """Store one message or a batch; the same fields under one-letter names."""

    inherited_first: ClassVar[tuple[str, ...]] = ("namespace",)
    producer_group: str = field(name="a")
    topic: Topic = field(name="b")
    default_topic: str = field(name="c")
    default_topic_queue_nums: Int = field(name="d")
    queue_id: Int = field(name="e")
    sys_flag: Int = field(name="f")
    born_timestamp: Long = field(name="g")
    flag: Int = field(name="h")
    properties: str | None = field(name="i", default=None)
    reconsume_times: Int | None = field(name="j", default=None)
    unit_mode: bool | None = field(name="k", default=None)
    max_reconsume_times: Int | None = field(name="l", default=None)
    batch: bool | None = field(name="m", default=None)
    target_broker_name: str | None = field(name="n", default=None)


class SendMessageResponse(Header, kw_only=True):
    """Where a message was stored."""

    region_id: str | None = field(name="MSG_REGION", default=None)
    trace_on: bool | None = field(name="TRACE_ON", default=None)
    msg_id: str
    queue_id: Int
    queue_offset: Long
    transaction_id: str | None = None
    batch_uniq_id: str | None = None
    recall_handle: str | None = None


@request(RequestCode.RECALL_MESSAGE, action=Action.PUB)
class RecallMessage(TopicHeader, kw_only=True):
    """Take back a timer message that is not due yet."""

    producer_group: str | None = None
    topic: Topic
    recall_handle: str


class RecallMessageResponse(Header, kw_only=True):
    """Which message was taken back."""

    region_id: str | None = field(name="MSG_REGION", default=None)
    msg_id: str


@request(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT, action=Action.SUB)
class PushReplyMessage(TopicHeader, kw_only=True):
    """Hand a reply over to the client that waits for it."""

    inherited_first: ClassVar[tuple[str, ...]] = ("logical", "oneway")
    producer_group: Group
    topic: Topic
    default_topic_queue_nums: Int
    queue_id: Int
    sys_flag: Int
    born_timestamp: Long
    flag: Int
    properties: str | None = None
    default_topic: str
    reconsume_times: Int | None = None
    unit_mode: bool = False
    born_host: str
    store_host: str
    store_timestamp: Long
