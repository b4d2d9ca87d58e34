# SPDX-License-Identifier: Apache-2.0
"""Finding messages by key: the run of index files, newest last.

Keys are `topic#key` for the unique key and every word of KEYS, and `topic#T#tags` for tags. Files are named
by the time they were made, in local time, as the original names them.
"""

import datetime
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from ..wire.javahash import string_hash
from .errors import DamagedFileError
from .index_file import IndexFile, file_size, key_hash
from .vfs import FileSystem

FOLDER: Final = "index"
_CHANGING_TAIL: Final = 12
"""The end of a unique key that differs from message to message: time and counter."""


class Found(NamedTuple):
    """What a query found: offsets, newest first within a file, and how far the index reaches."""

    offsets: list[int]
    last_update_ms: int
    last_update_offset: int


class Index:
    """All index files of a store."""

    def __init__(self, fs: FileSystem, slots: int, entries: int, *, with_tags: bool = True) -> None:
        self._fs = fs
        self._slots = slots
        self._entries = entries
        self._with_tags = with_tags
        self.files: list[IndexFile] = []
        self.on_full: Callable[[IndexFile], None] = IndexFile.sync
        """What to do with a file that got full; the store syncs it in the background."""

    def load(self) -> None:
        """Open the files there are. Raises `DamagedFileError` for one of the wrong size."""
        for name in self._fs.names(FOLDER):
            if not name.isdecimal():
                continue
            path, expected = f"{FOLDER}/{name}", file_size(self._slots, self._entries)
            actual = self._fs.size(path)
            if actual != expected:
                raise DamagedFileError(path, f"has {actual} bytes where the configuration says {expected}")
            self.files.append(IndexFile(self._fs.map(path, expected), name, self._slots, self._entries))

    def drop_newer_than(self, safe_ms: int) -> int | None:
        """Delete files that may be damaged because they were written after `safe_ms`.

        Returns the commit-log offset from which messages must be indexed again, None if nothing was deleted.
        """
        doubtful = [file for file in self.files if file.end_ms > safe_ms]
        for file in doubtful:
            self._remove(file)
        return min((file.begin_offset for file in doubtful), default=None)

    def cut(self, end_physical: int) -> None:
        """Forget messages at or behind `end_physical`; delete files that hold nothing else."""
        for file in list(self.files):
            if file.begin_offset >= end_physical and file.end_offset > 0:
                self._remove(file)
            else:
                file.limit(end_physical)

    def remove_expired(self, start_physical: int) -> None:
        """Delete the files whose every message is gone from the log, except the last one."""
        for file in self.files[:-1]:
            if file.end_offset >= start_physical:
                break
            self._remove(file)

    def add(
        self, topic: str, unique_key: str | None, keys: str | None, tags: str | None,
        offset_physical: int, store_ms: int,
    ) -> None:  # fmt: skip
        """Index one message under all its keys."""
        if unique_key:
            self._put(_unique_hash(topic, unique_key), offset_physical, store_ms)
        if keys:
            for key in keys.split(" "):
                if key:
                    self._put(key_hash(f"{topic}#{key}"), offset_physical, store_ms)
        if tags and self._with_tags:
            self._put(_tag_hash(topic, tags), offset_physical, store_ms)

    def add_again(
        self, topic: str, unique_key: str | None, keys: str | None, tags: str | None,
        offset_physical: int, store_ms: int,
    ) -> None:  # fmt: skip
        """Index a message read back from the log, unless it is in already."""
        if not self.files or offset_physical > self.files[-1].end_offset or self.files[-1].is_empty:
            self.add(topic, unique_key, keys, tags, offset_physical, store_ms)

    def query(
        self, topic: str, key: str, begin_ms: int, end_ms: int, limit: int, *, tags: bool = False
    ) -> Found:
        """Where messages with this key may be; the caller compares the keys, as only hashes are kept."""
        if not self.files:
            return Found([], 0, 0)
        hash_value = key_hash(f"{topic}#T#{key}" if tags else f"{topic}#{key}")
        offsets: list[int] = []
        for file in reversed(self.files):
            if file.overlaps(begin_ms, end_ms):
                offsets += file.find(hash_value, begin_ms, end_ms, limit - len(offsets))
            if file.begin_ms < begin_ms or len(offsets) >= limit:
                break
        return Found(offsets, self.files[-1].end_ms, self.files[-1].end_offset)

    def sync(self) -> None:
        """Make all keys survive a power cut. Blocks."""
        for file in self.files:
            file.sync()

    def close(self) -> None:
        """Unmap everything."""
        for file in self.files:
            file.close()

    def _put(self, hash_value: int, offset_physical: int, store_ms: int) -> None:
        if not self.files or self.files[-1].is_full:
            self._begin_file(store_ms)
        self.files[-1].put(hash_value, offset_physical, store_ms)

    def _begin_file(self, store_ms: int) -> None:
        previous = self.files[-1] if self.files else None
        name = _file_name(store_ms)
        while previous is not None and name <= previous.name:
            name = str(int(previous.name) + 1)
        mapped = self._fs.map(f"{FOLDER}/{name}", file_size(self._slots, self._entries))
        file = IndexFile(mapped, name, self._slots, self._entries)
        if previous is not None:
            file.begin_after(previous.end_offset, previous.end_ms)
            self.on_full(previous)
        self.files.append(file)

    def _remove(self, file: IndexFile) -> None:
        file.close()
        self.files.remove(file)
        self._fs.remove(f"{FOLDER}/{file.name}")


def _file_name(now_ms: int) -> str:
    local = datetime.datetime.fromtimestamp(now_ms // 1000)  # noqa: DTZ006 - the original uses local time
    return f"{local:%Y%m%d%H%M%S}{now_ms % 1000:03d}"


@lru_cache(maxsize=4096)
def _prefix_hash(topic: str, stem: str) -> int:
    """The hash of the part that the unique keys of one client and topic share, scaled for what follows."""
    return string_hash(f"{topic}#{stem}") * 31**_CHANGING_TAIL


def _unique_hash(topic: str, unique_key: str) -> int:
    """`key_hash` of `topic#unique_key`, hashing only its end anew: the hash of a concatenation is a sum."""
    tail = unique_key[-_CHANGING_TAIL:]
    if len(tail) < _CHANGING_TAIL or not tail.isascii():
        return key_hash(f"{topic}#{unique_key}")
    value = (_prefix_hash(topic, unique_key[:-_CHANGING_TAIL]) + string_hash(tail)) & 0xFFFFFFFF
    value = 0x1_0000_0000 - value if value >= 0x8000_0000 else value
    return value if value < 2**31 else 0


@lru_cache(maxsize=4096)
def _tag_hash(topic: str, tags: str) -> int:
    return key_hash(f"{topic}#T#{tags}")
