# SPDX-License-Identifier: Apache-2.0
"""The other side of a connection, for tests: it speaks frames, but only when told to."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import msgspec
import trio
import trio.testing

from pyrmq.remoting import Connection, Dispatcher, Handler, Limits, Reply, Server
from pyrmq.remoting.connection import OnClose
from pyrmq.remoting.tls import ServerTls
from pyrmq.wire import command as commands
from pyrmq.wire.command import JSON, ONEWAY, RESPONSE, Command
from pyrmq.wire.frames import FrameDecoder

ECHO = 7
"""The request code that `echo` is bound to in these tests."""

VIOLATION = b"\xff\xff\xff\xff"
"""A length that no frame can have."""


def echo(command: Command, connection: Connection) -> Reply:
    """Answer a request with its own body."""
    return Reply(body=command.body)


def request(opaque: int, code: int = ECHO, **fields: object) -> Command:
    return msgspec.structs.replace(Command(code=code, opaque=opaque), **fields)


def oneway(opaque: int, code: int = ECHO) -> Command:
    return request(opaque, code, flag=ONEWAY)


def response(opaque: int, **fields: object) -> Command:
    return request(opaque, 0, flag=RESPONSE, **fields)


class Peer:
    """One end of a stream, which it owns."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self._decoder = FrameDecoder()
        self._ready: list[Command] = []

    async def send(self, *values: Command | bytes) -> None:
        """Send commands, or bytes as they are, in one write."""
        pieces = (value if isinstance(value, bytes) else commands.encode(value) for value in values)
        await self.stream.send_all(b"".join(pieces))

    async def receive(self) -> Command:
        """The next frame, which must come."""
        while not self._ready:
            data = await self.stream.receive_some(65536)
            assert data, "the connection ended where an answer was expected"
            self._ready += map(commands.decode, self._decoder.feed(bytes(data)))
        return self._ready.pop(0)

    async def receive_many(self, count: int) -> list[Command]:
        return [await self.receive() for _ in range(count)]

    async def ended(self) -> bool:
        """Wait for the end of the connection; False if frames come first."""
        try:
            return not self._ready and not await self.stream.receive_some(65536)
        except trio.BrokenResourceError:
            return True

    async def ask(self, value: Command) -> Command:
        await self.send(value)
        return await self.receive()


class Gate(trio.abc.Stream):
    """Our end of a memory stream that can be kept from sending, and remembers each write."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self.writes: list[bytes] = []
        self.is_open = trio.Event()
        self.is_open.set()

    def shut(self) -> None:
        self.is_open = trio.Event()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(bytes(data))
        await self.is_open.wait()
        await self._stream.send_all(data)

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def wait_send_all_might_not_block(self) -> None:
        await self.is_open.wait()

    async def aclose(self) -> None:
        await self._stream.aclose()


class Pair:
    """A running `Connection` and the peer it talks to, joined in memory."""

    def __init__(self, peer: Peer, connection: Connection, gate: Gate) -> None:
        self.peer = peer
        self.connection = connection
        self.gate = gate


@asynccontextmanager
async def connected(
    handlers: Mapping[int, Handler] | None = None, *, limits: Limits | None = None, serialize_type: int = JSON
) -> AsyncIterator[Pair]:
    """A connection that runs as long as the block, without sockets."""
    theirs, ours = trio.testing.memory_stream_pair()
    gate = Gate(ours)
    dispatcher = Dispatcher(handlers or {ECHO: echo}, serialize_type=serialize_type)
    connection = Connection(gate, "peer", dispatcher, limits or Limits())
    async with trio.open_nursery() as nursery:
        await nursery.start(connection.run)
        try:
            yield Pair(Peer(theirs), connection, gate)
        finally:
            connection.close()
            nursery.cancel_scope.cancel()


class Served:
    """A running server on a loopback port."""

    def __init__(self, server: Server, port: int, scope: trio.CancelScope) -> None:
        self.server = server
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self.stop = scope.cancel
        self.stopped = trio.Event()
        self.dialled: list[trio.SocketStream] = []

    async def dial(self) -> Peer:
        """A new connection, closed with the server at the latest."""
        stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        self.dialled.append(stream)
        return Peer(stream)

    @property
    def peers(self) -> list[str]:
        return sorted(connection.peer for connection in self.server.connections)


@asynccontextmanager
async def serving(
    handlers: Mapping[int, Handler] | None = None,
    *,
    limits: Limits | None = None,
    tls: ServerTls | None = None,
    on_close: OnClose | None = None,
    port: int = 0,
) -> AsyncIterator[Served]:
    """A server that runs as long as the block, or until its `stop` is called."""
    dispatcher = Dispatcher(handlers or {ECHO: echo})
    server = Server(dispatcher, host="127.0.0.1", port=port, limits=limits, tls=tls, on_close=on_close)
    async with trio.open_nursery() as nursery:
        ready: list[Served] = []
        scope = trio.CancelScope()

        async def run(task_status: trio.TaskStatus[int]) -> None:
            with scope:
                await server.serve(task_status=task_status)
            ready[0].stopped.set()

        ready.append(Served(server, await nursery.start(run), scope))
        try:
            yield ready[0]
        finally:
            for stream in ready[0].dialled:
                stream.socket.close()
            scope.cancel()
