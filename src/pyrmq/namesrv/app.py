# SPDX-License-Identifier: Apache-2.0
"""Wiring and start order of a name server: no logic."""

from pathlib import Path

import trio

from ..clock import Clock
from ..remoting import Dispatcher, Limits, Server
from ..remoting.tls import ServerTls
from ..settings import Configuration
from ..wire.command import JSON
from .departures import Departures
from .handlers import table
from .kv import KVStore
from .notices import Notices
from .routes import Routes
from .server import NameServer
from .settings import NamesrvSettings

KV_LOG_FIRST_S = 60.0
KV_LOG_EVERY_S = 600.0


async def run_namesrv(
    configuration: Configuration,
    clock: Clock,
    *,
    tls: ServerTls | None = None,
    serialize_type: int = JSON,
    task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a name server until cancelled; reports its port once it accepts connections."""
    settings = NamesrvSettings.read(configuration.values)
    routes = Routes(
        acting_master=settings.support_acting_master,
        delete_missing_topics=settings.delete_topic_with_broker_registration,
    )
    kv = KVStore(Path(settings.kv_config_path))
    kv.load()
    async with trio.open_nursery() as services:
        notices = Notices(settings, services)
        departures = Departures(
            routes, clock, capacity=settings.un_register_broker_queue_capacity, announce=notices.announce
        )
        name_server = NameServer(
            configuration=configuration,
            settings=settings,
            routes=routes,
            kv=kv,
            departures=departures,
            announce=notices.announce,
            clock=clock,
            started_ms=clock.now_ms(),
        )
        server = Server(
            Dispatcher(table.bind(name_server), serialize_type=serialize_type),
            host=settings.bind_address,
            port=settings.listen_port,
            limits=Limits(idle_s=settings.server_channel_max_idle_time_seconds),
            tls=tls,
            on_close=departures.on_close,
        )
        services.start_soon(departures.run)
        services.start_soon(departures.watch, settings.scan_not_active_broker_interval / 1000)
        services.start_soon(_log_kv, kv, clock)
        port = await services.start(server.serve)
        configuration.values["listenPort"] = str(port)
        settings.listen_port = port
        task_status.started(port)


async def _log_kv(kv: KVStore, clock: Clock) -> None:
    await clock.sleep(KV_LOG_FIRST_S)
    while True:
        kv.log_all()
        await clock.sleep(KV_LOG_EVERY_S)
