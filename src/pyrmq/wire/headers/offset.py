# SPDX-License-Identifier: Apache-2.0
"""Offsets of queues and of consumer groups."""

from typing import Annotated, ClassVar

from ..codes import RequestCode
from ..declare import (
    Action,
    Boundary,
    Group,
    Header,
    Int,
    Long,
    Resource,
    RpcHeader,
    Separator,
    Topic,
    TopicHeader,
    request,
)


@request(RequestCode.QUERY_CONSUMER_OFFSET, action=(Action.SUB, Action.GET))
class QueryConsumerOffset(TopicHeader, kw_only=True):
    """How far a group has consumed a queue."""

    consumer_group: Group
    topic: Topic
    queue_id: Int
    set_zero_if_not_found: bool | None = None


class QueryConsumerOffsetResponse(Header, kw_only=True):
    """The committed offset."""

    offset: Long


@request(RequestCode.UPDATE_CONSUMER_OFFSET, action=(Action.SUB, Action.UPDATE))
class UpdateConsumerOffset(TopicHeader, kw_only=True):
    """Commit how far a group has consumed a queue."""

    inherited_first: ClassVar[tuple[str, ...]] = ("namespace", "broker_name")
    consumer_group: Group
    topic: Topic
    queue_id: Int
    commit_offset: Long


@request(RequestCode.GET_MAX_OFFSET, action=Action.GET)
class GetMaxOffset(TopicHeader, kw_only=True):
    """The offset the next message of a queue will get."""

    topic: Topic
    queue_id: Int
    committed: bool = True


class GetMaxOffsetResponse(Header, kw_only=True):
    """The offset behind the last message."""

    offset: Long


@request(RequestCode.GET_MIN_OFFSET, action=Action.GET)
class GetMinOffset(TopicHeader, kw_only=True):
    """The offset of the oldest message a queue still has."""

    topic: Topic
    queue_id: Int


class GetMinOffsetResponse(Header, kw_only=True):
    """The offset of the oldest message."""

    offset: Long


@request(RequestCode.SEARCH_OFFSET_BY_TIMESTAMP, action=Action.GET)
class SearchOffset(TopicHeader, kw_only=True):
    """The offset of the message stored nearest to a time."""

    topic: Topic
    lite_topic: str | None = None
    queue_id: Int
    timestamp: Long
    boundary_type: Boundary | None = None


class SearchOffsetResponse(Header, kw_only=True):
    """The offset found."""

    offset: Long


@request(RequestCode.GET_EARLIEST_MSG_STORETIME, action=Action.GET)
class GetEarliestStoreTime(TopicHeader, kw_only=True):
    """When the oldest message of a queue was stored."""

    topic: Topic
    queue_id: Int


class GetEarliestStoreTimeResponse(Header, kw_only=True):
    """The store time in milliseconds, -1 for an empty queue."""

    timestamp: Long


@request(
    RequestCode.INVOKE_BROKER_TO_RESET_OFFSET, RequestCode.RESET_CONSUMER_CLIENT_OFFSET, action=Action.UPDATE
)
class ResetOffset(TopicHeader, kw_only=True):
    """Set a group back or forth to a time or an offset; also sent on to clients."""

    inherited_first: ClassVar[tuple[str, ...]] = ("oneway",)
    group: Group
    topic: Topic
    queue_id: Int = -1
    offset: Long | None = None
    timestamp: Long
    is_force: bool


@request(RequestCode.CLONE_GROUP_OFFSET, action=Action.UPDATE)
class CloneGroupOffset(RpcHeader, kw_only=True):
    """Copy one group's offsets to another."""

    src_group: str
    dest_group: Group
    topic: Topic | None = None
    offline: bool = False


@request(RequestCode.QUERY_CORRECTION_OFFSET, action=Action.GET)
class QueryCorrectionOffset(TopicHeader, kw_only=True):
    """The lowest offset any group holds, per queue."""

    filter_groups: Annotated[str, Resource.GROUP, Separator(",")] | None = None
    compare_group: Group
    topic: Topic
