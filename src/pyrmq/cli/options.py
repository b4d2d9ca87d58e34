# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share, and the way from them to a checked configuration."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..settings import Configuration, SettingsError

if TYPE_CHECKING:
    from ..remoting.tls import ServerTls

config_file = click.option(
    "-c", "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE",
    help="A RocketMQ properties file (broker.conf, namesrv.conf), used as it is.",
)  # fmt: skip
print_config = click.option(
    "-p", "--print-config", is_flag=True, help="Print all properties with their values, and exit."
)
assignments = click.option(
    "--set", "assignments", multiple=True, metavar="NAME=VALUE",
    help="Set one property by its RocketMQ name. Overrides the file; may be repeated.",
)  # fmt: skip
strict = click.option(
    "--strict", is_flag=True, help="Refuse to start when a property is unknown, instead of warning."
)
log_level = click.option(
    "--log-level", default="info", show_default=True,
    type=click.Choice(["debug", "info", "warning", "error"]), help="How much to log to standard error.",
)  # fmt: skip


def common(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every server command has."""
    for option in (log_level, strict, print_config, assignments, config_file):
        function = option(function)
    return function


def apply(
    configuration: Configuration,
    config_file: Path | None,
    overrides: dict[str, str],
    assignments: tuple[str, ...],
) -> None:
    """Lay file, command-line options and `--set` over the defaults; a flaw ends the command with its name."""
    try:
        if config_file is not None:
            configuration.set_from_text(_read(config_file), str(config_file))
        configuration.set(overrides, "command line")
        configuration.set(dict(_split(assignment) for assignment in assignments), "--set")
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


def check_addresses(configuration: Configuration) -> None:
    """Refuse name-server addresses that cannot be any."""
    from ..remoting.client import parse_address

    for address in filter(None, configuration.values.get("namesrvAddr", "").split(";")):
        try:
            parse_address(address)
        except ValueError as error:
            raise click.ClickException(str(error)) from None


def report(configuration: Configuration, *, strict: bool) -> None:
    """Tell which properties were accepted without effect and which nobody knows."""
    if strict and configuration.unknown:
        raise click.ClickException("; ".join(configuration.warnings()))
    for warning in configuration.warnings():
        click.echo(click.style("note: ", fg="yellow") + warning, err=True)


def tls(configuration: Configuration) -> "ServerTls":
    """The TLS behaviour that the properties ask for."""
    from ..remoting.tls import ServerTls

    try:
        made = ServerTls.from_properties(configuration.values)
        if made.has_certificate:
            made.context()  # now, when a person is looking, and not at the first handshake
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        names = "tls.server.certPath, tls.server.keyPath or tls.server.trustCertPath"
        raise click.ClickException(f"{names} cannot be used: {error}") from None
    return made


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        raise click.ClickException(f"cannot read {path}: {reason}") from None


def _split(assignment: str) -> tuple[str, str]:
    name, separator, value = assignment.partition("=")
    if not separator or not name:
        raise click.ClickException(f"--set needs NAME=VALUE, got {assignment!r}")
    return name.strip(), value
