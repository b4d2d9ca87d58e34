# SPDX-License-Identifier: Apache-2.0
"""`pyrmq standalone`."""

from pathlib import Path

import click

from ..broker.settings import DEFAULT_PORT as BROKER_PORT
from ..broker.settings import broker_configuration
from ..namesrv.settings import DEFAULT_PORT as NAMESRV_PORT
from ..namesrv.settings import namesrv_configuration
from . import options


@click.command(name="standalone", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=Path("store"),
    show_default=True,
    help="Folder for all files.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option(
    "--namesrv-port", type=int, default=NAMESRV_PORT, show_default=True, help="0 for any free port."
)
@click.option("--broker-port", type=int, default=BROKER_PORT, show_default=True, help="0 for any free port.")
@options.config_file
@options.assignments
@options.strict
@options.log_level
def command(
    store: Path,
    host: str,
    namesrv_port: int,
    broker_port: int,
    config_file: Path | None,
    assignments: tuple[str, ...],
    strict: bool,
    log_level: str,
) -> None:
    """Run name server and broker in one process.

    Reachable from this machine only unless --host says otherwise. A broker.conf given with -c configures the
    broker; the options here override it.
    """
    namesrv = namesrv_configuration()
    folder = store.absolute()
    namesrv.values |= {
        "bindAddress": host,
        "listenPort": str(namesrv_port),
        "kvConfigPath": str(folder / "namesrv" / "kvConfig.json"),
        "configStorePath": str(folder / "namesrv" / "namesrv.properties"),
    }
    broker = broker_configuration()
    overrides = {"bindAddress": host, "listenPort": str(broker_port), "storePathRootDir": str(folder)}
    if host != "0.0.0.0":
        overrides |= {"brokerIP1": host, "brokerIP2": host}
    options.apply(broker, config_file, overrides, assignments)
    options.report(broker, strict=strict)

    from . import process
    from .servers import serve_standalone

    tls, serialize_type = options.tls(broker), process.serialize_type()
    process.run(lambda: serve_standalone(namesrv, broker, tls, serialize_type), log_level=log_level)
