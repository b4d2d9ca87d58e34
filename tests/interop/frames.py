# SPDX-License-Identifier: Apache-2.0
"""Single requests to a server at the level of frames, and their answers as the bytes that came."""

import socket
import ssl
import time
from collections.abc import Callable, Mapping
from struct import Struct
from types import TracebackType
from typing import Self

from pyrmq.wire import command as commands
from pyrmq.wire import javajson
from pyrmq.wire.command import Command

PATIENCE_S = 10.0
POLL_S = 0.02

_length = Struct(">I")


class Peer:
    """One connection to a server, used for one question at a time."""

    def __init__(self, address: str, *, tls: bool = False) -> None:
        host, port = address.rsplit(":", 1)
        self.address = address
        self._socket = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            self._socket = context.wrap_socket(self._socket)

    def ask(self, command: Command, patience_s: float = PATIENCE_S) -> bytes | None:
        """Send a request; the whole frame of the answer, None if there is none after `patience_s`."""
        self._socket.settimeout(patience_s)
        self._socket.sendall(commands.encode(command))
        try:
            first = self._read(_length.size)
        except TimeoutError:
            return None
        return first + self._read(_length.unpack(first)[0])

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self._socket.recv(size - len(data))
            if not piece:
                raise ConnectionError(f"{self.address} closed the connection in the middle of an answer")
            data += piece
        return data

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def ask(
    address: str, code: int, ext: Mapping[str, str] | None = None, body: bytes = b"", *, tls: bool = False
) -> Command:
    """One question on a connection of its own."""
    request = Command(code=code, ext=dict(ext) if ext is not None else None, body=body, version=513)
    with Peer(address, tls=tls) as peer:
        frame = peer.ask(request)
    assert frame is not None, f"{address} did not answer request {code}"
    return commands.decode(frame[_length.size :])


def route(address: str, topic: str, *, tls: bool = False) -> dict[str, dict[int, str]]:
    """Broker addresses by broker name and id for a topic; empty if the name server knows no route."""
    answer = ask(address, 105, {"topic": topic}, tls=tls)
    if answer.code == 17:
        return {}
    assert answer.code == 0, answer
    brokers = javajson.loads(answer.body)["brokerDatas"]
    return {b["brokerName"]: {int(i): a for i, a in b["brokerAddrs"].items()} for b in brokers}


def wait_until(holds: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until something holds; how long that took. Fails after `seconds`."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, f"not within {seconds:g} s: {what}"
        time.sleep(POLL_S)
    return time.monotonic() - began
