# SPDX-License-Identifier: Apache-2.0
"""Small stores for tests, in memory unless said otherwise."""

from pyrmq.storage.messages import NewMessage
from pyrmq.storage.options import StoreOptions
from pyrmq.storage.store import Store
from pyrmq.storage.vfs import FileSystem

SMALL = StoreOptions(
    commit_log_file_bytes=4096, consume_queue_file_bytes=400, index_slots=16, index_entries=32
)
START_MS = 1_700_000_000_000


class StepClock:
    """A clock that moves a little every time it is read."""

    def __init__(self) -> None:
        self.ms = START_MS

    def now_ms(self) -> int:
        self.ms += 7
        return self.ms

    async def sleep(self, seconds: float) -> None:
        raise NotImplementedError


def open_store(fs: FileSystem, options: StoreOptions = SMALL) -> Store:
    return Store(fs, options, StepClock(), store_host=b"\x7f\x00\x00\x01\x00\x00\x2a\x9f")


def message(
    number: int, topic: str = "TopicA", queue_id: int = 0, size: int = 50, **more: object
) -> NewMessage:
    tags, key = f"tag{number % 3}", f"key{number}"
    unique = f"7F000001000118B4AAC2{number:012X}"
    properties = f"TAGS\x01{tags}\x02KEYS\x01{key}\x02UNIQ_KEY\x01{unique}\x02"
    return NewMessage(
        topic=topic,
        queue_id=queue_id,
        body=(b"%d " % number).ljust(size, b"x"),
        properties=properties.encode(),
        born_time_ms=START_MS + number,
        tags=tags,
        keys=key,
        unique_key=unique,
        **more,  # type: ignore[arg-type]
    )


def numbers(store: Store, topic: str = "TopicA", queue_id: int = 0) -> list[int]:
    """The numbers of all messages in a queue, read from its first offset to its last."""
    found, offset = [], store.min_offset(topic, queue_id)
    while offset < store.max_offset(topic, queue_id):
        got = store.get(topic, queue_id, offset, 32)
        found += [int(bytes(record[88:]).split()[0]) for record in got.records]
        assert got.next_offset > offset
        offset = got.next_offset
    return found
