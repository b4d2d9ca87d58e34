# SPDX-License-Identifier: Apache-2.0
"""The name server's own properties, read and changed from outside."""

import logging
from pathlib import Path

from ...atomicfile import replace_keeping_backup
from ...remoting import Connection, Reply, RequestError
from ...settings import properties
from ...wire.codes import ResponseCode
from ...wire.command import Command
from ..server import NameServer

logger = logging.getLogger(__name__)


def get(server: NameServer, _: Command, __: Connection) -> Reply:
    """All properties as `key=value` lines."""
    return Reply(body=server.configuration.text().encode())


def update(server: NameServer, command: Command, connection: Connection) -> Reply:
    """Change properties, and keep all of them in the file named by `configStorePath`."""
    if not command.body:
        return Reply()
    try:
        given = properties.loads(command.body.decode())
    except ValueError as error:
        raise RequestError(ResponseCode.SYSTEM_ERROR, f"string2Properties error: {error}") from None
    if given.keys() & server.settings.unchangeable:
        raise RequestError(ResponseCode.NO_PERMISSION, "Can not update config in black list.")
    refused = server.configuration.change(given)
    if refused:
        logger.warning(
            "%s set unknown or ill-typed properties, ignored: %s", connection.peer, ", ".join(refused)
        )
    server.settings.update(server.configuration.values)
    server.routes.acting_master = server.settings.support_acting_master
    server.routes.delete_missing_topics = server.settings.delete_topic_with_broker_registration
    replace_keeping_backup(Path(server.settings.config_store_path), server.configuration.text().encode())
    logger.info("%s changed the configuration: %s", connection.peer, ", ".join(sorted(given)))
    return Reply()
