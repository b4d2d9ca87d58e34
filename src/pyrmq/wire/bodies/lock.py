# SPDX-License-Identifier: Apache-2.0
"""Locks on queues, for ordered consumption."""

from msgspec import field

from ..javajson import Body
from .message_queue import MessageQueue


class LockBatchRequestBody(Body, kw_only=True):
    """Queues a client wants for itself."""

    consumer_group: str | None = None
    client_id: str | None = None
    only_this_broker: bool = False
    mq_set: list[MessageQueue] = field(default_factory=list)


class LockBatchResponseBody(Body, kw_only=True):
    """Queues the client got."""

    locked: list[MessageQueue] = field(name="lockOKMQSet", default_factory=list)


class UnlockBatchRequestBody(LockBatchRequestBody, kw_only=True):
    """Queues a client gives back."""
