# SPDX-License-Identifier: Apache-2.0
"""The topics of a broker, with the version stamp under which the name servers know them."""

from ..clock import Clock
from ..wire.bodies.data_version import DataVersion
from ..wire.bodies.topic import TopicConfig
from .settings import BrokerSettings

PERM_INHERIT = 0x1
PERM_WRITE = 0x2
PERM_READ = 0x4
READ_WRITE = PERM_READ | PERM_WRITE

AUTO_CREATE_TOPIC = "TBW102"
SCHEDULE_TOPIC = "SCHEDULE_TOPIC_XXXX"
_SCHEDULE_QUEUES = 18
_REVIVE_QUEUES = 8


class Topics:
    """All topics by name."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.table: dict[str, TopicConfig] = {}
        self.version = DataVersion(timestamp=clock.now_ms())

    def put(self, topic: TopicConfig) -> None:
        """Add or replace a topic."""
        self.table[topic.topic_name] = topic
        self.version.advance(self._clock.now_ms())

    def add_system_topics(self, settings: BrokerSettings) -> None:
        """Add what every broker has from the start; the version stamp stays, as it does in the original."""
        for name, queues, perm in _system_topics(settings):
            self.table.setdefault(
                name, TopicConfig(topic_name=name, read_queue_nums=queues, write_queue_nums=queues, perm=perm)
            )


def _system_topics(settings: BrokerSettings) -> list[tuple[str, int, int]]:
    """Name, queues and permission of the topics that exist before anybody made one (5.5.0)."""
    cluster, broker = settings.broker_cluster_name, settings.broker_name
    inherit = PERM_INHERIT
    topics = [("SELF_TEST_TOPIC", 1, READ_WRITE)]
    if settings.auto_create_topic_enable:
        topics.append((AUTO_CREATE_TOPIC, settings.default_topic_queue_nums, READ_WRITE | inherit))
    topics += [
        ("BenchmarkTest", 1024, READ_WRITE),
        (cluster, 16, (READ_WRITE if settings.cluster_topic_enable else 0) | inherit),
        (broker, 1, (READ_WRITE if settings.broker_topic_enable else 0) | inherit),
        ("OFFSET_MOVED_EVENT", 1, READ_WRITE),
        (SCHEDULE_TOPIC, _SCHEDULE_QUEUES, READ_WRITE),
    ]
    if settings.trace_topic_enable:
        topics.append((settings.msg_trace_topic_name, 1, READ_WRITE))
    return [
        *topics,
        (f"{cluster}_REPLY_TOPIC", 1, READ_WRITE),
        (f"rmq_sys_REVIVE_LOG_{cluster}", _REVIVE_QUEUES, READ_WRITE),
        (f"rmq_sys_SYNC_BROKER_MEMBER_{broker}", 1, inherit),
        ("RMQ_SYS_TRANS_HALF_TOPIC", 1, READ_WRITE),
        ("RMQ_SYS_TRANS_OP_HALF_TOPIC", 1, READ_WRITE),
        ("RMQ_SYS_ROCKSDB_TRANS_HALF_TOPIC", 1, READ_WRITE),
        ("RMQ_SYS_ROCKSDB_TRANS_OP_HALF_TOPIC", 1, READ_WRITE),
        ("rmq_sys_wheel_timer", 1, READ_WRITE),
    ]
