# SPDX-License-Identifier: Apache-2.0
"""What the server commands run, with what they tell a person when it is up."""

import click
import trio

from ..broker.app import run_broker
from ..broker.settings import BrokerSettings
from ..clock import SystemClock
from ..namesrv.app import run_namesrv
from ..remoting.server import hold_open
from ..remoting.tls import ServerTls
from ..settings import Configuration
from ..wire.codes import SerializeType


async def serve_namesrv(configuration: Configuration, tls: ServerTls, serialize_type: int) -> None:
    """Run a name server and say so in the words of the original, which scripts wait for."""
    async with trio.open_nursery() as nursery:
        port = await _start_namesrv(nursery, configuration, tls, serialize_type)
        host = configuration.values["bindAddress"]
        encoding = SerializeType(serialize_type).name
        click.echo(f"The Name Server boot success. serializeType={encoding}, address {host}:{port}")


async def serve_broker(configuration: Configuration, tls: ServerTls, serialize_type: int) -> None:
    """Run a broker and say so in the words of the original, which scripts wait for."""
    async with trio.open_nursery() as nursery:
        address = await _start_broker(nursery, configuration, tls, serialize_type)
        settings = BrokerSettings.read(configuration.values)
        namesrv = f" and name server is {settings.namesrv_addr}" if settings.namesrv_addr else ""
        encoding = SerializeType(serialize_type).name
        click.echo(
            f"The broker[{settings.broker_name}, {address}] boot success. serializeType={encoding}{namesrv}"
        )


async def serve_standalone(
    namesrv: Configuration, broker: Configuration, tls: ServerTls, serialize_type: int
) -> None:
    """Run both. The name server is up before the broker and goes after it, so that it hears the goodbye."""
    async with trio.open_nursery() as outer:
        services = await outer.start(hold_open)
        try:
            port = await _start_namesrv(services, namesrv, tls, serialize_type)
            host = namesrv.values["bindAddress"]
            reachable = "127.0.0.1" if host == "0.0.0.0" else host
            broker.values["namesrvAddr"] = f"{reachable}:{port}"
            async with trio.open_nursery() as nursery:
                address = await _start_broker(nursery, broker, tls, serialize_type)
                _welcome(f"{reachable}:{port}", address, broker.values["storePathRootDir"])
        finally:
            services.cancel_scope.cancel()


def _welcome(namesrv: str, broker: str, store: str) -> None:
    click.echo(f"{click.style('pyrmq is up', bold=True, fg='green')}   Ctrl-C stops it")
    click.echo(f"  name server  {click.style(namesrv, bold=True)}   put this into your RocketMQ client")
    click.echo(f"  broker       {broker}")
    click.echo(f"  store        {store}")


async def _start_namesrv(
    nursery: trio.Nursery, configuration: Configuration, tls: ServerTls, serialize_type: int
) -> int:
    async def start(*, task_status: trio.TaskStatus[int]) -> None:
        await run_namesrv(
            configuration, SystemClock(), tls=tls, serialize_type=serialize_type, task_status=task_status
        )

    return int(await nursery.start(start))


async def _start_broker(
    nursery: trio.Nursery, configuration: Configuration, tls: ServerTls, serialize_type: int
) -> str:
    async def start(*, task_status: trio.TaskStatus[str]) -> None:
        await run_broker(
            configuration, SystemClock(), tls=tls, serialize_type=serialize_type, task_status=task_status
        )

    return str(await nursery.start(start))
