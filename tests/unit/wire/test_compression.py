# SPDX-License-Identifier: Apache-2.0
"""Body compression: three algorithms, bounded and never silent about damage."""

import random
import zlib
from contextlib import suppress

import lz4.frame
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pyrmq.wire import sysflag
from pyrmq.wire.compression import MAX_EXPANDED_BYTES, Compression, compress, decompress
from pyrmq.wire.errors import RecordError
from pyrmq.wire.record import Record

each_algorithm = pytest.mark.parametrize("algorithm", Compression, ids=lambda algorithm: algorithm.name)

NOISE = random.Random(7).randbytes(300_000)
PLAIN = b"the quick brown fox " * 5_000 + NOISE


repeated = st.tuples(st.binary(), st.integers(0, 500)).map(lambda pair: pair[0] * pair[1])
bodies = st.binary(max_size=2000) | repeated


def streamed(body: bytes, algorithm: Compression) -> bytes:
    """Compressed in pieces, as the original's output streams do: the frame does not state its size."""
    pieces = [body[start : start + 50_000] for start in range(0, len(body), 50_000)]
    if algorithm is Compression.LZ4:
        with lz4.frame.LZ4FrameCompressor() as packer:
            return b"".join([packer.begin(), *map(packer.compress, pieces), packer.flush()])
    packer = zlib.compressobj() if algorithm is Compression.ZLIB else zstandard.ZstdCompressor().compressobj()
    return b"".join([*map(packer.compress, pieces), packer.flush()])


def bomb(algorithm: Compression, size: int, *, stream: bool) -> bytes:
    return streamed(bytes(size), algorithm) if stream else compress(bytes(size), algorithm)


@each_algorithm
@given(bodies)
def test_round_trip(algorithm: Compression, body: bytes) -> None:
    assert decompress(compress(body, algorithm), algorithm) == body
    assert decompress(streamed(body, algorithm), algorithm) == body


@each_algorithm
@pytest.mark.parametrize("level", [1, 5, 9])
def test_levels(algorithm: Compression, level: int) -> None:
    assert decompress(compress(PLAIN, algorithm, level), algorithm) == PLAIN


@each_algorithm
@pytest.mark.parametrize("pack", [compress, streamed], ids=["whole", "streamed"])
def test_cut_short(algorithm: Compression, pack: object) -> None:
    packed = pack(PLAIN, algorithm)  # type: ignore[operator]
    lengths = {*range(12), *range(12, len(packed), len(packed) // 50), len(packed) - 1, len(packed) - 4}
    for length in lengths:
        with pytest.raises(RecordError, match=f"^{algorithm.name} body is "):
            decompress(packed[:length], algorithm)


@each_algorithm
@given(st.data())
def test_damaged(algorithm: Compression, data: st.DataObject) -> None:
    """Damage raises `RecordError` or, where the format has no checksum, gives other bytes; nothing else."""
    packed = bytearray(compress(PLAIN[99_000:103_000], algorithm))
    position = data.draw(st.integers(0, len(packed) - 1))
    packed[position] ^= data.draw(st.integers(1, 255))
    with suppress(RecordError):
        assert isinstance(decompress(bytes(packed), algorithm), bytes)


@each_algorithm
@given(st.binary(max_size=100))
def test_noise(algorithm: Compression, body: bytes) -> None:
    with suppress(RecordError):
        assert isinstance(decompress(body, algorithm), bytes)


@each_algorithm
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("limit", [0, 1, 1000, 100_000])
def test_limit(algorithm: Compression, stream: bool, limit: int) -> None:
    assert decompress(bomb(algorithm, limit, stream=stream), algorithm, limit=limit) == bytes(limit)
    with pytest.raises(RecordError, match=f"expands beyond {limit} bytes"):
        decompress(bomb(algorithm, limit + 1, stream=stream), algorithm, limit=limit)


@each_algorithm
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_bomb(algorithm: Compression, stream: bool) -> None:
    with pytest.raises(RecordError, match=f"expands beyond {MAX_EXPANDED_BYTES} bytes"):
        decompress(bomb(algorithm, MAX_EXPANDED_BYTES + 1, stream=stream), algorithm)


def test_zstd_that_lies_about_its_size() -> None:
    """A stated size of nearly 2**64 must not become an allocation."""
    packed = bytearray(zstandard.ZstdCompressor().compress(NOISE))
    magic, descriptor = packed[:4], packed[4]
    size_bytes = 4  # for 300 000
    assert descriptor >> 6 == 2
    lie = magic + bytes((descriptor | 3 << 6,)) + b"\xf0" + b"\xff" * 7 + packed[5 + size_bytes :]
    with pytest.raises(RecordError, match=f"expands beyond {MAX_EXPANDED_BYTES} bytes|damaged"):
        decompress(bytes(lie), Compression.ZSTD)


@pytest.mark.parametrize(
    ("sys_flag", "algorithm"),
    [
        (0, None),
        (0x700, None),
        (sysflag.COMPRESSED, Compression.ZLIB),  # from before the bits existed
        (sysflag.COMPRESSED | 1 << 8, Compression.LZ4),
        (sysflag.COMPRESSED | 2 << 8, Compression.ZSTD),
        (sysflag.COMPRESSED | 3 << 8, Compression.ZLIB),
        (sysflag.COMPRESSED | sysflag.MULTI_TAGS | sysflag.BORN_HOST_V6 | 1 << 8, Compression.LZ4),
    ],
)
def test_sys_flag(sys_flag: int, algorithm: Compression | None) -> None:
    assert Compression.of(sys_flag) is algorithm


@pytest.mark.parametrize("number", [4, 5, 6, 7])
def test_unknown_type(number: int) -> None:
    with pytest.raises(RecordError, match=f"^unknown compression type {number} in sysFlag 0x{number}01$"):
        Compression.of(sysflag.COMPRESSED | number << sysflag.COMPRESSION_SHIFT)


@each_algorithm
def test_own_sys_flag(algorithm: Compression) -> None:
    assert Compression.of(algorithm.sys_flag) is algorithm
    assert algorithm.sys_flag & ~(sysflag.COMPRESSED | sysflag.COMPRESSION_MASK) == 0


@each_algorithm
def test_body_of_a_record(algorithm: Compression) -> None:
    record = Record(topic="t", sys_flag=algorithm.sys_flag, body=compress(PLAIN, algorithm))
    assert record.plain_body() == PLAIN
    assert Record(topic="t", body=PLAIN).plain_body() == PLAIN
