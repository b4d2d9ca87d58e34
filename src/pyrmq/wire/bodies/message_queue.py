# SPDX-License-Identifier: Apache-2.0
"""The name of a queue, which serves as a map key in many bodies."""

from msgspec import Struct

from ..javajson import Body


class MessageQueue(Struct, frozen=True, order=True, rename="camel", kw_only=True):
    """One queue of a topic on one broker group. Sorted as the original sorts them."""

    topic: str
    broker_name: str
    queue_id: int = 0


class MessageQueueForC(Body, kw_only=True):
    """A queue with an offset, in the flat form the C++ client understands."""

    topic: str
    broker_name: str
    queue_id: int = 0
    offset: int = 0
