# SPDX-License-Identifier: Apache-2.0
"""Calling a server: one connection at a time to the first of several addresses that answers."""

import logging
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random

import trio

from ..wire.command import OWN_VERSION, Command
from .connection import Connection
from .dispatch import Dispatcher
from .errors import NotConnectedError
from .limits import Limits

logger = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 3.0
_BACKOFF_FIRST_S = 0.1
_BACKOFF_MAX_S = 10.0


class Client:
    """A caller that connects when it is asked to, and again when the connection was lost.

    After a failed round over all addresses the next one waits: 0.1 s at first, doubling up to 10 s, with a
    random part so that many clients of one server do not come back in step.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        nursery: trio.Nursery,
        *,
        dispatcher: Dispatcher | None = None,
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
        random: Random | None = None,
    ) -> None:
        if not addresses:
            raise ValueError("a client needs at least one address")
        self._addresses = [parse_address(address) for address in addresses]
        self._nursery = nursery
        self._dispatcher = dispatcher or Dispatcher({})
        self._limits = limits or Limits()
        self._tls = tls
        self._random = random or Random()
        self._connection: Connection | None = None
        self._connecting = trio.Lock()
        self._next = 0
        self._failures = 0
        self._retry_at = -float("inf")

    async def call(self, command: Command, timeout_s: float = 3.0) -> Command:
        """Send a request and wait for its answer, connecting first if need be.

        Raises `NotConnectedError` or `CallTimeoutError`.
        """
        command.version = command.version or OWN_VERSION
        deadline = trio.current_time() + timeout_s
        connection = await self._connected(timeout_s)
        return await connection.call(command, max(0.0, deadline - trio.current_time()))

    async def call_oneway(self, command: Command, timeout_s: float = 3.0) -> None:
        """Send a request that expects no answer. Raises `NotConnectedError`."""
        command.version = command.version or OWN_VERSION
        connection = await self._connected(timeout_s)
        connection.call_oneway(command)

    async def aclose(self) -> None:
        """Send what is still queued, for a short while, and end the connection."""
        connection = self._connection
        if connection is not None:
            with trio.move_on_after(self._limits.shutdown_s):
                connection.finish()
                await connection.closed.wait()
            connection.close()

    async def _connected(self, timeout_s: float) -> Connection:
        connection = self._connection
        if connection is not None and not connection.closed.is_set():
            return connection
        with trio.move_on_after(timeout_s):
            async with self._connecting:
                connection = self._connection
                if connection is not None and not connection.closed.is_set():
                    return connection
                await trio.sleep_until(max(self._retry_at, trio.current_time()))
                return await self._connect()
        raise NotConnectedError(f"no connection to {self._names()} within {timeout_s:g} s")

    async def _connect(self) -> Connection:
        problems = []
        for _ in self._addresses:
            host, port = self._addresses[self._next]
            # The next attempt starts elsewhere, be it that this one fails, is given up, or breaks later.
            self._next = (self._next + 1) % len(self._addresses)
            try:
                with trio.fail_after(CONNECT_TIMEOUT_S):
                    stream = await self._dial(host, port)
            except (OSError, trio.TooSlowError, trio.BrokenResourceError) as error:
                # Trio names a failed handshake in the cause alone, and a timeout not at all.
                problems.append(f"{host}:{port}: {str(error) or error.__cause__ or 'timed out'}")
                continue
            self._failures = 0
            self._connection = Connection(stream, f"{host}:{port}", self._dispatcher, self._limits)
            await self._nursery.start(self._connection.run)
            return self._connection
        self._back_off()
        raise NotConnectedError(f"cannot connect: {'; '.join(problems)}")

    async def _dial(self, host: str, port: int) -> trio.abc.Stream:
        stream = await trio.open_tcp_stream(host, port)
        if self._tls is None:
            return stream
        secured = trio.SSLStream(stream, self._tls, server_hostname=host, https_compatible=True)
        try:
            await secured.do_handshake()
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return secured

    def _back_off(self) -> None:
        delay = min(_BACKOFF_FIRST_S * 2**self._failures, _BACKOFF_MAX_S)
        self._failures += 1
        self._retry_at = trio.current_time() + delay * self._random.uniform(0.5, 1.0)

    def _names(self) -> str:
        return ", ".join(f"{host}:{port}" for host, port in self._addresses)


@asynccontextmanager
async def open_client(
    addresses: Sequence[str],
    *,
    dispatcher: Dispatcher | None = None,
    limits: Limits | None = None,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[Client]:
    """A client that lives as long as the block; its connection ends with it."""
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        client = Client(addresses, nursery, dispatcher=dispatcher, limits=limits, tls=tls)
        try:
            yield client
        except Exception as error:  # raised again below, where the nursery does not wrap it in a group
            failure = error
        await client.aclose()
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


def parse_address(text: str) -> tuple[str, int]:
    """Split `host:port` or `[v6]:port`. Raises `ValueError` naming the text."""
    host, separator, port = text.strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not separator or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"not an address of the form host:port: {text!r}")
    return host, int(port)
