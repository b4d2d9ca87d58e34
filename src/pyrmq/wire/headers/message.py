# SPDX-License-Identifier: Apache-2.0
"""Finding single messages."""

from typing import ClassVar

from msgspec import field

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Long, Topic, TopicHeader, request


@request(RequestCode.QUERY_MESSAGE, action=(Action.SUB, Action.GET))
class QueryMessage(TopicHeader, kw_only=True):
    """Find messages by key."""

    inherited_first: ClassVar[tuple[str, ...]] = ("oneway",)
    topic: Topic
    key: str
    max_num: Int
    begin_timestamp: Long
    end_timestamp: Long
    index_type: str | None = None
    last_key: str | None = None
    unique_key_query: bool | None = field(name="_UNIQUE_KEY_QUERY", default=None)


class QueryMessageResponse(Header, kw_only=True):
    """How far the index reaches."""

    index_last_update_timestamp: Long
    index_last_update_phyoffset: Long


@request(RequestCode.VIEW_MESSAGE_BY_ID, action=Action.GET)
class ViewMessage(Header, kw_only=True):
    """Read the message at a place of the commit log."""

    topic: Topic | None = None
    offset: Long


@request(RequestCode.QUERY_CONSUME_QUEUE, action=Action.GET)
class QueryConsumeQueue(TopicHeader, kw_only=True):
    """Read raw entries of a consume queue."""

    topic: Topic | None = None
    queue_id: Int = 0
    index: Long = 0
    count: Int = 0
    consumer_group: Group | None = None
