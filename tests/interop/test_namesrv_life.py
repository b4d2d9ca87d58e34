# SPDX-License-Identifier: Apache-2.0
"""Real brokers come and go at our name server, it restarts under them, and its files are the real one's."""

import json
import signal
import time
from pathlib import Path

import pytest

from pyrmq_compat import Reference, start_broker, start_namesrv
from pyrmq_compat.reference import free_port

from .frames import ask, route, wait_until
from .servers import PyrmqServer, pyrmq_namesrv

pytestmark = pytest.mark.interop

EVERY_10_S = {"registerNameServerPeriod": "10000"}
GONE_S = 2.0
GOODBYE_S = 20.0
BACK_S = 40.0

PUT_KV, GET_KV, DELETE_KV = 100, 101, 102
RUNTIME_INFO = 28
SEND = 10


def test_brokers_come_and_go(version: str, tmp_path: Path) -> None:
    port = free_port()  # outside of the range from which reconnecting brokers get their own ports
    with (
        pyrmq_namesrv(tmp_path / "namesrv", port) as namesrv,
        _broker(version, tmp_path, "broker-a", namesrv) as a,
        _broker(version, tmp_path, "broker-b", namesrv) as b,
    ):
        both = {"broker-a": {0: a.address}, "broker-b": {0: b.address}}
        assert route(namesrv.address, "TBW102") == both

        # The name server restarts: the brokers come back by themselves.
        namesrv.stop()
        with pyrmq_namesrv(tmp_path / "namesrv", namesrv.port) as restarted:
            assert restarted.address == namesrv.address
            wait_until(lambda: route(restarted.address, "TBW102") == both, BACK_S, "both brokers are back")

            # One crashes: its routes go at once, the other's stay.
            a.kill()
            only_b = {"broker-b": {0: b.address}}
            wait_until(lambda: route(restarted.address, "TBW102") == only_b, GONE_S, "broker-a is gone")
            assert route(restarted.address, "broker-a") == {}
            assert json.loads(ask(restarted.address, 206).body)["topicList"]
            assert b'"broker-a"' not in ask(restarted.address, 106).body

            # The other is stopped in good order: it says goodbye, long before it ends.
            b.process.send_signal(signal.SIGTERM)
            wait_until(lambda: route(restarted.address, "TBW102") == {}, GOODBYE_S, "broker-b is gone")
            assert b.process.poll() is None
            assert json.loads(ask(restarted.address, 206).body)["topicList"] == []


def test_master_and_slave_find_each_other(tmp_path: Path) -> None:
    with (
        pyrmq_namesrv(tmp_path / "namesrv") as namesrv,
        _broker("5.5.0", tmp_path / "0", "pair", namesrv, brokerRole="ASYNC_MASTER") as master,
        _broker("5.5.0", tmp_path / "1", "pair", namesrv, brokerId="1", brokerRole="SLAVE") as slave,
    ):
        assert route(namesrv.address, "TBW102") == {"pair": {0: master.address, 1: slave.address}}
        sent = ask(master.address, SEND, _message("TBW102"), b"for both")
        assert sent.code == 0, sent
        # The slave learned the master's replication address from its registration: the message arrives.
        stored = _end_of_log(master)
        assert stored > 0
        wait_until(lambda: _end_of_log(slave) == stored, 30, "the slave has the message")
        # And the master goes, the slave stays.
        master.kill()
        wait_until(
            lambda: route(namesrv.address, "TBW102") == {"pair": {1: slave.address}}, GONE_S, "master left"
        )


def test_real_name_server_reads_our_kv_file(version: str, tmp_path: Path) -> None:
    with pyrmq_namesrv(tmp_path / "ours") as ours:
        _put_values(ours.address)
    settings = {"kvConfigPath": str(tmp_path / "ours" / "kvConfig.json")}
    with start_namesrv(version, tmp_path / "real", properties=settings) as real:
        _check_values(real.address)


def test_we_read_the_kv_file_of_a_real_name_server(version: str, tmp_path: Path) -> None:
    file = tmp_path / "kvConfig.json"
    with start_namesrv(version, tmp_path / "real", properties={"kvConfigPath": str(file)}) as real:
        _put_values(real.address)
    with pyrmq_namesrv(tmp_path / "ours", settings={"kvConfigPath": str(file)}) as ours:
        _check_values(ours.address)
        theirs = file.read_bytes()
        assert ask(ours.address, PUT_KV, {"namespace": "one", "key": "a", "value": "1 ü"}).code == 0
        assert file.read_bytes() == theirs, "the same content makes the same file"


VALUES = {("one", "a"): "1 ü", ("one", "b"): 'x"y\\z', ("ORDER_TOPIC_CONFIG", "T"): "broker-a:4;broker-b:4"}


def _put_values(address: str) -> None:
    for (namespace, key), value in [*VALUES.items(), (("one", "gone"), "x")]:
        assert ask(address, PUT_KV, {"namespace": namespace, "key": key, "value": value}).code == 0
    assert ask(address, DELETE_KV, {"namespace": "one", "key": "gone"}).code == 0


def _check_values(address: str) -> None:
    for (namespace, key), value in VALUES.items():
        assert ask(address, GET_KV, {"namespace": namespace, "key": key}).ext == {"value": value}
    assert ask(address, GET_KV, {"namespace": "one", "key": "gone"}).code == 22


def _broker(version: str, folder: Path, name: str, namesrv: PyrmqServer, **settings: str) -> Reference:
    properties = {**EVERY_10_S, **settings}
    return start_broker(version, folder / name, namesrv.address, name=name, properties=properties)


def _message(topic: str) -> dict[str, str]:
    return {
        "producerGroup": "group",
        "topic": topic,
        "defaultTopic": "TBW102",
        "defaultTopicQueueNums": "4",
        "queueId": "0",
        "sysFlag": "0",
        "bornTimestamp": str(int(time.time() * 1000)),
        "flag": "0",
        "properties": "",
        "reconsumeTimes": "0",
        "unitMode": "false",
        "batch": "false",
    }


def _end_of_log(broker: Reference) -> int:
    return int(json.loads(ask(broker.address, RUNTIME_INFO).body)["table"]["commitLogMaxOffset"])
