# SPDX-License-Identifier: Apache-2.0
"""pyrmq's name server beside the original's: start-up, idle memory, CPU time per route look-up.

Both run alternately on the same machine; the table shows medians and their ratio. Needs a JDK and Maven
(see compat/README.md).
"""

import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from pyrmq.wire import command as commands
from pyrmq.wire.bodies.registration import RegisterBrokerBody
from pyrmq.wire.bodies.topic import TopicConfig, TopicConfigAndMappingSerializeWrapper
from pyrmq.wire.codes import RequestCode
from pyrmq.wire.command import Command
from pyrmq.wire.frames import FrameDecoder
from pyrmq.wire.headers.registration import RegisterBroker
from pyrmq_compat import start_namesrv

ROUNDS = 3
PIPELINED = 64
LOOKUPS = 50_000
ROUTE = Command(code=RequestCode.GET_ROUTEINFO_BY_TOPIC, version=513, ext={"topic": "Topic0"})

Figures = dict[str, float]


@contextmanager
def java(folder: Path) -> Iterator[tuple[int, int]]:
    """The original; gives its port and process."""
    with start_namesrv("5.5.0", folder) as server:
        yield server.port, server.pid


@contextmanager
def pyrmq(folder: Path) -> Iterator[tuple[int, int]]:
    """Ours; gives its port and process."""
    program = str(Path(sys.executable).parent / "pyrmq")
    paths = (f"kvConfigPath={folder}/kv.json", f"configStorePath={folder}/namesrv.properties")
    settings = [part for path in paths for part in ("--set", path)]
    process = subprocess.Popen(
        [program, "namesrv", "--host", "127.0.0.1", "--port", "0", "--log-level", "error", *settings],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline().rpartition(":")[2]), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def measure(system: str, folder: Path) -> Figures:
    began = time.perf_counter()
    start = {"java": java, "pyrmq": pyrmq}[system]
    with start(folder) as (port, pid), socket.create_connection(("127.0.0.1", port)) as peer:
        ask(peer, [registration()])
        figures = {"start to first answer, s": time.perf_counter() - began}
        time.sleep(1)
        figures["anonymous memory when idle, MB"] = anonymous_mb(pid)
        lookups(peer)  # warm-up, which the JVM needs more than we do
        before = cpu_s(pid)
        lookups(peer)
        figures["CPU per route look-up, µs"] = (cpu_s(pid) - before) / LOOKUPS * 1e6
    return figures


def lookups(peer: socket.socket) -> None:
    for _ in range(LOOKUPS // PIPELINED):
        ask(peer, [ROUTE] * PIPELINED)


def ask(peer: socket.socket, requests: list[Command]) -> None:
    """Send requests in one go and wait for as many answers."""
    peer.sendall(b"".join(map(commands.encode, requests)))
    decoder, missing = FrameDecoder(), len(requests)
    while missing:
        for frame in decoder.feed(peer.recv(256 * 1024)):
            assert commands.decode(frame).code == 0
            missing -= 1


def registration() -> Command:
    topics = {name: TopicConfig(topic_name=name) for name in ("Topic0", "Topic1")}
    wrapper = TopicConfigAndMappingSerializeWrapper(topic_config_table=topics)
    header = RegisterBroker(
        broker_name="b", broker_addr="127.0.0.1:1", cluster_name="c", ha_server_addr="", broker_id=0
    )
    body = RegisterBrokerBody(topic_config_serialize_wrapper=wrapper).encode()
    return Command(code=RequestCode.REGISTER_BROKER, version=513, ext=header.to_ext(), body=body)


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def anonymous_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no RssAnon for process {pid}")


def main() -> None:
    runs: dict[str, list[Figures]] = {"java": [], "pyrmq": []}
    for number in track(range(ROUNDS * 2), description="measuring"):
        system = ("java", "pyrmq")[number % 2]
        with tempfile.TemporaryDirectory() as folder:
            runs[system].append(measure(system, Path(folder)))
    table = Table(title="name servers: medians of 3 alternating runs")
    for column in ("measure", "RocketMQ 5.5.0", "pyrmq", "ratio"):
        table.add_column(column, justify="left" if column == "measure" else "right")
    for name in runs["java"][0]:
        theirs, ours = (statistics.median(run[name] for run in runs[system]) for system in ("java", "pyrmq"))
        table.add_row(name, f"{theirs:.2f}", f"{ours:.2f}", f"{ours / theirs:.2f}×")
    Console().print(table)


if __name__ == "__main__":
    main()
