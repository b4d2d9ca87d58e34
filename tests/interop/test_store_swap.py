# SPDX-License-Identifier: Apache-2.0
"""A store goes from a real broker to our engine and back, after clean stops and after crashes."""

import re
from pathlib import Path

import pytest

from pyrmq.clock import SystemClock
from pyrmq.storage.messages import NewMessage
from pyrmq.storage.options import StoreOptions
from pyrmq.storage.store import Store
from pyrmq.storage.vfs import RealFileSystem
from pyrmq.wire import record as records
from pyrmq.wire.msgid import pack_host
from pyrmq_compat import mqadmin, send_and_receive, start_broker, start_namesrv
from pyrmq_compat.reference import SMALL_BROKER

pytestmark = pytest.mark.interop

TOPIC = "SwapTopic"
THEIRS = 300
OURS = 100
OPTIONS = StoreOptions(
    commit_log_file_bytes=int(SMALL_BROKER["mappedFileSizeCommitLog"]),
    index_slots=int(SMALL_BROKER["maxHashSlotNum"]),
    index_entries=int(SMALL_BROKER["maxIndexNum"]),
)


def open_store(folder: Path, port: int) -> Store:
    host = pack_host("127.0.0.1", port)
    return Store(RealFileSystem(folder), OPTIONS, SystemClock(), store_host=host)


def ours(number: int) -> NewMessage:
    unique, key = f"7F000001000118B4AAC3{number:012X}", f"ours{number}"
    properties = f"KEYS\x01{key}\x02UNIQ_KEY\x01{unique}\x02TAGS\x01T\x02"
    return NewMessage(
        topic=TOPIC,
        queue_id=0,
        body=b"ours %d" % number,
        properties=properties.encode(),
        born_time_ms=SystemClock().now_ms(),
        born_host=pack_host("127.0.0.1", 1),
        keys=key,
        unique_key=unique,
        tags="T",
    )


def all_records(store: Store) -> list[records.Record]:
    """Every message of the topic, each queue in order, checked against its place."""
    found = []
    for queue in store.queues:
        if queue.topic != TOPIC:
            continue
        offset = queue.min_offset
        while offset < queue.max_offset:
            got = store.get(TOPIC, queue.queue_id, offset, 32)
            for number, raw in enumerate(got.records, offset):
                record = records.decode(raw)
                assert (record.topic, record.queue_id, record.offset_queue) == (TOPIC, queue.queue_id, number)
                found.append(record)
            offset = got.next_offset
    return found


@pytest.mark.parametrize("killed", [False, True], ids=["clean stops", "crashes"])
def test_there_and_back(version: str, killed: bool, tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    with start_namesrv(version, tmp_path / "namesrv") as namesrv:
        broker = start_broker(version, folder, namesrv.address)
        assert send_and_receive(version, namesrv.address, TOPIC, THEIRS).received == THEIRS
        if killed:
            broker.kill()
        else:
            broker.stop()

        store = open_store(folder / "store", broker.port)
        assert store.recovered.clean is not killed
        assert store.recovered.cut_reason is None
        theirs = all_records(store)
        assert {record.property_map()["KEYS"] for record in theirs} == {f"key-{n}" for n in range(THEIRS)}
        assert store.index is not None
        for record in (theirs[0], theirs[-1]):
            unique = record.property_map()["UNIQ_KEY"]
            found = store.index.query(TOPIC, unique, 0, 2**62, 32).offsets
            assert record.offset_physical in found
        first = store.max_offset(TOPIC, 0)
        for number in range(OURS):
            assert store.put(ours(number)).offset_queue == first + number
        if killed:
            store.abandon()
        else:
            store.close()

        with start_broker(version, folder, namesrv.address, port=broker.port):
            status = mqadmin(version, "topicStatus", "-t", TOPIC, namesrv=namesrv.address).stdout
            ends = [int(line.split()[3]) for line in status.splitlines() if line.startswith("broker-a")]
            assert sum(ends) == THEIRS + OURS
            for number in (0, OURS // 2, OURS - 1):
                arguments = ("queryMsgByKey", "-t", TOPIC, "-k", f"ours{number}")
                printed = mqadmin(version, *arguments, namesrv=namesrv.address).stdout
                assert re.search(rf"7F000001000118B4AAC3{number:012X} +0 +{first + number}\b", printed), (
                    printed
                )

    again = open_store(folder / "store", broker.port)
    assert len(all_records(again)) == THEIRS + OURS
    again.close()
