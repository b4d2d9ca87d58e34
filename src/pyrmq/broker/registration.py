# SPDX-License-Identifier: Apache-2.0
"""Telling every name server that this broker exists and which topics it has."""

import logging
from zlib import crc32

import trio

from ..clock import Clock
from ..remoting import CallTimeoutError, Client, NotConnectedError, open_client
from ..wire.bodies.registration import RegisterBrokerBody
from ..wire.bodies.topic import TopicConfigAndMappingSerializeWrapper
from ..wire.codes import RequestCode, ResponseCode
from ..wire.command import Command
from ..wire.headers.registration import RegisterBroker, UnregisterBroker
from .settings import HA_PORT_DISTANCE, BrokerSettings
from .topics import Topics

logger = logging.getLogger(__name__)

FIRST_DELAY_S = 10.0
GOODBYE_S = 2.0


class Registrar:
    """Keeps the registrations with all name servers, each over a connection of its own, alive."""

    def __init__(self, settings: BrokerSettings, topics: Topics, clock: Clock) -> None:
        self._settings = settings
        self._topics = topics
        self._clock = clock
        self._changed = trio.Event()

    @property
    def address(self) -> str:
        """Where clients reach this broker."""
        return f"{self._settings.broker_ip1}:{self._settings.listen_port}"

    def topics_changed(self) -> None:
        """Register with all name servers at once instead of at the next turn."""
        self._changed.set()
        self._changed = trio.Event()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Register everywhere until cancelled, then unregister. Started when each was tried once."""
        async with trio.open_nursery() as nursery:
            async with trio.open_nursery() as first_round:
                for name_server in self._settings.name_servers:
                    first_round.start_soon(nursery.start, self._keep_registered, name_server)
            task_status.started()

    async def _keep_registered(self, name_server: str, *, task_status: trio.TaskStatus[None]) -> None:
        async with open_client([name_server]) as client:
            try:
                await self._register(client, name_server)
                task_status.started()
                await self._wait(FIRST_DELAY_S)
                while True:
                    await self._register(client, name_server)
                    period_ms = max(10_000, min(self._settings.register_name_server_period, 60_000))
                    await self._wait(period_ms / 1000)
            finally:
                with trio.move_on_after(GOODBYE_S, shield=True):
                    await self._unregister(name_server)

    async def _wait(self, seconds: float) -> None:
        changed = self._changed
        async with trio.open_nursery() as nursery:

            async def sleep() -> None:
                await self._clock.sleep(seconds)
                nursery.cancel_scope.cancel()

            nursery.start_soon(sleep)
            await changed.wait()
            nursery.cancel_scope.cancel()

    async def _register(self, client: Client, name_server: str) -> None:
        body = self._body()
        settings = self._settings
        header = RegisterBroker(
            broker_name=settings.broker_name,
            broker_addr=self.address,
            cluster_name=settings.broker_cluster_name,
            ha_server_addr=f"{settings.broker_ip2}:{self._ha_port()}",
            broker_id=settings.broker_id,
            heartbeat_timeout_millis=(
                settings.broker_not_active_timeout_millis if settings.enable_slave_acting_master else None
            ),
            enable_acting_master=settings.enable_slave_acting_master,
            compressed=settings.compressed_register,
            body_crc32=crc32(body) & 0x7FFFFFFF,
        )
        command = Command(code=RequestCode.REGISTER_BROKER, ext=header.to_ext(), body=body)
        try:
            answer = await client.call(command, settings.register_broker_timeout_mills / 1000)
        except (NotConnectedError, CallTimeoutError) as error:
            logger.warning("not registered with name server %s: %s", name_server, error)
            return
        if answer.code != ResponseCode.SUCCESS:
            logger.warning("name server %s refused the registration: %s", name_server, answer.remark)

    def _body(self) -> bytes:
        wrapper = TopicConfigAndMappingSerializeWrapper(
            topic_config_table=self._topics.table, data_version=self._topics.version
        )
        body = RegisterBrokerBody(topic_config_serialize_wrapper=wrapper)
        return body.encode_compressed() if self._settings.compressed_register else body.encode()

    async def _unregister(self, name_server: str) -> None:
        """Say goodbye, over a new connection: the old one ends with the cancellation that brings us here."""
        settings = self._settings
        header = UnregisterBroker(
            broker_name=settings.broker_name,
            broker_addr=self.address,
            cluster_name=settings.broker_cluster_name,
            broker_id=settings.broker_id,
        )
        try:
            async with open_client([name_server]) as client:
                await client.call(Command(code=RequestCode.UNREGISTER_BROKER, ext=header.to_ext()), GOODBYE_S)
        except (NotConnectedError, CallTimeoutError) as error:
            logger.info("not unregistered from name server %s: %s", name_server, error)

    def _ha_port(self) -> int:
        return self._settings.ha_listen_port or self._settings.listen_port + HA_PORT_DISTANCE
