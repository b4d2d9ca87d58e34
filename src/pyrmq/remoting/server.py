# SPDX-License-Identifier: Apache-2.0
"""Listening, and the set of connections that came of it."""

import errno
import logging

import trio

from ..wire.errors import WireError
from .connection import Connection, OnClose
from .dispatch import Dispatcher
from .errors import ListenError
from .greeting import Opening, PushbackStream, TlsMode
from .limits import Limits
from .tls import ServerTls

logger = logging.getLogger(__name__)

_IDLE_SCANS_PER_TIMEOUT = 12


class Server:
    """A listening port. `serve` runs it; cancelling that stops it gracefully within `Limits.shutdown_s`."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        *,
        host: str = "0.0.0.0",
        port: int = 0,
        limits: Limits | None = None,
        tls: ServerTls | None = None,
        on_close: OnClose | None = None,
    ) -> None:
        self.connections: set[Connection] = set()
        self._dispatcher = dispatcher
        self._host = host
        self._port = port
        self._limits = limits or Limits()
        self._tls = tls or ServerTls()
        self._on_close = on_close
        self._opening = 0
        self._stopping = False

    async def serve(self, task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED) -> None:
        """Listen and serve until cancelled; reports the bound port when connections are accepted.

        Raises `ListenError` if the address cannot be had.
        """
        listeners = await self._listen()
        async with trio.open_nursery() as services:
            connections = await services.start(hold_open)
            try:
                services.start_soon(self._close_idle)
                task_status.started(listeners[0].socket.getsockname()[1])
                await trio.serve_listeners(self._serve_stream, listeners, handler_nursery=connections)
            finally:
                self._stopping = True
                with trio.move_on_after(self._limits.shutdown_s, shield=True):
                    await self._finish()
                for connection in self.connections:
                    connection.close(f"still busy {self._limits.shutdown_s:g} s after shutdown began")
                connections.cancel_scope.cancel()

    async def _listen(self) -> list[trio.SocketListener]:
        address = f"{self._host}:{self._port}"
        try:
            return await trio.open_tcp_listeners(self._port, host=self._host)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                problem = f"{address} is in use: stop what listens there, or choose another port (listenPort)"
            else:
                problem = f"cannot listen on {address}: {error.strerror or error}"
            raise ListenError(problem) from None
        except OverflowError:
            raise ListenError(f"cannot listen on {address}: ports go up to 65535") from None

    async def _finish(self) -> None:
        """Let every connection answer what it has and end."""
        ending = list(self.connections)
        for connection in ending:
            connection.finish()
        for connection in ending:
            await connection.closed.wait()

    async def _serve_stream(self, stream: trio.SocketStream) -> None:
        """Serve one accepted socket; whatever goes wrong with it stays here."""
        peer = _peer_name(stream)
        try:
            if len(self.connections) + self._opening >= self._limits.max_connections:
                logger.warning("refusing %s: %d connections are open", peer, len(self.connections))
                return
            self._opening += 1
            try:
                connection = await self._open(stream, peer)
            finally:
                self._opening -= 1
            if connection is not None and not self._stopping:
                await self._run(connection)
        except WireError as error:
            logger.warning("closing connection to %s: %s", peer, error)
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError) as error:
            logger.info("connection to %s failed while opening: %s", peer, error)
        except Exception:
            logger.exception("connection to %s ended by an internal error", peer)
        finally:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(stream)

    async def _open(self, stream: trio.SocketStream, peer: str) -> Connection | None:
        """Get past PROXY header and TLS; None if the peer leaves or is not welcome."""
        opening = Opening(stream)
        with trio.move_on_after(self._limits.idle_s):
            await opening.read(self._limits.greeting_s)
        if not opening.pending:
            return None
        peer = opening.proxied_peer or peer
        if not opening.is_tls:
            if self._tls.mode is TlsMode.ENFORCING:
                raise WireError("plain text on a port that enforces TLS (tls.server.mode)")
            return Connection(stream, peer, self._dispatcher, self._limits, first_bytes=opening.pending)
        if self._tls.mode is TlsMode.DISABLED:
            raise WireError("TLS on a port that has it disabled (tls.server.mode)")
        transport = PushbackStream(stream, opening.pending)
        context = self._tls.context()
        secured = trio.SSLStream(transport, context, server_side=True, https_compatible=True)
        with trio.move_on_after(self._limits.greeting_s) as scope:
            await secured.do_handshake()
        if scope.cancelled_caught:
            raise WireError(f"the TLS handshake took more than {self._limits.greeting_s:g} s")
        return Connection(secured, peer, self._dispatcher, self._limits)

    async def _run(self, connection: Connection) -> None:
        self.connections.add(connection)
        try:
            await connection.run()
        finally:
            self.connections.discard(connection)
            if self._on_close is not None:
                self._on_close(connection)

    async def _close_idle(self) -> None:
        while True:
            await trio.sleep(self._limits.idle_s / _IDLE_SCANS_PER_TIMEOUT)
            oldest = trio.current_time() - self._limits.idle_s
            for connection in list(self.connections):
                if connection.last_active <= oldest:
                    connection.close(f"idle for {self._limits.idle_s:g} s")


async def hold_open(task_status: trio.TaskStatus[trio.Nursery]) -> None:
    """Keep a nursery whose tasks outlive the cancellation around it; they end when it is cancelled itself."""
    async with trio.open_nursery() as nursery:
        nursery.cancel_scope.shield = True
        task_status.started(nursery)
        await trio.sleep_forever()


def _peer_name(stream: trio.SocketStream) -> str:
    try:
        host, port, *_ = stream.socket.getpeername()
    except OSError:
        return "a peer that left at once"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
