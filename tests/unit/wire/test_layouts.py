# SPDX-License-Identifier: Apache-2.0
"""The hand-tuned codecs and the declarative layouts describe the same bytes."""

from hypothesis import given
from hypothesis import strategies as st

from pyrmq.wire import batch, command, layouts, msgid, record, sysflag
from pyrmq.wire.codes import LanguageCode
from pyrmq.wire.command import Command
from tests.unit.wire import strategies as wire


@given(wire.commands())
def test_frame_layout(value: Command) -> None:
    frame = command.encode(value)
    parsed = layouts.FRAME.parse(frame)
    assert parsed.serialize_type == value.serialize_type
    assert parsed.body == value.body
    assert (
        layouts.FRAME.build(
            {"serialize_type": parsed.serialize_type, "header": parsed.header, "body": parsed.body}
        )
        == frame
    )
    assert command.decode(frame[4:]) == value


@given(wire.binary_commands())
def test_binary_header_layout(value: Command) -> None:
    header = layouts.FRAME.parse(command.encode(value)).header
    parsed = layouts.BINARY_HEADER.parse(header)
    assert (parsed.code, parsed.version, parsed.opaque, parsed.flag) == (
        value.code,
        value.version,
        value.opaque,
        value.flag,
    )
    assert LanguageCode(parsed.language).name == value.language
    assert (parsed.remark or None) == value.remark
    assert {field.key: field.value for field in parsed.ext} == (value.ext or {})
    assert layouts.BINARY_HEADER.build(parsed) == header


@given(wire.records())
def test_record_layout(value: record.Record) -> None:
    raw = record.encode(value)
    decoded = record.decode(raw)
    host_bits = sysflag.BORN_HOST_V6 | sysflag.STORE_HOST_V6
    assert decoded.sys_flag & ~host_bits == value.sys_flag & ~host_bits
    value.sys_flag = decoded.sys_flag
    assert decoded == value
    parsed = layouts.RECORD.parse(raw)
    assert parsed.size == len(raw)
    for name in (
        "topic",
        "queue_id",
        "flag",
        "offset_queue",
        "offset_physical",
        "sys_flag",
        "born_time_ms",
        "store_time_ms",
        "reconsume_times",
        "offset_prepared",
        "body",
        "properties",
    ):
        assert parsed[name] == getattr(value, name), name
    host = layouts.HOST_V6 if value.sys_flag & sysflag.BORN_HOST_V6 else layouts.HOST_V4
    assert host.build(parsed.born_host) == value.born_host
    assert layouts.RECORD.build(parsed) == raw


@given(st.lists(wire.records(), max_size=5))
def test_records_end_to_end(values: list[record.Record]) -> None:
    raw = b"".join(map(record.encode, values))
    assert [record.encode(each) for each in record.decode_all(raw)] == [
        record.encode(each) for each in values
    ]


@given(st.lists(wire.batch_messages(), max_size=8))
def test_batch_layout(messages: list[batch.BatchMessage]) -> None:
    raw = batch.encode(messages)
    assert list(batch.decode(raw)) == messages
    parsed = layouts.BATCH.parse(raw)
    assert [(each.body, each.properties, each.flag) for each in parsed] == [
        (each.body, each.properties, each.flag) for each in messages
    ]
    assert layouts.BATCH.build(parsed) == raw


@given(wire.ips(), wire.int32(), wire.int64())
def test_offset_message_id_layout(ip: bytes, port: int, offset: int) -> None:
    value = msgid.OffsetMessageId(ip, port, offset)
    built = layouts.offset_message_id(len(ip)).build(value._asdict())
    assert str(value) == built.hex().upper()
    assert msgid.OffsetMessageId.parse(str(value)) == value


@given(wire.ips(), st.integers(0, 65535), wire.int32(), wire.int32(), st.integers(0, 65535))
def test_unique_id_layout(ip: bytes, pid: int, loader: int, since: int, counter: int) -> None:
    value = msgid.UniqueId(ip, pid, loader, since, counter)
    built = layouts.unique_id(len(ip)).build(value._asdict())
    assert str(value) == built.hex().upper()
    assert msgid.UniqueId.parse(str(value)) == value
