# SPDX-License-Identifier: Apache-2.0
"""Cutting the byte stream into frames: a 4-byte length, then that many bytes.

The decoder takes the stream in any pieces and yields every frame that became whole. It never rescans and
holds a frame that is not whole in one buffer, so time and memory are linear in the bytes of the stream
however small the pieces are.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Final

from .errors import FrameError

DEFAULT_MAX_FRAME_BYTES: Final = 16 * 1024 * 1024
"""The original's limit on a frame, its length field included (`com.rocketmq.remoting.frameMaxLength`)."""

PREFIX_BYTES: Final = 4
_SMALLEST_FRAME: Final = 4  # the field that holds header encoding and header length

_unpack_length = Struct(">i").unpack_from


class FrameDecoder:
    """Collects stream bytes until frames are whole. After a `FrameError` it must not be fed again."""

    __slots__ = ("_held", "_max_frame_bytes", "_missing")

    def __init__(self, max_frame_bytes: int = DEFAULT_MAX_FRAME_BYTES) -> None:
        self._max_frame_bytes = max_frame_bytes
        self._held = bytearray()
        self._missing = 0

    @property
    def is_mid_frame(self) -> bool:
        """Whether the stream, if it ended here, would cut a frame in two."""
        return bool(self._held)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take the next bytes; yield the frames they complete, each without its length prefix.

        Must be exhausted before the next call. Raises `FrameError` after the frames before the flaw.
        """
        if self._held:
            self._held += data
            self._missing -= len(data)
            if self._missing > 0:
                return
            data = bytes(self._held)
            self._held = bytearray()
        position = 0
        end = len(data)
        while end - position >= PREFIX_BYTES:
            (length,) = _unpack_length(data, position)
            if not _SMALLEST_FRAME <= length <= self._max_frame_bytes - PREFIX_BYTES:
                raise FrameError(self._describe(length))
            stop = position + PREFIX_BYTES + length
            if stop > end:
                self._missing = stop - end
                break
            yield data[position + PREFIX_BYTES : stop]
            position = stop
        else:
            self._missing = PREFIX_BYTES - (end - position)
        if position < end:
            self._held += data[position:]

    def _describe(self, length: int) -> str:
        if length < _SMALLEST_FRAME:
            return f"frame length {length} is below the smallest possible, {_SMALLEST_FRAME}"
        return f"frame of {length + PREFIX_BYTES} bytes exceeds the limit of {self._max_frame_bytes}"
