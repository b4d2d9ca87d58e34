# SPDX-License-Identifier: Apache-2.0
"""What a consumer reports of its inner life."""

from typing import ClassVar

from msgspec import field

from ..javajson import Body
from .heartbeat import SubscriptionData
from .message_queue import MessageQueue


class ProcessQueueInfo(Body, kw_only=True):
    """Messages of one queue that a client holds."""

    commit_offset: int = 0
    cached_msg_min_offset: int = 0
    cached_msg_max_offset: int = 0
    cached_msg_count: int = 0
    cached_msg_size_in_mib: int = field(name="cachedMsgSizeInMiB", default=0)
    transaction_msg_min_offset: int = 0
    transaction_msg_max_offset: int = 0
    transaction_msg_count: int = 0
    locked: bool = False
    try_unlock_times: int = 0
    last_lock_timestamp: int = 0
    dropped: bool = field(name="droped", default=False)
    last_pull_timestamp: int = 0
    last_consume_timestamp: int = 0


class PopProcessQueueInfo(Body, kw_only=True):
    """Messages of one queue that a client has popped."""

    wait_ack_count: int = 0
    dropped: bool = field(name="droped", default=False)
    last_pop_timestamp: int = 0


class ConsumeStatus(Body, kw_only=True):
    """Times and rates of one topic."""

    pull_rt: float = field(name="pullRT", default=0.0)
    pull_tps: float = field(name="pullTPS", default=0.0)
    consume_rt: float = field(name="consumeRT", default=0.0)
    consume_ok_tps: float = field(name="consumeOKTPS", default=0.0)
    consume_failed_tps: float = field(name="consumeFailedTPS", default=0.0)
    consume_failed_msgs: int = 0


class ConsumerRunningInfo(Body, kw_only=True):
    """Settings, subscriptions, queues and rates of a consumer."""

    object_key: ClassVar[type | None] = MessageQueue

    properties: dict[str, str] = field(default_factory=dict)
    subscription_set: list[SubscriptionData] = field(default_factory=list)
    mq_table: dict[MessageQueue, ProcessQueueInfo] = field(default_factory=dict)
    mq_pop_table: dict[MessageQueue, PopProcessQueueInfo] = field(default_factory=dict)
    status_table: dict[str, ConsumeStatus] = field(default_factory=dict)
    user_consumer_info: dict[str, str] = field(default_factory=dict)
    jstack: str | None = None
