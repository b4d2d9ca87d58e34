# SPDX-License-Identifier: Apache-2.0
"""Routes of topics, lists of topics, and single topics coming and going."""

from ...remoting import Connection, Reply, RequestError
from ...wire.bodies.route import TopicRouteData
from ...wire.bodies.topic import TopicList
from ...wire.codes import ResponseCode, Version
from ...wire.command import Command
from ...wire.headers.route import (
    DeleteTopicInNamesrv,
    GetRouteInfo,
    GetTopicsByCluster,
    RegisterTopicInNamesrv,
)
from ..kv import ORDER_TOPIC_CONFIG
from ..routes import UNIT_FLAG, UNIT_SUB_FLAG, in_zone
from ..server import NameServer
from .brokers import ZONE_NAME

ZONE_MODE = "__ZONE_MODE"
FAQ = "\nSee https://rocketmq.apache.org/docs/bestPractice/06FAQ for further details."


def route(server: NameServer, command: Command, _: Connection) -> Reply:
    """Where a topic's queues are, written as the asking client's version reads it."""
    header = GetRouteInfo.from_ext(command.ext)
    settings = server.settings
    age_ms = server.clock.now_ms() - server.started_ms
    if settings.need_wait_for_service and age_ms < settings.wait_seconds_for_service * 1000:
        raise RequestError(ResponseCode.SYSTEM_ERROR, "name server not ready")
    found = server.routes.route(header.topic)
    if found is None:
        remark = f"No topic route info in name server for the topic: {header.topic}{FAQ}"
        raise RequestError(ResponseCode.TOPIC_NOT_EXIST, remark)
    if settings.order_message_enable:
        found.order_topic_conf = server.kv.get(ORDER_TOPIC_CONFIG, header.topic)
    ext = command.ext or {}
    zone = ext.get(ZONE_NAME, "").strip()
    if zone and ext.get(ZONE_MODE, "").lower() == "true":
        return Reply(body=in_zone(found, zone).encode())
    standard = command.version >= Version.V4_9_4 or bool(header.accept_standard_json_only)
    return Reply(body=found.encode(standard=standard))


def register(server: NameServer, command: Command, _: Connection) -> Reply:
    """Add the queues of one topic, between full registrations."""
    header = RegisterTopicInNamesrv.from_ext(command.ext)
    if command.body:
        server.routes.register_topic(header.topic, TopicRouteData.decode(command.body).queue_datas)
    return Reply()


def delete(server: NameServer, command: Command, _: Connection) -> Reply:
    """Forget a topic, everywhere or in one cluster."""
    header = DeleteTopicInNamesrv.from_ext(command.ext)
    server.routes.delete_topic(header.topic, header.cluster_name)
    return Reply()


def all_topics(server: NameServer, _: Command, __: Connection) -> Reply:
    """Every topic."""
    if not server.settings.enable_all_topic_list:
        raise RequestError(ResponseCode.SYSTEM_ERROR, "disable")
    return _list(list(server.routes.topics))


def of_cluster(server: NameServer, command: Command, _: Connection) -> Reply:
    """The topics on the brokers of a cluster."""
    _require_topic_lists(server)
    header = GetTopicsByCluster.from_ext(command.ext)
    return _list(server.routes.topics_of_cluster(header.cluster))


def system(server: NameServer, _: Command, __: Connection) -> Reply:
    """The names of clusters and brokers, which are topics too, and one broker to ask for the rest."""
    names, address = server.routes.system_topics()
    return _list(names, address)


def unit(server: NameServer, _: Command, __: Connection) -> Reply:
    """The topics that belong to a unit."""
    _require_topic_lists(server)
    return _list(server.routes.topics_by_flag(present=UNIT_FLAG))


def unit_subscribed(server: NameServer, _: Command, __: Connection) -> Reply:
    """The topics that units subscribe to."""
    _require_topic_lists(server)
    return _list(server.routes.topics_by_flag(present=UNIT_SUB_FLAG))


def unit_subscribed_only(server: NameServer, _: Command, __: Connection) -> Reply:
    """The topics that units subscribe to without their belonging to one."""
    _require_topic_lists(server)
    return _list(server.routes.topics_by_flag(present=UNIT_SUB_FLAG, absent=UNIT_FLAG))


def _require_topic_lists(server: NameServer) -> None:
    if not server.settings.enable_topic_list:
        raise RequestError(ResponseCode.SYSTEM_ERROR, "disable")


def _list(topics: list[str], address: str | None = None) -> Reply:
    return Reply(body=TopicList(topic_list=topics, broker_addr=address).encode())
