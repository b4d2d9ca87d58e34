# SPDX-License-Identifier: Apache-2.0
"""The header declarations, against themselves and against what the real RocketMQ wrote."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrmq.wire import headers
from pyrmq.wire.codes import RequestCode
from pyrmq.wire.declare import (
    REQUESTS,
    Action,
    Boundary,
    FieldPlan,
    Header,
    Resource,
    RpcHeader,
    TopicHeader,
    plan,
)
from pyrmq.wire.errors import HeaderError
from tests.unit.wire import golden
from tests.unit.wire.strategies import int32, int64, text

headers.load_all()


def declared(base: type[Header] = Header) -> dict[str, type[Header]]:
    found = {}
    for header in base.__subclasses__():
        if header.__module__.startswith("pyrmq.wire.headers."):
            assert header.__name__ not in found
            found[header.__name__] = header
        found |= declared(header)
    return found


HEADERS = declared()
each_header = pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": text(max_size=30),
    "bool": st.booleans(),
    "int": int32(),
    "long": int64(),
    "double": st.floats(allow_nan=False),
    "boundary": st.sampled_from(Boundary),
}


def values(header: type[Header]) -> st.SearchStrategy[Header]:
    def value(field: FieldPlan) -> st.SearchStrategy[Any]:
        strategy = VALUES[field.type_name]
        return strategy if field.required else st.none() | strategy

    def build(chosen: dict[str, Any]) -> Header:
        return header(**{name: value for name, value in chosen.items() if value is not None})

    return st.fixed_dictionaries({field.attribute: value(field) for field in plan(header)}).map(build)


def smallest(header: type[Header]) -> dict[str, str]:
    """Ext fields with just what the header requires."""
    samples = {"str": "text", "bool": "true", "int": "7", "long": "7", "double": "0.5", "boundary": "LOWER"}
    return {field.wire_name: samples[field.type_name] for field in plan(header) if field.required}


@each_header
def test_round_trip(header: type[Header]) -> None:
    @settings(max_examples=20, deadline=None)
    @given(values(header))
    def check(value: Header) -> None:
        assert header.from_ext(value.to_ext()) == value

    check()


@each_header
def test_documented(header: type[Header]) -> None:
    assert header.__doc__
    assert header.__doc__.count("\n") == 0


@each_header
def test_missing_field_is_named(header: type[Header]) -> None:
    ext = smallest(header)
    header.from_ext(ext)
    for field in plan(header):
        if field.required:
            with pytest.raises(HeaderError, match="is missing") as raised:
                header.from_ext({key: value for key, value in ext.items() if key != field.wire_name})
            assert raised.value.field == field.label


@each_header
@pytest.mark.parametrize("bad", ["", "x", "1.0", "9223372036854775808", "0x10", "1_000", "١"])
def test_malformed_integer_is_named(header: type[Header], bad: str) -> None:
    for field in plan(header):
        if field.type_name in ("int", "long"):
            with pytest.raises(HeaderError, match="-bit integer") as raised:
                header.from_ext(smallest(header) | {field.wire_name: bad})
            assert raised.value.field == field.label


def test_width_matters() -> None:
    ext = smallest(HEADERS["GetMaxOffset"]) | {"queueId": "2147483648"}
    with pytest.raises(HeaderError, match="queueId must be a 32-bit integer"):
        HEADERS["GetMaxOffset"].from_ext(ext)


@each_header
def test_absent_and_unknown_fields_do_no_harm(header: type[Header]) -> None:
    value = header.from_ext(smallest(header) | {"somebody else's": "field"})
    assert "somebody else's" not in value.to_ext()
    if not smallest(header):
        assert header.from_ext(None) == header()


WITHOUT_HEADER = """
    QUERY_BROKER_OFFSET GET_TOPIC_CONFIG_LIST GET_TOPIC_NAME_LIST UPDATE_BROKER_CONFIG GET_BROKER_CONFIG
    TRIGGER_DELETE_FILES GET_BROKER_RUNTIME_INFO GET_ALL_CONSUMER_OFFSET GET_ALL_DELAY_OFFSET
    CHECK_CLIENT_CONFIG GET_CLIENT_CONFIG GET_BROKER_CLUSTER_ACL_INFO GET_BROKER_CLUSTER_ACL_CONFIG
    GET_TIMER_CHECK_POINT GET_TIMER_METRICS GET_BROKER_CLUSTER_INFO UPDATE_AND_CREATE_SUBSCRIPTIONGROUP
    GET_ALL_TOPIC_LIST_FROM_NAMESERVER SUSPEND_CONSUMER RESUME_CONSUMER RESET_CONSUMER_OFFSET_IN_CONSUMER
    RESET_CONSUMER_OFFSET_IN_BROKER ADJUST_CONSUMER_THREAD_POOL WHO_CONSUME_THE_MESSAGE
    UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST REGISTER_FILTER_SERVER GET_SYSTEM_TOPIC_LIST_FROM_NS
    GET_SYSTEM_TOPIC_LIST_FROM_BROKER CLEAN_EXPIRED_CONSUMEQUEUE GET_UNIT_TOPIC_LIST
    GET_HAS_UNIT_SUB_TOPIC_LIST GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST CLEAN_UNUSED_TOPIC
    UPDATE_NAMESRV_CONFIG GET_NAMESRV_CONFIG DELETE_EXPIRED_COMMITLOG QUERY_ASSIGNMENT
    SET_MESSAGE_REQUEST_MODE GET_ALL_MESSAGE_REQUEST_MODE GET_BROKER_HA_STATUS
    CONTROLLER_GET_METADATA_INFO CONTROLLER_GET_SYNC_STATE_DATA GET_BROKER_EPOCH_CACHE
    UPDATE_CONTROLLER_CONFIG GET_CONTROLLER_CONFIG BROKER_CLOSE_CHANNEL_REQUEST
    CHECK_NOT_ACTIVE_BROKER_REQUEST GET_BROKER_LIVE_INFO_REQUEST GET_SYNC_STATE_DATA_REQUEST
    RAFT_BROKER_HEART_BEAT_EVENT_REQUEST UPDATE_COLD_DATA_FLOW_CTR_CONFIG REMOVE_COLD_DATA_FLOW_CTR_CONFIG
    GET_COLD_DATA_FLOW_CTR_INFO SWITCH_TIMER_ENGINE DELETE_TOPIC_IN_BROKER_LIST
    DELETE_SUBSCRIPTION_GROUP_LIST POP_ROLLBACK ACK_LITE_MESSAGE GET_BROKER_LITE_INFO BATCH_ACK_MESSAGE
"""


def test_every_request_code_is_declared_or_known_to_carry_nothing() -> None:
    assert sorted([code.name for code in REQUESTS] + WITHOUT_HEADER.split()) == sorted(
        code.name for code in RequestCode
    )


def test_access_rules() -> None:
    pull = REQUESTS[RequestCode.PULL_MESSAGE]
    assert pull.actions == (Action.SUB,)
    assert {field.wire_name: field.resource for field in plan(pull) if field.resource} == {
        "consumerGroup": Resource.GROUP,
        "topic": Resource.TOPIC,
    }
    assert REQUESTS[RequestCode.QUERY_MESSAGE].actions == (Action.SUB, Action.GET)
    assert REQUESTS[RequestCode.PUT_KV_CONFIG].scope is Resource.CLUSTER
    separators = {field.wire_name: field.separator for field in plan(REQUESTS[RequestCode.GET_CONSUME_STATS])}
    assert separators["topicList"] == ";"


def test_base_fields() -> None:
    assert [field.wire_name for field in plan(RpcHeader)] == ["ns", "nsd", "bname", "oway"]
    assert [field.wire_name for field in plan(TopicHeader)] == ["ns", "nsd", "bname", "oway", "lo"]


# --- against the real RocketMQ -----------------------------------------------------------------------------

RENAMED = {
    "SendMessageRequestHeaderV2": "SendMessageV2",
    "ReplyMessageRequestHeader": "PushReplyMessage",
    "GetEarliestMsgStoretimeRequestHeader": "GetEarliestStoreTime",
    "GetEarliestMsgStoretimeResponseHeader": "GetEarliestStoreTimeResponse",
    "LockBatchMqRequestHeader": "LockBatch",
    "UnlockBatchMqRequestHeader": "UnlockBatch",
    "ConsumeMessageDirectlyResultRequestHeader": "ConsumeMessageDirectly",
    "DeleteTopicFromNamesrvRequestHeader": "DeleteTopicInNamesrv",
    "RegisterTopicRequestHeader": "RegisterTopicInNamesrv",
    "UnRegisterBrokerRequestHeader": "UnregisterBroker",
    "WipeWritePermOfBrokerRequestHeader": "WipeWritePerm",
    "WipeWritePermOfBrokerResponseHeader": "WipeWritePermResponse",
    "AddWritePermOfBrokerRequestHeader": "AddWritePerm",
    "AddWritePermOfBrokerResponseHeader": "AddWritePermResponse",
    "DeleteTopicRequestHeader": "DeleteTopicInBroker",
    "GetTopicStatsInfoRequestHeader": "GetTopicStats",
    "GetConsumeStatsInBrokerHeader": "GetBrokerConsumeStats",
    "ExportRocksDBConfigToJsonRequestHeader": "ExportRocksdbConfig",
    "CreateAccessConfigRequestHeader": "UpdateAclConfig",
    "DeleteAccessConfigRequestHeader": "DeleteAclConfig",
    "UpdateGlobalWhiteAddrsConfigRequestHeader": "UpdateGlobalWhiteAddrs",
    "RegisterBrokerToControllerRequestHeader": "RegisterToController",
    "RegisterBrokerToControllerResponseHeader": "RegisterToControllerResponse",
    "GetMetaDataResponseHeader": "GetControllerMetadataResponse",
    "CleanControllerBrokerDataRequestHeader": "CleanBrokerData",
}

UNUSED = {
    # Answers without fields.
    "EndTransactionResponseHeader",
    "GetConsumerListByGroupResponseHeader",
    "UnregisterClientResponseHeader",
    "UpdateConsumerOffsetResponseHeader",
    "ViewMessageResponseHeader",
    # Left over in the original, sent by nobody.
    "CheckTransactionStateResponseHeader",
    "GetBrokerClusterAclConfigResponseHeader",
    "InitConsumerOffsetRequestHeader",
    "RegisterFilterServerRequestHeader",
    "RegisterFilterServerResponseHeader",
    "RegisterOrderTopicRequestHeader",
    "StatisticsMessagesRequestHeader",
}

LENIENT = {
    # The original asks for these, but has a value of its own when they are missing.
    ("CreateTopic", "order"),
    ("NotificationResponse", "hasMsg"),
    ("ElectMaster", "clusterName"),
    ("ElectMaster", "brokerName"),
    ("ElectMaster", "brokerId"),
    ("ElectMaster", "designateElect"),
    # Peers older than these fields send the request without them.
    ("GetAllTopicConfig", "topicSeq"),
    ("GetAllSubscriptionGroup", "groupSeq"),
    ("UpdateGlobalWhiteAddrs", "aclFileFullPath"),
}

ANOTHER_ORDER_IN_4 = {"CreateTopic"}


def ours(java_class: str) -> type[Header]:
    name = RENAMED.get(java_class)
    if name is None:
        for suffix, replacement in (("ResponseHeader", "Response"), ("RequestHeader", ""), ("Header", "")):
            if java_class.endswith(suffix):
                name = java_class.removesuffix(suffix) + replacement
                break
    assert name is not None
    return HEADERS[name]


def headers_of(version: str) -> pytest.MarkDecorator:
    used = [row for row in golden.rows("headers", version) if row["class"] not in UNUSED]
    full = [row for row in used if row["variant"] == "full"]
    assert len(full) > 50
    return pytest.mark.parametrize("row", [pytest.param(row, id=row["class"]) for row in full])


@headers_of("5.5.0")
def test_as_in_5(row: dict[str, Any]) -> None:
    ext = ours(row["class"]).from_ext(row["ext"]).to_ext()
    assert ext == row["ext"]
    assert list(ext) == list(row["ext"])


@headers_of("4.9.7")
def test_as_in_4(row: dict[str, Any]) -> None:
    """5.x has more fields, some of which it always sends; the fields of 4.9 must come out as they went in."""
    header = ours(row["class"])
    ext = {key: value for key, value in header.from_ext(row["ext"]).to_ext().items() if key in row["ext"]}
    assert ext == row["ext"]
    if header.__name__ not in ANOTHER_ORDER_IN_4:
        assert list(ext) == list(row["ext"])


@pytest.mark.parametrize("version", golden.VERSIONS)
def test_required_fields(version: str) -> None:
    for row in golden.rows("headers", version):
        if row["class"] not in UNUSED:
            header = ours(row["class"])
            name = header.__name__
            real = {field["name"] for field in row["fields"] if field["notNull"]}
            required = {field.wire_name for field in plan(header) if field.required}
            assert required == {field for field in real if (name, field) not in LENIENT}, name


def test_field_types() -> None:
    names = {"String": "str", "Integer": "int", "Long": "long", "Boolean": "bool", "BoundaryType": "boundary"}
    for row in golden.rows("headers", "5.5.0"):
        if row["class"] not in UNUSED:
            types = {field.wire_name: field.type_name for field in plan(ours(row["class"]))}
            for field in row["fields"]:
                assert types[field["name"]] == names.get(
                    field["type"], field["type"].replace("boolean", "bool")
                )


def test_defaults() -> None:
    """What a fresh Java header sends, ours sends too: primitives always travel."""
    for row in golden.rows("headers", "5.5.0"):
        if row["class"] in UNUSED or row["variant"] == "full":
            continue
        header = ours(row["class"])
        primitives = {field["name"] for field in row["fields"] if field["type"] in ("int", "long", "boolean")}
        sent = header.from_ext(smallest(header)).to_ext()
        assert set(row["ext"]) | primitives <= set(sent) | {"invokeTime"}, header.__name__
        for name, value in row["ext"].items():
            if name not in smallest(header) and name != "invokeTime":
                assert sent[name] == value, f"{header.__name__}.{name}"
