# SPDX-License-Identifier: Apache-2.0
"""The key-value store."""

from ...remoting import Connection, Reply, RequestError
from ...wire.bodies.kv import KVTable
from ...wire.codes import ResponseCode
from ...wire.command import Command
from ...wire.headers.kv import (
    DeleteKVConfig,
    GetKVConfig,
    GetKVConfigResponse,
    GetKVListByNamespace,
    PutKVConfig,
)
from ..server import NameServer


def put(server: NameServer, command: Command, _: Connection) -> Reply:
    """Set a value."""
    header = PutKVConfig.from_ext(command.ext)
    server.kv.put(header.namespace, header.key, header.value)
    return Reply()


def get(server: NameServer, command: Command, _: Connection) -> Reply:
    """Read a value."""
    header = GetKVConfig.from_ext(command.ext)
    value = server.kv.get(header.namespace, header.key)
    if value is not None:
        return Reply(header=GetKVConfigResponse(value=value))
    remark = f"No config item, Namespace: {header.namespace} Key: {header.key}"
    return Reply(ResponseCode.QUERY_NOT_FOUND, header=GetKVConfigResponse(), remark=remark)


def delete(server: NameServer, command: Command, _: Connection) -> Reply:
    """Remove a value."""
    header = DeleteKVConfig.from_ext(command.ext)
    server.kv.delete(header.namespace, header.key)
    return Reply()


def list_namespace(server: NameServer, command: Command, _: Connection) -> Reply:
    """All values of a namespace."""
    header = GetKVListByNamespace.from_ext(command.ext)
    values = server.kv.namespaces.get(header.namespace)
    if values is None:
        remark = f"No config item, Namespace: {header.namespace}"
        raise RequestError(ResponseCode.QUERY_NOT_FOUND, remark)
    return Reply(body=KVTable(table=values).encode())
