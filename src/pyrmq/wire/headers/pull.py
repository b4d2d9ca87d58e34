# SPDX-License-Identifier: Apache-2.0
"""Pulling messages from a queue."""

from typing import ClassVar

from msgspec import field

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Long, Topic, TopicHeader, request


@request(RequestCode.PULL_MESSAGE, RequestCode.LITE_PULL_MESSAGE, action=Action.SUB)
class PullMessage(TopicHeader, kw_only=True):
    """Read messages of one queue from an offset on, waiting for some if there are none."""

    inherited_first: ClassVar[tuple[str, ...]] = ("namespace", "oneway")
    consumer_group: Group
    topic: Topic
    queue_id: Int
    max_msg_nums: Int
    sys_flag: Int
    commit_offset: Long
    suspend_timeout_millis: Long
    subscription: str | None = None
    sub_version: Long
    max_msg_bytes: Int | None = None
    request_source: Int | None = None
    lite_topic: str | None = None
    proxy_forward_client_id: str | None = field(name="proxyFrowardClientId", default=None)
    queue_offset: Long
    expression_type: str | None = None


class PullMessageResponse(Header, kw_only=True):
    """Where to go on reading, and the bounds of the queue."""

    suggest_which_broker_id: Long
    next_begin_offset: Long
    min_offset: Long
    max_offset: Long
    offset_delta: Long | None = None
    topic_sys_flag: Int | None = None
    group_sys_flag: Int | None = None
    forbidden_type: Int | None = None
