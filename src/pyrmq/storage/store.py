# SPDX-License-Identifier: Apache-2.0
"""A message store: open it, put messages in, get them out. Blocking, for one thread at a time.

`flush` alone may run in another thread, because it touches nothing that appending touches.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Final

from ..clock import Clock
from ..wire import record as records
from ..wire.sysflag import BORN_HOST_V6, STORE_HOST_V6, TRANSACTION_MASK, Transaction
from . import reader
from .abort import AbortFile
from .checkpoint import Checkpoint
from .commit_log import CommitLog
from .dispatch import DEFAULT_DELAYS_MS, Dispatcher, tags_code
from .errors import StoreLockedError
from .index import Index
from .messages import GetStatus, Got, NewMessage, Stored
from .options import StoreOptions
from .queues import Queues
from .recovery import Recovered, Recovery
from .segments import MappingBudget
from .vfs import FileSystem

logger = logging.getLogger(__name__)

LOCK_PATH: Final = "lock"
_V6_HOST_BYTES: Final = 20


class Store:
    """An open store. `recovered` says what opening it found."""

    def __init__(
        self,
        fs: FileSystem,
        options: StoreOptions,
        clock: Clock,
        *,
        store_host: bytes,
        delays_ms: Sequence[int] = DEFAULT_DELAYS_MS,
    ) -> None:
        """Open the store, recovering it if need be.

        Raises `StoreLockedError` if another process has it, `StoreError` if its files are not what they
        should be, `OSError` if the disk does not obey.
        """
        self.options = options
        self._clock = clock
        self._store_host = store_host
        self._store_host_bits = STORE_HOST_V6 if len(store_host) == _V6_HOST_BYTES else 0
        self._topic_fields: dict[str, bytes] = {}
        lock = fs.lock(LOCK_PATH)
        if lock is None:
            raise StoreLockedError("the store is in use by another process (its file `lock` is held)")
        self._lock = lock
        budget = MappingBudget(options.max_mapped_files)
        self.log = CommitLog(fs, options.commit_log_file_bytes, budget)
        self.queues = Queues(fs, options.consume_queue_file_bytes, budget)
        self.index = (
            Index(fs, options.index_slots, options.index_entries, with_tags=options.index_tags)
            if options.index_enabled
            else None
        )
        try:
            self.checkpoint = Checkpoint(fs)
            self._abort = AbortFile(fs)
            recovery = Recovery(
                self.log,
                self.queues,
                self.index,
                self.checkpoint,
                Dispatcher(self.queues, self.index, delays_ms),
                check_crc=options.check_crc_on_recover,
            )
            self.recovered: Recovered = recovery.run(
                clean=self._abort.stopped_cleanly, index_survived=self._abort.memory_survived
            )
            self._abort.raise_()
        except BaseException:
            lock.release()
            raise
        self._last_store_ms = 0
        self._last_offset = self.log.end

    # --- writing -----------------------------------------------------------------------------------------

    def put(self, message: NewMessage) -> Stored:
        """Append a message, with its queue entry and index keys. Lengths are the caller's to check."""
        topic = self._topic_field(message.topic)
        born_host = message.born_host
        size = records.encoded_size(topic, message.body, message.properties, born_host, self._store_host)
        kind = message.sys_flag & TRANSACTION_MASK
        queue = self.queues.get(message.topic, message.queue_id)
        has_place = kind == Transaction.NONE or kind == Transaction.COMMIT
        offset_queue = queue.max_offset if has_place else 0
        offset = self.log.reserve(size)
        now_ms = self._clock.now_ms()
        sys_flag = message.sys_flag | self._store_host_bits
        if len(born_host) == _V6_HOST_BYTES:
            sys_flag |= BORN_HOST_V6
        self.log.write(
            records.pack(
                size,
                message.queue_id,
                message.flag,
                offset_queue,
                offset,
                sys_flag,
                message.born_time_ms,
                born_host,
                now_ms,
                self._store_host,
                message.reconsume_times,
                message.offset_prepared,
                message.body,
                topic,
                message.properties,
            )
        )
        if has_place:
            code = message.tags_code
            queue.append(offset, size, tags_code(message.tags) if code is None else code)
        if self.index is not None and kind != Transaction.ROLLBACK:
            self.index.add(message.topic, message.unique_key, message.keys, message.tags, offset, now_ms)
        self._last_store_ms = now_ms
        self._last_offset = offset
        return Stored(offset, offset_queue, size, now_ms)

    def put_batch(self, messages: Sequence[NewMessage]) -> list[Stored]:
        """Append several messages of one topic and queue so that they lie end to end in one file."""
        topic = self._topic_field(messages[0].topic)
        self.log.reserve(
            sum(
                records.encoded_size(topic, each.body, each.properties, each.born_host, self._store_host)
                for each in messages
            )
        )
        return [self.put(each) for each in messages]

    def _topic_field(self, topic: str) -> bytes:
        field = self._topic_fields.get(topic)
        if field is None:
            field = self._topic_fields[topic] = records.topic_field(topic)
        return field

    # --- reading -----------------------------------------------------------------------------------------

    def get(
        self,
        topic: str,
        queue_id: int,
        offset: int,
        max_count: int,
        *,
        matches: Callable[[int], bool] | None = None,
        max_bytes: int | None = None,
    ) -> Got:
        """Read messages of a queue from `offset` on; `matches` is asked about each entry's tag code."""
        queue = self.queues.find(topic, queue_id)
        if queue is None:
            return Got(GetStatus.NO_MESSAGE_IN_QUEUE, 0, 0, 0)
        return reader.read(self.log, queue, self.options, offset, max_count, matches, max_bytes)

    def message_at(self, offset_physical: int) -> memoryview | None:
        """The record that starts at a commit-log offset, None if none does."""
        size = self.log.size_at(offset_physical)
        return None if size is None else self.log.read(offset_physical, size)

    def min_offset(self, topic: str, queue_id: int) -> int:
        """The first queue offset that can be read; 0 for a queue that does not exist."""
        queue = self.queues.find(topic, queue_id)
        return 0 if queue is None else queue.min_offset

    def max_offset(self, topic: str, queue_id: int) -> int:
        """The queue offset of the next message; 0 for a queue that does not exist."""
        queue = self.queues.find(topic, queue_id)
        return 0 if queue is None else queue.max_offset

    # --- keeping -----------------------------------------------------------------------------------------

    def flush(self) -> int:
        """Make what is stored survive a power cut; returns the offset up to which it does. Blocks."""
        last_ms = self._last_store_ms
        self.log.flush()
        if last_ms:
            self.checkpoint.commit_log_ms = last_ms
        return self.log.flushed

    def flush_all(self) -> None:
        """Make queues safe too and write the checkpoint, which shortens the next recovery. Blocks."""
        last_ms, last_offset = self._last_store_ms, self._last_offset
        self.flush()
        self.queues.flush()
        if last_ms:
            self.checkpoint.queues_ms = last_ms
            self.checkpoint.queues_offset = last_offset
        self.checkpoint.flush()

    def close(self) -> None:
        """Make everything safe and leave the store as after a clean stop."""
        self.flush_all()
        if self.index is not None:
            self.index.sync()
        self.log.drop_prepared()
        self._abort.lower()
        self._release()

    def abandon(self) -> None:
        """Let go of the files without finishing anything, as a killed process would."""
        self._release()

    def _release(self) -> None:
        self.log.close()
        self.queues.close()
        if self.index is not None:
            self.index.close()
        self.checkpoint.close()
        self._lock.release()
