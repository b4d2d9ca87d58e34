# SPDX-License-Identifier: Apache-2.0
"""Body compression: RocketMQ's three algorithms, named by three bits of the sysFlag.

lz4 uses its frame format. Expanding is bounded, because a few bytes of input may claim gigabytes of output.
"""

import zlib
from enum import IntEnum
from typing import Final

from . import sysflag
from .errors import RecordError

MAX_EXPANDED_BYTES: Final = 64 * 1024 * 1024
"""What a body may expand to: sixteen times the largest body a default broker takes."""

DEFAULT_ZLIB_LEVEL: Final = 5


class Compression(IntEnum):
    """The number of an algorithm in the sysFlag; 0, from before the bits existed, means zlib too."""

    LZ4 = 1
    ZSTD = 2
    ZLIB = 3

    @classmethod
    def of(cls, sys_flag: int) -> "Compression | None":
        """The algorithm that a message's body is compressed with, None if it is not."""
        if not sys_flag & sysflag.COMPRESSED:
            return None
        number = (sys_flag & sysflag.COMPRESSION_MASK) >> sysflag.COMPRESSION_SHIFT
        try:
            return cls(number or cls.ZLIB)
        except ValueError:
            raise RecordError(f"unknown compression type {number} in sysFlag {sys_flag:#x}") from None

    @property
    def sys_flag(self) -> int:
        """The bits that mark a body as compressed with this algorithm."""
        return sysflag.COMPRESSED | self << sysflag.COMPRESSION_SHIFT


def compress(body: bytes, algorithm: Compression, level: int = DEFAULT_ZLIB_LEVEL) -> bytes:
    """Compress a body. lz4 knows no levels in the original, so `level` is for the other two."""
    # lz4 and zstandard are imported where they are used: most processes never meet them.
    if algorithm is Compression.ZLIB:
        return zlib.compress(body, level)
    if algorithm is Compression.LZ4:
        import lz4.frame

        # The original reads independent blocks only; the library would link those of a body above 64 KiB.
        return bytes(lz4.frame.compress(body, block_linked=False))
    import zstandard

    return zstandard.ZstdCompressor(level=level).compress(body)


def decompress(body: bytes, algorithm: Compression, *, limit: int = MAX_EXPANDED_BYTES) -> bytes:
    """Expand a body. Raises `RecordError` if it is damaged, cut short, or would exceed `limit`."""
    expand = {Compression.ZLIB: _unzlib, Compression.LZ4: _unlz4, Compression.ZSTD: _unzstd}[algorithm]
    expanded, whole = expand(body, limit + 1)
    if len(expanded) > limit:
        raise RecordError(f"{algorithm.name} body expands beyond {limit} bytes")
    if not whole:
        raise RecordError(f"{algorithm.name} body is cut short")
    return expanded


def _unzlib(body: bytes, limit: int) -> tuple[bytes, bool]:
    decoder = zlib.decompressobj()
    try:
        return decoder.decompress(body, limit), decoder.eof
    except zlib.error as error:
        raise RecordError(f"ZLIB body is damaged: {error}") from None


def _unlz4(body: bytes, limit: int) -> tuple[bytes, bool]:
    import lz4.frame

    decoder = lz4.frame.LZ4FrameDecompressor()
    try:
        return decoder.decompress(body, max_length=limit), decoder.eof
    except (RuntimeError, EOFError) as error:
        raise RecordError(f"LZ4 body is damaged: {error}") from None


def _unzstd(body: bytes, limit: int) -> tuple[bytes, bool]:
    import zstandard

    try:
        stated = zstandard.frame_content_size(body)
        if stated >= limit:
            raise RecordError(f"ZSTD body expands beyond {limit - 1} bytes")
        return zstandard.ZstdDecompressor().decompress(body, max_output_size=limit), True
    except zstandard.ZstdError as error:
        # A frame that does not state its size gives the same error for too little input and too much output.
        remedy = f", or expands beyond {limit - 1} bytes" if "full frame" in str(error) else ""
        raise RecordError(f"ZSTD body is damaged or cut short{remedy}: {error}") from None
