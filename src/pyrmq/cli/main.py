# SPDX-License-Identifier: Apache-2.0
"""The entry point: knows the names of the subcommands and what they are for, and imports nothing else."""

from importlib import import_module

import click

from .. import __version__

COMMANDS = {
    "standalone": "Name server and broker in one process: the quick start.",
    "namesrv": "A name server.",
    "broker": "A broker.",
}


class LazyGroup(click.Group):
    """A group whose commands live in modules of the same name, so that `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f".{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(click.style(name, bold=True), text) for name, text in COMMANDS.items()])


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `pyrmq standalone`, then point any RocketMQ client at 127.0.0.1:9876.",
)
@click.version_option(__version__, prog_name="pyrmq")
def main() -> None:
    """A message broker and name server that speaks the Apache RocketMQ protocol."""
