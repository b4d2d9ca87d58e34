# SPDX-License-Identifier: Apache-2.0
"""`pyrmq namesrv`."""

from pathlib import Path

import click

from ..namesrv.settings import namesrv_configuration
from . import options


@click.command(name="namesrv", context_settings={"help_option_names": ["-h", "--help"]})
@options.common
@click.option("--host", help="Address to listen on (bindAddress).  [default: 0.0.0.0]")
@click.option("--port", type=int, help="Port to listen on, 0 for any (listenPort).  [default: 9876]")
@click.option("-n", "--namesrv-addr", hidden=True, help="Accepted for compatibility with mqnamesrv.")
def command(
    config_file: Path | None,
    assignments: tuple[str, ...],
    print_config: bool,
    strict: bool,
    log_level: str,
    host: str | None,
    port: int | None,
    namesrv_addr: str | None,  # noqa: ARG001
) -> None:
    """Run a name server.

    Takes the flags, properties and files of RocketMQ's mqnamesrv.
    """
    configuration = namesrv_configuration()
    overrides = {"bindAddress": host, "listenPort": None if port is None else str(port)}
    given = {name: value for name, value in overrides.items() if value is not None}
    if config_file is not None:
        # The original keeps later changes in the file it was started with.
        given = {"configStorePath": str(config_file.absolute()), **given}
    options.apply(configuration, config_file, given, assignments)
    if print_config:
        click.echo(configuration.text(), nl=False)
        return
    options.report(configuration, strict=strict)

    from . import process
    from .servers import serve_namesrv

    tls, serialize_type = options.tls(configuration), process.serialize_type()
    process.run(lambda: serve_namesrv(configuration, tls, serialize_type), log_level=log_level)
