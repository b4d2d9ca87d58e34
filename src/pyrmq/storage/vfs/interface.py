# SPDX-License-Identifier: Apache-2.0
"""What the store asks of a file system. Paths are relative to the root of the store."""

from typing import Protocol

Buffer = memoryview


class MappedFile(Protocol):
    """A file of fixed size, all of it readable and writable as memory."""

    @property
    def size(self) -> int:
        """The size it was mapped with."""

    @property
    def view(self) -> Buffer:
        """The bytes. What is written is seen by every reader at once, and kept after `sync`."""

    def clear_from(self, position: int) -> None:
        """Make everything from `position` on zero, without reading it."""

    def sync(self) -> None:
        """Make everything written so far survive a power cut. Blocks; lets other threads run meanwhile."""

    def close(self) -> None:
        """Give the mapping back. Slices of `view` that are still held must not be used any more."""


class Lock(Protocol):
    """An exclusive hold on a store."""

    def release(self) -> None:
        """Let others in."""


class FileSystem(Protocol):
    """A tree of files. Every method raises `OSError` with the file's name when the disk does not obey."""

    def map(self, path: str, size: int) -> MappedFile:
        """Map a file, creating it with zeros, or growing or shrinking it, to have exactly this size."""

    def read(self, path: str) -> bytes:
        """The content of a small file."""

    def replace(self, path: str, content: bytes, *, backup: bool = False) -> None:
        """Put a small file in place whole, safe from crashes; `backup` keeps the old one as `<path>.bak`."""

    def remove(self, path: str) -> None:
        """Delete a file, or a folder with all that is in it; it may be missing."""

    def names(self, folder: str) -> list[str]:
        """The sorted names in a folder, empty if there is no such folder."""

    def size(self, path: str) -> int | None:
        """The size of a file, None if there is none."""

    def modified_ms(self, path: str) -> int:
        """When a file was last written."""

    def usage(self) -> float:
        """How full the disk is, from 0 to 1."""

    def lock(self, path: str) -> Lock | None:
        """Take the lock that the original takes on this file; None if another process has it."""
