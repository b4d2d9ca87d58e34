# SPDX-License-Identifier: Apache-2.0
"""Running a server as a process: logging, signals, and errors that a person can act on."""

import logging
import os
import signal
from collections.abc import Awaitable, Callable

import click
import trio

from ..remoting import ListenError
from ..wire.codes import SerializeType


def run(serve: Callable[[], Awaitable[None]], *, log_level: str) -> None:
    """Run `serve` until it ends or the process is told to stop; the second signal stops it at once."""
    logging.basicConfig(
        level=log_level.upper(),
        format="%(asctime)s %(levelname)-7s %(name)s: %(message)s",
    )
    try:
        trio.run(_until_signal, serve)
    except Exception as error:
        cause = _sole_cause(error)
        if isinstance(cause, ListenError):
            raise click.ClickException(str(cause)) from None
        if isinstance(cause, OSError) and cause.filename:
            raise click.ClickException(f"{cause.filename}: {cause.strerror}") from None
        raise


async def _until_signal(serve: Callable[[], Awaitable[None]]) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def main() -> None:
                await serve()
                nursery.cancel_scope.cancel()

            nursery.start_soon(main)
            async for number in signals:
                logging.getLogger(__name__).info("%s: shutting down", signal.Signals(number).name)
                break
            for again in (signal.SIGINT, signal.SIGTERM):
                signal.signal(again, signal.SIG_DFL)
            nursery.cancel_scope.cancel()


def serialize_type() -> int:
    """The header encoding of our answers, set by the same environment variable as the original's."""
    name = os.environ.get("ROCKETMQ_SERIALIZE_TYPE", "JSON").strip() or "JSON"
    try:
        return SerializeType[name].value
    except KeyError:
        raise click.ClickException(
            f"ROCKETMQ_SERIALIZE_TYPE must be JSON or ROCKETMQ, got {name!r}"
        ) from None


def _sole_cause(error: BaseException) -> BaseException:
    """What a group of exceptions is about, if it is about one thing."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
