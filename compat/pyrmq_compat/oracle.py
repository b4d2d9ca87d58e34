# SPDX-License-Identifier: Apache-2.0
"""Single questions to the real RocketMQ classes, for property tests.

One Java process answers one JSON line per JSON line (Oracle.java); a question costs far less than a
millisecond once it runs. Text crosses the border as JSON with \\u escapes, so lone surrogates survive.
"""

import json
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from .jars import java_command
from .javahome import environment, home_options, prepare_home

JsonObject = dict[str, object]


class OracleError(RuntimeError):
    """RocketMQ refused the input; the text is its exception."""


class Oracle:
    """A running oracle of one RocketMQ version. Use as a context manager, from one thread at a time."""

    def __init__(self, version: str) -> None:
        self.version = version
        self._home = tempfile.TemporaryDirectory(prefix="oracle-")
        home = Path(self._home.name)
        prepare_home(home)
        self._errors = (home / "errors.txt").open("w+", encoding="utf-8", errors="replace")
        command = java_command(version, "-Xmx256m", "-XX:+UseSerialGC", *home_options(home))
        self._process = subprocess.Popen(
            [*command, "pyrmq.compat.Oracle"],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=home,
            text=True,
            encoding="ascii",
        )

    def ask(self, op: str, **arguments: object) -> JsonObject:
        """Send one question as it is and return the whole answer. Raises OracleError on its `error`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        question = json.dumps({"op": op, **arguments})
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            self._errors.seek(0)
            raise RuntimeError(f"the oracle process ended on {question}\n{self._errors.read()[-4000:]}")
        answer: JsonObject = json.loads(line)
        if "error" in answer:
            raise OracleError(str(answer["error"]))
        return answer

    def decompress(self, kind: str, data: bytes) -> bytes:
        """Unpack `data`; `kind` is `zlib`, `lz4` or `zstd`."""
        return bytes.fromhex(str(self.ask("decompress", type=kind, hex=data.hex())["hex"]))

    def decode_frame(self, frame: bytes) -> JsonObject:
        """Decode a whole frame, length field included, to what `commands.jsonl` has under `value`."""
        return self.ask("decode_frame", hex=frame.hex())

    def decode_record(self, record: bytes) -> JsonObject:
        """Decode a stored message record to the fields that `records.jsonl` has under `value`."""
        return self.ask("decode_record", hex=record.hex())

    def hash(self, text: str) -> int:
        """Java's `String.hashCode`."""
        value = self.ask("hash", text=text)["hash"]
        assert isinstance(value, int)
        return value

    def properties(self, text: str) -> dict[str, str]:
        """Parse a message properties string."""
        found = self.ask("properties", text=text)["properties"]
        assert isinstance(found, dict)
        return found

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()
        self._home.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
