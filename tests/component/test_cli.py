# SPDX-License-Identifier: Apache-2.0
"""The command as a person meets it: help, messages, exit codes, start and stop of real processes."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PYRMQ = str(Path(sys.executable).parent / "pyrmq")
STOP_S = 5


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PYRMQ, *arguments], capture_output=True, text=True, timeout=30, check=False, **options
    )  # type: ignore[call-overload, no-any-return]


@contextmanager
def running(*arguments: str, wait_for: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process, once it has printed a line that matches; stopped at the end, which must be quick."""
    process = subprocess.Popen([PYRMQ, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        lines = ""
        while not re.search(wait_for, lines):
            line = process.stdout.readline()
            assert line, f"ended early: {process.communicate()[1]}"
            lines += line
        yield process, lines
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=STOP_S)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_no_server(arguments: list[str]) -> None:
    probe = (
        "import sys\n"
        "from pyrmq.cli.main import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'trio', 'msgspec', 'rich', 'construct', 'cryptography'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True)


def test_help_names_every_command() -> None:
    text = run("--help").stdout
    for name in ("standalone", "namesrv", "broker"):
        assert name in text
        assert run(name, "-h").returncode == 0


def test_print_config_lists_rocketmq_names(tmp_path: Path) -> None:
    file = tmp_path / "broker.conf"
    file.write_text("brokerName = broker-x\nlistenPort=20911\n")
    printed = run("broker", "-c", str(file), "-n", "127.0.0.1:9876", "-p")
    lines = printed.stdout.splitlines()
    assert {"brokerName=broker-x", "listenPort=20911", "namesrvAddr=127.0.0.1:9876"} <= set(lines)
    assert lines == sorted(lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["broker", "--set", "brokerId=x"], "--set: brokerId must be a 64-bit integer, got 'x'"),
        (["broker", "--set", "brokerId"], "--set needs NAME=VALUE, got 'brokerId'"),
        (["namesrv", "-c", "/nowhere/n.conf"], "cannot read /nowhere/n.conf: No such file or directory"),
        (
            ["namesrv", "--strict", "--set", "lisenPort=1"],
            "unknown property lisenPort; did you mean listenPort?",
        ),
        (
            ["namesrv", "--set", "tls.server.mode=maybe"],
            "tls.server.mode must be disabled, permissive or enforcing, got 'maybe'",
        ),
        (
            ["namesrv", "--set", "tls.server.certPath=/nowhere.pem"],
            "tls.server.certPath, tls.server.keyPath or tls.server.trustCertPath cannot be used: "
            "[Errno 2] No such file or directory",
        ),
        (
            ["broker", "--host", "127.0.0.1", "-n", "nonsense"],
            "not an address of the form host:port: 'nonsense'",
        ),
    ],
)
def test_bad_input_is_named(arguments: list[str], message: str) -> None:
    ran = run(*arguments)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == f"Error: {message}"
    assert "Traceback" not in ran.stderr


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("namesrv", "--host", "127.0.0.1", "--port", str(port))
    assert ran.returncode == 1
    assert f"127.0.0.1:{port} is in use" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_notes_about_properties_without_effect(tmp_path: Path) -> None:
    arguments = ("namesrv", "--host", "127.0.0.1", "--port", "0", "--set", "serverSelectorThreads=4")
    with running(*arguments, wait_for="boot success") as (process, _):
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=STOP_S)[1]
    assert "accepted, no effect: serverSelectorThreads" in errors


def test_standalone_starts_registers_and_stops(tmp_path: Path) -> None:
    arguments = (
        "standalone",
        "--namesrv-port",
        "0",
        "--broker-port",
        "0",
        "--store",
        str(tmp_path / "store"),
    )
    with running(*arguments, wait_for="store") as (process, lines):
        assert re.search(r"name server  127\.0\.0\.1:\d+", lines)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=STOP_S)[1]
    assert re.search(r"broker .* left", errors), errors


def test_standalone_takes_an_existing_broker_conf(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    file = tmp_path / "broker.conf"
    file.write_text(
        f"brokerClusterName = c\nbrokerName = broker-x\nbrokerId = 0\ndeleteWhen = 04\n"
        "fileReservedTime = 48\n"
        f"brokerRole = ASYNC_MASTER\nflushDiskType = ASYNC_FLUSH\nlistenPort = {port}\n"
        f"storePathRootDir = {tmp_path}/elsewhere\n"
    )
    with running("standalone", "--namesrv-port", "0", "-c", str(file), wait_for="store") as (process, lines):
        assert f"127.0.0.1:{port}" in lines
        assert f"{tmp_path}/elsewhere" in lines
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=STOP_S)[1]
    assert f"new broker broker-x 0 at 127.0.0.1:{port} in c" in errors
    assert "unknown property" not in errors


def test_broker_registers_with_several_name_servers(tmp_path: Path) -> None:
    namesrv = ("namesrv", "--host", "127.0.0.1", "--port", "0")
    with (
        running(*namesrv, wait_for="boot success") as (first, one),
        running(*namesrv, wait_for="boot success") as (second, two),
    ):
        addresses = ";".join(line.split()[-1] for line in (one, two))
        arguments = ("broker", "--host", "127.0.0.1", "--port", "0", "-n", addresses)
        with running(*arguments, "--set", "brokerIP1=127.0.0.1", wait_for="boot success"):
            time.sleep(0.2)
        for process in (first, second):
            process.send_signal(signal.SIGTERM)
            errors = process.communicate(timeout=STOP_S)[1]
            assert "new broker" in errors
            assert "left" in errors
