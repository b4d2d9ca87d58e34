# SPDX-License-Identifier: Apache-2.0
"""One queue of one topic: where its messages lie in the commit log, 20 bytes each.

An entry is the commit-log offset, the record's size and the tag code. The place of an entry, divided by 20,
is the queue offset that consumers know.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Final, NamedTuple

from .segments import MappingBudget, Segments
from .vfs import FileSystem

FOLDER: Final = "consumequeue"
ENTRY_BYTES: Final = 20
_RECOVERED_FILES: Final = 3
_PRE_BLANK_SIZE: Final = 0x7FFFFFFF
_entry = Struct(">qiq")


class Entry(NamedTuple):
    """A message of a queue."""

    offset_physical: int
    size: int
    tags_code: int


class ConsumeQueue:
    """A queue, open for appending and reading."""

    def __init__(
        self, fs: FileSystem, topic: str, queue_id: int, file_bytes: int, budget: MappingBudget
    ) -> None:
        self.topic = topic
        self.queue_id = queue_id
        self.segments = Segments(fs, f"{FOLDER}/{topic}/{queue_id}", file_bytes, budget)
        self.min_offset = 0
        self.max_offset = 0
        """The queue offset of the next message."""
        self.end_physical = -1
        """Where in the commit log the record of the last entry ends, -1 without entries."""
        self.flushed = 0
        self._base = -1
        self._view = memoryview(b"")

    # --- appending ---------------------------------------------------------------------------------------

    def append(self, offset_physical: int, size: int, tags_code: int) -> int:
        """Add the next entry; returns its queue offset."""
        number = self.max_offset
        position = number * ENTRY_BYTES - self._base
        if self._base < 0 or position == self.segments.segment_bytes:
            position = self._enter(number * ENTRY_BYTES)
        try:
            _entry.pack_into(self._view, position, offset_physical, size, tags_code)
        except ValueError:  # unmapped meanwhile, in favour of busier files
            self._view = self.segments.view(self._base)
            _entry.pack_into(self._view, position, offset_physical, size, tags_code)
        self.max_offset = number + 1
        self.end_physical = offset_physical + size
        return number

    def dispatch(self, number: int, offset_physical: int, size: int, tags_code: int) -> None:
        """Add the entry of a record read back from the log, unless it is there already."""
        if offset_physical + size <= self.end_physical:
            return
        if number > self.max_offset and not self.segments.bases:
            self._begin_at(number)
        self.append(offset_physical, size, tags_code)

    def _begin_at(self, number: int) -> None:
        """Start a queue whose older part is gone, filling the file up to there as the original does."""
        first = self.segments.add(number * ENTRY_BYTES)
        view = self.segments.view(first)
        blank = _entry.pack(0, _PRE_BLANK_SIZE, 0)
        count = (number * ENTRY_BYTES - first) // ENTRY_BYTES
        view[: count * ENTRY_BYTES] = blank * count
        self.min_offset = self.max_offset = number

    def _enter(self, place: int) -> int:
        base = self.segments.base_of(place)
        if base is None:
            base = self.segments.add(place)
        self._base = base
        self._view = self.segments.view(base)
        return place - base

    # --- reading -----------------------------------------------------------------------------------------

    def entries(self, start: int, limit: int) -> Iterator[Entry]:
        """Entries from queue offset `start` on, at most `limit`, within one file."""
        block = self._block(start, limit)
        return map(Entry._make, _entry.iter_unpack(block))

    def _block(self, start: int, limit: int) -> memoryview:
        place = start * ENTRY_BYTES
        base = self.segments.base_of(place)
        if base is None or not self.min_offset <= start < self.max_offset:
            return memoryview(b"")
        stop = min(
            (start + limit) * ENTRY_BYTES, self.max_offset * ENTRY_BYTES, base + self.segments.segment_bytes
        )
        return self.segments.view(base)[place - base : stop - base]

    def entry(self, number: int) -> Entry | None:
        """The entry at a queue offset, None if there is none."""
        return next(self.entries(number, 1), None)

    def next_file(self, number: int) -> int:
        """The queue offset at which the file after that of `number` starts."""
        per_file = self.segments.segment_bytes // ENTRY_BYTES
        return number + per_file - number % per_file

    # --- opening and cutting -----------------------------------------------------------------------------

    def recover(self) -> None:
        """Find the end: in the last three files, the first entry that cannot be one."""
        self.segments.load()
        self.min_offset = self.segments.start // ENTRY_BYTES
        self.max_offset = self.min_offset
        for base in self.segments.bases[-_RECOVERED_FILES:]:
            view = self.segments.view(base)
            count = _valid_entries(view)
            if count:
                offset, size, _ = _entry.unpack_from(view, (count - 1) * ENTRY_BYTES)
                self.max_offset = base // ENTRY_BYTES + count
                self.end_physical = offset + size if size != _PRE_BLANK_SIZE else -1
            if count * ENTRY_BYTES < self.segments.segment_bytes:
                self._cut_after(base + count * ENTRY_BYTES)
                break

    def cut(self, end_physical: int) -> None:
        """Drop the entries of records at or behind `end_physical`."""
        low, high = self.min_offset, self.max_offset
        while low < high:
            middle = (low + high) // 2
            entry = self.entry(middle)
            if entry is not None and entry.offset_physical < end_physical:
                low = middle + 1
            else:
                high = middle
        if low == self.max_offset:
            return
        self.max_offset = low
        last = self.entry(low - 1) if low > self.min_offset else None
        self.end_physical = (
            -1 if last is None or last.size == _PRE_BLANK_SIZE else last.offset_physical + last.size
        )
        self._cut_after(low * ENTRY_BYTES)

    def _cut_after(self, place: int) -> None:
        """Clear what is behind `place`, so that stale entries do not come back."""
        self.segments.clear_from(place)
        self._base = -1

    def raise_minimum(self, start_physical: int) -> None:
        """Make the first entry whose record is still in the log the first of the queue."""
        low, high = self.min_offset, self.max_offset
        while low < high:
            middle = (low + high) // 2
            entry = self.entry(middle)
            if entry is None or entry.offset_physical < start_physical or entry.size == _PRE_BLANK_SIZE:
                low = middle + 1
            else:
                high = middle
        self.min_offset = low

    def remove_expired(self, start_physical: int) -> list[str]:
        """Delete the files whose every record is gone from the log, except the last one."""
        self.raise_minimum(start_physical)
        return self.segments.remove_before(self.min_offset * ENTRY_BYTES)

    def flush(self) -> None:
        """Make the entries survive a power cut. Blocks."""
        end = self.max_offset * ENTRY_BYTES
        if end == self.flushed:
            return
        for base in self.segments.bases:
            if base + self.segments.segment_bytes > self.flushed and base < end:
                self.segments.sync(base)
        self.flushed = end

    def close(self) -> None:
        """Unmap everything."""
        self.segments.close()


def _valid_entries(view: memoryview) -> int:
    """How many entries at the start of a file can be some: offset not negative, size positive."""
    for number, (offset, size, _) in enumerate(_entry.iter_unpack(view)):
        if offset < 0 or size <= 0:
            return number
    return len(view) // ENTRY_BYTES
