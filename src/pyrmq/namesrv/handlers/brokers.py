# SPDX-License-Identifier: Apache-2.0
"""Brokers registering, living, leaving, and being asked about."""

import logging
from zlib import crc32

from ...remoting import Connection, Reply
from ...wire.bodies.data_version import DataVersion
from ...wire.bodies.kv import KVTable
from ...wire.bodies.registration import RegisterBrokerBody
from ...wire.bodies.route import GetBrokerMemberGroupResponseBody
from ...wire.bodies.topic import TopicConfigAndMappingSerializeWrapper
from ...wire.codes import ResponseCode, Version
from ...wire.command import Command
from ...wire.headers.registration import (
    AddWritePerm,
    AddWritePermResponse,
    BrokerHeartbeat,
    GetBrokerMemberGroup,
    QueryDataVersion,
    QueryDataVersionResponse,
    RegisterBroker,
    RegisterBrokerResponse,
    UnregisterBroker,
    WipeWritePerm,
    WipeWritePermResponse,
)
from ..kv import ORDER_TOPIC_CONFIG
from ..routes import BrokerKey, Registration, Unregistration
from ..server import NameServer

logger = logging.getLogger(__name__)

ZONE_NAME = "__ZONE_NAME"


def register(server: NameServer, command: Command, connection: Connection) -> Reply:
    """Take in a broker and all its topics; a slave learns its master, any broker the order configuration."""
    header = RegisterBroker.from_ext(command.ext)
    if header.body_crc32 and crc32(command.body) & 0x7FFFFFFF != header.body_crc32:
        logger.warning("registration of %s from %s is damaged", header.broker_addr, connection.peer)
        return _refusal("crc32 not match")
    body = _registered_body(command, header)
    wrapper = body.topic_config_serialize_wrapper
    registered = server.routes.register(
        Registration(
            key=BrokerKey(header.cluster_name, header.broker_addr),
            broker_name=header.broker_name,
            broker_id=header.broker_id,
            ha_address=header.ha_server_addr,
            data_version=wrapper.data_version,
            topics=wrapper.topic_config_table,
            queue_mappings=wrapper.topic_queue_mapping_info_map,
            filter_servers=body.filter_server_list,
            expiry_ms=header.heartbeat_timeout_millis,
            acting_master=header.enable_acting_master,
            zone=(command.ext or {}).get(ZONE_NAME),
        ),
        connection,
        server.clock.now_ms(),
    )
    if registered is None:
        return _refusal("register broker failed")
    if registered.change is not None:
        server.announce(registered.change)
    answer = RegisterBrokerResponse(
        ha_server_addr=registered.master_ha_address, master_addr=registered.master_address
    )
    return Reply(header=answer, body=_order_configuration(server))


def _refusal(remark: str) -> Reply:
    """The original's refusals carry the answer's header too, though nothing is in it."""
    return Reply(ResponseCode.SYSTEM_ERROR, header=RegisterBrokerResponse(), remark=remark)


def _registered_body(command: Command, header: RegisterBroker) -> RegisterBrokerBody:
    if not command.body:
        return RegisterBrokerBody()
    if command.version < Version.V3_0_11:
        # Brokers of that age send their topics and nothing around them.
        topics = TopicConfigAndMappingSerializeWrapper.decode(command.body)
        return RegisterBrokerBody(topic_config_serialize_wrapper=topics)
    if header.compressed:
        return RegisterBrokerBody.decode_compressed(command.body, command.version)
    return RegisterBrokerBody.decode(command.body)


def _order_configuration(server: NameServer) -> bytes:
    values = server.kv.namespaces.get(ORDER_TOPIC_CONFIG)
    if values is None or not server.settings.return_order_topic_config_to_broker:
        return b""
    return KVTable(table=values).encode()


def unregister(server: NameServer, command: Command, _: Connection) -> Reply:
    """Take a broker out of all routes, soon."""
    header = UnregisterBroker.from_ext(command.ext)
    key = BrokerKey(header.cluster_name, header.broker_addr)
    if server.departures.submit(Unregistration(key, header.broker_name, header.broker_id)):
        return Reply()
    return Reply(ResponseCode.SYSTEM_ERROR)


def query_data_version(server: NameServer, command: Command, _: Connection) -> Reply:
    """Whether a broker has news for us; being asked is a sign of life too."""
    header = QueryDataVersion.from_ext(command.ext)
    theirs = DataVersion.decode(command.body)
    key = BrokerKey(header.cluster_name, header.broker_addr)
    changed = server.routes.is_changed(key, theirs)
    server.routes.touch(key, server.clock.now_ms())
    ours = server.routes.data_version(key)
    body = b"" if ours is None else ours.encode()
    return Reply(header=QueryDataVersionResponse(changed=changed), body=body)


def heartbeat(server: NameServer, command: Command, _: Connection) -> Reply:
    """Note a sign of life."""
    header = BrokerHeartbeat.from_ext(command.ext)
    server.routes.touch(BrokerKey(header.cluster_name, header.broker_addr), server.clock.now_ms())
    return Reply()


def member_group(server: NameServer, command: Command, _: Connection) -> Reply:
    """The brokers that share a name. The odd remark on success is the original's."""
    header = GetBrokerMemberGroup.from_ext(command.ext)
    group = server.routes.member_group(header.cluster_name, header.broker_name)
    body = GetBrokerMemberGroupResponseBody(broker_member_group=group)
    return Reply(body=body.encode(), remark="not set any response code")


def cluster_info(server: NameServer, _: Command, __: Connection) -> Reply:
    """All clusters, broker groups and addresses."""
    return Reply(body=server.routes.cluster_info().encode())


def wipe_write_permission(server: NameServer, command: Command, connection: Connection) -> Reply:
    """Make all topics of a broker read-only."""
    header = WipeWritePerm.from_ext(command.ext)
    count = server.routes.wipe_write_permission(header.broker_name)
    logger.info("%s made %d topics of %s read-only", connection.peer, count, header.broker_name)
    return Reply(header=WipeWritePermResponse(wipe_topic_count=count))


def add_write_permission(server: NameServer, command: Command, connection: Connection) -> Reply:
    """Make all topics of a broker writable."""
    header = AddWritePerm.from_ext(command.ext)
    count = server.routes.add_write_permission(header.broker_name)
    logger.info("%s made %d topics of %s writable", connection.peer, count, header.broker_name)
    return Reply(header=AddWritePermResponse(add_topic_count=count))
