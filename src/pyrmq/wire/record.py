# SPDX-License-Identifier: Apache-2.0
"""The message record: what the commit log holds and what pull, query and view answers carry.

Fixed fields first, then body, topic and properties, each with its length. Version 1 gives the topic length
one byte, version 2 two; version 2 is used only for topics of more than 127 bytes. Read from `CommitLog` and
`MessageExtEncoder` (5.5.0); proved equal to `layouts.RECORD` and to records that the original wrote.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Final
from zlib import crc32

import msgspec

from . import properties as property_text
from . import sysflag
from .compression import Compression, decompress
from .errors import RecordError
from .msgid import OffsetMessageId

MAGIC_V1: Final = -626843481
MAGIC_V2: Final = -626843477
MAGIC_BLANK: Final = -875286124
"""Marks the unused end of a commit-log file."""

MAX_TOPIC_BYTES_V1: Final = 127

# size, magic, body CRC, queue id, flag, queue offset, physical offset, sysFlag, born time
_head = Struct(">iiiiiqqiq")
_time = Struct(">q")
_tail = Struct(">iqi")  # reconsume times, prepared transaction offset, body length
_short = Struct(">h")
_HOST_V4: Final = 8
_HOST_V6: Final = 20
# The same with both hosts between, for the common case of IPv4.
_head_v4 = Struct(">iiiiiqqiq8sq8siqi")
_FIXED: Final = _head.size + _time.size + _tail.size + _short.size
SMALLEST: Final = _FIXED + 2 * _HOST_V4 + 1


class Record(msgspec.Struct, kw_only=True):
    """One message with all that the store knows of it. Hosts are packed (`msgid.pack_host`)."""

    topic: str
    queue_id: int = 0
    flag: int = 0
    offset_queue: int = 0
    offset_physical: int = 0
    sys_flag: int = 0
    born_time_ms: int = 0
    born_host: bytes = bytes(_HOST_V4)
    store_time_ms: int = 0
    store_host: bytes = bytes(_HOST_V4)
    reconsume_times: int = 0
    offset_prepared: int = 0
    body: bytes = b""
    properties: str = ""

    @property
    def message_id(self) -> str:
        """The offset message id of this record."""
        port = int.from_bytes(self.store_host[-4:], "big", signed=True)
        return str(OffsetMessageId(self.store_host[:-4], port, self.offset_physical))

    def property_map(self) -> dict[str, str]:
        """The properties, split."""
        return property_text.decode(self.properties)

    def plain_body(self) -> bytes:
        """The body as the sender meant it, decompressed if need be. Raises `RecordError`."""
        algorithm = Compression.of(self.sys_flag)
        return self.body if algorithm is None else decompress(self.body, algorithm)


def body_crc(body: bytes) -> int:
    """The checksum stored for a body: CRC-32 without its sign bit."""
    return crc32(body) & 0x7FFFFFFF


def topic_field(topic: str) -> bytes:
    """The topic with its length before it: one byte for it up to 127 bytes, two beyond."""
    raw = topic.encode()
    if len(raw) <= MAX_TOPIC_BYTES_V1:
        return bytes((len(raw),)) + raw
    if len(raw) > _short_max:
        raise RecordError(f"topic has {len(raw)} bytes, more than {_short_max}")
    return _short.pack(len(raw)) + raw


def encoded_size(topic: bytes, body: bytes, properties: bytes, born_host: bytes, store_host: bytes) -> int:
    """The size of a record with these parts; `topic` is a `topic_field`."""
    return _FIXED + len(born_host) + len(store_host) + len(body) + len(topic) + len(properties)


def pack(
    size: int,
    queue_id: int,
    flag: int,
    offset_queue: int,
    offset_physical: int,
    sys_flag: int,
    born_time_ms: int,
    born_host: bytes,
    store_time_ms: int,
    store_host: bytes,
    reconsume_times: int,
    offset_prepared: int,
    body: bytes,
    topic: bytes,
    properties: bytes,
) -> bytes:
    """Write a record from its parts, fast: `size` and `topic` are what the functions above made.

    The caller answers for the lengths and for the sysFlag's IPv6 bits.
    """
    magic = MAGIC_V1 if topic[0] == len(topic) - 1 else MAGIC_V2
    crc = crc32(body) & 0x7FFFFFFF
    length = _short.pack(len(properties))
    if len(born_host) == len(store_host) == _HOST_V4:
        head = _head_v4.pack(
            size, magic, crc, queue_id, flag, offset_queue, offset_physical, sys_flag, born_time_ms,
            born_host, store_time_ms, store_host, reconsume_times, offset_prepared, len(body),
        )  # fmt: skip
        return b"".join((head, body, topic, length, properties))
    head = _head.pack(size, magic, crc, queue_id, flag, offset_queue, offset_physical, sys_flag, born_time_ms)
    tail = _tail.pack(reconsume_times, offset_prepared, len(body))
    return b"".join(
        (head, born_host, _time.pack(store_time_ms), store_host, tail, body, topic, length, properties)
    )


def encode(record: Record) -> bytes:
    """Write a record. Raises `RecordError` if the topic or the properties are too long to be stored."""
    topic = topic_field(record.topic)
    properties = record.properties.encode()
    if len(properties) > property_text.MAX_BYTES:
        raise RecordError(f"properties have {len(properties)} bytes, more than {property_text.MAX_BYTES}")
    return pack(
        encoded_size(topic, record.body, properties, record.born_host, record.store_host),
        record.queue_id,
        record.flag,
        record.offset_queue,
        record.offset_physical,
        _with_host_bits(record),
        record.born_time_ms,
        record.born_host,
        record.store_time_ms,
        record.store_host,
        record.reconsume_times,
        record.offset_prepared,
        record.body,
        topic,
        properties,
    )


def decode(data: bytes | memoryview, start: int = 0, *, check_crc: bool = True) -> Record:
    """Read the record at `start`, checking its lengths and, if asked, its checksum. Raises `RecordError`.

    Records that a client library encoded (not a store) carry the checksum of the body before compression.
    """
    available = len(data) - start
    if available < SMALLEST:
        raise RecordError(f"{available} bytes left, a record has at least {SMALLEST}")
    size, magic, crc, queue_id, flag, offset_queue, offset_physical, sys_flag, born_ms = _head.unpack_from(
        data, start
    )
    if magic not in (MAGIC_V1, MAGIC_V2):
        raise RecordError(f"unknown magic {magic & 0xFFFFFFFF:#x}")
    if not SMALLEST <= size <= available:
        raise RecordError(f"record size {size} does not fit the {available} bytes left")
    end = start + size
    born_end = start + _head.size + (_HOST_V6 if sys_flag & sysflag.BORN_HOST_V6 else _HOST_V4)
    store_start = born_end + _time.size
    store_end = store_start + (_HOST_V6 if sys_flag & sysflag.STORE_HOST_V6 else _HOST_V4)
    body_start = store_end + _tail.size
    if body_start > end:
        raise RecordError("record is too short for its IPv6 hosts")
    reconsume_times, offset_prepared, body_length = _tail.unpack_from(data, store_end)
    topic_start = body_start + body_length + (2 if magic == MAGIC_V2 else 1)
    if body_length < 0 or topic_start > end:
        raise RecordError(f"body length {body_length} points outside the record")
    topic_length = int.from_bytes(data[body_start + body_length : topic_start], "big", signed=True)
    properties_start = topic_start + topic_length + _short.size
    if topic_length < 0 or properties_start > end:
        raise RecordError(f"topic length {topic_length} points outside the record")
    (properties_length,) = _short.unpack_from(data, properties_start - _short.size)
    if properties_length < 0 or properties_start + properties_length != end:
        raise RecordError(f"properties length {properties_length} disagrees with the record size {size}")
    body = bytes(data[body_start : body_start + body_length])
    if check_crc and body_crc(body) != crc:
        raise RecordError(f"body checksum is {body_crc(body):#x}, recorded {crc & 0xFFFFFFFF:#x}")
    try:
        topic = str(data[topic_start : topic_start + topic_length], "utf-8")
        properties = str(data[properties_start:end], "utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"topic or properties are not UTF-8: {error}") from None
    return Record(
        topic=topic,
        queue_id=queue_id,
        flag=flag,
        offset_queue=offset_queue,
        offset_physical=offset_physical,
        sys_flag=sys_flag,
        born_time_ms=born_ms,
        born_host=bytes(data[start + _head.size : born_end]),
        store_time_ms=_time.unpack_from(data, born_end)[0],
        store_host=bytes(data[store_start:store_end]),
        reconsume_times=reconsume_times,
        offset_prepared=offset_prepared,
        body=body,
        properties=properties,
    )


def decode_all(data: bytes | memoryview) -> Iterator[Record]:
    """Read records laid end to end, as in the body of a pull answer. Raises `RecordError`."""
    position = 0
    while position < len(data):
        yield decode(data, position)
        position += int.from_bytes(data[position : position + 4], "big")


_short_max: Final = 2**15 - 1


def _with_host_bits(record: Record) -> int:
    """The sysFlag with its two IPv6 bits set after the hosts that are really there."""
    bits = record.sys_flag & ~(sysflag.BORN_HOST_V6 | sysflag.STORE_HOST_V6)
    if len(record.born_host) == _HOST_V6:
        bits |= sysflag.BORN_HOST_V6
    if len(record.store_host) == _HOST_V6:
        bits |= sysflag.STORE_HOST_V6
    return bits
