# SPDX-License-Identifier: Apache-2.0
"""Our own servers as processes, as a person would start them."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"
START_TIMEOUT_S = 20.0
STOP_TIMEOUT_S = 5.0

RUNNING: list["PyrmqServer"] = []
"""The servers that run now, for whoever must explain a failure."""

_UP = re.compile(r"The Name Server boot success\. serializeType=(\w+), address ([\d.]+):(\d+)")


@dataclass
class PyrmqServer:
    """A running `pyrmq` server process; its output is in `log`."""

    process: subprocess.Popen[str]
    host: str
    port: int
    log: Path

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def stop(self) -> None:
        """Tell it to end; it must do so soon and in good order."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(
                f"pyrmq did not end within {STOP_TIMEOUT_S:g} s of SIGTERM\n{self.log_text()}"
            ) from None
        seconds = time.monotonic() - began
        assert code == 0, f"pyrmq ended with code {code} after {seconds:.1f} s\n{self.log_text()}"

    def log_text(self, lines: int = 200) -> str:
        """The last lines of what it printed and logged."""
        tail = self.log.read_text(errors="replace").splitlines()[-lines:]
        return "\n".join([f"--- {self.log.name}", *tail])


def pyrmq_command() -> str:
    """The console script that was installed with the package under test."""
    return str(Path(sys.executable).parent / "pyrmq")


@contextmanager
def pyrmq_namesrv(
    directory: Path,
    port: int = 0,
    settings: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[PyrmqServer]:
    """Run `pyrmq namesrv` for the length of the block; port 0 picks a free one.

    Whatever a test does, the server must end cleanly: that is checked on the way out. Its log is added to the
    error of a block that fails. A server that was stopped inside the block stays stopped.
    """
    directory.mkdir(parents=True, exist_ok=True)
    values = {
        "kvConfigPath": str(directory / "kvConfig.json"),
        "configStorePath": str(directory / "namesrv.properties"),
        **(settings or {}),
    }
    assignments = [part for name, value in values.items() for part in ("--set", f"{name}={value}")]
    command = [pyrmq_command(), "namesrv", "--host", HOST, "--port", str(port), *assignments]
    server = _launch(command, directory / "pyrmq-namesrv.log", environment or {})
    RUNNING.append(server)
    try:
        yield server
    except BaseException as error:
        error.add_note(server.log_text())
        with suppress(AssertionError):  # the first error says more
            _stop(server)
        raise
    else:
        _stop(server)
    finally:
        RUNNING.remove(server)


def _stop(server: PyrmqServer) -> None:
    """End it, unless the test did so; it must not have ended by itself."""
    if server.process.poll() is None:
        server.stop()
    assert server.process.returncode == 0, f"pyrmq had crashed\n{server.log_text()}"


def _launch(command: Sequence[str], log: Path, environment: Mapping[str, str]) -> PyrmqServer:
    with log.open("a") as output:
        printed_before = output.tell()
        process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        printed = log.read_bytes()[printed_before:].decode(errors="replace")
        if found := _UP.search(printed):
            _, host, port = found.groups()
            return PyrmqServer(process, host, int(port), log)
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            process.wait()
            raise AssertionError(f"pyrmq did not start\n{printed}")
        time.sleep(0.05)
