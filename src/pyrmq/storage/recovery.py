# SPDX-License-Identifier: Apache-2.0
"""Opening a store: finding the end of the log, and making queues and index agree with it.

After a clean stop only what no queue knows yet is read. After anything else the log is read again from the
last place that is known to have been safe on disk. The first record that is not whole ends the log; what lies
behind it is cut off and cleared, here and in the queues and the index.
"""

import logging
from struct import Struct
from typing import Final

import msgspec

from ..wire import record as records
from ..wire.errors import RecordError
from .checkpoint import Checkpoint
from .commit_log import CommitLog
from .dispatch import Dispatcher
from .index import Index
from .queues import Queues

logger = logging.getLogger(__name__)

_CLOCK_SLACK_MS: Final = 3000
"""How far the original lets the times in the checkpoint be off."""
_head = Struct(">ii")


class Recovered(msgspec.Struct, kw_only=True):
    """What opening a store found and did."""

    clean: bool
    scanned_from: int
    end: int
    dispatched: int
    cut_reason: str | None = None
    """Why the log ends where it does, if not at a clear end."""


class Recovery:
    """The parts of a store that are being opened."""

    def __init__(
        self, log: CommitLog, queues: Queues, index: Index | None, checkpoint: Checkpoint,
        dispatcher: Dispatcher, *, check_crc: bool,
    ) -> None:  # fmt: skip
        self._log = log
        self._queues = queues
        self._index = index
        self._checkpoint = checkpoint
        self._dispatcher = dispatcher
        self._check_crc = check_crc

    def run(self, *, clean: bool, index_survived: bool) -> Recovered:
        """Load everything and make it agree. Raises `StoreError` if files cannot be what they should be."""
        self._log.segments.load()
        self._queues.recover()
        if self._index is not None:
            self._index.load()
        start = self._clean_start() if clean else self._safe_start(index_survived)
        # While scanning, everything in the files counts as being in the log.
        self._log.end = self._log.segments.end
        found = self._scan(start, clean)
        if found is None:
            logger.warning("queues have gaps; reading the whole log again")
            found = self._scan(self._log.start, clean)
            assert found is not None, "a scan from the start of the log meets no gap that it could fill"
        self._cut(found)
        for queue in self._queues:
            queue.raise_minimum(self._log.start)
        return found

    def _clean_start(self) -> int:
        """The end of the furthest record in any queue; the start of the log if that is no place in it."""
        known = self._queues.end_physical
        if self._log.start <= known <= self._log.segments.end:
            return known
        return self._log.start

    def _safe_start(self, index_survived: bool) -> int:
        start = self._log.start
        for base in reversed(self._log.segments.bases):
            if self._is_safe(base):
                start = base
                break
        if self._index is not None and not index_survived:
            again = self._index.drop_newer_than(self._checkpoint.index_ms)
            if again is not None:
                start = min(start, max(self._log.segments.base_of(again) or 0, self._log.start))
        return start

    def _is_safe(self, base: int) -> bool:
        """Whether everything before this file was on disk when the checkpoint was written."""
        safe_ms = min(self._checkpoint.commit_log_ms, self._checkpoint.queues_ms) - _CLOCK_SLACK_MS
        try:
            first = records.decode(self._log.segments.view(base), check_crc=self._check_crc)
        except RecordError:
            return False
        reached = self._checkpoint.queues_offset
        return bool(first.store_time_ms <= safe_ms and (reached <= 0 or base <= reached))

    def _scan(self, start: int, clean: bool) -> Recovered | None:
        """Read records from `start` to the end, dispatching each. None if a queue has a gap."""
        found = Recovered(clean=clean, scanned_from=start, end=start, dispatched=0)
        while (base := self._log.segments.base_of(found.end)) is not None:
            view = self._log.segments.view(base)
            position = found.end - base
            if len(view) - position < _head.size:
                found.end = base + len(view)
                continue
            size, magic = _head.unpack_from(view, position)
            if magic == records.MAGIC_BLANK:
                if self._log.segments.base_of(base + len(view)) is None:
                    return found
                found.end = base + len(view)
                continue
            if size == 0 and magic == 0:
                return found
            try:
                record = self._record(view, position, found.end)
            except RecordError as error:
                found.cut_reason = f"{self._log.segments.path(base)} at byte {position}: {error}"
                return found
            if not self._dispatcher.dispatch(record, size, is_complete=start == self._log.start):
                return None
            found.end += size
            found.dispatched += 1
        return found

    def _record(self, view: memoryview, position: int, offset: int) -> records.Record:
        record = records.decode(view, position, check_crc=self._check_crc)
        if record.offset_physical != offset:
            raise RecordError(f"record says that it lies at {record.offset_physical}")
        return record

    def _cut(self, found: Recovered) -> None:
        self._log.cut(found.end)
        self._log.flushed = 0
        for queue in self._queues:
            queue.cut(found.end)
        if self._index is not None:
            self._index.cut(found.end)
        if found.cut_reason is not None:
            logger.warning("the log ends at %d: %s", found.end, found.cut_reason)
