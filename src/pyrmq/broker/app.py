# SPDX-License-Identifier: Apache-2.0
"""Wiring and start order of a broker: no logic."""

import socket

import trio

from ..clock import Clock
from ..remoting import Dispatcher, Limits, Server
from ..remoting.tls import ServerTls
from ..settings import Configuration
from ..wire.command import JSON
from .registration import Registrar
from .settings import FAST_PORT_DISTANCE, BrokerSettings
from .topics import Topics


async def run_broker(
    configuration: Configuration,
    clock: Clock,
    *,
    tls: ServerTls | None = None,
    serialize_type: int = JSON,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a broker until cancelled; reports its address once it listens and has tried all name servers."""
    settings = BrokerSettings.read(configuration.values)
    topics = Topics(clock)
    topics.add_system_topics(settings)
    dispatcher = Dispatcher({}, serialize_type=serialize_type)
    limits = Limits(idle_s=settings.server_channel_max_idle_time_seconds)

    def listen(port: int) -> Server:
        return Server(dispatcher, host=settings.bind_address, port=port, limits=limits, tls=tls)

    async with trio.open_nursery() as servers:
        if settings.listen_port == 0:
            settings.listen_port = _free_port_pair(settings.bind_address)
        await servers.start(listen(settings.listen_port).serve)
        await servers.start(listen(settings.listen_port - FAST_PORT_DISTANCE).serve)
        configuration.values["listenPort"] = str(settings.listen_port)
        registrar = Registrar(settings, topics, clock)
        await servers.start(registrar.run)
        task_status.started(registrar.address)


def _free_port_pair(host: str) -> int:
    """A free port whose neighbour for the second listener is free too."""
    while True:
        with socket.create_server((host, 0)) as first:
            port = int(first.getsockname()[1])
            try:
                with socket.create_server((host, port - FAST_PORT_DISTANCE)):
                    return port
            except OSError:
                continue
