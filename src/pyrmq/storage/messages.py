# SPDX-License-Identifier: Apache-2.0
"""What goes into a store and what comes out."""

from enum import Enum

import msgspec


class NewMessage(msgspec.Struct, kw_only=True):
    """A message to be stored. `properties` is the text that will stand in the record."""

    topic: str
    queue_id: int
    body: bytes
    properties: bytes = b""
    born_time_ms: int = 0
    born_host: bytes = bytes(8)
    flag: int = 0
    sys_flag: int = 0
    reconsume_times: int = 0
    offset_prepared: int = 0
    tags: str | None = None
    keys: str | None = None
    unique_key: str | None = None
    tags_code: int | None = None
    """What stands in the queue instead of the hash of the tags; delayed messages have their time there."""


class Stored(msgspec.Struct):
    """Where a message was stored."""

    offset_physical: int
    offset_queue: int
    size: int
    store_time_ms: int


class GetStatus(Enum):
    """How a read ended, in the original's words."""

    FOUND = "FOUND"
    NO_MATCHED_MESSAGE = "NO_MATCHED_MESSAGE"
    MESSAGE_WAS_REMOVING = "MESSAGE_WAS_REMOVING"
    OFFSET_FOUND_NULL = "OFFSET_FOUND_NULL"
    OFFSET_OVERFLOW_BADLY = "OFFSET_OVERFLOW_BADLY"
    OFFSET_OVERFLOW_ONE = "OFFSET_OVERFLOW_ONE"
    OFFSET_TOO_SMALL = "OFFSET_TOO_SMALL"
    NO_MESSAGE_IN_QUEUE = "NO_MESSAGE_IN_QUEUE"


class Got(msgspec.Struct):
    """The answer to a read: records as they lie in the log, and where to read on."""

    status: GetStatus
    next_offset: int
    min_offset: int
    max_offset: int
    records: list[memoryview] = msgspec.field(default_factory=list)
    record_bytes: int = 0
    suggests_slave: bool = False
    """Whether the reader is so far behind that a slave should serve it."""
