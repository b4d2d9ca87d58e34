# SPDX-License-Identifier: Apache-2.0
"""A name server as brokers and clients see it: real sockets, and virtual time where time must pass."""

import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from pyrmq.clock import TrioClock
from pyrmq.namesrv.app import run_namesrv
from pyrmq.namesrv.settings import namesrv_configuration
from pyrmq.remoting import Client, Dispatcher, Reply, Server, open_client
from pyrmq.wire.bodies.registration import RegisterBrokerBody
from pyrmq.wire.bodies.route import ClusterInfo, TopicRouteData
from pyrmq.wire.bodies.topic import TopicConfig, TopicConfigAndMappingSerializeWrapper, TopicList
from pyrmq.wire.codes import RequestCode, ResponseCode
from pyrmq.wire.command import ROCKETMQ, Command
from pyrmq.wire.headers.registration import RegisterBroker, UnregisterBroker


@asynccontextmanager
async def name_server(folder: Path, **properties: str) -> AsyncIterator[str]:
    configuration = namesrv_configuration()
    own = {
        "bindAddress": "127.0.0.1",
        "listenPort": "0",
        "kvConfigPath": str(folder / "kvConfig.json"),
        "configStorePath": str(folder / "namesrv.properties"),
    }
    configuration.set(own | properties, "test")
    async with trio.open_nursery() as nursery:
        port = await nursery.start(run_namesrv, configuration, TrioClock())
        yield f"127.0.0.1:{port}"
        nursery.cancel_scope.cancel()


def registration(
    name: str = "broker-a",
    *,
    topics: int = 2,
    compressed: bool = False,
    crc: int | None = None,
    **header: object,
) -> Command:
    table = {f"Topic{i}": TopicConfig(topic_name=f"Topic{i}") for i in range(topics)}
    body = RegisterBrokerBody(
        topic_config_serialize_wrapper=TopicConfigAndMappingSerializeWrapper(topic_config_table=table)
    )
    raw = body.encode_compressed() if compressed else body.encode()
    made = RegisterBroker(
        broker_name=name,
        broker_addr=f"{name}:10911",
        cluster_name="c",
        ha_server_addr=f"{name}:10912",
        broker_id=0,
        compressed=compressed,
        body_crc32=zlib.crc32(raw) & 0x7FFFFFFF if crc is None else crc,
        **header,  # type: ignore[arg-type]
    )
    return Command(code=RequestCode.REGISTER_BROKER, ext=made.to_ext(), body=raw)


async def route(client: Client, topic: str = "Topic0", version: int = 513) -> Command:
    return await client.call(
        Command(code=RequestCode.GET_ROUTEINFO_BY_TOPIC, ext={"topic": topic}, version=version)
    )


@pytest.mark.parametrize("compressed", [False, True])
async def test_registration_makes_routes(tmp_path: Path, compressed: bool) -> None:
    async with name_server(tmp_path) as address, open_client([address]) as client:
        assert (await client.call(registration(compressed=compressed))).code == ResponseCode.SUCCESS
        answer = await route(client)
        found = TopicRouteData.decode(answer.body)
        assert found.broker_datas[0].broker_addrs == {0: "broker-a:10911"}
        assert b'"brokerAddrs":{"0":' in answer.body
        assert b'"brokerAddrs":{0:' in (await route(client, version=399)).body


async def test_a_damaged_registration_is_refused(tmp_path: Path) -> None:
    async with name_server(tmp_path) as address, open_client([address]) as client:
        answer = await client.call(registration(crc=1))
        assert (answer.code, answer.remark) == (ResponseCode.SYSTEM_ERROR, "crc32 not match")
        broken = registration(compressed=True, crc=0)
        broken.body = broken.body[:-5]
        answer = await client.call(broken)
        assert answer.code == ResponseCode.SYSTEM_ERROR
        assert "cut short" in (answer.remark or "")
        assert (await route(client)).code == ResponseCode.TOPIC_NOT_EXIST


async def test_a_lost_connection_removes_the_broker_at_once(tmp_path: Path) -> None:
    async with name_server(tmp_path) as address, open_client([address]) as client:
        async with open_client([address]) as broker:
            await broker.call(registration())
            assert (await route(client)).code == ResponseCode.SUCCESS
        with trio.fail_after(2):
            while (await route(client)).code == ResponseCode.SUCCESS:
                await trio.sleep(0.01)


async def test_unregistration(tmp_path: Path) -> None:
    async with name_server(tmp_path) as address, open_client([address]) as client:
        await client.call(registration())
        await client.call(registration("broker-b"))
        header = UnregisterBroker(
            broker_name="broker-a", broker_addr="broker-a:10911", cluster_name="c", broker_id=0
        )
        await client.call(Command(code=RequestCode.UNREGISTER_BROKER, ext=header.to_ext()))
        with trio.fail_after(2):
            while len(TopicRouteData.decode((await route(client)).body).broker_datas) > 1:
                await trio.sleep(0.01)


@pytest.fixture
def jumping_clock() -> trio.testing.MockClock:
    """Virtual time that jumps only when the sockets have been quiet for a moment too."""
    return trio.testing.MockClock(autojump_threshold=0.02)


async def test_a_silent_broker_expires(tmp_path: Path, jumping_clock: trio.testing.MockClock) -> None:
    """Ten minutes of virtual time: who keeps registering stays, the silent one goes after 120 s."""
    async with name_server(tmp_path) as address, open_client([address]) as client:
        await client.call(registration("silent"))
        for _ in range(20):
            await client.call(registration("lively"))
            await trio.sleep(30)
        table = ClusterInfo.decode((await client.call(Command(code=106))).body).broker_addr_table
        assert list(table or {}) == ["lively"]


async def test_answers_are_json_even_to_binary_requests(tmp_path: Path) -> None:
    async with name_server(tmp_path) as address, open_client([address]) as client:
        answer = await client.call(Command(code=206, serialize_type=ROCKETMQ))
        assert answer.serialize_type == 0
        assert TopicList.decode(answer.body).topic_list == []


async def test_configuration_is_changed_kept_and_guarded(tmp_path: Path) -> None:
    async with name_server(tmp_path) as address, open_client([address]) as client:
        update = RequestCode.UPDATE_NAMESRV_CONFIG
        assert (await client.call(Command(code=update, body=b"enableTopicList=false\n"))).code == 0
        answer = await client.call(Command(code=RequestCode.GET_TOPICS_BY_CLUSTER, ext={"cluster": "c"}))
        assert (answer.code, answer.remark) == (1, "disable")
        assert "enableTopicList=false" in (tmp_path / "namesrv.properties").read_text()
        guarded = await client.call(Command(code=update, body=b"kvConfigPath=/elsewhere\n"))
        assert (guarded.code, guarded.remark) == (16, "Can not update config in black list.")
        listed = (await client.call(Command(code=RequestCode.GET_NAMESRV_CONFIG))).body.decode()
        assert "enableTopicList=false\n" in listed


async def test_order_configuration_reaches_clients_and_brokers(tmp_path: Path) -> None:
    async with name_server(tmp_path, orderMessageEnable="true") as address, open_client([address]) as client:
        entry = {"namespace": "ORDER_TOPIC_CONFIG", "key": "Topic0", "value": "broker-a:4"}
        await client.call(Command(code=RequestCode.PUT_KV_CONFIG, ext=entry))
        assert (await client.call(registration())).body == b'{"table":{"Topic0":"broker-a:4"}}'
        assert TopicRouteData.decode((await route(client)).body).order_topic_conf == "broker-a:4"


async def test_it_can_ask_for_patience_after_the_start(
    tmp_path: Path, jumping_clock: trio.testing.MockClock
) -> None:
    patient = {"needWaitForService": "true", "waitSecondsForService": "45"}
    async with name_server(tmp_path, **patient) as address, open_client([address]) as client:
        await client.call(registration())
        assert (await route(client)).remark == "name server not ready"
        await trio.sleep(46)
        assert (await route(client)).code == ResponseCode.SUCCESS


async def test_members_of_a_group_are_told_about_a_new_lowest_id(tmp_path: Path) -> None:
    told: list[dict[str, str] | None] = []

    def take(command: Command, _: object) -> Reply:
        told.append(command.ext)
        return Reply()

    async with trio.open_nursery() as nursery:
        slave = Server(Dispatcher({RequestCode.NOTIFY_MIN_BROKER_ID_CHANGE: take}), host="127.0.0.1")
        port = await nursery.start(slave.serve)
        async with name_server(tmp_path, notifyMinBrokerIdChanged="true") as address:
            async with open_client([address]) as keeper:
                member = registration(enable_acting_master=True)
                assert member.ext is not None
                member.ext |= {"brokerId": "1", "brokerAddr": f"127.0.0.1:{port}"}
                await keeper.call(member)
                async with open_client([address]) as master:
                    await master.call(registration(enable_acting_master=True))
                with trio.fail_after(3):
                    while len(told) < 2:
                        await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    came, went = told
    assert came == {"minBrokerId": "0", "minBrokerAddr": "broker-a:10911", "haBrokerAddr": "broker-a:10912"}
    assert went == {
        "minBrokerId": "1",
        "minBrokerAddr": f"127.0.0.1:{port}",
        "offlineBrokerAddr": "broker-a:10911",
    }
