# SPDX-License-Identifier: Apache-2.0
"""The controller, which elects the masters of broker groups."""

from ..codes import RequestCode
from ..declare import Action, Cluster, Header, Int, Long, Resource, request


@request(RequestCode.CONTROLLER_ALTER_SYNC_STATE_SET, action=Action.UPDATE, scope=Resource.CLUSTER)
class AlterSyncStateSet(Header, kw_only=True):
    """Report which replicas keep up with the master."""

    broker_name: str | None = None
    master_broker_id: Long | None = None
    master_epoch: Int | None = None
    invoke_time: Long = 0


class AlterSyncStateSetResponse(Header, kw_only=True):
    """The epoch of the new set."""

    new_sync_state_set_epoch: Int = 0


@request(RequestCode.CONTROLLER_ELECT_MASTER, action=Action.UPDATE, scope=Resource.CLUSTER)
class ElectMaster(Header, kw_only=True):
    """Choose a master for a broker group."""

    cluster_name: Cluster = ""
    broker_name: str = ""
    broker_id: Long = -1
    designate_elect: bool = False
    invoke_time: Long | None = None


class ElectMasterResponse(Header, kw_only=True):
    """Who was chosen."""

    master_broker_id: Long | None = None
    master_address: str | None = None
    master_epoch: Int | None = None
    sync_state_set_epoch: Int | None = None


@request(RequestCode.CONTROLLER_REGISTER_BROKER, action=Action.UPDATE, scope=Resource.CLUSTER)
class RegisterToController(Header, kw_only=True):
    """Announce a broker to the controller."""

    cluster_name: Cluster | None = None
    broker_name: str | None = None
    broker_id: Long | None = None
    broker_address: str | None = None
    invoke_time: Long = 0


class RegisterToControllerResponse(Header, kw_only=True):
    """Who is master of the group."""

    cluster_name: str | None = None
    broker_name: str | None = None
    master_broker_id: Long | None = None
    master_address: str | None = None
    master_epoch: Int | None = None
    sync_state_set_epoch: Int | None = None


@request(RequestCode.CONTROLLER_GET_REPLICA_INFO, action=Action.GET, scope=Resource.CLUSTER)
class GetReplicaInfo(Header, kw_only=True):
    """Who is master of a group and who keeps up."""

    broker_name: str | None = None


class GetReplicaInfoResponse(Header, kw_only=True):
    """The master; the body lists who keeps up."""

    master_broker_id: Long | None = None
    master_address: str | None = None
    master_epoch: Int | None = None


class GetControllerMetadataResponse(Header, kw_only=True):
    """The controllers and their leader."""

    group: str | None = None
    controller_leader_id: str | None = None
    controller_leader_address: str | None = None
    is_leader: bool = False
    peers: str | None = None


@request(RequestCode.CLEAN_BROKER_DATA, action=Action.UPDATE, scope=Resource.CLUSTER)
class CleanBrokerData(Header, kw_only=True):
    """Forget brokers that are gone."""

    cluster_name: Cluster | None = None
    broker_name: str
    broker_controller_ids_to_clean: str | None = None
    is_clean_living_broker: bool = False
    invoke_time: Long = 0


@request(RequestCode.CONTROLLER_GET_NEXT_BROKER_ID, action=Action.GET, scope=Resource.CLUSTER)
class GetNextBrokerId(Header, kw_only=True):
    """Which broker id is free."""

    cluster_name: Cluster | None = None
    broker_name: str | None = None


class GetNextBrokerIdResponse(Header, kw_only=True):
    """The free id."""

    cluster_name: str | None = None
    broker_name: str | None = None
    next_broker_id: Long | None = None


@request(RequestCode.CONTROLLER_APPLY_BROKER_ID, action=Action.UPDATE, scope=Resource.CLUSTER)
class ApplyBrokerId(Header, kw_only=True):
    """Claim a broker id."""

    cluster_name: Cluster | None = None
    broker_name: str | None = None
    applied_broker_id: Long | None = None
    register_check_code: str | None = None


class ApplyBrokerIdResponse(Header, kw_only=True):
    """The id was granted."""

    cluster_name: str | None = None
    broker_name: str | None = None
