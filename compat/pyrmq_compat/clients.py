# SPDX-License-Identifier: Apache-2.0
"""Real RocketMQ clients doing a whole piece of work (SendAndReceive.java), for tests of servers."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .jars import java_command
from .javahome import environment, home_options, prepare_home

# A client that runs for seconds: no time for the optimising compiler, no need for parallel collection.
QUICK_JVM = ("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
JVM_START_S = 30.0

HEADERS_BINARY = "-Drocketmq.serialize.type=ROCKETMQ"
TLS = "-Dtls.enable=true"  # without a trust store the client accepts any certificate


@dataclass(frozen=True)
class Traffic:
    """What a client reports: all is well when `received` is the number asked for and `faults` is empty."""

    sent: int
    received: int
    repeated: int
    faults: list[str]


def send_and_receive(
    version: str,
    namesrv: str,
    topic: str,
    count: int,
    *,
    options: Sequence[str] = (),
    timeout_s: int = 30,
) -> Traffic:
    """Send `count` messages and consume them with real clients of `version`; `options` are for the JVM.

    Raises RuntimeError with the client's words if it cannot even finish.
    """
    with tempfile.TemporaryDirectory(prefix="client-") as scratch:
        home = Path(scratch)
        prepare_home(home)
        command = java_command(version, *QUICK_JVM, *home_options(home), *options)
        result = subprocess.run(
            [*command, "pyrmq.compat.SendAndReceive", namesrv, topic, str(count), str(timeout_s)],
            env=environment(home),
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout_s + JVM_START_S,
            check=False,
        )
        last = result.stdout.strip().splitlines()[-1:]
        if not last or not last[0].startswith("{"):
            logs = "\n".join(file.read_text(errors="replace")[-4000:] for file in home.glob("logs/**/*.log"))
            raise RuntimeError(f"client {version} ended with {result.returncode}\n{result.stderr}\n{logs}")
        return Traffic(**json.loads(last[0]))
