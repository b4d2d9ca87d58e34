# SPDX-License-Identifier: Apache-2.0
"""Files on a disk."""

import fcntl
import mmap
import os
import shutil
from contextlib import suppress
from pathlib import Path

from ...atomicfile import replace_file, replace_keeping_backup
from .interface import Buffer


class RealFileSystem:
    """The files below one folder, which is created when it is first written to."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def map(self, path: str, size: int) -> "RealMappedFile":
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(full, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if os.fstat(descriptor).st_size != size:
                os.ftruncate(descriptor, size)
            return RealMappedFile(descriptor, size)
        except BaseException:
            os.close(descriptor)
            raise

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def replace(self, path: str, content: bytes, *, backup: bool = False) -> None:
        (replace_keeping_backup if backup else replace_file)(self.root / path, content)

    def remove(self, path: str) -> None:
        full = self.root / path
        if full.is_dir():
            shutil.rmtree(full)
        else:
            full.unlink(missing_ok=True)

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(entry.name for entry in (self.root / folder).iterdir())
        except FileNotFoundError:
            return []

    def size(self, path: str) -> int | None:
        try:
            return (self.root / path).stat().st_size
        except FileNotFoundError:
            return None

    def modified_ms(self, path: str) -> int:
        return (self.root / path).stat().st_mtime_ns // 1_000_000

    def usage(self) -> float:
        total, used, _ = shutil.disk_usage(self.root)
        return used / total if total else 0.0

    def lock(self, path: str) -> "RealLock | None":
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(full, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            # The same POSIX lock on the first byte that Java's FileChannel.tryLock(0, 1, false) takes.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)
        except OSError:
            os.close(descriptor)
            return None
        return RealLock(descriptor)


class RealMappedFile:
    """A memory-mapped file."""

    def __init__(self, descriptor: int, size: int) -> None:
        self._descriptor = descriptor
        self._map = mmap.mmap(descriptor, size)
        self.size = size
        self.view: Buffer = memoryview(self._map)

    def clear_from(self, position: int) -> None:
        # Shrinking and growing again drops the pages instead of writing zeros to them.
        os.ftruncate(self._descriptor, position)
        os.ftruncate(self._descriptor, self.size)

    def sync(self) -> None:
        # Not mmap.flush: that holds the interpreter lock for as long as the disk takes.
        os.fdatasync(self._descriptor)

    def close(self) -> None:
        self.view.release()
        with suppress(BufferError):  # a reader still holds a slice; the mapping goes when the slice does
            self._map.close()
        os.close(self._descriptor)


class RealLock:
    """A held file lock; it ends with the process, however that ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        os.close(self._descriptor)
