# SPDX-License-Identifier: Apache-2.0
"""A run of equally sized files that together hold one long range of offsets.

Each file is named by the offset of its first byte, in twenty digits. Files are mapped when they are first
touched, and at most `max_mapped` of them at a time, because thousands of queues have one file each and more.
"""

import re
from collections import OrderedDict
from collections.abc import Callable

from .errors import DamagedFileError
from .vfs import FileSystem, MappedFile

_NAME = re.compile(r"[0-9]{20}")


class MappingBudget:
    """The files mapped at the moment, least recently used first; shared by all runs of a store."""

    def __init__(self, max_mapped: int = 8192) -> None:
        self._max_mapped = max_mapped
        self._mapped: OrderedDict[tuple[str, int], Callable[[], None]] = OrderedDict()

    def added(self, key: tuple[str, int], unmap: Callable[[], None]) -> None:
        """Note a new mapping, and give up the oldest one if there are too many."""
        self._mapped[key] = unmap
        while len(self._mapped) > self._max_mapped:
            _, oldest = self._mapped.popitem(last=False)
            oldest()

    def used(self, key: tuple[str, int]) -> None:
        """Note a use."""
        self._mapped.move_to_end(key)

    def removed(self, key: tuple[str, int]) -> None:
        """Forget a mapping that is gone."""
        self._mapped.pop(key, None)


class Segments:
    """The files of one folder. `bases` are their first offsets, ascending and without gaps after `load`."""

    def __init__(self, fs: FileSystem, folder: str, segment_bytes: int, budget: MappingBudget) -> None:
        self.fs = fs
        self.folder = folder
        self.segment_bytes = segment_bytes
        self.bases: list[int] = []
        self._budget = budget
        self._files: dict[int, MappedFile] = {}

    def load(self) -> None:
        """Find the files. Raises `DamagedFileError` for one of the wrong size, or a gap between two.

        An empty last file is removed, as the original does it: a crash right after its creation leaves one.
        """
        bases = sorted(int(name) for name in self.fs.names(self.folder) if _NAME.fullmatch(name))
        for base in bases:
            size = self.fs.size(self.path(base))
            if size == 0 and base == bases[-1]:
                self.fs.remove(self.path(base))
                continue
            if size != self.segment_bytes:
                raise DamagedFileError(
                    self.path(base),
                    f"has {size} bytes where the configuration says {self.segment_bytes}; "
                    "start with the file size it was written with, or move it away",
                )
            if self.bases and base != self.bases[-1] + self.segment_bytes:
                raise DamagedFileError(self.path(base), f"does not continue {self.path(self.bases[-1])}")
            self.bases.append(base)

    @property
    def start(self) -> int:
        """The first offset there is; 0 without files."""
        return self.bases[0] if self.bases else 0

    @property
    def end(self) -> int:
        """The offset after the last file; 0 without files."""
        return self.bases[-1] + self.segment_bytes if self.bases else 0

    def path(self, base: int) -> str:
        """The file that starts at `base`."""
        return f"{self.folder}/{base:020d}"

    def base_of(self, offset: int) -> int | None:
        """Which file holds this offset, None if none does."""
        if not self.start <= offset < self.end:
            return None
        return offset - (offset - self.start) % self.segment_bytes

    def view(self, base: int) -> memoryview:
        """The bytes of the file at `base`; valid until it is removed or many others were touched."""
        file = self._files.get(base)
        if file is None:
            file = self.fs.map(self.path(base), self.segment_bytes)
            self._files[base] = file
            self._budget.added((self.folder, base), lambda: self._unmap(base))
        else:
            self._budget.used((self.folder, base))
        return file.view

    def add(self, base: int | None = None) -> int:
        """Create the next file, or the first one at `base`; returns where it starts."""
        new = self.end if self.bases else (base or 0) - (base or 0) % self.segment_bytes
        self.bases.append(new)
        self.view(new)
        return new

    def remove_before(self, offset: int) -> list[str]:
        """Delete the files that end at or before `offset`, except the last one; returns their names."""
        gone = [base for base in self.bases[:-1] if base + self.segment_bytes <= offset]
        return [self._remove(base) for base in gone]

    def remove_after(self, offset: int) -> list[str]:
        """Delete the files that start after `offset`; returns their names."""
        return [self._remove(base) for base in [base for base in self.bases if base > offset]]

    def remove_all(self) -> None:
        """Delete every file and the folder."""
        for base in list(self.bases):
            self._remove(base)
        self.fs.remove(self.folder)

    def clear_from(self, offset: int) -> None:
        """Zero what is behind `offset` in its file, and delete the files after it."""
        self.remove_after(max(offset - 1, 0))
        base = self.base_of(offset)
        if base is not None:
            self.view(base)
            self._files[base].clear_from(offset - base)

    def sync(self, base: int) -> None:
        """Make what was written to the file at `base` survive a power cut, if it is mapped at all."""
        file = self._files.get(base)
        if file is not None:
            file.sync()

    def close(self) -> None:
        """Unmap everything."""
        for base in list(self._files):
            self._unmap(base)

    def _remove(self, base: int) -> str:
        self._unmap(base)
        self.bases.remove(base)
        self.fs.remove(self.path(base))
        return self.path(base)

    def _unmap(self, base: int) -> None:
        self._budget.removed((self.folder, base))
        file = self._files.pop(base, None)
        if file is not None:
            file.close()
