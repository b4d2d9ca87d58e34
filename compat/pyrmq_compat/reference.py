# SPDX-License-Identifier: Apache-2.0
"""Real RocketMQ servers and mqadmin as local processes.

Every server gets a directory of its own, which is its ROCKETMQ_HOME and user.home at the same time: settings
in `conf/`, logs in `logs/`, what it printed in `output.txt`, a broker's data in `store/`. Starting again in
the same directory continues with the same data. A server ends with its `with` block, and also when this
Python process dies, however it dies: the Java side watches a pipe (see Guard.java). The block does not wait
for an orderly end; a test that goes on to read the broker's files calls `stop()` first.
"""

import json
import random
import signal
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from .jars import java_command
from .javahome import environment, home_options, prepare_home

HOST = "127.0.0.1"
START_TIMEOUT_S = 60.0
POLL_S = 0.2
STOP_TIMEOUT_S = 30.0  # a broker takes 8 s (4.9.7) to 17 s (5.5.0), nearly all of it waiting for its threads
EXIT_TIMEOUT_S = 1.0

# Below the range from which systems take the local ports of outgoing connections.
PORT_RANGE = range(20_000, 32_000)

MIB = 1024 * 1024

# Requests that tell whether a server is ready. A broker fails at its one until it has taken its first
# statistics, up to a second after it says it is up, and mqadmin clusterList fails with it.
GET_BROKER_RUNTIME_INFO = 28
GET_BROKER_CLUSTER_INFO = 106

SMALL_BROKER: Mapping[str, str] = {
    "mappedFileSizeCommitLog": str(16 * MIB),
    "mappedFileSizeTimerLog": str(16 * MIB),
    "maxHashSlotNum": "20000",
    "maxIndexNum": "80000",
    "diskMaxUsedSpaceRatio": "95",
}


class StartError(RuntimeError):
    """A real server did not come up; the message ends with the tail of its logs."""


@dataclass
class Reference:
    """One running real server. As a context manager it ends with the block, without waiting long."""

    role: str
    version: str
    directory: Path
    port: int
    process: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def pid(self) -> int:
        return self.process.pid

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> None:
        """End it in an orderly way (SIGTERM, so a broker flushes), by force when that takes too long."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout_s)
        self.kill()

    def kill(self) -> None:
        """End it like a crash (SIGKILL): nothing is flushed."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()

    def log_tail(self, lines: int = 60) -> str:
        """The last lines of what it printed and logged."""
        parts = []
        for file in (self.directory / "output.txt", *sorted(self.directory.glob("logs/**/*.log"))):
            tail = file.read_text(errors="replace").splitlines()[-lines:] if file.is_file() else []
            if tail:
                parts.append("\n".join([f"--- {file.relative_to(self.directory)}", *tail]))
        return "\n".join(parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(EXIT_TIMEOUT_S)


@dataclass
class Cluster:
    """A name server and one broker registered with it."""

    namesrv: Reference
    broker: Reference


def start_namesrv(
    version: str,
    directory: Path,
    port: int = 0,
    properties: Mapping[str, str] | None = None,
    jvm: Sequence[str] = ("-Xmx256m",),
) -> Reference:
    """Start a real name server and wait until it serves. Port 0 picks a free one."""
    port = port or free_port()
    settings = {
        "listenPort": str(port),
        "bindAddress": HOST,
        "kvConfigPath": str(directory / "namesrv" / "kvConfig.json"),
        "configStorePath": str(directory / "namesrv" / "namesrv.properties"),
        **(properties or {}),
    }
    main_class = "org.apache.rocketmq.namesrv.NamesrvStartup"
    server = _launch("namesrv", version, directory, port, main_class, settings, jvm)
    _await(server, lambda: _is_up(server, GET_BROKER_CLUSTER_INFO))
    return server


def start_broker(
    version: str,
    directory: Path,
    namesrv: str | None = None,
    name: str = "broker-a",
    cluster: str = "DefaultCluster",
    port: int = 0,
    properties: Mapping[str, str] | None = None,
    jvm: Sequence[str] = ("-Xmx512m",),
) -> Reference:
    """Start a real broker and wait until it serves and every name server in `namesrv` lists it.

    A 5.x broker registers only with name servers that a scan in the background has reached by then; when the
    scan comes too late, it tries again after 10 s.

    `namesrv` is `host:port`, several separated by `;`. A broker takes the ports `port`, `port - 2`
    (the fast one) and `port + 1` (replication); port 0 picks a place where all three are free.
    """
    port = port or free_port(-2, 0, 1)
    settings = {
        "brokerClusterName": cluster,
        "brokerName": name,
        "brokerId": "0",
        "listenPort": str(port),
        "bindAddress": HOST,
        "brokerIP1": HOST,
        "brokerIP2": HOST,
        "storePathRootDir": str(directory / "store"),
        "storePathCommitLog": str(directory / "store" / "commitlog"),
        **({"namesrvAddr": namesrv} if namesrv else {}),
        **SMALL_BROKER,
        **(properties or {}),
    }
    main_class = "org.apache.rocketmq.broker.BrokerStartup"
    server = _launch("broker", version, directory, port, main_class, settings, jvm)
    name_servers = namesrv.split(";") if namesrv else []
    _await(
        server,
        lambda: (
            _is_up(server, GET_BROKER_RUNTIME_INFO)
            and all(_lists_broker(name_server, server.address) for name_server in name_servers)
        ),
    )
    return server


@contextmanager
def start_cluster(
    version: str, directory: Path, properties: Mapping[str, str] | None = None
) -> Iterator[Cluster]:
    """A real name server and a real broker, in two folders below `directory`, for the length of the block."""
    with (
        start_namesrv(version, directory / "namesrv") as namesrv,
        start_broker(version, directory / "broker", namesrv.address, properties=properties) as broker,
    ):
        yield Cluster(namesrv, broker)


def mqadmin(
    version: str, *arguments: str, namesrv: str | None = None, timeout: float = 60.0
) -> subprocess.CompletedProcess[str]:
    """Run one real mqadmin command. It nearly always exits with 0: judge by what it printed."""
    with tempfile.TemporaryDirectory(prefix="mqadmin-") as scratch:
        home = Path(scratch)
        prepare_home(home)
        target = ("-n", namesrv) if namesrv else ()
        command = java_command(version, "-Xmx256m", "-XX:TieredStopAtLevel=1", *home_options(home))
        return subprocess.run(
            [*command, "org.apache.rocketmq.tools.command.MQAdminStartup", *arguments, *target],
            env=environment(home),
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )


def free_port(*offsets: int) -> int:
    """A port that is free on all interfaces, as are those at the given distances from it."""
    for _ in range(1000):
        port = random.choice(PORT_RANGE)
        if all(_is_free(port + offset) for offset in offsets or (0,)):
            return port
    raise StartError(f"no free ports between {PORT_RANGE.start} and {PORT_RANGE.stop}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
        return True


def _launch(
    role: str,
    version: str,
    directory: Path,
    port: int,
    main_class: str,
    settings: Mapping[str, str],
    jvm: Sequence[str],
) -> Reference:
    directory = directory.resolve()
    prepare_home(directory)
    properties = directory / "conf" / f"{role}.properties"
    properties.write_text(_properties_text(settings), encoding="latin-1")
    command = java_command(version, "-XX:+UseSerialGC", *home_options(directory), *jvm)
    with (directory / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            [*command, "pyrmq.compat.Guard", main_class, "-c", str(properties)],
            env=environment(directory),
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C in a terminal is ours to handle
        )
    return Reference(role, version, directory, port, process)


def _await(server: Reference, ready: Callable[[], bool]) -> None:
    try:
        _poll(server, ready)
    except BaseException:
        server.kill()
        raise


def _poll(server: Reference, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not ready():
        if server.process.poll() is not None:
            raise StartError(_failure(server, f"ended with code {server.process.returncode}"))
        if time.monotonic() > deadline:
            raise StartError(_failure(server, f"did not serve within {START_TIMEOUT_S:.0f} s"))
        time.sleep(POLL_S)


def _failure(server: Reference, what: str) -> str:
    return f"{server.role} {server.version} on port {server.port} {what}\n{server.log_tail()}"


def _is_up(server: Reference, question: int) -> bool:
    """The server says that it is up, and answers `question` with success."""
    if b"boot success" not in (server.directory / "output.txt").read_bytes():
        return False
    return _is_success(_ask(server.address, question))


def _is_success(answer: bytes) -> bool:
    """Whether an answer's code is 0, in either header encoding: JSON, or binary, which starts with a 1."""
    return answer[4:6] == b"\0\0" if answer[:1] == b"\1" else b'"code":0,' in answer


def _lists_broker(namesrv: str, address: str) -> bool:
    return f'"{address}"'.encode() in _ask(namesrv, GET_BROKER_CLUSTER_INFO)


def _ask(address: str, code: int) -> bytes:
    """One request without arguments; the raw answer, empty when there is none."""
    host, port = address.rsplit(":", 1)
    header = json.dumps({"code": code, "flag": 0, "language": "OTHER", "opaque": 1, "version": 0}).encode()
    try:
        with socket.create_connection((host, int(port)), timeout=5) as stream:
            stream.sendall(struct.pack(">II", 4 + len(header), len(header)) + header)
            (length,) = struct.unpack(">I", _read_exactly(stream, 4))
            return _read_exactly(stream, length)
    except OSError:
        return b""


def _read_exactly(stream: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = stream.recv(size - len(data))
        if not chunk:
            raise ConnectionError("closed in the middle of an answer")
        data += chunk
    return bytes(data)


def _properties_text(settings: Mapping[str, str]) -> str:
    """A Java properties file; values are written so that backslashes and non-ASCII text survive."""
    return "".join(f"{name}={_escaped(value)}\n" for name, value in settings.items())


def _escaped(value: str) -> str:
    units: Iterable[int] = memoryview(value.encode("utf-16-le")).cast("H")
    return "".join(f"\\u{unit:04x}" if unit > 126 or unit < 32 or unit == 92 else chr(unit) for unit in units)
