# SPDX-License-Identifier: Apache-2.0
"""How consumption goes: progress of groups, connections of clients, and what clients report of themselves."""

from enum import Enum
from typing import ClassVar

from msgspec import field

from ..javajson import Body
from .heartbeat import ConsumeFromWhere, ConsumeType, MessageModel, SubscriptionData
from .message_queue import MessageQueue


class OffsetWrapper(Body, kw_only=True):
    """Where a queue ends, and how far a group has committed and pulled it."""

    broker_offset: int = 0
    consumer_offset: int = 0
    pull_offset: int = 0
    last_timestamp: int = 0


class ConsumeStats(Body, kw_only=True):
    """Progress of a group, queue by queue."""

    object_key: ClassVar[type | None] = MessageQueue

    offset_table: dict[MessageQueue, OffsetWrapper] = field(default_factory=dict)
    consume_tps: float = 0.0


class ConsumeStatsList(Body, kw_only=True):
    """Progress of all groups of a broker: one map a group, from its name to its topics' progress."""

    object_key: ClassVar[type | None] = MessageQueue

    consume_stats_list: list[dict[str, list[ConsumeStats]]] = field(default_factory=list)
    broker_addr: str | None = None
    total_diff: int = 0
    total_inflight_diff: int = 0


class Connection(Body, kw_only=True):
    """A client's connection; `language` is the name of a language code."""

    client_id: str | None = None
    client_addr: str | None = None
    language: str | None = None
    version: int = 0


class ConsumerConnection(Body, kw_only=True):
    """The connections of a consumer group, and what the group wants."""

    connection_set: list[Connection] = field(default_factory=list)
    subscription_table: dict[str, SubscriptionData] = field(default_factory=dict)
    consume_type: ConsumeType | None = None
    message_model: MessageModel | None = None
    consume_from_where: ConsumeFromWhere | None = None


class ProducerConnection(Body, kw_only=True):
    """The connections of a producer group."""

    connection_set: list[Connection] = field(default_factory=list)


class ProducerInfo(Body, kw_only=True):
    """One producer."""

    client_id: str | None = None
    remote_ip: str | None = field(name="remoteIP", default=None)
    language: str | None = None
    version: int = 0
    last_update_timestamp: int = 0


class ProducerTableInfo(Body, kw_only=True):
    """All producers of a broker by group."""

    data: dict[str, list[ProducerInfo]] | None = None


class QueueTimeSpan(Body, kw_only=True):
    """From when to when the messages of a queue date, and where a group stands.

    The texts repeat the times above them in the server's time zone, as `2023-11-14#22:13:20:000`.
    """

    message_queue: MessageQueue | None = None
    min_time_stamp: int = 0
    max_time_stamp: int = 0
    consume_time_stamp: int = 0
    delay_time: int = 0
    min_time_stamp_str: str | None = None
    max_time_stamp_str: str | None = None
    consume_time_stamp_str: str | None = None


class QueryConsumeTimeSpanBody(Body, kw_only=True):
    """Time spans of all queues of a topic."""

    consume_time_span_set: list[QueueTimeSpan] = field(default_factory=list)


class ConsumeResult(Enum):
    """How the direct consumption of a message ended."""

    CR_SUCCESS = "CR_SUCCESS"
    CR_LATER = "CR_LATER"
    CR_ROLLBACK = "CR_ROLLBACK"
    CR_COMMIT = "CR_COMMIT"
    CR_THROW_EXCEPTION = "CR_THROW_EXCEPTION"
    CR_RETURN_NULL = "CR_RETURN_NULL"


class ConsumeMessageDirectlyResult(Body, kw_only=True):
    """What a client made of a message it was told to consume."""

    order: bool = False
    auto_commit: bool = True
    consume_result: ConsumeResult | None = None
    remark: str | None = None
    spent_time_mills: int = 0
