# SPDX-License-Identifier: Apache-2.0
"""Configuration, statistics and other affairs of a whole broker."""

from msgspec import field

from ..codes import RequestCode
from ..declare import Action, Cluster, Header, Int, Long, Resource, Topic, request


class GetBrokerConfigResponse(Header, kw_only=True):
    """The version of the configuration, as the JSON text of a data version."""

    version: str


@request(RequestCode.VIEW_BROKER_STATS_DATA, action=Action.GET, scope=Resource.CLUSTER)
class ViewBrokerStatsData(Header, kw_only=True):
    """One of the counters a broker keeps, by name and key."""

    stats_name: str
    stats_key: str


@request(RequestCode.GET_BROKER_CONSUME_STATS, action=Action.GET, scope=Resource.CLUSTER)
class GetBrokerConsumeStats(Header, kw_only=True):
    """How far all groups of a broker are behind."""

    is_order: bool


@request(RequestCode.CHECK_ROCKSDB_CQ_WRITE_PROGRESS, action=Action.GET)
class CheckRocksdbCqWriteProgress(Header, kw_only=True):
    """Compare file queues with their RocksDB copies."""

    topic: Topic
    check_store_time: Long = 0


@request(RequestCode.EXPORT_ROCKSDB_CONFIG_TO_JSON, action=Action.GET, scope=Resource.CLUSTER)
class ExportRocksdbConfig(Header, kw_only=True):
    """Write configuration kept in RocksDB as JSON files."""

    config_type: str


@request(RequestCode.SET_COMMITLOG_READ_MODE)
class SetCommitLogReadMode(Header, kw_only=True):
    """How the operating system shall read ahead in the commit log."""

    read_ahead_mode: Int | None = field(name="READ_AHEAD_MODE", default=None)


@request(RequestCode.ADD_BROKER, action=Action.UPDATE, scope=Resource.CLUSTER)
class AddBroker(Header, kw_only=True):
    """Start another broker inside a container."""

    config_path: str | None = None


@request(RequestCode.REMOVE_BROKER, action=Action.UPDATE, scope=Resource.CLUSTER)
class RemoveBroker(Header, kw_only=True):
    """Stop a broker inside a container."""

    broker_name: str
    broker_cluster_name: Cluster
    broker_id: Long
