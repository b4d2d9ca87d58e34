# SPDX-License-Identifier: Apache-2.0
"""Our codecs against bytes that the real RocketMQ 4.9.7 and 5.5.0 wrote."""

import ipaddress
import json
from typing import Any

import pytest

from pyrmq.wire import batch, codes, command, msgid, properties, record, sysflag
from pyrmq.wire.command import Command
from pyrmq.wire.compression import Compression, decompress
from pyrmq.wire.javahash import hash_map_order, string_hash
from tests.unit.wire import golden

Row = dict[str, Any]

NOT_UTF8 = {"remark-lone-surrogate"}  # Java writes '?' for half a character; Python text cannot hold one


@golden.cases("commands")
@pytest.mark.parametrize("encoding", ["json", "binary"])
def test_command(row: Row, encoding: str) -> None:
    if row["name"] in NOT_UTF8:
        pytest.skip("not text")
    frame, value = bytes.fromhex(row[encoding]), row["value"]
    decoded = command.decode(frame[4:])
    expected = Command(
        code=value["code"],
        flag=value["flag"],
        opaque=value["opaque"],
        language=value["language"],
        version=value["version"],
        remark=value["remark"],
        ext=value["ext"] and {key: text for key, text in value["ext"].items() if text is not None},
        body=bytes.fromhex(value["body"] or ""),
        serialize_type=command.JSON if encoding == "json" else command.ROCKETMQ,
    )
    if encoding == "binary":
        # Sixteen bits for code and version; empty and absent texts look alike.
        expected.code = (expected.code + 0x8000 & 0xFFFF) - 0x8000
        expected.version = (expected.version + 0x8000 & 0xFFFF) - 0x8000
        expected.remark = expected.remark or None
        expected.ext = expected.ext and {key: text for key, text in expected.ext.items() if text}
        expected.ext, decoded.ext = expected.ext or None, decoded.ext or None
    assert decoded == expected
    if row["name"] == "ext-empty-value" and encoding == "binary":
        return  # read as absent, so there is nothing to write back
    if not (encoding == "json" and "escapes" in row["name"] and value["version"] == codes.Version.V4_9_7):
        # We write JSON as 5.5.0 does; the library of 4.9.7 escapes a few more characters.
        assert command.encode(decoded) == frame


@pytest.mark.parametrize("version", golden.VERSIONS)
def test_codes(version: str) -> None:
    real = json.loads((golden.ROOT / version / "codes.json").read_text())
    for name, number in real["request"].items():
        assert codes.RequestCode[name] == number
    assert {language.name: language.value for language in codes.LanguageCode} | real["language"] == {
        language.name: language.value for language in codes.LanguageCode
    }
    for ordinal in codes.Version:
        assert real["version"][ordinal.name] == ordinal


def test_response_codes_are_those_of_the_main_reference() -> None:
    real = json.loads((golden.ROOT / "5.5.0" / "codes.json").read_text())["response"]
    answerable = {name: number for name, number in real.items() if number >= 0}
    assert {code.name: code.value for code in codes.ResponseCode} == answerable


@golden.cases("records")
def test_record(row: Row) -> None:
    raw, value = bytes.fromhex(row["hex"]), row["value"]
    decoded = record.decode(raw, check_crc=row["source"] == "store")
    assert decoded.topic == value["topic"]
    assert decoded.queue_id == value["queueId"]
    assert decoded.flag == value["flag"]
    assert decoded.offset_queue == value["queueOffset"]
    assert decoded.offset_physical == value["commitLogOffset"]
    # The original's decoder of 5.5.0 clears the compression bit once it has expanded the body.
    assert decoded.sys_flag & ~sysflag.COMPRESSED == value["sysFlag"] & ~sysflag.COMPRESSED
    assert decoded.born_time_ms == value["bornTimestamp"]
    assert decoded.store_time_ms == value["storeTimestamp"]
    assert decoded.reconsume_times == value["reconsumeTimes"]
    assert decoded.offset_prepared == value["preparedTransactionOffset"]
    assert decoded.born_host[:-4].hex() == value["bornHost"]["ip"]
    assert decoded.store_host[:-4].hex() == value["storeHost"]["ip"]
    assert decoded.plain_body().hex() == (value["body"] or "")
    assert decoded.property_map() == (value["properties"] or {})
    assert decoded.message_id == value["msgId"]
    if row["source"] == "store":
        assert record.encode(decoded) == raw


@golden.cases("batches")
def test_batch(row: Row) -> None:
    raw = bytes.fromhex(row["hex"])
    decoded = list(batch.decode(raw))
    assert [
        {"flag": each.flag, "body": each.body.hex(), "properties": properties.decode(each.properties)}
        for each in decoded
    ] == row["messages"]
    assert batch.encode(decoded) == raw


@golden.cases("properties", name="text", kind="write", versions=("5.5.0",))
def test_properties_written(row: Row) -> None:
    given = {name: value for name, value in (row["properties"] or {}).items() if value is not None}
    assert properties.encode(given) == row["text"]


@golden.cases("properties", name="text", kind="read")
def test_properties_read(row: Row) -> None:
    assert properties.decode(row["text"] or "") == row["properties"]


@golden.cases("ids", name="id", kind="offset")
def test_offset_message_id(row: Row) -> None:
    parsed = msgid.OffsetMessageId.parse(row["id"])
    address = row["address"]
    assert parsed == (bytes.fromhex(address["ip"]), address["port"], row["offset"])
    assert str(parsed) == row["id"]


@golden.cases("ids", name="id", kind="unique")
def test_unique_id(row: Row) -> None:
    parsed = msgid.UniqueId.parse(row["id"])
    assert ipaddress.ip_address(parsed.ip) == ipaddress.ip_address(row["ip"])
    assert parsed[1:] == (row["pid"], row["loader"], row["millisInMonth"], row["counter"])
    assert str(parsed) == row["id"]


@golden.cases("compression")
def test_decompression(row: Row) -> None:
    algorithm = Compression[row["type"].upper()]
    assert decompress(bytes.fromhex(row["compressed"]), algorithm).hex() == row["payload"]


@golden.cases("hashes", name="text", kind="hash")
def test_string_hash(row: Row) -> None:
    assert string_hash(row["text"]) == row["hash"]


@golden.cases("hashes", name="capacity", kind="order")
def test_hash_map_order(row: Row) -> None:
    if row["keys"][:1] == ["AaAaAaAa"]:
        pytest.skip("sixteen keys with one hash: Java turns the bucket into a tree")
    assert hash_map_order(row["keys"], capacity=row["capacity"] or 16) == row["order"]
