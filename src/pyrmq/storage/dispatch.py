# SPDX-License-Identifier: Apache-2.0
"""From a record in the log to its queue entry and index keys: what recovery and rebuilding repeat."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ..wire import properties as property_text
from ..wire.javahash import string_hash
from ..wire.record import Record
from ..wire.sysflag import TRANSACTION_MASK, Transaction
from .index import Index
from .queues import Queues

SCHEDULE_TOPIC: Final = "SCHEDULE_TOPIC_XXXX"
DEFAULT_DELAYS_MS: Final = tuple(
    seconds * 1000
    for seconds in (1, 5, 10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200)
)
_UNKNOWN_LEVEL_DELAY_MS: Final = 1000


@lru_cache(maxsize=4096)
def tags_code(tags: str | None) -> int:
    """What stands for a message's tags in its queue entry."""
    return string_hash(tags) if tags else 0


class Dispatcher:
    """Puts records that were read back from the log where they belong, unless they are there already."""

    def __init__(
        self, queues: Queues, index: Index | None, delays_ms: Sequence[int] = DEFAULT_DELAYS_MS
    ) -> None:
        self._queues = queues
        self._index = index
        self._delays_ms = delays_ms

    def dispatch(self, record: Record, size: int, *, is_complete: bool) -> bool:
        """Take in one record. False if its queue lacks entries before it: then an earlier start is needed.

        With `is_complete` there is no earlier start, and a queue may begin where its first record says.
        """
        kind = record.sys_flag & TRANSACTION_MASK
        properties = record.property_map()
        if kind in (Transaction.NONE, Transaction.COMMIT):
            queue = self._queues.get(record.topic, record.queue_id)
            if record.offset_queue > queue.max_offset and not is_complete:
                return False
            code = self._code(record, properties)
            queue.dispatch(record.offset_queue, record.offset_physical, size, code)
        if kind != Transaction.ROLLBACK and self._index is not None:
            self._index.add_again(
                record.topic,
                properties.get(property_text.UNIQ_KEY),
                properties.get(property_text.KEYS),
                properties.get(property_text.TAGS),
                record.offset_physical,
                record.store_time_ms,
            )
        return True

    def _code(self, record: Record, properties: dict[str, str]) -> int:
        if record.topic == SCHEDULE_TOPIC and property_text.DELAY in properties:
            level = min(_integer(properties[property_text.DELAY]), len(self._delays_ms))
            if level > 0:
                return record.store_time_ms + self._delays_ms[level - 1]
        return tags_code(properties.get(property_text.TAGS))


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0
