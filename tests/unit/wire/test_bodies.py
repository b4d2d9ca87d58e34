# SPDX-License-Identifier: Apache-2.0
"""The body declarations, against themselves and against what the real RocketMQ wrote."""

import zlib
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrmq.wire import bodies, javajson
from pyrmq.wire.bodies import registration
from pyrmq.wire.bodies.data_version import DataVersion
from pyrmq.wire.bodies.filter import (
    BloomFilterData,
    ConsumerFilterData,
    ConsumerFilters,
    FilterDataMapByTopic,
)
from pyrmq.wire.bodies.heartbeat import (
    ConsumeFromWhere,
    ConsumerData,
    ConsumeType,
    HeartbeatData,
    MessageModel,
)
from pyrmq.wire.bodies.kv import KVConfigSerializeWrapper, KVTable
from pyrmq.wire.bodies.message_queue import MessageQueue
from pyrmq.wire.bodies.offsets import DelayOffsetSerializeWrapper, ResetOffsetBody
from pyrmq.wire.bodies.pop import AckMsg, BatchAck, BatchAckMsg, OrderInfo, PopCheckPoint
from pyrmq.wire.bodies.registration import RegisterBrokerBody
from pyrmq.wire.bodies.route import TopicRouteData
from pyrmq.wire.bodies.static_topic import TopicQueueMappingInfo
from pyrmq.wire.bodies.subscription import SubscriptionGroupConfig
from pyrmq.wire.bodies.topic import TopicConfig, TopicConfigAndMappingSerializeWrapper, TopicFilterType
from pyrmq.wire.codes import Version
from pyrmq.wire.errors import BodyError
from pyrmq.wire.javajson import Body
from tests.unit.wire import golden
from tests.unit.wire.strategies import int64, text


def declared() -> Iterator[type[Body]]:
    for module in iter_modules(bodies.__path__):
        for value in vars(import_module(f"{bodies.__name__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Body) and value.__module__.endswith(module.name):
                yield value


BODIES = {body.__name__: body for body in declared()}
each_body = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that occurs in a body."""
    scalars: dict[Any, st.SearchStrategy[Any]] = {
        str: text(max_size=12) | st.sampled_from(["null", "true", "1"]),
        int: int64(),
        bool: st.booleans(),
        float: st.floats(allow_nan=False, allow_infinity=False),
        bytes: st.binary(max_size=8),
        NoneType: st.none(),
    }
    if kind in scalars:
        return scalars[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = msgspec.structs.fields(kind)
        return st.builds(kind, **{field.name: values(field.type) for field in fields})
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        has_enum = any(isinstance(member, type) and issubclass(member, Enum) for member in arguments)
        return st.one_of(*(values(member) for member in arguments if not (has_enum and member is int)))
    if origin is dict:
        return st.dictionaries(values(arguments[0]), values(arguments[1]), max_size=2)
    items = st.lists(values(arguments[0]), max_size=2)
    return items if origin is list else items.map(tuple)


@each_body
def test_round_trip(body: type[Body]) -> None:
    @settings(max_examples=15, deadline=None)
    @given(values(body))
    def check(value: Body) -> None:
        assert body.decode(value.encode()) == value
        assert body.decode(value.encode(standard=True)) == value
        assert body.decode(javajson.dumps_pretty(value)) == value

    check()


@each_body
def test_documented(body: type[Body]) -> None:
    assert body.__doc__


@each_body
def test_unknown_keys_and_nulls_do_no_harm(body: type[Body]) -> None:
    required = {field.encode_name: "text" for field in msgspec.structs.fields(body) if field.required}
    nulls = {field.encode_name: None for field in msgspec.structs.fields(body) if not field.required}
    alone = body.decode(msgspec.json.encode(required))
    assert body.decode(msgspec.json.encode(required | nulls | {"unheardOf": [1, {"a": 2}]})) == alone


@each_body
@pytest.mark.parametrize("bad", [b"", b"[]", b"7", b"{", b'{"a":}', b"\xff", b'"text"'])
def test_broken_body(body: type[Body], bad: bytes) -> None:
    with pytest.raises(BodyError):
        body.decode(bad)


# --- against the real RocketMQ -----------------------------------------------------------------------------

LEFT_OUT = {
    # The controller and lite topics are not served; the rest never travels.
    *("BrokerReplicasInfo", "ElectMasterResponseBody", "EpochEntry", "EpochEntryCache"),
    *("ReplicaIdentity", "ReplicasInfo", "SyncStateSet"),
    *("GetBrokerLiteInfoResponseBody", "GetLiteClientInfoResponseBody", "GetLiteGroupInfoResponseBody"),
    *("GetLiteTopicInfoResponseBody", "GetParentTopicInfoResponseBody", "LiteSubscriptionCtlRequestBody"),
    *("BrokerSyncInfo", "ConsumeByWho", "TopicQueueMappingOne", "TopicRemappingDetailWrapper"),
}

Row = dict[str, Any]


def bodies_of(version: str, *classes: str) -> pytest.MarkDecorator:
    rows = [row for row in golden.rows("bodies", version) if row["class"] not in LEFT_OUT]
    chosen = [row for row in rows if not classes or row["class"] in classes]
    assert chosen
    return pytest.mark.parametrize(
        "row", [pytest.param(row, id=f"{row['class']}-{row['variant']}") for row in chosen]
    )


def read(row: Row) -> Any:
    """The golden body as ours, or None if it is an empty one that lacks the name we insist on."""
    kind: type[Any] = MessageQueue if row["class"] == "MessageQueue" else BODIES[row["class"]]
    data = row["text"].encode()
    if row["variant"] == "empty" and any(field.required for field in msgspec.structs.fields(kind)):
        with pytest.raises(BodyError, match="missing required field"):
            javajson.decode(data, kind)
        return None
    return kind.decode(data) if issubclass(kind, Body) else javajson.decode(data, kind)


@bodies_of("5.5.0")
def test_as_in_5(row: Row) -> None:
    if body := read(row):
        assert javajson.dumps(body).decode() == row["text"]
        assert javajson.dumps_pretty(body).decode() == row["pretty"]
        if "standard" in row:
            assert javajson.dumps(body, standard=True).decode() == row["standard"]


@bodies_of("4.9.7")
def test_as_in_4(row: Row) -> None:
    """5.x has more fields and writes them all; those of 4.9 must come out as they went in."""
    if body := read(row):
        assert_covers(javajson.loads(javajson.dumps(body)), javajson.loads(row["text"].encode()))


def assert_covers(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, dict):
        assert [key for key in ours if key in theirs] == list(theirs)
        for key, value in theirs.items():
            assert_covers(ours[key], value)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for our_item, their_item in zip(ours, theirs, strict=True):
            assert_covers(our_item, their_item)
    else:
        assert ours == theirs


def test_every_golden_body_is_declared_or_left_out() -> None:
    for version in golden.VERSIONS:
        for row in golden.rows("bodies", version):
            assert row["class"] in LEFT_OUT | BODIES.keys() | {"MessageQueue"}


# Broker classes that the golden set does not reach; written with the 5.5.0 jars.
WRITTEN_BY_5: list[tuple[Body, str]] = [
    (
        PopCheckPoint(
            start_offset=1,
            pop_time=2,
            invisible_time=3,
            bit_map=4,
            num=2,
            queue_id=5,
            topic="t",
            consumer_group="g",
            revive_offset=6,
            queue_offset_diff=[0, 1],
            broker_name="b",
        ),
        '{"bm":4,"bn":"b","c":"g","d":[0,1],"it":3,"n":2,"pt":2,"q":5,"reviveTime":5,"ro":6,"so":1,"sp":false,"t":"t"}',
    ),
    (
        AckMsg(
            ack_offset=1,
            start_offset=2,
            consumer_group="g",
            topic="t",
            queue_id=3,
            pop_time=4,
            broker_name="b",
        ),
        '{"ao":1,"bn":"b","c":"g","pt":4,"q":3,"so":2,"t":"t"}',
    ),
    (BatchAckMsg(ack_offset_list=[1, 2]), '{"ao":0,"aol":[1,2],"pt":0,"q":0,"so":0}'),
    (
        FilterDataMapByTopic(
            topic="t",
            group_filter_data={
                "g": ConsumerFilterData(
                    consumer_group="g",
                    topic="t",
                    expression="a>1",
                    expression_type="SQL92",
                    born_time=1,
                    client_version=2,
                    bloom_filter_data=BloomFilterData(bit_pos=(1, 2), bit_num=32),
                )
            },
        ),
        '{"groupFilterData":{"g":{"bloomFilterData":{"bitNum":32,"bitPos":[1,2]},"bornTime":1,"clientVersion":2,'
        '"consumerGroup":"g","dead":false,"deadTime":0,"expression":"a>1","expressionType":"SQL92","topic":"t"}},'
        '"topic":"t"}',
    ),
    (
        DelayOffsetSerializeWrapper(offset_table={3: 4}, data_version=DataVersion(timestamp=5)),
        '{"dataVersion":{"counter":0,"stateVersion":0,"timestamp":5},"offsetTable":{3:4}}',
    ),
    (
        OrderInfo(
            attempt_id="at", pop_time=1, invisible_time=2, offset_list=[5, 2], last_consume_timestamp=8
        ),
        '{"a":"at","cm":0,"i":2,"l":8,"o":[5,2],"popTime":1}',
    ),
    (KVConfigSerializeWrapper(), "{}"),
]


@pytest.mark.parametrize(("body", "written"), WRITTEN_BY_5)
def test_as_written_by_5(body: Body, written: str) -> None:
    assert body.encode().decode() == written
    assert type(body).decode(written.encode()) == body


# --- single bodies -----------------------------------------------------------------------------------------


def test_data_version_advances() -> None:
    version = DataVersion(state_version=3, timestamp=5, counter=7)
    version.advance(now_ms=1000)
    assert version == DataVersion(state_version=0, timestamp=1000, counter=8)
    later = DataVersion(state_version=1)
    assert later.rank() > version.rank()
    version.assign(later)
    assert version == later


@pytest.mark.parametrize("consume_type", [1, "CONSUME_PASSIVELY", "1"])
def test_heartbeat_with_numbers_for_constants(consume_type: object) -> None:
    """As the C++ client sends it: numbers, and no producer set when there is none."""
    consumer = {
        "consumeFromWhere": 4,
        "consumeType": consume_type,
        "groupName": "g",
        "messageModel": 1,
        "subscriptionDataSet": [
            {"topic": "t", "subString": "*", "subVersion": "9", "codeSet": [], "tagsSet": None}
        ],
    }
    data = HeartbeatData.decode(msgspec.json.encode({"clientID": "c", "consumerDataSet": [consumer]}))
    (member,) = data.consumer_data_set
    assert member.consume_type is ConsumeType.CONSUME_PASSIVELY
    assert member.message_model is MessageModel.CLUSTERING
    assert member.consume_from_where is ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET
    assert member.subscription_data_set[0].sub_version == 9
    assert data.producer_data_set == []


@pytest.mark.parametrize("number", [-1, 3, 99])
def test_heartbeat_with_unknown_number(number: int) -> None:
    with pytest.raises(BodyError, match="no MessageModel has the number"):
        ConsumerData.decode(msgspec.json.encode({"groupName": "g", "messageModel": number}))


def test_queues_as_keys() -> None:
    queue = MessageQueue(topic="t", broker_name="b", queue_id=1)
    body = ResetOffsetBody(offset_table={queue: 5})
    assert body.encode() == b'{"offsetTable":{{"brokerName":"b","queueId":1,"topic":"t"}:5}}'
    assert ResetOffsetBody.decode(body.encode()) == body


def test_route_as_the_name_server_sends_it() -> None:
    real = (
        b'{"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b","cluster":"c",'
        b'"enableActingMaster":false}],"filterServerTable":{},"queueDatas":[{"brokerName":"b","perm":6,'
        b'"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}'
    )
    assert TopicRouteData.decode(real).encode(standard=True) == real
    assert TopicRouteData.decode(real).encode() == real.replace(b'"0"', b"0")


def test_group_defaults() -> None:
    group = SubscriptionGroupConfig(group_name="g")
    assert SubscriptionGroupConfig.decode(b'{"groupName":"g"}') == group
    assert (group.retry_max_times, group.retry_queue_nums, group.which_broker_when_consume_slowly) == (
        16,
        1,
        1,
    )


def test_acknowledged_offsets() -> None:
    assert BatchAck(start_offset=100, bits=bytes([0b10100110, 0b1])).offsets() == [101, 102, 105, 107, 108]
    assert BatchAck(start_offset=100).offsets() == []


def test_empty_filter_file() -> None:
    assert ConsumerFilters.decode(b'{"filterDataByTopic":{}}') == ConsumerFilters()
    assert KVTable.decode(b"{}") == KVTable()


# --- topics in one line ------------------------------------------------------------------------------------


@bodies_of("5.5.0", "TopicConfig")
def test_topic_line_as_in_5(row: Row) -> None:
    if config := read(row):
        assert config.to_line() == row["encoded"]
        config.order, config.topic_sys_flag = False, 0
        assert TopicConfig.from_line(row["encoded"]) == config


@bodies_of("4.9.7", "TopicConfig")
def test_topic_line_as_in_4(row: Row) -> None:
    if config := read(row):
        assert config.to_line(with_attributes=False) == row["encoded"]
        config.order, config.topic_sys_flag = False, 0
        assert TopicConfig.from_line(row["encoded"]) == config


def test_topic_line_with_unreadable_attributes() -> None:
    config = TopicConfig(topic_name="t", attributes={"a": "b c"})
    assert TopicConfig.from_line(config.to_line()) == TopicConfig(topic_name="t")
    assert TopicConfig.from_line("t 16 16 6 SINGLE_TAG ").attributes == {}


@pytest.mark.parametrize(
    "line", ["", "t", "t 1 1 6", "t x 1 6 SINGLE_TAG", "t 1 1 6 NO_TAG", "t  1 1 6 SINGLE_TAG"]
)
def test_broken_topic_line(line: str) -> None:
    with pytest.raises(BodyError):
        TopicConfig.from_line(line)


# --- compressed registration -------------------------------------------------------------------------------


@bodies_of("5.5.0", "RegisterBrokerBody")
def test_compressed_as_in_5(row: Row) -> None:
    real = bytes.fromhex(row["compressed"])
    body = RegisterBrokerBody.decode_compressed(real, Version.V5_5_0)
    assert body.encode_compressed() == real
    plain = RegisterBrokerBody.decode(row["text"].encode())
    assert body.filter_server_list == plain.filter_server_list
    assert topics(body) == topics(plain)
    assert (
        body.topic_config_serialize_wrapper.data_version == plain.topic_config_serialize_wrapper.data_version
    )


@bodies_of("4.9.7", "RegisterBrokerBody")
def test_compressed_as_in_4(row: Row) -> None:
    body = RegisterBrokerBody.decode_compressed(bytes.fromhex(row["compressed"]), Version.V4_9_7)
    plain = RegisterBrokerBody.decode(row["text"].encode())
    assert topics(body) == topics(plain)
    assert RegisterBrokerBody.decode_compressed(body.encode_compressed(version=407), 407) == body


def topics(body: RegisterBrokerBody) -> list[str]:
    return sorted(
        topic.to_line() for topic in body.topic_config_serialize_wrapper.topic_config_table.values()
    )


topic_configs = st.builds(
    TopicConfig,
    topic_name=st.text("abc%_-", min_size=1, max_size=8),
    read_queue_nums=st.integers(0, 1024),
    write_queue_nums=st.integers(0, 1024),
    perm=st.integers(0, 15),
    topic_filter_type=st.sampled_from(TopicFilterType),
    attributes=st.dictionaries(st.text("abc.", max_size=4), st.text("xyz", max_size=4), max_size=2),
)
mappings = st.builds(TopicQueueMappingInfo, topic=text(max_size=6), curr_id_map=values(dict[int, int]))
registrations = st.builds(
    lambda configs, mappings, version, filters: RegisterBrokerBody(
        topic_config_serialize_wrapper=TopicConfigAndMappingSerializeWrapper(
            topic_config_table={config.topic_name: config for config in configs},
            topic_queue_mapping_info_map={mapping.topic: mapping for mapping in mappings},
            data_version=version,
        ),
        filter_server_list=filters,
    ),
    st.lists(topic_configs, max_size=4),
    st.lists(mappings, max_size=2),
    values(DataVersion),
    st.lists(text(max_size=8), max_size=2),
)


@given(registrations)
def test_compressed_round_trip(body: RegisterBrokerBody) -> None:
    assert RegisterBrokerBody.decode_compressed(body.encode_compressed(), Version.V5_5_0) == body
    body.topic_config_serialize_wrapper.topic_queue_mapping_info_map = {}
    old = RegisterBrokerBody.decode_compressed(body.encode_compressed(version=407), Version.V4_9_7)
    for config in body.topic_config_serialize_wrapper.topic_config_table.values():
        config.attributes = {}
    assert old == body


@given(registrations, st.data())
@settings(max_examples=50)
def test_compressed_cut_short(body: RegisterBrokerBody, data: st.DataObject) -> None:
    compressed = body.encode_compressed()
    with pytest.raises(BodyError):
        RegisterBrokerBody.decode_compressed(
            compressed[: data.draw(st.integers(0, len(compressed) - 1))], 513
        )
    inflated = zlib.decompress(compressed)
    shorter = zlib.compress(inflated[: data.draw(st.integers(0, len(inflated) - 1))])
    with pytest.raises(BodyError):
        RegisterBrokerBody.decode_compressed(shorter, 513)


@given(st.binary(max_size=60))
def test_compressed_nonsense(inflated: bytes) -> None:
    for data in (inflated, zlib.compress(inflated)):
        with pytest.raises(BodyError):
            RegisterBrokerBody.decode_compressed(data, 513)


@pytest.mark.parametrize(
    "parts", [b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x00\x00\x00\x02{}\x7f\xff\xff\xff"]
)
def test_compressed_with_wrong_counts(parts: bytes) -> None:
    with pytest.raises(BodyError):
        RegisterBrokerBody.decode_compressed(zlib.compress(parts), 513)


def test_compressed_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "MAX_INFLATED_BYTES", 1000)
    with pytest.raises(BodyError, match="more than 1000 bytes"):
        RegisterBrokerBody.decode_compressed(zlib.compress(bytes(1001)), 513)
    small = RegisterBrokerBody()
    assert RegisterBrokerBody.decode_compressed(small.encode_compressed(), 513) == small
