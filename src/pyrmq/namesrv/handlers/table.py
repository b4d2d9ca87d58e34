# SPDX-License-Identifier: Apache-2.0
"""Which function answers which request."""

from functools import partial

from ...remoting import Handler
from ...wire.codes import RequestCode as Code
from ..server import NameServer
from . import brokers, config, kv, topics

HANDLERS = {
    Code.REGISTER_BROKER: brokers.register,
    Code.UNREGISTER_BROKER: brokers.unregister,
    Code.QUERY_DATA_VERSION: brokers.query_data_version,
    Code.BROKER_HEARTBEAT: brokers.heartbeat,
    Code.GET_BROKER_MEMBER_GROUP: brokers.member_group,
    Code.GET_BROKER_CLUSTER_INFO: brokers.cluster_info,
    Code.WIPE_WRITE_PERM_OF_BROKER: brokers.wipe_write_permission,
    Code.ADD_WRITE_PERM_OF_BROKER: brokers.add_write_permission,
    Code.GET_ROUTEINFO_BY_TOPIC: topics.route,
    Code.REGISTER_TOPIC_IN_NAMESRV: topics.register,
    Code.DELETE_TOPIC_IN_NAMESRV: topics.delete,
    Code.GET_ALL_TOPIC_LIST_FROM_NAMESERVER: topics.all_topics,
    Code.GET_TOPICS_BY_CLUSTER: topics.of_cluster,
    Code.GET_SYSTEM_TOPIC_LIST_FROM_NS: topics.system,
    Code.GET_UNIT_TOPIC_LIST: topics.unit,
    Code.GET_HAS_UNIT_SUB_TOPIC_LIST: topics.unit_subscribed,
    Code.GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST: topics.unit_subscribed_only,
    Code.PUT_KV_CONFIG: kv.put,
    Code.GET_KV_CONFIG: kv.get,
    Code.DELETE_KV_CONFIG: kv.delete,
    Code.GET_KVLIST_BY_NAMESPACE: kv.list_namespace,
    Code.UPDATE_NAMESRV_CONFIG: config.update,
    Code.GET_NAMESRV_CONFIG: config.get,
}


def bind(server: NameServer) -> dict[int, Handler]:
    """The table for one name server."""
    return {code: partial(handler, server) for code, handler in HANDLERS.items()}
