# SPDX-License-Identifier: Apache-2.0
"""Many mqadmin commands in one process (AdminSession.java): starting one for each would take too long."""

import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from .clients import QUICK_JVM
from .jars import java_command
from .javahome import environment, home_options, prepare_home


class AdminSession:
    """A process that runs real mqadmin commands of one version, one after the other."""

    def __init__(self, version: str) -> None:
        self.version = version
        self._scratch = tempfile.TemporaryDirectory(prefix="mqadmin-")
        home = Path(self._scratch.name)
        prepare_home(home)
        self._process = subprocess.Popen(
            [*java_command(version, *QUICK_JVM, *home_options(home)), "pyrmq.compat.AdminSession"],
            env=environment(home),
            cwd=home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def run(self, *arguments: str, namesrv: str) -> str:
        """Run one command; what it printed, errors included.

        Raises RuntimeError if mqadmin ended the process, as it does when arguments are missing.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\t".join([*arguments, "-n", namesrv]) + "\n")
        self._process.stdin.flush()
        printed = ""
        for line in self._process.stdout:
            # The mark may follow text that has no line end of its own.
            text, mark, _ = line.partition("\0")
            printed += text
            if mark:
                return printed
        raise RuntimeError(f"mqadmin {' '.join(arguments)} ended the session\n{printed}")

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._scratch.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
