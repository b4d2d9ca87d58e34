# SPDX-License-Identifier: Apache-2.0
"""Brokers that leave, however they do it: by saying so, by closing the connection, by falling silent.

Departures are collected and carried out together, so that a whole cluster going down costs one pass over the
topics and not one for each broker.
"""

import logging
from collections.abc import Callable

import trio

from ..clock import Clock
from ..remoting.connection import Connection
from .routes import MinIdChange, Routes, Unregistration

logger = logging.getLogger(__name__)

FIRST_SCAN_S = 5.0


class Departures:
    """The queue of brokers to take out of the routes, and the tasks that fill and empty it."""

    def __init__(
        self, routes: Routes, clock: Clock, *, capacity: int, announce: Callable[[MinIdChange], None]
    ) -> None:
        self._routes = routes
        self._clock = clock
        self._announce = announce
        self._send, self._receive = trio.open_memory_channel[Unregistration](capacity)

    def submit(self, leaving: Unregistration) -> bool:
        """Queue one broker; False if the queue is full."""
        try:
            self._send.send_nowait(leaving)
        except trio.WouldBlock:
            logger.warning("too many brokers are leaving at once; %s must wait for its expiry", leaving.key)
            return False
        return True

    def on_close(self, connection: Connection) -> None:
        """Take out the brokers whose connection ended."""
        for leaving in self._routes.departures(self._routes.behind(connection)):
            self.submit(leaving)

    async def run(self) -> None:
        """Carry out what is queued, everything that has gathered in one go."""
        while True:
            batch = {await self._receive.receive()}
            try:
                while True:
                    batch.add(self._receive.receive_nowait())
            except trio.WouldBlock:
                pass
            try:
                for change in self._routes.unregister(batch):
                    self._announce(change)
            except Exception:  # a flaw in our tables must not take the service down with it
                logger.exception("cannot take out %d brokers", len(batch))

    async def watch(self, interval_s: float) -> None:
        """Look for brokers that have been silent for too long, and close their connections."""
        await self._clock.sleep(FIRST_SCAN_S)
        while True:
            self.scan()
            await self._clock.sleep(interval_s)

    def scan(self) -> None:
        """Queue every broker whose time is up."""
        expired = self._routes.expired(self._clock.now_ms())
        for leaving in self._routes.departures(expired):
            live = self._routes.live[leaving.key]
            logger.warning("broker %s was silent for %d ms", leaving.key.address, live.expiry_ms)
            if isinstance(live.connection, Connection):
                live.connection.close()
            self.submit(leaving)
