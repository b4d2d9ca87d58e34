# SPDX-License-Identifier: Apache-2.0
"""Putting, getting and opening again."""

import itertools

import pytest

from pyrmq.storage.errors import DamagedFileError, StoreError, StoreLockedError
from pyrmq.storage.messages import GetStatus
from pyrmq.storage.vfs import MemoryFileSystem
from pyrmq.wire import record as records
from pyrmq.wire.javahash import string_hash
from pyrmq.wire.record import MAGIC_BLANK
from pyrmq.wire.sysflag import Transaction
from tests.unit.storage.stores import SMALL, message, numbers, open_store


def test_messages_come_back_in_order_over_many_files() -> None:
    fs = MemoryFileSystem()
    store = open_store(fs)
    for number in range(200):
        store.put(message(number, queue_id=number % 2))
    assert numbers(store, queue_id=0) == list(range(0, 200, 2))
    assert numbers(store, queue_id=1) == list(range(1, 200, 2))
    assert len(fs.names("commitlog")) > 5
    assert len(fs.names("consumequeue/TopicA/0")) == 5


def test_a_record_is_what_the_log_says() -> None:
    store = open_store(MemoryFileSystem())
    stored = store.put(message(5))
    raw = store.message_at(stored.offset_physical)
    assert raw is not None
    record = records.decode(raw)
    assert record.topic == "TopicA"
    assert (record.offset_physical, record.offset_queue) == (stored.offset_physical, 0)
    assert record.store_time_ms == stored.store_time_ms
    assert record.property_map()["KEYS"] == "key5"
    queue = store.queues.find("TopicA", 0)
    assert queue is not None
    assert queue.entry(0) == (0, stored.size, string_hash("tag2"))


def test_files_end_with_a_blank_record() -> None:
    fs = MemoryFileSystem()
    store = open_store(fs)
    ends = [store.put(message(number)) for number in range(40)]
    last = max(each.offset_physical + each.size for each in ends if each.offset_physical < 4096)
    blank = fs.files["commitlog/00000000000000000000"][last : last + 8]
    assert int.from_bytes(blank[:4], "big") == 4096 - last
    assert int.from_bytes(blank[4:], "big", signed=True) == MAGIC_BLANK


def test_transaction_states_take_queue_offsets_as_the_original_gives_them() -> None:
    """Seen with both real stores: kinds 0, 4, 12, 8, 0 get the queue offsets 0, 0, 0, 1, 2."""
    store = open_store(MemoryFileSystem())
    kinds = (
        Transaction.NONE,
        Transaction.PREPARED,
        Transaction.ROLLBACK,
        Transaction.COMMIT,
        Transaction.NONE,
    )
    offsets = [store.put(message(n, sys_flag=int(kind))).offset_queue for n, kind in enumerate(kinds)]
    assert offsets == [0, 0, 0, 1, 2]
    assert store.max_offset("TopicA", 0) == 3


def test_a_batch_stays_in_one_file() -> None:
    store = open_store(MemoryFileSystem())
    store.put(message(0, size=3000))
    stored = store.put_batch([message(number) for number in range(1, 8)])
    assert stored[0].offset_physical == 4096
    assert all(a.offset_physical + a.size == b.offset_physical for a, b in itertools.pairwise(stored))
    assert numbers(store) == list(range(8))


def test_what_fits_no_file_is_refused() -> None:
    store = open_store(MemoryFileSystem())
    with pytest.raises(StoreError, match="do not fit"):
        store.put(message(0, size=4096))
    store.put(message(1))
    assert numbers(store) == [1]


@pytest.mark.parametrize(
    ("offset", "status", "next_offset"),
    [
        (0, GetStatus.FOUND, 10),
        (4, GetStatus.FOUND, 10),
        (10, GetStatus.OFFSET_OVERFLOW_ONE, 10),
        (11, GetStatus.OFFSET_OVERFLOW_BADLY, 10),
        (-1, GetStatus.OFFSET_TOO_SMALL, 0),
    ],
)
def test_where_a_read_ends(offset: int, status: GetStatus, next_offset: int) -> None:
    store = open_store(MemoryFileSystem())
    for number in range(10):
        store.put(message(number))
    got = store.get("TopicA", 0, offset, 32)
    assert (got.status, got.next_offset) == (status, next_offset)
    assert (got.min_offset, got.max_offset) == (0, 10)


def test_an_unknown_queue_is_empty() -> None:
    got = open_store(MemoryFileSystem()).get("Nothing", 3, 7, 32)
    assert (got.status, got.next_offset, got.max_offset) == (GetStatus.NO_MESSAGE_IN_QUEUE, 0, 0)


def test_a_filter_skips_but_moves_on() -> None:
    store = open_store(MemoryFileSystem())
    for number in range(12):
        store.put(message(number))
    wanted = string_hash("tag1")
    got = store.get("TopicA", 0, 0, 32, matches=lambda code: code == wanted)
    assert [int(bytes(each[88:]).split()[0]) for each in got.records] == [1, 4, 7, 10]
    assert got.next_offset == 12
    none = store.get("TopicA", 0, 0, 32, matches=lambda code: False)
    assert (none.status, none.next_offset) == (GetStatus.NO_MATCHED_MESSAGE, 12)


def test_limits_of_a_read() -> None:
    store = open_store(MemoryFileSystem())
    for number in range(20):
        store.put(message(number))
    assert len(store.get("TopicA", 0, 0, 5).records) == 5
    size = len(store.get("TopicA", 0, 0, 1).records[0])
    assert len(store.get("TopicA", 0, 0, 32, max_bytes=3 * size).records) == 3
    assert len(store.get("TopicA", 0, 0, 32, max_bytes=1).records) == 1


def test_queries_by_key() -> None:
    store = open_store(MemoryFileSystem())
    stored = [store.put(message(number)) for number in range(60)]
    assert store.index is not None
    assert len(store.index.files) > 1
    for number in (0, 30, 59):
        for key in (f"key{number}", f"7F000001000118B4AAC2{number:012X}"):
            found = store.index.query("TopicA", key, 0, 2**62, 32)
            assert stored[number].offset_physical in found.offsets
    assert store.index.query("TopicB", "key0", 0, 2**62, 32).offsets == []


def test_a_clean_stop_leaves_nothing_to_do() -> None:
    fs = MemoryFileSystem()
    store = open_store(fs)
    for number in range(100):
        store.put(message(number))
    store.close()
    assert fs.size("abort") is None
    again = open_store(fs)
    assert again.recovered.clean
    assert again.recovered.dispatched == 0
    assert numbers(again) == list(range(100))
    assert again.put(message(100)).offset_queue == 100
    assert numbers(again) == list(range(101))


def test_an_open_store_is_locked() -> None:
    fs = MemoryFileSystem()
    open_store(fs)
    with pytest.raises(StoreLockedError, match="in use by another process"):
        open_store(fs)


def test_foreign_file_sizes_are_named() -> None:
    fs = MemoryFileSystem()
    store = open_store(fs)
    store.put(message(0))
    store.close()
    fs.files["commitlog/00000000000000000000"] += b"x"
    with pytest.raises(DamagedFileError, match=r"commitlog/0{20}: has 4097 bytes"):
        open_store(fs, SMALL)
