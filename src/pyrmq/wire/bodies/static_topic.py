# SPDX-License-Identifier: Apache-2.0
"""Static topics: logical queues that may move from broker to broker."""

from msgspec import field

from ..javajson import Body
from .data_version import DataVersion

GLOBAL_SCOPE = "__global__"


class LogicQueueMappingItem(Body, kw_only=True):
    """One stretch of a logical queue: which physical queue holds it, and from and to which offsets."""

    gen: int = 0
    queue_id: int = 0
    broker_name: str | None = field(name="bname", default=None)
    logic_offset: int = 0
    start_offset: int = 0
    end_offset: int = -1
    time_of_start: int = -1
    time_of_end: int = -1


class TopicQueueMappingInfo(Body, kw_only=True):
    """Which logical queues of a topic a broker leads, by their physical queues."""

    topic: str | None = None
    scope: str = GLOBAL_SCOPE
    total_queues: int = 0
    broker_name: str | None = field(name="bname", default=None)
    epoch: int = 0
    dirty: bool = False
    curr_id_map: dict[int, int] = field(default_factory=dict)


class TopicQueueMappingDetail(TopicQueueMappingInfo, kw_only=True):
    """The same with the history of every hosted logical queue."""

    hosted_queues: dict[int, list[LogicQueueMappingItem]] = field(default_factory=dict)


class TopicQueueMappingSerializeWrapper(Body, kw_only=True):
    """All static topics of a broker: the shape of topicQueueMapping.json."""

    topic_queue_mapping_info_map: dict[str, TopicQueueMappingDetail] | None = None
    data_version: DataVersion = field(default_factory=DataVersion)
