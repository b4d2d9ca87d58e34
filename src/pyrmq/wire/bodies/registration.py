# SPDX-License-Identifier: Apache-2.0
"""What a broker registers with the name server: all its topics, in plain JSON or in a compressed form.

The compressed form is a zlib stream of parts, each with its length or count before it as a 4-byte integer:
data version, topics in their one-line form, filter servers, and from version 5.0 on the mappings of static
topics.
"""

import zlib
from collections.abc import Iterator
from struct import Struct
from typing import Final, Self

from msgspec import field

from ..codes import Version
from ..errors import BodyError
from ..javajson import Body, decode, dumps
from .data_version import DataVersion
from .static_topic import TopicQueueMappingInfo
from .topic import TopicConfig, TopicConfigAndMappingSerializeWrapper

MAX_INFLATED_BYTES: Final = 64 * 1024 * 1024
"""How large a compressed registration may become: some 500 000 topics."""

MAX_TOPICS: Final = 200_000
"""How many topics a compressed registration may hold: far more than brokers have, far less than fits."""

_int = Struct(">i")


class RegisterBrokerBody(Body, kw_only=True):
    """All topics of a broker, and the filter servers beside it."""

    topic_config_serialize_wrapper: TopicConfigAndMappingSerializeWrapper = field(
        default_factory=TopicConfigAndMappingSerializeWrapper
    )
    filter_server_list: list[str] = field(default_factory=list)

    def encode_compressed(self, *, version: int = Version.V5_5_0) -> bytes:
        """Write the compressed form as a broker of `version` would."""
        return zlib.compress(b"".join(self._parts(modern=version >= Version.V5_0_0)), 9)

    @classmethod
    def decode_compressed(cls, data: bytes, version: int) -> Self:
        """Read the compressed form that a broker of `version` wrote. Raises `BodyError`."""
        reader = _PartReader(_inflate(data))
        wrapper = TopicConfigAndMappingSerializeWrapper(data_version=DataVersion.decode(reader.part()))
        count = reader.number()
        if count > MAX_TOPICS:
            raise BodyError(f"compressed registration claims {count} topics, more than {MAX_TOPICS}")
        for _ in range(count):
            topic = TopicConfig.from_line(reader.text())
            wrapper.topic_config_table[topic.topic_name] = topic
        filter_server_list = decode(reader.part(), list[str])
        if version >= Version.V5_0_0:
            for _ in range(reader.number()):
                mapping = TopicQueueMappingInfo.decode(reader.part())
                if mapping.topic is None:
                    raise BodyError("a registered mapping names no topic")
                wrapper.topic_queue_mapping_info_map[mapping.topic] = mapping
        return cls(topic_config_serialize_wrapper=wrapper, filter_server_list=filter_server_list)

    def _parts(self, *, modern: bool) -> Iterator[bytes]:
        wrapper = self.topic_config_serialize_wrapper
        yield from _part(wrapper.data_version.encode())
        yield _int.pack(len(wrapper.topic_config_table))
        for topic in wrapper.topic_config_table.values():
            yield from _part(topic.to_line(with_attributes=modern).encode())
        yield from _part(dumps(self.filter_server_list))
        if modern:
            yield _int.pack(len(wrapper.topic_queue_mapping_info_map))
            for mapping in wrapper.topic_queue_mapping_info_map.values():
                yield from _part(mapping.encode())


def _part(data: bytes) -> Iterator[bytes]:
    yield _int.pack(len(data))
    yield data


def _inflate(data: bytes) -> bytes:
    inflater = zlib.decompressobj()
    try:
        inflated = inflater.decompress(data, MAX_INFLATED_BYTES)
    except zlib.error as error:
        raise BodyError(f"compressed registration is broken: {error}") from None
    if not inflater.eof:
        # An exhausted limit leaves input behind; otherwise the input ended before the stream did.
        too_long = len(inflated) == MAX_INFLATED_BYTES
        problem = f"inflates to more than {MAX_INFLATED_BYTES} bytes" if too_long else "is cut short"
        raise BodyError(f"compressed registration {problem}")
    return inflated


class _PartReader:
    """Reads counts and length-prefixed parts, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self) -> int:
        if self._at + _int.size > len(self._data):
            raise BodyError(f"compressed registration ends at byte {self._at}, where a number should be")
        (value,) = _int.unpack_from(self._data, self._at)
        self._at += _int.size
        if value < 0:
            raise BodyError(f"compressed registration has the negative length {value}")
        return int(value)

    def part(self) -> bytes:
        length = self.number()
        start, self._at = self._at, self._at + length
        if self._at > len(self._data):
            raise BodyError(f"compressed registration ends within a part of {length} bytes")
        return self._data[start : self._at]

    def text(self) -> str:
        try:
            return self.part().decode()
        except UnicodeDecodeError as error:
            raise BodyError(f"compressed registration is not UTF-8: {error}") from None
