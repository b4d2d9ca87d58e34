# SPDX-License-Identifier: Apache-2.0
"""The two message ids: where a message lies, and which client made it.

The offset message id names the storing broker and the commit-log offset. The unique id is made by the sending
client from its address, process, class loader, the milliseconds since the month began, and a counter.
Both are upper-case hex and twice as long with IPv6 addresses.
"""

import ipaddress
from struct import Struct
from typing import NamedTuple

from .errors import RecordError

_v4 = Struct(">4siq")
_v6 = Struct(">16siq")
_unique_v4 = Struct(">4sHiiH")
_unique_v6 = Struct(">16sHiiH")
_host_v4 = Struct(">4si")
_host_v6 = Struct(">16si")


class OffsetMessageId(NamedTuple):
    """The place of a message: broker address and commit-log offset."""

    ip: bytes
    port: int
    offset_physical: int

    def __str__(self) -> str:
        layout = _v4 if len(self.ip) == 4 else _v6
        return layout.pack(*self).hex().upper()

    @classmethod
    def parse(cls, text: str) -> "OffsetMessageId":
        """Read the hex form. Raises `RecordError`."""
        raw = _unhex(text, (_v4.size, _v6.size))
        return cls(*(_v4 if len(raw) == _v4.size else _v6).unpack(raw))


class UniqueId(NamedTuple):
    """The parts of a client-made id (property UNIQ_KEY)."""

    ip: bytes
    pid: int
    loader_hash: int
    since_month_start_ms: int
    counter: int

    def __str__(self) -> str:
        layout = _unique_v4 if len(self.ip) == 4 else _unique_v6
        return layout.pack(*self).hex().upper()

    @classmethod
    def parse(cls, text: str) -> "UniqueId":
        """Read the hex form. Raises `RecordError`."""
        raw = _unhex(text, (_unique_v4.size, _unique_v6.size))
        return cls(*(_unique_v4 if len(raw) == _unique_v4.size else _unique_v6).unpack(raw))


def pack_host(ip: str, port: int) -> bytes:
    """An address as it stands in records: 4 or 16 address bytes, then the port in 4."""
    raw = ipaddress.ip_address(ip).packed
    return (_host_v4 if len(raw) == 4 else _host_v6).pack(raw, port)


def unpack_host(host: bytes) -> tuple[str, int]:
    """The address and port of a packed host."""
    raw, port = (_host_v4 if len(host) == _host_v4.size else _host_v6).unpack(host)
    return str(ipaddress.ip_address(raw)), port


def _unhex(text: str, sizes: tuple[int, int]) -> bytes:
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raise RecordError(f"message id is not hexadecimal: {text[:60]!r}") from None
    if len(raw) not in sizes or len(text) != 2 * len(raw):
        raise RecordError(f"message id has {len(text)} characters, not {2 * sizes[0]} or {2 * sizes[1]}")
    return raw
