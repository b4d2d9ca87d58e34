# SPDX-License-Identifier: Apache-2.0
"""The commit log: every message of every topic, one after the other.

Records do not cross files. Where one does not fit with eight bytes to spare, a blank record fills the file
and the log goes on in the next. Positions are offsets from the beginning of time, not of a file.
"""

from struct import Struct
from typing import Final

from ..wire.record import MAGIC_BLANK
from .errors import StoreError
from .segments import MappingBudget, Segments
from .vfs import FileSystem

FOLDER: Final = "commitlog"
BLANK_BYTES: Final = 8
_blank = Struct(">ii")
_int = Struct(">i")


class CommitLog:
    """The log, open for appending and reading. `recovery` sets `end` before anything is appended."""

    def __init__(self, fs: FileSystem, file_bytes: int, budget: MappingBudget) -> None:
        self.segments = Segments(fs, FOLDER, file_bytes, budget)
        self.end = 0
        self.flushed = 0
        self._base = -1
        self._view = memoryview(b"")

    @property
    def start(self) -> int:
        """The offset of the oldest record that is still there."""
        return self.segments.start

    def reserve(self, size: int) -> int:
        """Make room for a record, or for several that must stay together; returns where it goes.

        Raises `StoreError` if no file is large enough.
        """
        if size + BLANK_BYTES > self.segments.segment_bytes:
            raise StoreError(f"{size} bytes do not fit a commit-log file of {self.segments.segment_bytes}")
        offset = self.end
        base = offset - offset % self.segments.segment_bytes
        if base != self._base:
            self._enter(base)
        room = base + self.segments.segment_bytes - offset
        if size + BLANK_BYTES > room:
            _blank.pack_into(self._view, offset - base, room, MAGIC_BLANK)
            self.end = base + self.segments.segment_bytes
            self._enter(self.end)
        return self.end

    def write(self, data: bytes) -> None:
        """Append what `reserve` made room for."""
        position = self.end - self._base
        self._view[position : position + len(data)] = data
        self.end += len(data)

    def prepare_next(self) -> None:
        """Create the file after the current one, so that nobody waits for it later."""
        if self.segments.bases and self.end > self.segments.bases[-1]:
            self.segments.add()

    def drop_prepared(self) -> None:
        """Delete files beyond the end, which a clean stop leaves none of."""
        self.segments.remove_after(max(self.end - 1, 0))

    def read(self, offset: int, size: int) -> memoryview | None:
        """The record at `offset`, None if it is not, or no longer, there. Not a copy."""
        base = self.segments.base_of(offset)
        if (
            base is None
            or size <= 0
            or offset + size > self.end
            or offset + size > base + self.segments.segment_bytes
        ):
            return None
        position = offset - base
        return self.segments.view(base)[position : position + size]

    def size_at(self, offset: int) -> int | None:
        """The size of the record at `offset`, as it says itself; None if nothing is there."""
        head = self.read(offset, _int.size)
        return None if head is None else int(_int.unpack_from(head)[0])

    def next_file(self, offset: int) -> int:
        """Where the file after the one with this offset starts."""
        return offset - offset % self.segments.segment_bytes + self.segments.segment_bytes

    def cut(self, offset: int) -> None:
        """Make `offset` the end. What was behind it is zeroed or deleted, so that it cannot come back."""
        self.segments.clear_from(offset)
        self.end = offset
        self._base = -1

    def flush(self) -> None:
        """Make everything up to the present end survive a power cut. Blocks; lets other threads run."""
        end = self.end
        for base in self.segments.bases:
            if base + self.segments.segment_bytes > self.flushed and base < end:
                self.segments.sync(base)
        self.flushed = end

    def close(self) -> None:
        """Unmap everything."""
        self.segments.close()

    def _enter(self, base: int) -> None:
        if base not in self.segments.bases:
            self.segments.add(base)
        self._view = self.segments.view(base)
        self._base = base
