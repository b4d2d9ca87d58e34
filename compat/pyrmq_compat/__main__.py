# SPDX-License-Identifier: Apache-2.0
"""Command line: `python -m pyrmq_compat up` and `python -m pyrmq_compat golden`."""

import argparse
import sys
import tempfile
import threading
from pathlib import Path

from .golden import GOLDEN_FOLDER, generate
from .jars import VERSIONS, ReferenceUnavailable
from .reference import StartError, start_cluster


def main() -> int:
    parser = argparse.ArgumentParser(prog="pyrmq_compat", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    up = commands.add_parser("up", help="run a real name server and broker until Ctrl-C")
    up.add_argument("--version", default=VERSIONS[-1])
    up.add_argument("--directory", type=Path, help="keep data and logs here (default: a temporary folder)")

    golden = commands.add_parser("golden", help="write the golden data again")
    golden.add_argument("--version", action="append", help=f"may be repeated (default: {' '.join(VERSIONS)})")
    golden.add_argument("--output", type=Path, default=GOLDEN_FOLDER)

    arguments = parser.parse_args()
    try:
        if arguments.command == "up":
            _up(arguments.version, arguments.directory)
        else:
            for file in generate(arguments.version or VERSIONS, arguments.output):
                print(file.relative_to(arguments.output), file.stat().st_size)
    except (ReferenceUnavailable, StartError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _up(version: str, directory: Path | None) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="pyrmq-compat-") as scratch,
        start_cluster(version, directory or Path(scratch)) as cluster,
    ):
        print(f"namesrv {cluster.namesrv.address} pid {cluster.namesrv.pid}")
        print(f"broker  {cluster.broker.address} pid {cluster.broker.pid}", flush=True)
        try:
            threading.Event().wait()
        finally:
            if directory is not None:
                cluster.broker.stop()


if __name__ == "__main__":
    sys.exit(main())
