# SPDX-License-Identifier: Apache-2.0
"""Topics: their configuration in its two forms, lists of them, and the offsets of their queues."""

from enum import Enum
from typing import ClassVar, Self

from msgspec import field

from ..errors import BodyError
from ..javajson import Body, decode, dumps
from .data_version import DataVersion
from .message_queue import MessageQueue
from .static_topic import TopicQueueMappingDetail, TopicQueueMappingInfo


class TopicFilterType(Enum):
    """How many tags a message of the topic may have; nothing depends on it."""

    SINGLE_TAG = "SINGLE_TAG"
    MULTI_TAG = "MULTI_TAG"


class TopicConfig(Body, kw_only=True):
    """The configuration of one topic on one broker."""

    topic_name: str
    read_queue_nums: int = 16
    write_queue_nums: int = 16
    perm: int = 6
    topic_filter_type: TopicFilterType = TopicFilterType.SINGLE_TAG
    topic_sys_flag: int = 0
    order: bool = False
    attributes: dict[str, str] = field(default_factory=dict)

    def to_line(self, *, with_attributes: bool = True) -> str:
        """The one-line form, which leaves out `order` and `topic_sys_flag`; 4.x knows no attributes."""
        numbers = f"{self.read_queue_nums} {self.write_queue_nums} {self.perm}"
        line = f"{self.topic_name} {numbers} {self.topic_filter_type.name}"
        return f"{line} {dumps(self.attributes).decode()}" if with_attributes else line

    @classmethod
    def from_line(cls, line: str) -> Self:
        """Read the one-line form. Raises `BodyError`.

        Attributes with a space inside cannot be read back and are dropped, as in the original.
        """
        parts = line.split(" ")
        if len(parts) < 5:
            raise BodyError(f"a topic line has at least 5 parts, this one has {len(parts)}: {line[:100]!r}")
        name, read_queue_nums, write_queue_nums, perm, filter_type = parts[:5]
        try:
            return cls(
                topic_name=name,
                read_queue_nums=int(read_queue_nums),
                write_queue_nums=int(write_queue_nums),
                perm=int(perm),
                topic_filter_type=TopicFilterType(filter_type),
                attributes=_read_attributes(parts[5]) if len(parts) > 5 else {},
            )
        except ValueError as error:
            raise BodyError(f"broken topic line {line[:100]!r}: {error}") from None


def _read_attributes(text: str) -> dict[str, str]:
    try:
        return decode(text.encode(), dict[str, str])
    except BodyError:
        return {}


class TopicConfigAndQueueMapping(TopicConfig, kw_only=True):
    """The configuration of one topic and, if it is static, where its logical queues are."""

    mapping_detail: TopicQueueMappingDetail | None = None


class TopicConfigSerializeWrapper(Body, kw_only=True):
    """All topics of a broker: the shape of topics.json."""

    topic_config_table: dict[str, TopicConfig] = field(default_factory=dict)
    data_version: DataVersion = field(default_factory=DataVersion)


class TopicConfigAndMappingSerializeWrapper(TopicConfigSerializeWrapper, kw_only=True):
    """All topics of a broker, static ones included, as they are registered and copied to slaves."""

    topic_queue_mapping_info_map: dict[str, TopicQueueMappingInfo] = field(default_factory=dict)
    topic_queue_mapping_detail_map: dict[str, TopicQueueMappingDetail] = field(default_factory=dict)
    mapping_data_version: DataVersion = field(default_factory=DataVersion)


class CreateTopicListRequestBody(Body, kw_only=True):
    """Topics to create or change at once."""

    topic_config_list: list[TopicConfig] | None = None


class DeleteTopicListRequestBody(Body, kw_only=True):
    """Topics to remove at once."""

    topic_list: list[str] | None = None


class TopicList(Body, kw_only=True):
    """Names of topics."""

    topic_list: list[str] = field(default_factory=list)
    broker_addr: str | None = None


class TopicOffset(Body, kw_only=True):
    """The bounds of a queue and when its last message was stored."""

    min_offset: int = 0
    max_offset: int = 0
    last_update_timestamp: int = 0


class TopicStatsTable(Body, kw_only=True):
    """The bounds of all queues of a topic."""

    object_key: ClassVar[type | None] = MessageQueue

    topic_put_tps: float = 0.0
    offset_table: dict[MessageQueue, TopicOffset] = field(default_factory=dict)
