# SPDX-License-Identifier: Apache-2.0
"""Replication between the brokers of a group."""

from ..codes import RequestCode
from ..declare import Action, Header, Int, Long, Resource, request


@request(RequestCode.EXCHANGE_BROKER_HA_INFO, action=Action.UPDATE, scope=Resource.CLUSTER)
class ExchangeHAInfo(Header, kw_only=True):
    """Swap replication addresses and flush offsets."""

    master_ha_address: str | None = None
    master_flush_offset: Long | None = None
    master_address: str | None = None


class ExchangeHAInfoResponse(Header, kw_only=True):
    """The same about the other side."""

    master_ha_address: str | None = None
    master_flush_offset: Long | None = None
    master_address: str | None = None


@request(RequestCode.RESET_MASTER_FLUSH_OFFSET, action=Action.UPDATE, scope=Resource.CLUSTER)
class ResetMasterFlushOffset(Header, kw_only=True):
    """Set what a slave believes to be flushed on its master."""

    master_flush_offset: Long


@request(RequestCode.NOTIFY_BROKER_ROLE_CHANGED, action=Action.UPDATE, scope=Resource.CLUSTER)
class NotifyBrokerRoleChanged(Header, kw_only=True):
    """Tell a broker who is master now."""

    master_address: str | None = None
    master_epoch: Int | None = None
    sync_state_set_epoch: Int | None = None
    master_broker_id: Long | None = None
