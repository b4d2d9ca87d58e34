# SPDX-License-Identifier: Apache-2.0
"""Figures of a broker: counters, raw queue entries, timer and transaction metrics, replication."""

from msgspec import field

from ..javajson import Body
from .data_version import DataVersion
from .heartbeat import SubscriptionData


class BrokerStatsItem(Body, kw_only=True):
    """A counter over a span of time: sum, rate a second, average a call."""

    sum: int = 0
    tps: float = 0.0
    avgpt: float = 0.0


class BrokerStatsData(Body, kw_only=True):
    """A counter over the last minute, hour and day."""

    stats_minute: BrokerStatsItem | None = None
    stats_hour: BrokerStatsItem | None = None
    stats_day: BrokerStatsItem | None = None


class ConsumeQueueData(Body, kw_only=True):
    """One entry of a consume queue, and whether a filter lets it pass."""

    physic_offset: int = 0
    physic_size: int = 0
    tags_code: int = 0
    extend_data_json: str | None = None
    bit_map: str | None = None
    eval: bool = False
    msg: str | None = None


class QueryConsumeQueueResponseBody(Body, kw_only=True):
    """Entries of a consume queue, and the filter they were held against."""

    subscription_data: SubscriptionData | None = None
    filter_data: str | None = None
    queue_data: list[ConsumeQueueData] | None = None
    max_queue_index: int = 0
    min_queue_index: int = 0


class Metric(Body, kw_only=True):
    """A count and when it last changed."""

    count: int = 0
    time_stamp: int = 0


class TimerMetricsSerializeWrapper(Body, kw_only=True):
    """Waiting timer messages by topic: the shape of the timermetrics file."""

    timing_count: dict[str, Metric] = field(default_factory=dict)
    data_version: DataVersion = field(default_factory=DataVersion)


class TransactionMetricsSerializeWrapper(Body, kw_only=True):
    """Open transactions by topic: the shape of the transactionMetrics file."""

    transaction_count: dict[str, Metric] = field(default_factory=dict)
    data_version: DataVersion = field(default_factory=DataVersion)


class HAConnectionRuntimeInfo(Body, kw_only=True):
    """One slave, as its master sees it."""

    addr: str | None = None
    slave_ack_offset: int = 0
    diff: int = 0
    in_sync: bool = False
    transferred_byte_in_second: int = 0
    transfer_from_where: int = 0


class HAClientRuntimeInfo(Body, kw_only=True):
    """The master, as its slave sees it."""

    master_addr: str | None = None
    transferred_byte_in_second: int = 0
    max_offset: int = 0
    last_read_timestamp: int = 0
    last_write_timestamp: int = 0
    master_flush_offset: int = 0


class HARuntimeInfo(Body, kw_only=True):
    """Replication, from either side."""

    master: bool = False
    master_commit_log_max_offset: int = 0
    in_sync_slave_nums: int = 0
    ha_connection_info: list[HAConnectionRuntimeInfo] = field(default_factory=list)
    ha_client_runtime_info: HAClientRuntimeInfo = field(default_factory=HAClientRuntimeInfo)
