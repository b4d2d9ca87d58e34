# SPDX-License-Identifier: Apache-2.0
"""The body of SEND_BATCH_MESSAGE: several messages of one topic and queue, end to end.

Each has its size, flag, body and properties; magic and CRC are left 0 by clients and ignored by brokers.
"""

from collections.abc import Iterable, Iterator
from struct import Struct

import msgspec

from . import properties as property_text
from .errors import RecordError

_head = Struct(">iiiii")  # size, magic, body CRC, flag, body length
_short = Struct(">h")


class BatchMessage(msgspec.Struct):
    """One message inside a batch; topic, queue and times are those of the batch."""

    body: bytes
    properties: str = ""
    flag: int = 0


def encode(messages: Iterable[BatchMessage]) -> bytes:
    """Write a batch body. Raises `RecordError` if properties are too long."""
    parts: list[bytes] = []
    for message in messages:
        raw = message.properties.encode()
        if len(raw) > property_text.MAX_BYTES:
            raise RecordError(f"properties have {len(raw)} bytes, more than {property_text.MAX_BYTES}")
        size = _head.size + len(message.body) + _short.size + len(raw)
        head = _head.pack(size, 0, 0, message.flag, len(message.body))
        parts += head, message.body, _short.pack(len(raw)), raw
    return b"".join(parts)


def decode(data: bytes) -> Iterator[BatchMessage]:
    """Read a batch body, message by message. Raises `RecordError`."""
    position = 0
    while position < len(data):
        if len(data) - position < _head.size + _short.size:
            raise RecordError(f"batch ends within the head of a message at byte {position}")
        size, _, _, flag, body_length = _head.unpack_from(data, position)
        body_start = position + _head.size
        properties_start = body_start + body_length + _short.size
        if body_length < 0 or properties_start > len(data):
            raise RecordError(f"body length {body_length} at byte {position} points outside the batch")
        (properties_length,) = _short.unpack_from(data, properties_start - _short.size)
        end = properties_start + properties_length
        if properties_length < 0 or end > len(data) or end - position != size:
            raise RecordError(f"message size {size} at byte {position} disagrees with its parts")
        try:
            properties = str(data[properties_start:end], "utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(f"batch properties at byte {position} are not UTF-8: {error}") from None
        yield BatchMessage(data[body_start : body_start + body_length], properties, flag)
        position = end
