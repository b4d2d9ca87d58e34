# SPDX-License-Identifier: Apache-2.0
"""fastjson's dialect, read and written."""

from contextlib import suppress
from enum import Enum
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrmq.wire import javajson
from pyrmq.wire.errors import BodyError
from pyrmq.wire.javajson import MAX_DEPTH, Body, ObjectKey
from tests.unit.wire.strategies import int64, text

scalars = st.none() | st.booleans() | int64() | st.floats(allow_nan=False, allow_infinity=False) | text()
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text(max_size=6), inner, max_size=4)
)


class Colour(Enum):
    RED = 1


class Place(msgspec.Struct, frozen=True, rename="camel"):
    broker_name: str
    queue_id: int


class Sample(Body, kw_only=True):
    object_key: ClassVar[type | None] = Place

    zebra: int = 0
    apple_pie: str | None = None
    by_number: dict[int, str] = msgspec.field(default_factory=dict)
    by_place: dict[Place, int] = msgspec.field(default_factory=dict)


# --- reading ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{0:"a",1:"b"}', {"0": "a", "1": "b"}),
        (b"{-1:{2:3}}", {"-1": {"2": 3}}),
        (b"{'a':'b'}", {"a": "b"}),
        (b"{'it\\'s':\"a 'b' c\"}", {"it's": "a 'b' c"}),
        (b"{name:1,$x_y:2,a.b-c:3,_:4}", {"name": 1, "$x_y": 2, "a.b-c": 3, "_": 4}),
        (b"{true:1,null:2}", {"true": 1, "null": 2}),
        (b"[1,2,]", [1, 2]),
        (b'{"a":1,}', {"a": 1}),
        (b"{a:[],b:{}}", {"a": [], "b": {}}),
        (b" \t\r\n{ a : [ 1 , 2 ] } \n", {"a": [1, 2]}),
        (b"{a:true,b:false,c:null}", {"a": True, "b": False, "c": None}),
        (b"{a:NaN}", {"a": None}),
        (b"{a:1L,b:2S,c:3B,d:1.5D,e:2.5F}", {"a": 1, "b": 2, "c": 3, "d": 1.5, "e": 2.5}),
        (b"{a:-1.5e3,b:1E-2,c:007}", {"a": -1500.0, "b": 0.01, "c": 7}),
        (b"{a:123456789012345678901234567890}", {"a": 123456789012345678901234567890}),
        (b"{a:'\\b\\f\\n\\r\\t\\/\\\\\\\"\\q'}", {"a": '\b\f\n\r\t/\\"q'}),
        (b"{a:'\\x41\\u00e9'}", {"a": "Aé"}),
        (b"{a:'\\ud83d\\ude00'}", {"a": "😀"}),
        ("{a:'\U0001f600 \\ud83d\\ude00 é'}".encode(), {"a": "😀 😀 é"}),
        (b"{a:'\\ud83d',b:'\\ude00x'}", {"a": "�", "b": "�x"}),
        (b"{a:'\\ufeffb'}", {"a": "\ufeffb"}),
        (b"{a:'\\u0000',b:'\0'}", {"a": "\0", "b": "\0"}),
        (b"{a:1,a:2}", {"a": 2}),
        (b'{{"q":1,"b":"x"}:5}', {ObjectKey((("b", "x"), ("q", 1))): 5}),
        (b"{{}:1}", {ObjectKey(()): 1}),
        (b"'x'", "x"),
    ],
)
def test_reads(data: bytes, value: object) -> None:
    assert javajson.loads(data) == value


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "broken JSON at character 0: expected a value, found ''"),
        (b"{a:1", "broken JSON at character 4: expected ',' or '}', found ''"),
        (b"{a 1}", "broken JSON at character 3: expected ':', found '1}'"),
        (b"{a:}", "broken JSON at character 3: expected a value, found '}'"),
        (b"{,a:1}", "broken JSON at character 1: expected a key, found ',a:1}'"),
        (b"{a:1 b:2}", "broken JSON at character 5: expected ',' or '}', found 'b:2}'"),
        (b"[1 2]", "broken JSON at character 3: expected ',' or ']', found '2]'"),
        (b"[,]", "broken JSON at character 1: expected a value, found ',]'"),
        (b"{a:b}", "broken JSON at character 3: expected a value, found 'b}'"),
        (b"{a:1}}", "broken JSON at character 5: expected nothing more, found '}'"),
        (b"{a:'x", "broken JSON at character 5: expected closing ', found ''"),
        (b"{a:'\\", "broken JSON at character 6: expected an escaped character, found ''"),
        (b"{a:'\\u12g4'}", 'broken JSON at character 6: expected hexadecimal digits, found "12g4\'}"'),
        (b"{a:'\\x4'}", 'broken JSON at character 6: expected hexadecimal digits, found "4\'}"'),
        (b"{a:" + b"1" * 41 + b"}", "broken JSON at character 3: expected a number of sensible length"),
        (b"{[1]:2}", "broken JSON at character 1: expected a key, found '[1]:2}'"),
        (b"{{a:[]}:1}", "an object used as a map key must hold plain values only"),
        (b"{a:'\xff'}", "body is not UTF-8: 'utf-8' codec can't decode byte 0xff in position 4"),
        (b"{a:" * 65, f"JSON is nested deeper than {MAX_DEPTH} levels"),
        ("{é:1}".encode(), "broken JSON at character 1: expected a key, found 'é:1}'"),
    ],
)
def test_flaws_are_located(data: bytes, message: str) -> None:
    with pytest.raises(BodyError) as caught:
        javajson.loads(data)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("tail", [b"", b" x"], ids=["standard", "lenient"])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")], ids=["array", "object"])
@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 500, 600, 950, 5_000, 1_000_000])
def test_depth(opening: bytes, closing: bytes, depth: int, tail: bytes) -> None:
    """Both readers stop at the same depth, long before the interpreter's stack ends."""
    data = opening * depth + b"1" + closing * depth + tail
    with pytest.raises(BodyError, match=f"^JSON is nested deeper than {MAX_DEPTH} levels$"):
        javajson.loads(data)
    with pytest.raises(BodyError):
        Sample.decode(b'{"applePie":' + data + b"}")
    within = MAX_DEPTH - 1
    for value in (b"[]", b"{}", b"1", b"[1,2]"):
        deepest = opening * within + value + closing * within
        assert javajson.dumps(javajson.loads(deepest)) == deepest


@given(json_values)
def test_standard_json_reads_the_same_in_both_readers(value: Any) -> None:
    data = msgspec.json.encode(value)
    assert javajson.loads(data) == value
    # An unquoted key sends the whole text to the lenient reader.
    assert javajson.loads(b"{lenient:" + data + b"}") == {"lenient": value}


@given(st.binary(max_size=60))
def test_noise(data: bytes) -> None:
    with suppress(BodyError):
        javajson.loads(data)


def test_object_keys_of_keys() -> None:
    inner = "ObjectKey(members=(('a', 1),))"
    data = b'{{"%s":1,{"a":1}:null}:3}' % inner.encode()
    assert javajson.loads(data) == {ObjectKey(((inner, 1), (inner, None))): 3}


# --- reading declared bodies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b'{"applePie":"x","byNumber":{"1":"a"},"zebra":3}',
        b'{"applePie":"x","byNumber":{1:"a"},"zebra":3}',
        b"{'applePie':'x',byNumber:{1:'a'},zebra:\"3\",unknown:[{}],}",
        b'{"applePie":"x","byNumber":{1:"a"},"zebra":3,"unknown":null}',
    ],
)
def test_body_in_both_forms(data: bytes) -> None:
    assert Sample.decode(data) == Sample(zebra=3, apple_pie="x", by_number={1: "a"})


def test_null_is_absent() -> None:
    assert Sample.decode(b'{"zebra":null,"byNumber":null,"applePie":null}') == Sample()
    assert Sample.decode(b'{zebra:null,byNumber:{1:null,2:"b"}}') == Sample(by_number={2: "b"})


def test_objects_as_keys() -> None:
    data = b'{"byPlace":{{"brokerName":"a","queueId":0}:7,{"queueId":1,"brokerName":"b"}:8}}'
    decoded = Sample.decode(data)
    assert decoded.by_place == {Place("a", 0): 7, Place("b", 1): 8}
    assert Sample.decode(decoded.encode()) == decoded


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b"{zebra:'x'}",
        b'{"zebra":1e400}',
        b'{byNumber:{a:"b"}}',
        b"{byNumber:{" + b"9" * 100_000 + b":'b'}}",
        b'{"byPlace":{{"brokerName":"a"}:7}}',
        b'{"byPlace":{{"brokerName":"a","queueId":{}}:7}}',
        b'{"byPlace":{{{"brokerName":"a","queueId":1}:2}:7}}',
        b'{"byPlace":{"x":7}}',
        b"",
        b"\0",
        b"\xff\xfe",
    ],
)
def test_body_of_another_kind(data: bytes) -> None:
    with pytest.raises(BodyError):
        Sample.decode(data)


# --- writing ---------------------------------------------------------------------------------------------


def test_members_in_alphabetical_order_and_nulls_dropped() -> None:
    body = Sample(zebra=1, by_number={2: "b", 1: "a"}, by_place={Place("a", 0): 7})
    assert body.encode() == (
        b'{"byNumber":{2:"b",1:"a"},"byPlace":{{"brokerName":"a","queueId":0}:7},"zebra":1}'
    )


def test_standard_writing_quotes_and_sorts_integer_keys() -> None:
    body = Sample(by_number={2: "b", 1: "a"})
    assert body.encode(standard=True) == b'{"byNumber":{"1":"a","2":"b"},"byPlace":{},"zebra":0}'
    assert javajson.dumps({True: 1}, standard=True) == b"{true:1}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": None, "b": 1}, b'{"b":1}'),
        ([None, 1], b"[null,1]"),
        ((1, 2), b"[1,2]"),
        ({"c": Colour.RED}, b'{"c":"RED"}'),
        (1.5, b"1.5"),
        (float("inf"), b"null"),
        (float("nan"), b"null"),
        ('é"\\\n\u0001😀', '"é\\"\\\\\\n\\u0001😀"'.encode()),
        ({}, b"{}"),
        ([], b"[]"),
        (True, b"true"),
    ],
)
def test_writes(value: object, text: bytes) -> None:
    assert javajson.dumps(value) == text


def test_pretty() -> None:
    value = {"table": {0: "a"}, "empty": {}, "none": None, "list": [1], "array": (1, 2)}
    assert javajson.dumps_pretty(value).decode() == (
        '{\n\t"table":{\n\t\t0:"a"\n\t},\n\t"empty":{},\n\t"list":[\n\t\t1\n\t],\n\t"array":[1,2]\n}'
    )


@given(json_values)
def test_round_trip(value: Any) -> None:
    expected = javajson.without_nulls(value)
    for data in (javajson.dumps(value), javajson.dumps(value, standard=True), javajson.dumps_pretty(value)):
        assert javajson.without_nulls(javajson.loads(data)) == expected


@given(st.dictionaries(int64(), text(max_size=5), max_size=5))
def test_integer_keys_round_trip(table: dict[int, str]) -> None:
    body = Sample(by_number=table)
    assert Sample.decode(body.encode()) == body
    assert Sample.decode(body.encode(standard=True)) == body
    assert Sample.decode(javajson.dumps_pretty(body)) == body
