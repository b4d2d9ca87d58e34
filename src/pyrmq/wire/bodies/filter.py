# SPDX-License-Identifier: Apache-2.0
"""SQL filters of consumer groups, as a broker keeps them in consumerFilter.json."""

from msgspec import field

from ..javajson import Body


class BloomFilterData(Body, kw_only=True):
    """The bits a filter occupies in the bloom filter of its topic."""

    bit_pos: tuple[int, ...] | None = None
    bit_num: int = 0


class ConsumerFilterData(Body, kw_only=True):
    """The filter of one group on one topic; it is dead once `dead_time` reaches `born_time`."""

    consumer_group: str | None = None
    topic: str | None = None
    expression: str | None = None
    expression_type: str | None = None
    born_time: int = 0
    dead_time: int = 0
    dead: bool = False
    bloom_filter_data: BloomFilterData | None = None
    client_version: int = 0


class FilterDataMapByTopic(Body, kw_only=True):
    """The filters on one topic by group."""

    group_filter_data: dict[str, ConsumerFilterData] = field(default_factory=dict)
    topic: str | None = None


class ConsumerFilters(Body, kw_only=True):
    """All filters by topic: the shape of consumerFilter.json."""

    filter_data_by_topic: dict[str, FilterDataMapByTopic] = field(default_factory=dict)
