# SPDX-License-Identifier: Apache-2.0
"""Offsets of groups and of delay levels, as files and as answers."""

from typing import ClassVar

from msgspec import field

from ..javajson import Body
from .data_version import DataVersion
from .message_queue import MessageQueue, MessageQueueForC


class ConsumerOffsetSerializeWrapper(Body, kw_only=True):
    """Offsets by `topic@group` and queue: the shape of consumerOffset.json."""

    offset_table: dict[str, dict[int, int]] = field(default_factory=dict)
    data_version: DataVersion | None = None
    group_topic_map: dict[str, list[str]] | None = None
    pull_offset_table: dict[str, dict[int, int]] | None = None


class DelayOffsetSerializeWrapper(Body, kw_only=True):
    """Offsets by delay level: the shape of delayOffset.json."""

    offset_table: dict[int, int] = field(default_factory=dict)
    data_version: DataVersion | None = None


class QueryCorrectionOffsetBody(Body, kw_only=True):
    """The lowest offset any group holds, by queue."""

    correction_offsets: dict[int, int] = field(default_factory=dict)


class ResetOffsetBody(Body, kw_only=True):
    """The offsets a group was set to."""

    object_key: ClassVar[type | None] = MessageQueue

    offset_table: dict[MessageQueue, int] | None = None


class ResetOffsetBodyForC(Body, kw_only=True):
    """The same for clients written in C++."""

    offset_table: list[MessageQueueForC] | None = None


class GetConsumerStatusBody(Body, kw_only=True):
    """Offsets as clients see them: of the one asked, or of all by client id."""

    object_key: ClassVar[type | None] = MessageQueue

    message_queue_table: dict[MessageQueue, int] = field(default_factory=dict)
    consumer_table: dict[str, dict[MessageQueue, int]] = field(default_factory=dict)


class OffsetMovedEvent(Body, kw_only=True):
    """A consumer asked for an offset that is gone and was sent elsewhere."""

    consumer_group: str | None = None
    message_queue: MessageQueue | None = None
    offset_request: int = 0
    offset_new: int = 0
