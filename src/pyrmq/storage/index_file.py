# SPDX-License-Identifier: Apache-2.0
"""One index file: a hash table on disk from message keys to commit-log offsets.

A header of 40 bytes, a slot of 4 bytes per hash value modulo the slot count, then entries of 20 bytes. A slot
holds the number of its newest entry, an entry the number of the one before it, 0 ends the chain. Entry 0 is
never used. Only hashes are stored, so a reader must compare the keys of what it finds (`IndexFile` 5.5.0).
"""

from struct import Struct
from typing import Final

from ..wire.javahash import string_hash
from .vfs import MappedFile

HEADER_BYTES: Final = 40
SLOT_BYTES: Final = 4
ENTRY_BYTES: Final = 20
_MAX_SECONDS: Final = 2**31 - 1

_header = Struct(">qqqqii")  # first and last store time, first and last offset, used slots, next entry number
_end_time = Struct(">q")
_counts = Struct(">qii")  # last offset, used slots, next entry number
_slot = Struct(">i")
_entry = Struct(">iqii")  # key hash, commit-log offset, seconds since the first store time, previous entry


def file_size(slots: int, entries: int) -> int:
    """The size of an index file with this many slots and entries."""
    return HEADER_BYTES + slots * SLOT_BYTES + entries * ENTRY_BYTES


def key_hash(key: str) -> int:
    """The hash of an index key: Java's, made positive; the one value without a positive twin becomes 0."""
    value = abs(string_hash(key))
    return value if value < 2**31 else 0


class IndexFile:
    """An open index file."""

    def __init__(self, file: MappedFile, name: str, slots: int, entries: int) -> None:
        self.name = name
        self._file = file
        self._view = file.view
        self._slots = slots
        self._entries = entries
        self._first_entry = HEADER_BYTES + slots * SLOT_BYTES
        (
            self.begin_ms,
            self.end_ms,
            self.begin_offset,
            self.end_offset,
            self._used_slots,
            count,
        ) = _header.unpack_from(self._view)
        self._count = max(count, 1)

    @property
    def is_full(self) -> bool:
        """Whether no more keys fit."""
        return bool(self._count >= self._entries)

    @property
    def is_empty(self) -> bool:
        """Whether no key was put in yet."""
        return bool(self._count <= 1)

    def limit(self, end_physical: int) -> None:
        """Lower the last offset after the log was cut; otherwise the original would not index what comes."""
        if self.end_offset >= end_physical:
            self.end_offset = max(end_physical - 1, 0)
            self._write_header()

    def begin_after(self, end_offset: int, end_ms: int) -> None:
        """Start an empty file where the one before it ended."""
        self.begin_ms = self.end_ms = end_ms
        self.begin_offset = self.end_offset = end_offset
        self._write_header()

    def put(self, hash_value: int, offset_physical: int, store_ms: int) -> None:
        """Add a key. The file must not be full."""
        number = self._count
        slot_at = HEADER_BYTES + hash_value % self._slots * SLOT_BYTES
        (previous,) = _slot.unpack_from(self._view, slot_at)
        if not 0 < previous <= number:
            previous = 0
            self._used_slots += 1
        seconds = (store_ms - self.begin_ms) // 1000 if self.begin_ms > 0 and store_ms > self.begin_ms else 0
        _entry.pack_into(
            self._view,
            self._first_entry + number * ENTRY_BYTES,
            hash_value,
            offset_physical,
            min(seconds, _MAX_SECONDS),
            previous,
        )
        _slot.pack_into(self._view, slot_at, number)
        self._count = number + 1
        self.end_offset = offset_physical
        self.end_ms = store_ms
        if number <= 1:
            self.begin_offset = offset_physical
            self.begin_ms = store_ms
            self._write_header()
        else:
            _end_time.pack_into(self._view, 8, store_ms)
            _counts.pack_into(self._view, 24, offset_physical, self._used_slots, self._count)

    def _write_header(self) -> None:
        _header.pack_into(
            self._view,
            0,
            self.begin_ms,
            self.end_ms,
            self.begin_offset,
            self.end_offset,
            self._used_slots,
            self._count,
        )

    def overlaps(self, begin_ms: int, end_ms: int) -> bool:
        """Whether messages of this time may be in this file."""
        return bool(
            (begin_ms < self.begin_ms and end_ms > self.end_ms)
            or self.begin_ms <= begin_ms <= self.end_ms
            or self.begin_ms <= end_ms <= self.end_ms
        )

    def find(self, hash_value: int, begin_ms: int, end_ms: int, limit: int) -> list[int]:
        """Offsets of messages whose key has this hash, newest first, stored within the given times."""
        found: list[int] = []
        (number,) = _slot.unpack_from(self._view, HEADER_BYTES + hash_value % self._slots * SLOT_BYTES)
        while 0 < number <= self._count and len(found) < limit:
            entry_hash, offset, seconds, previous = _entry.unpack_from(
                self._view, self._first_entry + number * ENTRY_BYTES
            )
            if seconds < 0:
                break
            stored_ms = self.begin_ms + seconds * 1000
            if entry_hash == hash_value and begin_ms <= stored_ms <= end_ms:
                found.append(offset)
            if stored_ms < begin_ms or previous >= number:
                # A chain only ever leads to older entries; a damaged one must not lead in circles.
                break
            number = previous
        return found

    def sync(self) -> None:
        """Make all keys survive a power cut. Blocks."""
        self._write_header()
        self._file.sync()

    def close(self) -> None:
        """Unmap the file."""
        self._file.close()
