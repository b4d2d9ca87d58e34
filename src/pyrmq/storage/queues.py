# SPDX-License-Identifier: Apache-2.0
"""All consume queues of a store, by topic and queue id."""

from collections.abc import Iterator

from .consume_queue import FOLDER, ConsumeQueue
from .segments import MappingBudget
from .vfs import FileSystem


class Queues:
    """The `consumequeue` tree. A queue exists from its first message on."""

    def __init__(self, fs: FileSystem, file_bytes: int, budget: MappingBudget) -> None:
        self._fs = fs
        self._file_bytes = file_bytes
        self._budget = budget
        self._queues: dict[tuple[str, int], ConsumeQueue] = {}

    def __iter__(self) -> Iterator[ConsumeQueue]:
        return iter(list(self._queues.values()))

    def find(self, topic: str, queue_id: int) -> ConsumeQueue | None:
        """A queue, None if nothing was ever stored in it."""
        return self._queues.get((topic, queue_id))

    def get(self, topic: str, queue_id: int) -> ConsumeQueue:
        """A queue, made if need be."""
        queue = self._queues.get((topic, queue_id))
        if queue is None:
            queue = ConsumeQueue(self._fs, topic, queue_id, self._file_bytes, self._budget)
            self._queues[topic, queue_id] = queue
        return queue

    def recover(self) -> None:
        """Open what the folder holds. Raises `DamagedFileError`."""
        for topic in self._fs.names(FOLDER):
            for name in self._fs.names(f"{FOLDER}/{topic}"):
                if name.isdecimal():
                    self.get(topic, int(name)).recover()

    def remove_topic(self, topic: str) -> None:
        """Delete all queues of a topic."""
        for key in [key for key in self._queues if key[0] == topic]:
            self._queues.pop(key).segments.remove_all()
        self._fs.remove(f"{FOLDER}/{topic}")

    @property
    def end_physical(self) -> int:
        """The end of the furthest record that any queue knows, -1 without entries."""
        return max((queue.end_physical for queue in self._queues.values()), default=-1)

    def flush(self) -> None:
        """Make all entries survive a power cut. Blocks."""
        for queue in self:
            queue.flush()

    def close(self) -> None:
        """Unmap everything."""
        for queue in self:
            queue.close()
