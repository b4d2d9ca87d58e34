# SPDX-License-Identifier: Apache-2.0
"""What a connection opens with: a PROXY header, a TLS handshake, or frames at once.

One byte decides. A frame cannot start with any of the marks, because its length would exceed every limit.
"""

import ipaddress
from enum import Enum
from struct import Struct
from typing import Final

import trio

from ..wire.errors import WireError

_TLS_HANDSHAKE: Final = 0x16
_PROXY_V1: Final = b"PROXY "
_PROXY_V2: Final = b"\r\n\r\n\x00\r\nQUIT\n"
_PROXY_V1_MAX: Final = 107
_proxy_v2_head = Struct(">12sBBH")


class TlsMode(Enum):
    """Property `tls.server.mode`."""

    DISABLED = "disabled"
    PERMISSIVE = "permissive"
    ENFORCING = "enforcing"


class Opening:
    """The first bytes of a connection, read as far as they are needed to know how to go on."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self.pending = b""
        self.proxied_peer: str | None = None

    async def read(self, header_s: float) -> None:
        """Wait for the first bytes and consume a PROXY header. `pending` is empty if the peer just left.

        Raises `WireError` if the header is malformed or not whole `header_s` after its first byte.
        """
        if not await self._fill(1):
            return
        readers = {_PROXY_V1[0]: self._read_proxy_v1, _PROXY_V2[0]: self._read_proxy_v2}
        read_header = readers.get(self.pending[0])
        if read_header is None:
            return
        with trio.move_on_after(header_s) as scope:
            await read_header()
        if scope.cancelled_caught:
            raise WireError(f"the PROXY header took more than {header_s:g} s")
        await self._fill(1)

    @property
    def is_tls(self) -> bool:
        """Whether a TLS handshake begins here."""
        return self.pending[:1] == bytes((_TLS_HANDSHAKE,))

    async def _read_proxy_v1(self) -> None:
        while b"\r\n" not in self.pending:
            if len(self.pending) > _PROXY_V1_MAX or not await self._fill(len(self.pending) + 1):
                raise WireError("the PROXY header has no end")
        line, _, self.pending = self.pending.partition(b"\r\n")
        words = line.decode("latin-1").split(" ")
        if words[0] != "PROXY":
            raise WireError("the connection opens with neither a frame nor a PROXY header")
        if words[1:2] == ["UNKNOWN"]:
            return
        try:
            _, _, source, _, port, _ = words
            self.proxied_peer = _join(ipaddress.ip_address(source).packed, int(port))
        except ValueError:
            raise WireError(f"malformed PROXY header: {line[:_PROXY_V1_MAX]!r}") from None

    async def _read_proxy_v2(self) -> None:
        if not await self._fill(_proxy_v2_head.size):
            raise WireError("the PROXY header is cut short")
        mark, command, family, length = _proxy_v2_head.unpack_from(self.pending)
        if mark != _PROXY_V2 or command >> 4 != 2:
            raise WireError("the connection opens with neither a frame nor a PROXY header")
        end = _proxy_v2_head.size + length
        if not await self._fill(end):
            raise WireError("the PROXY header is cut short")
        body, self.pending = self.pending[_proxy_v2_head.size : end], self.pending[end:]
        ip_bytes = {0x1: 4, 0x2: 16}.get(family >> 4)
        if command & 0xF == 1 and ip_bytes and len(body) >= 2 * ip_bytes + 4:
            port = int.from_bytes(body[2 * ip_bytes : 2 * ip_bytes + 2], "big")
            self.proxied_peer = _join(body[:ip_bytes], port)

    async def _fill(self, size: int) -> bool:
        """Have at least `size` bytes pending; False if the stream ends before."""
        while len(self.pending) < size:
            data = await self._stream.receive_some()
            if not data:
                return False
            self.pending += data
        return True


class PushbackStream(trio.abc.Stream):
    """A stream whose first bytes were already read by somebody else."""

    def __init__(self, stream: trio.abc.Stream, first_bytes: bytes) -> None:
        self._stream = stream
        self._first_bytes = first_bytes

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if self._first_bytes:
            await trio.lowlevel.checkpoint()
            size = len(self._first_bytes) if max_bytes is None else max_bytes
            data, self._first_bytes = self._first_bytes[:size], self._first_bytes[size:]
            return data
        return await self._stream.receive_some(max_bytes)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


def _join(ip: bytes, port: int) -> str:
    if not 0 <= port < 65536:
        raise ValueError(f"no port: {port}")
    host = str(ipaddress.ip_address(ip))
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
