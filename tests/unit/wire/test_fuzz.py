# SPDX-License-Identifier: Apache-2.0
"""Bytes from hostile peers: every decoder raises `WireError` or nothing.

Inputs are noise and mutations of what the real RocketMQ wrote. The seed is part of every failure; set
`PYRMQ_FUZZ_SEED` to run with it again, and `PYRMQ_FUZZ_ROUNDS` to multiply the number of inputs.
"""

import os
import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import msgspec
import pytest

from pyrmq.wire import batch, bodies, command, declare, headers, javajson, msgid, properties, record
from pyrmq.wire.bodies.registration import RegisterBrokerBody
from pyrmq.wire.bodies.topic import TopicConfig
from pyrmq.wire.codes import Version
from pyrmq.wire.command import JSON, ROCKETMQ, Command
from pyrmq.wire.compression import Compression, compress, decompress
from pyrmq.wire.errors import WireError
from pyrmq.wire.frames import FrameDecoder
from tests.unit.wire import golden
from tests.unit.wire.mutations import mutate, noise, soup

SEED = int(os.environ.get("PYRMQ_FUZZ_SEED") or random.SystemRandom().getrandbits(32))
ROUNDS = int(os.environ.get("PYRMQ_FUZZ_ROUNDS", "2"))

headers.load_all()

BODIES = [
    value
    for module in iter_modules(bodies.__path__)
    for value in vars(import_module(f"{bodies.__name__}.{module.name}")).values()
    if isinstance(value, type) and issubclass(value, javajson.Body) and value is not javajson.Body
]


def subclasses(header: type[declare.Header]) -> set[type[declare.Header]]:
    return {header}.union(*map(subclasses, header.__subclasses__()))


HEADERS = sorted(subclasses(declare.Header), key=lambda header: header.__qualname__)


def golden_bytes(file: str, *fields: str) -> list[bytes]:
    """The named fields, which hold hex, of all golden rows."""
    rows = [row for version in golden.VERSIONS for row in golden.rows(file, version)]
    return [bytes.fromhex(row[field]) for row in rows for field in fields if row.get(field)]


def golden_texts(file: str, field: str) -> list[bytes]:
    rows = [row for version in golden.VERSIONS for row in golden.rows(file, version)]
    return [row[field].encode("utf-8", "replace") for row in rows if row.get(field)]


def fuzz(name: str, decode: Callable[[bytes], object], seeds: list[bytes], count: int) -> None:
    """Feed `count` inputs to `decode`: each seed as it is, then mutations, noise and token soup."""
    chance = random.Random(f"{SEED} {name}")
    for number in range(count * ROUNDS):
        if number < len(seeds):
            data = seeds[number]
        elif number % 10 == 0:
            data = noise(chance)
        elif number % 10 == 1:
            data = soup(chance)
        else:
            data = mutate(chance.choice(seeds), seeds, chance)
        try:
            decode(data)
        except WireError:
            pass
        except BaseException as error:
            error.add_note(f"input {number} of {name}, PYRMQ_FUZZ_SEED={SEED}: {data.hex()}")
            raise


# --- the decoders ----------------------------------------------------------------------------------------

FRAMES = golden_bytes("commands", "json", "binary")


def decode_stream(data: bytes) -> None:
    for frame in FrameDecoder().feed(data):
        decode_frame(frame)


def decode_frame(frame: bytes) -> None:
    """Read a frame; what was read can be read by a handler, and be written again."""
    value = command.decode(frame)
    if value.serialize_type == JSON or -(2**15) <= value.version < 2**15:
        again = command.decode(command.encode(value)[4:])
        assert again.opaque == value.opaque
        assert again.ext == value.ext or not value.ext
    if (header := declare.REQUESTS.get(value.code)) is not None:  # type: ignore[call-overload]
        header.from_ext(value.ext)


def test_streams() -> None:
    chance = random.Random(SEED)
    seeds = FRAMES + [b"".join(chance.choices(FRAMES, k=3)) for _ in range(100)]
    fuzz("stream", decode_stream, seeds, 15_000)


def test_frames() -> None:
    fuzz("frame", decode_frame, [frame[4:] for frame in FRAMES], 20_000)


def test_json_headers() -> None:
    """Only the header is damaged, so that the damage reaches the JSON readers."""

    def decode(data: bytes) -> None:
        decode_frame(len(data).to_bytes(4, "big") + data)

    texts = [frame[8:] for frame in golden_bytes("commands", "json")]
    fuzz("json header", decode, [text for text in texts if text.startswith(b"{")], 12_000)


def test_binary_headers() -> None:
    def decode(data: bytes) -> None:
        decode_frame((ROCKETMQ << 24 | len(data)).to_bytes(4, "big") + data)

    fuzz("binary header", decode, [frame[8:] for frame in golden_bytes("commands", "binary")], 12_000)


def test_headers() -> None:
    """Every header class reads the ext fields of every other, damaged."""
    exts = [
        row["ext"] for version in golden.VERSIONS for row in golden.rows("headers", version) if row["ext"]
    ]
    chance = random.Random(f"{SEED} header classes")

    def decode(data: bytes) -> None:
        ext = command.decode(data[4:]).ext
        names = [field.wire_name for field in declare.plan(header)]
        # Damaged values under the names that this class knows, so that its field readers see them.
        known = dict(zip(names, chance.sample([*(ext or {}).values()], len(ext or {})), strict=False))
        for fields in (ext, known):
            with suppress(WireError):
                found = header.from_ext(fields)
                assert header.from_ext(found.to_ext()) == found or "nan" in str(found)

    seeds = [
        command.encode(Command(ext=ext, serialize_type=serialize_type))
        for ext in exts
        for serialize_type in (JSON, ROCKETMQ)
    ]
    for header in HEADERS:
        fuzz(f"header {header.__name__}", decode, chance.sample(seeds, 3), 60)


def test_bodies() -> None:
    texts = golden_texts("bodies", "text")
    chance = random.Random(f"{SEED} bodies")
    for body in BODIES:
        own = [
            row["text"].encode() for row in golden.rows("bodies", "5.5.0") if row["class"] == body.__name__
        ]
        fuzz(f"body {body.__name__}", body.decode, own or chance.sample(texts, 3), 220)


def test_compressed_registrations() -> None:
    packed = golden_bytes("bodies", "compressed")
    plain = [zlib.decompress(each) for each in packed]
    for version in (Version.V4_9_7, Version.V5_5_0):
        decode = partial(RegisterBrokerBody.decode_compressed, version=version)
        fuzz(f"registration {version}", decode, packed, 1_000)

        def decode_plain(data: bytes, decode: Callable[[bytes], object] = decode) -> None:
            decode(zlib.compress(data, 1))

        fuzz(f"registration parts {version}", decode_plain, plain, 3_000)


def test_topic_lines() -> None:
    def decode(data: bytes) -> None:
        TopicConfig.from_line(data.decode("utf-8", "replace"))

    fuzz("topic line", decode, golden_texts("bodies", "encoded"), 4_000)


def test_records() -> None:
    seeds = golden_bytes("records", "hex") + golden_bytes("batches", "stored")

    def decode(data: bytes) -> None:
        found = record.decode(data, check_crc=False)
        found.property_map()
        assert found.message_id
        found.plain_body()

    def decode_all(data: bytes) -> None:
        for found in record.decode_all(data):
            assert record.decode(record.encode(found)) == found

    def decode_inside(data: bytes) -> None:
        found = record.decode(memoryview(b"before" + data), 6)
        assert isinstance(found.body, bytes)

    fuzz("record", decode, seeds, 8_000)
    fuzz(
        "records",
        decode_all,
        seeds + [first + second for first, second in zip(seeds, seeds, strict=True)],
        6_000,
    )
    fuzz("record inside", decode_inside, seeds, 4_000)


def test_batches() -> None:
    fuzz("batch", lambda data: list(batch.decode(data)), golden_bytes("batches", "hex"), 8_000)


def test_properties() -> None:
    def decode(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        found = properties.decode(text)
        assert properties.decode(properties.encode(found)) == found

    fuzz("properties", decode, golden_texts("properties", "text") or [b"a\x01b\x02"], 6_000)


@pytest.mark.parametrize("kind", [msgid.OffsetMessageId, msgid.UniqueId])
def test_message_ids(kind: Any) -> None:
    def decode(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        assert str(kind.parse(text)) == text.upper()

    fuzz(f"id {kind.__name__}", decode, golden_texts("ids", "id"), 4_000)


@pytest.mark.parametrize("algorithm", Compression)
def test_compression(algorithm: Compression) -> None:
    texts = [b"", b"a", b"RocketMQ " * 300, *golden_texts("bodies", "text")[:20]]
    seeds = [compress(text, algorithm) for text in texts]
    seeds += [
        bytes.fromhex(row["compressed"])
        for version in golden.VERSIONS
        for row in golden.rows("compression", version)
        if row["type"].upper() == algorithm.name and len(row["compressed"]) < 4_000
    ]

    def decode(data: bytes) -> None:
        decompress(data, algorithm, limit=1 << 20)

    fuzz(f"compression {algorithm.name}", decode, seeds, 3_000)


def test_json() -> None:
    def decode(data: bytes) -> None:
        javajson.loads(javajson.dumps(javajson.loads(data)))

    fuzz("json", decode, golden_texts("bodies", "text") + golden_texts("bodies", "pretty"), 12_000)


# --- inputs that are cheap to send and must stay cheap to refuse -----------------------------------------


def json_frame(header: bytes) -> bytes:
    return len(header).to_bytes(4, "big") + header


@pytest.mark.parametrize("depth", [100, 450, 600, 950, 5_000, 1_000_000])
@pytest.mark.parametrize(
    ("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b"{a:", b"}"), (b"[{'a':[", b"]}]")]
)
def test_deep_nesting(opening: bytes, closing: bytes, depth: int) -> None:
    for closed in (True, False):
        nested = opening * depth + (b"1" + closing * depth if closed else b"")
        for data in (
            nested,
            b'{"x":' + nested + b"}",
            b'{"extFields":{"x":' + nested + b"}}",
            b'{"extFields":{"x":null,"y":' + nested + b"}}",
            b'{"extFields":' + nested + b"}",
            b"{extFields:{x:" + nested + b"}}",
            b'{"code":' + nested + b"}",
        ):
            with suppress(WireError):
                command.encode(command.decode(json_frame(data)))
            for body in (RegisterBrokerBody, TopicConfig):
                with suppress(WireError):
                    body.decode(data)
            with suppress(WireError):
                javajson.dumps(javajson.loads(data))


@pytest.mark.parametrize("digits", [100, 4_299, 4_301, 100_000])
def test_long_numbers(digits: int) -> None:
    """Python refuses to turn such texts into integers with a `ValueError`, which must not get out."""
    for number in (b"9" * digits, b"-" + b"1" * digits, b"1." + b"1" * digits, b"1e" + b"9" * digits):
        for value in (number, b'"' + number + b'"', b"{" + number + b":1}", b"[" + number + b",]"):
            for name in (b"code", b"extFields", b"version", b"queueId", b"x", b"topicConfigTable"):
                data = b'{"' + name + b'":' + value + b"}"
                with suppress(WireError):
                    command.encode(command.decode(json_frame(data)))
                for body in BODIES:
                    with suppress(WireError):
                        body.decode(data)
        for header in HEADERS:
            ext = {field.wire_name: number.decode() for field in declare.plan(header)}
            with suppress(WireError):
                header.from_ext(ext)
        with suppress(WireError):
            TopicConfig.from_line(f"topic {number.decode()} 1 6 SINGLE_TAG")


BOMB_SCRIPT = """
import resource, sys, zlib
import lz4.frame, zstandard
from pyrmq.wire.bodies.registration import RegisterBrokerBody
from pyrmq.wire.compression import MAX_EXPANDED_BYTES, Compression, decompress
from pyrmq.wire.errors import WireError
from pyrmq.wire.frames import DEFAULT_MAX_FRAME_BYTES

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def pieces(packer):
    zeros = bytes(1 << 20)
    for _ in range(1024):
        yield packer.compress(zeros)
    yield packer.flush()

kind = sys.argv[1]
if kind == "lz4":
    packer = lz4.frame.LZ4FrameCompressor()
    bomb = b"".join([packer.begin(), *pieces(packer)])
elif kind == "zstd":
    bomb = b"".join(pieces(zstandard.ZstdCompressor().compressobj()))
else:
    bomb = b"".join(pieces(zlib.compressobj()))
assert len(bomb) < DEFAULT_MAX_FRAME_BYTES, len(bomb)
before = peak()
try:
    if kind == "registration":
        RegisterBrokerBody.decode_compressed(bomb, 513)
    else:
        decompress(bomb, Compression[kind.upper()])
except WireError as error:
    assert "more than" in str(error) or "beyond" in str(error), error
else:
    sys.exit("taken")
grown = peak() - before
assert grown < 2.5 * MAX_EXPANDED_BYTES, grown
print(grown)
"""


@pytest.mark.parametrize("kind", ["zlib", "lz4", "zstd", "registration"])
def test_bombs_in_bounded_memory(kind: str) -> None:
    """A gigabyte of zeros in a few kilobytes; a process of its own, because C libraries allocate unseen."""
    done = subprocess.run(
        [sys.executable, "-c", BOMB_SCRIPT, kind], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_body_classes_and_headers_were_found() -> None:
    assert len(BODIES) > 60
    assert len(HEADERS) > 100
    assert all(issubclass(header, msgspec.Struct) for header in HEADERS)
