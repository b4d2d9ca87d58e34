# SPDX-License-Identifier: Apache-2.0
"""A real name server process among peers that mean harm: it serves the good one throughout, and stays small.

The seed is part of a failure; set `PYRMQ_FUZZ_SEED` to run with it again.
"""

import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trio

from pyrmq.remoting import open_client
from pyrmq.wire.bodies.registration import RegisterBrokerBody
from pyrmq.wire.bodies.route import TopicRouteData
from pyrmq.wire.bodies.topic import TopicConfig, TopicConfigAndMappingSerializeWrapper
from pyrmq.wire.codes import RequestCode, ResponseCode
from pyrmq.wire.command import JSON, ROCKETMQ, Command, encode
from pyrmq.wire.declare import REQUESTS
from pyrmq.wire.headers import load_all
from pyrmq.wire.headers.registration import RegisterBroker
from tests.unit.wire import golden
from tests.unit.wire.mutations import mutate, noise, soup

SEED = int(os.environ.get("PYRMQ_FUZZ_SEED") or random.SystemRandom().getrandbits(32))

ATTACK_S = 12.0
ATTACKERS = 50
CONNECTIONS_MAX = 6_000
GROWTH_MAX_BYTES = 64 * 1024 * 1024
STOP_S = 5.0
PATIENCE_S = 30.0
"""For one answer to the good client: the machine is busy with the attack, and this is no benchmark."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")


class Process:
    """A name server of its own, and its log."""

    def __init__(self, running: subprocess.Popen[str], port: int, log: Path) -> None:
        self.running = running
        self.port = port
        self.log = log

    def memory(self) -> int:
        """Anonymous resident memory in bytes: what the process itself has asked for."""
        status = Path(f"/proc/{self.running.pid}/status").read_text()
        found = re.search(r"^RssAnon:\s+(\d+) kB$", status, re.MULTILINE)
        assert found
        return int(found.group(1)) * 1024


@contextmanager
def name_server(folder: Path) -> Iterator[Process]:
    arguments = [
        str(Path(sys.executable).parent / "pyrmq"),
        *("namesrv", "--host", "127.0.0.1", "--port", "0"),
        *("--set", f"kvConfigPath={folder / 'kvConfig.json'}"),
        *("--set", f"configStorePath={folder / 'namesrv.properties'}"),
    ]
    log = folder / "log.txt"
    with log.open("w") as errors:
        running = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder)
    try:
        assert running.stdout is not None
        line = running.stdout.readline()
        found = re.fullmatch(r"The Name Server boot success. .*, address 127\.0\.0\.1:(\d+)\n", line)
        assert found, (line, log.read_text())
        yield Process(running, int(found.group(1)), log)
    finally:
        if running.poll() is None:
            running.kill()
        running.wait()
        assert running.stdout is not None
        running.stdout.close()


# --- what the hostile peers send -------------------------------------------------------------------------


def requests() -> list[bytes]:
    """Good frames of every request, most of which a name server does not know."""
    load_all()
    exts = [row["ext"] for row in golden.rows("headers", "5.5.0") if row["ext"]]
    bodies = [b"", *(row["text"].encode() for row in golden.rows("bodies", "5.5.0"))]
    chance = random.Random(f"{SEED} requests")
    codes = [*REQUESTS, *range(100, 120), *range(300, 330)]
    # Not those that stop others from being served by design: they change the server's own settings.
    allowed = [int(code) for code in codes if code != RequestCode.UPDATE_NAMESRV_CONFIG]
    frames = [
        encode(
            Command(
                code=code,
                opaque=index,
                ext=chance.choice(exts),
                body=chance.choice(bodies),
                serialize_type=chance.choice((JSON, ROCKETMQ)),
                version=513,
            )
        )
        for index, code in enumerate(allowed * 2)
    ]
    for row in golden.rows("commands", "5.5.0"):
        frames += bytes.fromhex(row["json"]), bytes.fromhex(row["binary"])
    return frames + [encode(registration(f"evil-{number}", "Other")) for number in range(20)]


def registration(name: str, topic: str) -> Command:
    table = {each: TopicConfig(topic_name=each) for each in (topic, f"{topic}2")}
    body = RegisterBrokerBody(
        topic_config_serialize_wrapper=TopicConfigAndMappingSerializeWrapper(topic_config_table=table)
    ).encode()
    header = RegisterBroker(
        broker_name=name,
        broker_addr=f"{name}:10911",
        cluster_name="c",
        ha_server_addr=f"{name}:10912",
        broker_id=0,
        body_crc32=zlib.crc32(body) & 0x7FFFFFFF,
    )
    return Command(code=RequestCode.REGISTER_BROKER, ext=header.to_ext(), body=body)


class Attack:
    """The hostile peers of one run. Each attack is one connection from its beginning to its end."""

    def __init__(self, port: int, frames: list[bytes]) -> None:
        self.port = port
        self.frames = frames
        self.connections = 0
        self.over = trio.Event()

    async def run(self) -> None:
        kinds = [self.garbage, self.mutants, self.mutants, self.mutants, self.openings, self.half_open]
        async with trio.open_nursery() as nursery:
            for number in range(ATTACKERS):
                nursery.start_soon(self._repeat, number, kinds)
            for number in range(5):
                nursery.start_soon(self._once, self.flood, random.Random(f"{SEED} flood {number}"))
            for number in range(25):
                nursery.start_soon(self._once, self.slowloris, random.Random(f"{SEED} slow {number}"))
            for number in range(100):
                nursery.start_soon(self._once, self.silent, random.Random(f"{SEED} silent {number}"))
            await trio.sleep(ATTACK_S)
            self.over.set()
            nursery.cancel_scope.cancel()

    async def _repeat(
        self, number: int, kinds: list[Callable[[trio.SocketStream, random.Random], Awaitable[None]]]
    ) -> None:
        chance = random.Random(f"{SEED} attacker {number}")
        while self.connections < CONNECTIONS_MAX:
            await self._once(chance.choice(kinds), chance)
            await trio.sleep(chance.random() / 20)

    async def _once(
        self, attack: Callable[[trio.SocketStream, random.Random], Awaitable[None]], chance: random.Random
    ) -> None:
        with suppress(OSError, trio.BrokenResourceError):
            stream = await trio.open_tcp_stream("127.0.0.1", self.port)
            self.connections += 1
            if chance.random() < 0.3:  # leave with a reset instead of a goodbye
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            async with stream:
                await attack(stream, chance)

    async def garbage(self, stream: trio.SocketStream, chance: random.Random) -> None:
        await stream.send_all(noise(chance) + soup(chance))
        await self.maybe_read(stream, chance)

    async def mutants(self, stream: trio.SocketStream, chance: random.Random) -> None:
        for _ in range(chance.randrange(1, 10)):
            frame = chance.choice(self.frames)
            if chance.random() < 0.5:  # damage inside, so that the frame around it is still whole
                inside = mutate(frame[4:], self.frames, chance)
                frame = len(inside).to_bytes(4, "big") + inside
            elif chance.random() < 0.5:
                frame = mutate(frame, self.frames, chance)
            await stream.send_all(frame)
        await self.maybe_read(stream, chance)

    async def openings(self, stream: trio.SocketStream, chance: random.Random) -> None:
        start = chance.choice(
            (b"\x16\x03\x01\x02\x00\x01", b"PROXY TCP4 ", b"\r\n\r\n\0\r\nQUIT\n!\x11\xff\xff")
        )
        await stream.send_all(start + noise(chance) + chance.choice((b"", b"\r\n")))
        await self.maybe_read(stream, chance)

    async def half_open(self, stream: trio.SocketStream, chance: random.Random) -> None:
        frame = chance.choice(self.frames)
        await stream.send_all(frame[: chance.randrange(len(frame))])
        await stream.send_eof()
        await self.maybe_read(stream, chance)

    async def flood(self, stream: trio.SocketStream, chance: random.Random) -> None:
        """Ask without end and never read an answer."""
        question = Command(code=RequestCode.GET_ROUTEINFO_BY_TOPIC, ext={"topic": "Steady"}, version=513)
        many = b"".join(encode(question) for _ in range(500))
        while True:
            await stream.send_all(many)

    async def slowloris(self, stream: trio.SocketStream, chance: random.Random) -> None:
        """Announce a frame of the largest size and send it byte by byte."""
        await stream.send_all(b"\0\xff\xff\xfc")
        while True:
            await stream.send_all(chance.randbytes(1))
            await trio.sleep(0.2 * chance.random())

    async def silent(self, stream: trio.SocketStream, chance: random.Random) -> None:
        await stream.send_all(chance.choice(self.frames)[: chance.randrange(12)] or b"\0")
        await self.over.wait()

    async def maybe_read(self, stream: trio.SocketStream, chance: random.Random) -> None:
        if chance.random() < 0.5:
            with trio.move_on_after(0.2):
                while await stream.receive_some():
                    pass


# --- the test --------------------------------------------------------------------------------------------


@needs_proc
async def test_name_server_among_hostile_peers(tmp_path: Path) -> None:
    print(f"PYRMQ_FUZZ_SEED={SEED}")  # shown when the test fails
    with name_server(tmp_path) as process:
        answered = 0
        frames = requests()
        async with open_client([f"127.0.0.1:{process.port}"]) as good:
            assert (await good.call(registration("steady", "Steady"))).code == ResponseCode.SUCCESS

            async def ask() -> None:
                question = Command(code=RequestCode.GET_ROUTEINFO_BY_TOPIC, ext={"topic": "Steady"})
                answer = await good.call(question, PATIENCE_S)
                assert answer.code == ResponseCode.SUCCESS, answer.remark
                route = TopicRouteData.decode(answer.body)
                assert [broker.broker_name for broker in route.broker_datas] == ["steady"]

            async def keep_asking() -> None:
                nonlocal answered
                while True:
                    await ask()
                    answered += 1
                    await trio.sleep(0.05)

            await ask()
            before = process.memory()
            attack = Attack(process.port, frames)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(keep_asking)
                await attack.run()
                nursery.cancel_scope.cancel()
            await ask()
            assert process.running.poll() is None
            grown = process.memory() - before
            print(f"{attack.connections} hostile connections, {answered} good answers, {grown} bytes grown")
            assert grown < GROWTH_MAX_BYTES
            assert attack.connections > 500
            assert answered > 10
        process.running.send_signal(signal.SIGTERM)
        assert process.running.wait(STOP_S) == 0
        log = process.log.read_text()
        assert "Traceback" not in log
        assert "internal error" not in log
        assert " ERROR " not in log
