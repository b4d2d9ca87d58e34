# SPDX-License-Identifier: Apache-2.0
"""Reading a queue: what a pull gets, and where it reads on. The rules are those of `getMessage` (5.5.0)."""

from collections.abc import Callable

from .commit_log import CommitLog
from .consume_queue import ENTRY_BYTES, ConsumeQueue
from .messages import GetStatus, Got
from .options import StoreOptions


def read(
    log: CommitLog,
    queue: ConsumeQueue,
    options: StoreOptions,
    offset: int,
    max_count: int,
    matches: Callable[[int], bool] | None,
    max_bytes: int | None,
) -> Got:
    """Read from queue offset `offset` on, as many messages as the limits allow, the first in any case."""
    outside = _outside(queue, offset)
    if outside is not None:
        return outside
    got = Got(GetStatus.NO_MATCHED_MESSAGE, offset, queue.min_offset, queue.max_offset)
    limit = max(options.scan_bytes_min // ENTRY_BYTES, max_count)
    hot_from = log.end - options.hot_bytes
    skip_until = 0
    furthest = 0
    entries = queue.entries(offset, limit)
    for number, entry in enumerate(entries, offset):
        place, size, code = entry
        if got.records and _is_full(got, options, size, place >= hot_from, max_count, max_bytes):
            break
        furthest = place
        got.next_offset = number + 1
        if place < skip_until:
            continue
        if matches is not None and not matches(code):
            continue
        record = log.read(place, size)
        if record is None:
            # The log file is gone or not there yet: nothing else in it needs to be tried.
            if not got.records:
                got.status = GetStatus.MESSAGE_WAS_REMOVING
            skip_until = log.next_file(place)
            continue
        got.records.append(record)
        got.record_bytes += size
        got.status = GetStatus.FOUND
    if got.next_offset == offset:
        got.status = GetStatus.OFFSET_FOUND_NULL
        got.next_offset = queue.next_file(offset)
    got.suggests_slave = log.end - furthest > options.hot_bytes
    return got


def _outside(queue: ConsumeQueue, offset: int) -> Got | None:
    """The answer for an offset at which nothing can be."""
    low, high = queue.min_offset, queue.max_offset
    if high == 0:
        return Got(GetStatus.NO_MESSAGE_IN_QUEUE, 0, low, high)
    if offset < low:
        return Got(GetStatus.OFFSET_TOO_SMALL, low, low, high)
    if offset == high:
        return Got(GetStatus.OFFSET_OVERFLOW_ONE, offset, low, high)
    if offset > high:
        return Got(GetStatus.OFFSET_OVERFLOW_BADLY, high, low, high)
    return None


def _is_full(
    got: Got, options: StoreOptions, size: int, is_hot: bool, max_count: int, max_bytes: int | None
) -> bool:
    total = got.record_bytes + size
    if len(got.records) >= max_count or (max_bytes is not None and total > max_bytes):
        return True
    if is_hot:
        return total > options.in_memory_bytes or len(got.records) >= options.in_memory_count
    return total > options.on_disk_bytes or len(got.records) >= options.on_disk_count
