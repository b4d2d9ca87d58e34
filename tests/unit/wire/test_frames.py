# SPDX-License-Identifier: Apache-2.0
"""The incremental frame decoder: however the stream is cut, the same frames come out."""

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrmq.wire import command
from pyrmq.wire.command import Command
from pyrmq.wire.errors import FrameError
from pyrmq.wire.frames import DEFAULT_MAX_FRAME_BYTES, PREFIX_BYTES, FrameDecoder
from tests.unit.wire import strategies as wire

payloads = st.lists(st.binary(min_size=4, max_size=60), max_size=12)


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(PREFIX_BYTES, "big", signed=True) + payload


def fed(decoder: FrameDecoder, *pieces: bytes) -> list[bytes]:
    return [frame for piece in pieces for frame in decoder.feed(piece)]


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:stop] for start, stop in pairwise(edges)]


@given(payloads)
def test_many_frames_in_one_piece(frames: list[bytes]) -> None:
    decoder = FrameDecoder()
    assert fed(decoder, b"".join(map(framed, frames))) == frames
    assert not decoder.is_mid_frame


@given(payloads, st.lists(st.integers(0, 1000), max_size=30))
def test_any_cuts(frames: list[bytes], places: list[int]) -> None:
    decoder = FrameDecoder()
    assert fed(decoder, *cut(b"".join(map(framed, frames)), places)) == frames
    assert not decoder.is_mid_frame


@given(payloads)
def test_byte_by_byte(frames: list[bytes]) -> None:
    """Every frame appears with its last byte and not later."""
    decoder = FrameDecoder()
    for frame in frames:
        whole = framed(frame)
        for position in range(len(whole) - 1):
            assert fed(decoder, whole[position : position + 1]) == []
            assert decoder.is_mid_frame
        assert fed(decoder, whole[-1:]) == [frame]
        assert not decoder.is_mid_frame


@given(st.lists(wire.commands(), max_size=5), st.lists(st.integers(0, 5000), max_size=10))
def test_commands_survive_any_cuts(values: list[Command], places: list[int]) -> None:
    stream = b"".join(map(command.encode, values))
    assert [command.decode(frame) for frame in fed(FrameDecoder(), *cut(stream, places))] == values


@given(payloads, st.binary(min_size=1, max_size=3), st.lists(st.integers(0, 1000), max_size=5))
def test_is_mid_frame_after_any_beginning(frames: list[bytes], rest: bytes, places: list[int]) -> None:
    decoder = FrameDecoder()
    assert fed(decoder, *cut(b"".join(map(framed, frames)) + rest, places)) == frames
    assert decoder.is_mid_frame


def test_empty_pieces_change_nothing() -> None:
    decoder = FrameDecoder()
    assert fed(decoder, b"", b"\0\0", b"", b"\0\4ab", b"", b"cd", b"") == [b"abcd"]
    assert not decoder.is_mid_frame


@pytest.mark.parametrize("limit", [DEFAULT_MAX_FRAME_BYTES, 100])
def test_limit_counts_the_length_field(limit: int) -> None:
    largest = bytes(limit - PREFIX_BYTES)
    assert fed(FrameDecoder(limit), framed(largest)) == [largest]
    # The prefix alone is refused: nothing is collected for a frame that will never be taken.
    with pytest.raises(FrameError, match=rf"^frame of {limit + 1} bytes exceeds the limit of {limit}$"):
        fed(FrameDecoder(limit), framed(largest + b"x")[:PREFIX_BYTES])


@pytest.mark.parametrize("length", [-(2**31), -1, 0, 3])
def test_impossible_length(length: int) -> None:
    prefix = length.to_bytes(PREFIX_BYTES, "big", signed=True)
    with pytest.raises(FrameError, match=rf"^frame length {length} is below the smallest possible, 4$"):
        fed(FrameDecoder(), prefix)


@given(payloads, st.sampled_from([-1, 3, DEFAULT_MAX_FRAME_BYTES, 2**31 - 1]), st.lists(st.integers(0, 1000)))
def test_frames_before_a_flaw_come_out_first(frames: list[bytes], length: int, places: list[int]) -> None:
    stream = b"".join(map(framed, frames)) + length.to_bytes(PREFIX_BYTES, "big", signed=True)
    decoder = FrameDecoder()
    found: list[bytes] = []
    pieces = cut(stream, places)
    with pytest.raises(FrameError):  # noqa: PT012
        for piece in pieces:
            for frame in decoder.feed(piece):
                found.append(frame)
    assert found == frames


def test_large_frame_in_small_pieces() -> None:
    payload = bytes(range(256)) * (DEFAULT_MAX_FRAME_BYTES // 256)
    payload = payload[:-PREFIX_BYTES]
    stream = framed(payload) + framed(b"next")
    size = 64 * 1024
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert fed(FrameDecoder(), *pieces) == [payload, b"next"]


def test_tiny_pieces_cost_no_more_memory_than_the_frame() -> None:
    """A peer that sends two bytes at a time must not make us hold an object for each."""
    length = 256 * 1024
    decoder = FrameDecoder()
    fed(decoder, framed(bytes(length))[:PREFIX_BYTES])
    tracemalloc.start()
    try:
        for position in range(0, length - 2, 2):
            assert not fed(decoder, position.to_bytes(4, "big")[2:])
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 2 * length
