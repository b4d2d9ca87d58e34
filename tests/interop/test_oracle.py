# SPDX-License-Identifier: Apache-2.0
"""What we write, read by the real RocketMQ classes, for values that nobody chose."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrmq.wire import command, properties, record, sysflag
from pyrmq.wire.codes import LanguageCode
from pyrmq.wire.command import Command
from pyrmq.wire.compression import Compression, compress
from pyrmq.wire.javahash import string_hash
from pyrmq.wire.record import Record
from pyrmq_compat.oracle import Oracle
from tests.interop.conftest import VERSIONS
from tests.unit.wire import strategies as wire

pytestmark = pytest.mark.interop

few = settings(max_examples=200)

languages_of_both = st.sampled_from([each.name for each in LanguageCode if each <= LanguageCode.OMS])
"""RUST and NODE_JS came later than 4.9.7, which reads null for them."""


repeated = st.tuples(st.binary(), st.integers(0, 2000)).map(lambda two: two[0] * two[1])

ext_names = st.text(st.characters(exclude_categories=("Cs",), max_codepoint=0xFFFF), min_size=1, max_size=12)
"""fastjson2 fails on a key with both an escape and a character above these; values may have them."""

ext_fields = st.none() | st.dictionaries(ext_names, wire.text(max_size=40), max_size=20)


@pytest.fixture(scope="module", params=VERSIONS)
def oracle(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    with Oracle(request.param) as running:
        yield running


def assert_same_command(seen: dict[str, Any], sent: Command) -> None:
    assert seen == {
        "code": sent.code,
        "flag": sent.flag,
        "language": sent.language,
        "opaque": sent.opaque,
        "version": sent.version,
        "remark": sent.remark,
        "ext": sent.ext,
        "body": sent.body.hex() or None,
    }


@few
@given(sent=wire.json_commands(), language=languages_of_both, ext=ext_fields)
def test_json_frames(oracle: Oracle, sent: Command, language: str, ext: dict[str, str] | None) -> None:
    sent.language, sent.ext = language, ext
    assert_same_command(oracle.decode_frame(command.encode(sent)), sent)


@few
@given(sent=wire.binary_commands(), language=languages_of_both, ext=ext_fields)
def test_binary_frames(oracle: Oracle, sent: Command, language: str, ext: dict[str, str] | None) -> None:
    sent.language, sent.ext = language, ext or None
    seen = oracle.decode_frame(command.encode(sent))
    if isinstance(seen["ext"], dict):
        # The original reads an empty text in a binary header as null.
        seen["ext"] = {name: value or "" for name, value in seen["ext"].items()}
    assert_same_command(seen, sent)


@few
@given(
    body=st.binary(max_size=4000)
    | st.tuples(st.binary(), st.integers(0, 2000)).map(lambda two: two[0] * two[1]),
    algorithm=st.sampled_from(Compression),
    level=st.integers(1, 9),
)
def test_compression(oracle: Oracle, body: bytes, algorithm: Compression, level: int) -> None:
    assert oracle.decompress(algorithm.name.lower(), compress(body, algorithm, level)) == body


def hosts() -> st.SearchStrategy[bytes]:
    """Java checks ports, and makes an IPv4 address of an IPv6 one that only wraps it."""
    port = st.integers(0, 65535).map(lambda number: number.to_bytes(4, "big"))
    return st.tuples(wire.ips().filter(lambda ip: ip[:12] != bytes(10) + b"\xff\xff"), port).map(b"".join)


@few
@given(
    sent=wire.records(),
    born_host=hosts(),
    store_host=hosts(),
    algorithm=st.none() | st.sampled_from(Compression),
    data=st.data(),
)
def test_records(
    oracle: Oracle,
    sent: Record,
    born_host: bytes,
    store_host: bytes,
    algorithm: Compression | None,
    data: st.DataObject,
) -> None:
    sent.born_host, sent.store_host = born_host, store_host
    plain = sent.body
    sent.sys_flag &= ~(sysflag.COMPRESSED | sysflag.COMPRESSION_MASK)
    if algorithm is not None and plain:
        sent.sys_flag |= algorithm.sys_flag
        sent.body = compress(plain, algorithm)
    given_properties = data.draw(
        st.dictionaries(property_texts(), property_texts(), max_size=5), label="properties"
    )
    sent.properties = properties.encode(given_properties)
    if oracle.version == "4.9.7" and len(sent.topic.encode()) > record.MAX_TOPIC_BYTES_V1:
        sent.topic = sent.topic[: record.MAX_TOPIC_BYTES_V1]  # it knows no other kind of record
    raw = record.encode(sent)
    seen = oracle.decode_record(raw)
    host_bits = sysflag.BORN_HOST_V6 | sysflag.STORE_HOST_V6
    ignored = host_bits | sysflag.COMPRESSED  # cleared by 5.5.0 once it has expanded the body
    assert isinstance(seen["sysFlag"], int)
    assert seen.pop("sysFlag") & ~ignored == sent.sys_flag & ~ignored
    assert seen == {
        "msgId": sent.message_id,
        "storeSize": len(raw),
        "bodyCRC": record.body_crc(sent.body),
        "queueId": sent.queue_id,
        "flag": sent.flag,
        "queueOffset": sent.offset_queue,
        "commitLogOffset": sent.offset_physical,
        "bornTimestamp": sent.born_time_ms,
        "bornHost": host_fields(born_host),
        "storeTimestamp": sent.store_time_ms,
        "storeHost": host_fields(store_host),
        "reconsumeTimes": sent.reconsume_times,
        "preparedTransactionOffset": sent.offset_prepared,
        "body": plain.hex() or None,
        "topic": sent.topic,
        "properties": given_properties or None,
    }


def host_fields(host: bytes) -> dict[str, object]:
    return {"ip": host[:-4].hex(), "port": int.from_bytes(host[-4:], "big")}


def property_texts() -> st.SearchStrategy[str]:
    characters = st.characters(exclude_categories=("Cs",), exclude_characters="\x01\x02")
    return st.text(characters, min_size=1, max_size=10)


@few
@given(text=wire.text() | st.text())
def test_string_hash(oracle: Oracle, text: str) -> None:
    assert oracle.hash(text) == string_hash(text)


@few
@given(text=wire.text() | st.text("ab\x01\x02", max_size=20))
def test_properties(oracle: Oracle, text: str) -> None:
    assert oracle.properties(text) == properties.decode(text)
