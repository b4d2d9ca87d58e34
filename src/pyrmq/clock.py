# SPDX-License-Identifier: Apache-2.0
"""Time as a thing that is handed in, so that hours can pass in milliseconds.

Whatever keeps timestamps or waits for them takes a `Clock`. Network patience (idle connections, call
time-outs) is not of that kind: it uses Trio's own clock, because peers live in real time.
"""

import time
from typing import Protocol

import trio


class Clock(Protocol):
    """Wall time in milliseconds since 1970, and waiting for it to pass."""

    def now_ms(self) -> int:
        """The present."""

    async def sleep(self, seconds: float) -> None:
        """Return when `seconds` have passed on this clock."""


class SystemClock:
    """The machine's time."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        await trio.sleep(seconds)


class TrioClock:
    """Wall time that follows Trio's clock from a fixed start: with `trio.testing.MockClock`, virtual time."""

    def __init__(self, start_ms: int = 1_700_000_000_000) -> None:
        self._start_ms = start_ms
        self._started_at = trio.current_time()

    def now_ms(self) -> int:
        return self._start_ms + round((trio.current_time() - self._started_at) * 1000)

    async def sleep(self, seconds: float) -> None:
        await trio.sleep(seconds)
