# SPDX-License-Identifier: Apache-2.0
"""The checkpoint file: up to which time and offset which part of the store was safe on disk.

4096 bytes, six 8-byte numbers at the start, zeros after them (`StoreCheckpoint` 5.5.0; 4.9 knows three).
"""

from struct import Struct
from typing import Final

from .vfs import FileSystem

PATH: Final = "checkpoint"
SIZE: Final = 4096
_fields = Struct(">qqqqqq")


class Checkpoint:
    """Times in milliseconds of the newest message that is safe, per part, and offsets for replication."""

    def __init__(self, fs: FileSystem) -> None:
        self._file = fs.map(PATH, SIZE)
        (
            self.commit_log_ms,
            self.queues_ms,
            self.index_ms,
            self.master_flushed_offset,
            self.confirmed_offset,
            self.queues_offset,
        ) = _fields.unpack_from(self._file.view)

    def flush(self) -> None:
        """Write the numbers and make them safe. Blocks."""
        _fields.pack_into(
            self._file.view,
            0,
            self.commit_log_ms,
            self.queues_ms,
            self.index_ms,
            self.master_flushed_offset,
            self.confirmed_offset,
            self.queues_offset,
        )
        self._file.sync()

    def close(self) -> None:
        """Write the numbers a last time and unmap the file."""
        self.flush()
        self._file.close()
