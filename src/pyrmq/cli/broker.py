# SPDX-License-Identifier: Apache-2.0
"""`pyrmq broker`."""

import os
from pathlib import Path

import click

from ..broker.settings import broker_configuration
from . import options


@click.command(name="broker", context_settings={"help_option_names": ["-h", "--help"]})
@options.common
@click.option(
    "-n", "--namesrv-addr", metavar="ADDRESSES", help="Name servers, separated by ';' (namesrvAddr)."
)
@click.option("--host", help="Address to listen on (bindAddress).  [default: 0.0.0.0]")
@click.option(
    "--port", type=int, help="Port to listen on (listenPort); port-2 is used too.  [default: 10911]"
)
@click.option("--store", type=click.Path(), help="Folder of the message store (storePathRootDir).")
def command(
    config_file: Path | None,
    assignments: tuple[str, ...],
    print_config: bool,
    strict: bool,
    log_level: str,
    namesrv_addr: str | None,
    host: str | None,
    port: int | None,
    store: str | None,
) -> None:
    """Run a broker.

    Takes the flags, properties and files of RocketMQ's mqbroker, and NAMESRV_ADDR from the environment.
    """
    configuration = broker_configuration()
    if "NAMESRV_ADDR" in os.environ:
        configuration.values["namesrvAddr"] = os.environ["NAMESRV_ADDR"]
    overrides = {
        "namesrvAddr": namesrv_addr,
        "bindAddress": host,
        "listenPort": None if port is None else str(port),
        "storePathRootDir": store,
    }
    given = {name: value for name, value in overrides.items() if value is not None}
    options.apply(configuration, config_file, given, assignments)
    if print_config:
        click.echo(configuration.text(), nl=False)
        return
    options.report(configuration, strict=strict)

    from . import process
    from .servers import serve_broker

    options.check_addresses(configuration)
    tls, serialize_type = options.tls(configuration), process.serialize_type()
    process.run(lambda: serve_broker(configuration, tls, serialize_type), log_level=log_level)
