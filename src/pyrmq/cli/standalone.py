# SPDX-License-Identifier: Apache-2.0
"""`pyrmq standalone`."""

from pathlib import Path

import click

from ..broker.settings import broker_configuration
from ..namesrv.settings import namesrv_configuration
from . import options


@click.command(name="standalone", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--store", type=click.Path(path_type=Path), help="Folder for all files.  [default: ./store]")
@click.option("--host", help="Address to listen on; 0.0.0.0 for all.  [default: 127.0.0.1]")
@click.option("--namesrv-port", type=int, help="0 for any free port.  [default: 9876]")
@click.option("--broker-port", type=int, help="0 for any free port.  [default: 10911]")
@options.config_file
@options.assignments
@options.strict
@options.log_level
def command(
    store: Path | None,
    host: str | None,
    namesrv_port: int | None,
    broker_port: int | None,
    config_file: Path | None,
    assignments: tuple[str, ...],
    strict: bool,
    log_level: str,
) -> None:
    """Run name server and broker in one process.

    Reachable from this machine only unless --host or the file says otherwise. A broker.conf given with -c
    configures the broker; options override it, and its namesrvAddr is replaced by the name server here.
    """
    broker = broker_configuration()
    # Friendlier than the original's defaults, but a file goes before them.
    broker.values |= {
        "bindAddress": "127.0.0.1",
        "brokerIP1": "127.0.0.1",
        "brokerIP2": "127.0.0.1",
        "storePathRootDir": str(Path("store").absolute()),
    }
    overrides = {
        "bindAddress": host,
        "brokerIP1": None if host == "0.0.0.0" else host,
        "brokerIP2": None if host == "0.0.0.0" else host,
        "listenPort": None if broker_port is None else str(broker_port),
        "storePathRootDir": None if store is None else str(store.absolute()),
    }
    given = {name: value for name, value in overrides.items() if value is not None}
    options.apply(broker, config_file, given, assignments)
    options.report(broker, strict=strict)
    namesrv = namesrv_configuration()
    folder = Path(broker.values["storePathRootDir"]) / "namesrv"
    namesrv.values |= {
        "bindAddress": broker.values["bindAddress"],
        "kvConfigPath": str(folder / "kvConfig.json"),
        "configStorePath": str(folder / "namesrv.properties"),
    }
    if namesrv_port is not None:
        namesrv.values["listenPort"] = str(namesrv_port)

    from . import process
    from .servers import serve_standalone

    tls, serialize_type = options.tls(broker), process.serialize_type()
    process.run(lambda: serve_standalone(namesrv, broker, tls, serialize_type), log_level=log_level)
