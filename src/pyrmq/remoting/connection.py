# SPDX-License-Identifier: Apache-2.0
"""One peer: reading, answering, asking, and knowing when to give up on it.

The fast path: one read brings many frames; all of them are handled in order without another task, and all
answers leave in one write. Only what must wait becomes a task. Whoever has something to send appends it to
the outbox; whoever finds nobody sending empties it. The reader does not read on while the outbox is full, so
a peer that does not listen stops being listened to, and is dropped if it stays that way.
"""

import logging
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

import trio

from ..wire import command as commands
from ..wire.codes import ResponseCode
from ..wire.command import ONEWAY, RESPONSE, Command
from ..wire.errors import WireError
from ..wire.frames import FrameDecoder
from .dispatch import Dispatcher, Reply, failure
from .errors import CallTimeoutError, NotConnectedError
from .limits import Limits

logger = logging.getLogger(__name__)

_SEND_PIECE_BYTES = 256 * 1024
_opaque = count()


class Connection:
    """A connection to a client, broker or name server. `run` it in a task, which ends with the connection."""

    def __init__(
        self,
        stream: trio.abc.Stream,
        peer: str,
        dispatcher: Dispatcher,
        limits: Limits,
        *,
        first_bytes: bytes = b"",
    ) -> None:
        self.peer = peer
        self.last_active = trio.current_time()
        self.closed = trio.Event()
        self._stream = stream
        self._dispatcher = dispatcher
        self._limits = limits
        self._decoder = FrameDecoder(limits.max_frame_bytes)
        self._first_bytes = first_bytes
        self._calls: dict[int, _Call] = {}
        self._waiting = 0
        self._settled = trio.Event()
        self._out: list[bytes] = []
        self._out_bytes = 0
        self._sending = False
        self._drained = trio.Event()
        self._reading = trio.CancelScope()
        self._send_scope: trio.CancelScope | None = None
        self._nursery: trio.Nursery | None = None

    def __repr__(self) -> str:
        return f"<Connection {self.peer}>"

    # --- life --------------------------------------------------------------------------------------------

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve the peer until it leaves, breaks the protocol, or `close` or `finish` is called.

        Reports itself started when `call` and `send` can be used. Nothing a peer does raises out of here.
        """
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                task_status.started()
                try:
                    with self._reading:
                        await self._read_loop()
                    if self._reading.cancelled_caught:
                        await self._settle()
                finally:
                    self._nursery = None  # nothing new is sent: a nursery that ends takes no more tasks
                    nursery.cancel_scope.cancel()
        finally:
            self.closed.set()
            for call in self._calls.values():
                call.answered.set()
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(self._stream)

    def close(self, reason: str | None = None) -> None:
        """End the connection at once, dropping what was not sent; `reason` is logged if given."""
        if self.closed.is_set():
            return
        if reason is not None:
            logger.warning("closing connection to %s: %s", self.peer, reason)
        self.closed.set()
        self._out.clear()
        if self._send_scope is not None:
            self._send_scope.cancel()
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()

    def finish(self) -> None:
        """Read no more requests, let those under way be answered, then end."""
        self._reading.cancel()

    async def _settle(self) -> None:
        if self._waiting:
            await self._settled.wait()
        await self._flush_all()

    async def _read_loop(self) -> None:
        try:
            data: bytes | bytearray = self._first_bytes
            self._first_bytes = b""
            data = data or await self._stream.receive_some(self._limits.read_bytes)
            while data:
                self.last_active = trio.current_time()
                for frame in self._decoder.feed(bytes(data)):
                    self._take(commands.decode(frame))
                    if self._out_bytes > self._limits.out_pause_bytes:
                        await self.flush()
                if self._out:
                    await self.flush()
                data = await self._stream.receive_some(self._limits.read_bytes)
        except WireError as error:
            await self._flush_all()  # answers to what came before the flaw are still good
            self.close(f"protocol violation: {error}")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the peer is gone; `run` cleans up
        else:
            if self._decoder.is_mid_frame:
                logger.info("peer %s left in the middle of a frame", self.peer)

    def _take(self, command: Command) -> None:
        if command.flag & RESPONSE:
            call = self._calls.get(command.opaque)
            if call is None:
                logger.debug("%s answered request %d, which is not open", self.peer, command.opaque)
            else:
                call.answer = command
                call.answered.set()
            return
        answer = self._dispatcher.handle(command, self)
        if answer is not None:
            self._out.append(answer)
            self._out_bytes += len(answer)

    # --- requests that wait ------------------------------------------------------------------------------

    def start_waiting(self, command: Command, work: Coroutine[Any, Any, Reply | None]) -> Reply | None:
        """Run a suspended handler beside the others; the returned reply refuses it if there are too many."""
        if self._waiting >= self._limits.max_waiting_requests or self._nursery is None:
            work.close()
            remark = f"[OVERLOAD]{self._waiting} requests of this connection are waiting already"
            return Reply(ResponseCode.SYSTEM_BUSY, remark=remark)
        self._waiting += 1
        self._nursery.start_soon(self._wait_for, command, work)
        return None

    async def _wait_for(self, command: Command, work: Coroutine[Any, Any, Reply | None]) -> None:
        try:
            try:
                reply = await work
            except Exception as error:  # the same border as in the dispatcher
                reply = failure(command, error)
            if reply is not None:
                self.answer(command, reply)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._settled.set()
                self._settled = trio.Event()

    def answer(self, command: Command, reply: Reply) -> None:
        """Answer a request that was left open; does nothing if the peer is gone meanwhile."""
        frame = self._dispatcher.encode(command, reply)
        if frame is not None:
            self.send(frame)

    # --- requests of our own -----------------------------------------------------------------------------

    async def call(self, command: Command, timeout_s: float) -> Command:
        """Send a request and wait for its answer. Raises `CallTimeoutError` or `NotConnectedError`."""
        if self.closed.is_set():
            raise NotConnectedError(f"connection to {self.peer} is closed")
        if len(self._calls) >= self._limits.max_calls:
            raise NotConnectedError(f"{len(self._calls)} requests to {self.peer} are unanswered already")
        command.opaque = next(_opaque) & 0x7FFFFFFF
        call = self._calls[command.opaque] = _Call()
        try:
            self.send(commands.encode(command))
            with trio.move_on_after(timeout_s):
                await call.answered.wait()
        finally:
            del self._calls[command.opaque]
        if call.answer is not None:
            return call.answer
        if self.closed.is_set():
            raise NotConnectedError(f"connection to {self.peer} was lost before the answer came")
        raise CallTimeoutError(f"{self.peer} did not answer request {command.code} within {timeout_s:g} s")

    def call_oneway(self, command: Command) -> None:
        """Send a request that expects no answer; does nothing if the peer is gone."""
        command.opaque = next(_opaque) & 0x7FFFFFFF
        command.flag |= ONEWAY
        self.send(commands.encode(command))

    # --- sending -----------------------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        """Queue a frame, to leave when the peer takes it. A peer that lets too much pile up is dropped."""
        if self.closed.is_set() or self._nursery is None:
            return
        self._out.append(frame)
        self._out_bytes += len(frame)
        if self._out_bytes > self._limits.out_drop_bytes:
            self.close(f"{self._out_bytes} bytes are waiting and the peer does not read")
        elif not self._sending:
            self._sending = True
            self._nursery.start_soon(self._drain)

    async def flush(self) -> None:
        """Send what is queued. If another task is at it, wait only while the queue is too full to go on."""
        if not self._sending:
            self._sending = True
            await self._drain()
        elif self._out_bytes > self._limits.out_pause_bytes:
            await self._drained.wait()

    async def _flush_all(self) -> None:
        """Send what is queued and wait until it, and what another task is sending, has left."""
        await self.flush()
        while self._sending:
            await self._drained.wait()

    async def _drain(self) -> None:
        try:
            while self._out:
                piece = b"".join(self._out)
                self._out.clear()
                for start in range(0, len(piece), _SEND_PIECE_BYTES):
                    if self.closed.is_set():
                        return
                    await self._send_piece(memoryview(piece)[start : start + _SEND_PIECE_BYTES])
                self._out_bytes -= len(piece)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.close()
        except trio.TooSlowError:
            self.close(f"the peer has taken nothing for {self._limits.out_stall_s:g} s")
        finally:
            self._send_scope = None
            self._sending = False
            self._drained.set()
            self._drained = trio.Event()

    async def _send_piece(self, piece: memoryview) -> None:
        # Shielded: an answer half sent is lost, and `finish` promises to lose none. `close` cuts it.
        with trio.fail_after(self._limits.out_stall_s, shield=True) as self._send_scope:
            await self._stream.send_all(piece)
        self.last_active = trio.current_time()


class _Call:
    __slots__ = ("answer", "answered")

    def __init__(self) -> None:
        self.answer: Command | None = None
        self.answered = trio.Event()


OnClose = Callable[[Connection], None]
