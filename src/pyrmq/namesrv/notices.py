# SPDX-License-Identifier: Apache-2.0
"""Telling the brokers of a group that another one has the lowest id now."""

import logging

import trio

from ..remoting import NotConnectedError, open_client
from ..wire.codes import RequestCode
from ..wire.command import Command
from ..wire.headers.registration import NotifyMinBrokerIdChange
from .routes import MinIdChange
from .settings import NamesrvSettings

logger = logging.getLogger(__name__)

CONNECT_S = 3.0


class Notices:
    """Sends notices, each broker's in a task of its own, so that a dead one delays nobody."""

    def __init__(self, settings: NamesrvSettings, nursery: trio.Nursery) -> None:
        self._settings = settings
        self._nursery = nursery

    def announce(self, change: MinIdChange) -> None:
        """Send a notice to all recipients, if `notifyMinBrokerIdChanged` asks for it."""
        if not self._settings.notify_min_broker_id_changed:
            return
        header = NotifyMinBrokerIdChange(
            min_broker_id=change.min_broker_id,
            min_broker_addr=change.min_broker_addr,
            offline_broker_addr=change.offline_broker_addr,
            ha_broker_addr=change.ha_broker_addr,
        )
        for address in change.recipients:
            self._nursery.start_soon(self._send, address, header)

    async def _send(self, address: str, header: NotifyMinBrokerIdChange) -> None:
        try:
            async with open_client([address]) as client:
                command = Command(code=RequestCode.NOTIFY_MIN_BROKER_ID_CHANGE, ext=header.to_ext())
                await client.call_oneway(command, CONNECT_S)
        except (NotConnectedError, ValueError) as error:
            logger.warning("cannot tell %s about the new lowest broker id: %s", address, error)
