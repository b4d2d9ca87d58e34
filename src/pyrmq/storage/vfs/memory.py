# SPDX-License-Identifier: Apache-2.0
"""Files in memory, for tests and for brokers that need not remember."""

from .interface import Buffer


class MemoryFileSystem:
    """A tree of byte arrays. Nothing survives the process, and everything survives `sync`."""

    def __init__(self) -> None:
        self.files: dict[str, bytearray] = {}
        self.modified: dict[str, int] = {}
        self.full = 0.0
        self.now_ms = 0
        self._locked: set[str] = set()

    def map(self, path: str, size: int) -> "MemoryMappedFile":
        content = self.files.get(path, bytearray())
        if len(content) != size:
            content = bytearray(content[:size].ljust(size, b"\0"))
        self._store(path, content)
        return MemoryMappedFile(content)

    def read(self, path: str) -> bytes:
        try:
            return bytes(self.files[path])
        except KeyError:
            raise FileNotFoundError(2, "No such file or directory", path) from None

    def replace(self, path: str, content: bytes, *, backup: bool = False) -> None:
        if backup and path in self.files:
            self._store(path + ".bak", self.files[path])
        self._store(path, bytearray(content))

    def remove(self, path: str) -> None:
        for name in [name for name in self.files if name == path or name.startswith(path + "/")]:
            del self.files[name]

    def names(self, folder: str) -> list[str]:
        prefix = f"{folder}/" if folder else ""
        inside = (name[len(prefix) :] for name in self.files if name.startswith(prefix))
        return sorted({name.partition("/")[0] for name in inside})

    def size(self, path: str) -> int | None:
        content = self.files.get(path)
        return None if content is None else len(content)

    def modified_ms(self, path: str) -> int:
        return self.modified[path]

    def usage(self) -> float:
        return self.full

    def lock(self, path: str) -> "MemoryLock | None":
        if path in self._locked:
            return None
        self._locked.add(path)
        return MemoryLock(self._locked, path)

    def _store(self, path: str, content: bytearray) -> None:
        self.files[path] = content
        self.modified[path] = self.now_ms


class MemoryMappedFile:
    """A byte array that looks like a mapped file."""

    def __init__(self, content: bytearray) -> None:
        self.size = len(content)
        self.view: Buffer = memoryview(content)

    def clear_from(self, position: int) -> None:
        self.view[position:] = bytes(self.size - position)

    def sync(self) -> None:
        """Memory is as safe as it gets."""

    def close(self) -> None:
        self.view.release()


class MemoryLock:
    """A name in a set."""

    def __init__(self, locked: set[str], path: str) -> None:
        self._locked = locked
        self._path = path

    def release(self) -> None:
        self._locked.discard(self._path)
