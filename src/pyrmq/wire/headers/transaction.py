# SPDX-License-Identifier: Apache-2.0
"""Transactional messages."""

from ..codes import RequestCode
from ..declare import Action, Header, Int, Long, RpcHeader, Topic, request


@request(RequestCode.END_TRANSACTION, action=Action.PUB)
class EndTransaction(RpcHeader, kw_only=True):
    """Commit or roll back a half message."""

    topic: Topic | None = None
    producer_group: str
    tran_state_table_offset: Long
    commit_log_offset: Long
    commit_or_rollback: Int
    from_transaction_check: bool = False
    msg_id: str
    transaction_id: str | None = None


@request(RequestCode.CHECK_TRANSACTION_STATE, action=Action.PUB)
class CheckTransactionState(RpcHeader, kw_only=True):
    """Ask a producer what became of a transaction."""

    topic: Topic | None = None
    tran_state_table_offset: Long
    commit_log_offset: Long
    msg_id: str | None = None
    transaction_id: str | None = None
    offset_msg_id: str | None = None


@request(RequestCode.RESUME_CHECK_HALF_MESSAGE, action=Action.UPDATE)
class ResumeCheckHalfMessage(Header, kw_only=True):
    """Let the checks of a half message start over."""

    topic: Topic | None = None
    msg_id: str | None = None
