# SPDX-License-Identifier: Apache-2.0
"""Opening a store that nobody closed, with whatever a crash can have done to its tail."""

import copy
from random import Random

import pytest

from pyrmq.storage.vfs import MemoryFileSystem
from tests.unit.storage.stores import SMALL, message, numbers, open_store

COUNT = 60


def crashed() -> tuple[MemoryFileSystem, list[int]]:
    """A store with messages in two queues that was never closed, and where each record ends."""
    fs = MemoryFileSystem()
    store = open_store(fs)
    ends = []
    for number in range(COUNT):
        stored = store.put(message(number, queue_id=number % 2))
        ends.append(stored.offset_physical + stored.size)
        if number == COUNT // 2:
            store.flush_all()
    store.abandon()
    return fs, ends


def reopened(fs: MemoryFileSystem) -> list[int]:
    store = open_store(fs)
    found = sorted(numbers(store, queue_id=0) + numbers(store, queue_id=1))
    store.put(message(1000, queue_id=0))
    assert numbers(store, queue_id=0)[-1] == 1000
    store.close()
    again = open_store(fs)
    assert sorted(numbers(again, queue_id=0) + numbers(again, queue_id=1)) == [*found, 1000]
    return found


def test_nothing_is_lost_when_the_process_dies() -> None:
    fs, _ = crashed()
    assert reopened(fs) == list(range(COUNT))


@pytest.mark.parametrize("gone", ["consumequeue", "index", "checkpoint", "consumequeue/TopicA/1"])
def test_what_is_derived_is_rebuilt(gone: str) -> None:
    fs, _ = crashed()
    fs.remove(gone)
    store = open_store(fs)
    assert sorted(numbers(store, queue_id=0) + numbers(store, queue_id=1)) == list(range(COUNT))
    assert store.index is not None
    assert store.index.query("TopicA", "key3", 0, 2**62, 32).offsets


def test_queues_deleted_after_a_clean_stop_are_rebuilt() -> None:
    fs = MemoryFileSystem()
    store = open_store(fs)
    for number in range(COUNT):
        store.put(message(number))
    store.close()
    fs.remove("consumequeue")
    assert numbers(open_store(fs)) == list(range(COUNT))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("damage", ["zeros", "noise", "short noise"])
def test_a_torn_tail_costs_only_what_it_tore(seed: int, damage: str) -> None:
    """Bytes from a random place on are lost; every whole record before that place is kept."""
    fs, ends = crashed()
    random = Random(seed)
    torn_at = random.randrange(ends[-1] // 2, ends[-1])
    size = SMALL.commit_log_file_bytes
    for name in fs.names("commitlog"):
        content = fs.files[f"commitlog/{name}"]
        start = max(torn_at - int(name), 0)
        if start < size:
            stop = min(start + 40, size) if damage == "short noise" else size
            lost = bytes(stop - start) if damage == "zeros" else random.randbytes(stop - start)
            content[start:stop] = lost
        if damage == "short noise" and start < size:
            break
    kept = [number for number, end in enumerate(ends) if end <= torn_at]
    found = reopened(copy.deepcopy(fs))
    assert found[: len(kept)] == kept
    assert set(found) <= set(range(COUNT))


def test_the_cut_is_told(caplog: pytest.LogCaptureFixture) -> None:
    fs, ends = crashed()
    place = ends[-2] % SMALL.commit_log_file_bytes
    name = f"commitlog/{ends[-2] - place:020d}"
    fs.files[name][place + 95] ^= 0xFF
    store = open_store(fs)
    assert store.recovered.end == ends[-2]
    assert f"{name} at byte {place}: body checksum" in (store.recovered.cut_reason or "")
    assert name in caplog.text
