# SPDX-License-Identifier: Apache-2.0
"""Pop consumption: assignment of queues, and the records kept until messages are acknowledged."""

from enum import Enum

from msgspec import field

from ..javajson import Body
from .heartbeat import MessageModel
from .message_queue import MessageQueue


class MessageRequestMode(Enum):
    """How a group gets the messages of a topic."""

    PULL = "PULL"
    POP = "POP"


class MessageQueueAssignment(Body, kw_only=True):
    """A queue given to a client; queue id -1 stands for all queues of the broker."""

    message_queue: MessageQueue | None = None
    mode: MessageRequestMode = MessageRequestMode.PULL
    attachments: dict[str, str] | None = None


class QueryAssignmentRequestBody(Body, kw_only=True):
    """A client asks which queues to read."""

    topic: str | None = None
    consumer_group: str | None = None
    client_id: str | None = None
    strategy_name: str | None = None
    message_model: MessageModel | None = None


class QueryAssignmentResponseBody(Body, kw_only=True):
    """The queues to read."""

    message_queue_assignments: list[MessageQueueAssignment] | None = None


class SetMessageRequestModeRequestBody(Body, kw_only=True):
    """How a group shall get the messages of a topic from now on."""

    topic: str | None = None
    consumer_group: str | None = None
    mode: MessageRequestMode = MessageRequestMode.PULL
    pop_share_queue_num: int = 0


class MessageRequestModeSerializeWrapper(Body, kw_only=True):
    """All such settings by topic and group: the shape of messageRequestMode.json."""

    message_request_mode_map: dict[str, dict[str, SetMessageRequestModeRequestBody]] = field(
        default_factory=dict
    )


class BatchAck(Body, kw_only=True):
    """Acknowledgements of one pop: bit n of the little-endian `bits` stands for offset `start_offset` + n."""

    consumer_group: str | None = field(name="c", default=None)
    topic: str | None = field(name="t", default=None)
    retry: str | None = field(name="r", default=None)
    start_offset: int = field(name="so", default=0)
    queue_id: int = field(name="q", default=0)
    revive_queue_id: int = field(name="rq", default=0)
    pop_time: int = field(name="pt", default=0)
    invisible_time: int = field(name="it", default=0)
    bits: bytes | None = field(name="b", default=None)

    def offsets(self) -> list[int]:
        """The acknowledged offsets."""
        mask = int.from_bytes(self.bits or b"", "little")
        return [self.start_offset + bit for bit in range(mask.bit_length()) if mask >> bit & 1]


class BatchAckMessageRequestBody(Body, kw_only=True):
    """Acknowledgements of several pops."""

    broker_name: str | None = None
    acks: list[BatchAck] | None = None


class PopCheckPoint(Body, kw_only=True):
    """Record of one pop: what was handed out, to be delivered again at `revive_time` unless acknowledged."""

    start_offset: int = field(name="so", default=0)
    pop_time: int = field(name="pt", default=0)
    invisible_time: int = field(name="it", default=0)
    bit_map: int = field(name="bm", default=0)
    num: int = field(name="n", default=0)
    queue_id: int = field(name="q", default=0)
    topic: str | None = field(name="t", default=None)
    consumer_group: str | None = field(name="c", default=None)
    revive_offset: int = field(name="ro", default=0)
    queue_offset_diff: list[int] | None = field(name="d", default=None)
    broker_name: str | None = field(name="bn", default=None)
    re_put_times: str | None = field(name="rp", default=None)
    suspend: bool = field(name="sp", default=False)
    revive_time: int = 0

    def __post_init__(self) -> None:
        self.revive_time = self.pop_time + self.invisible_time


class AckMsg(Body, kw_only=True):
    """Record of one acknowledgement."""

    ack_offset: int = field(name="ao", default=0)
    start_offset: int = field(name="so", default=0)
    consumer_group: str | None = field(name="c", default=None)
    topic: str | None = field(name="t", default=None)
    queue_id: int = field(name="q", default=0)
    pop_time: int = field(name="pt", default=0)
    broker_name: str | None = field(name="bn", default=None)


class BatchAckMsg(AckMsg, kw_only=True):
    """Record of several acknowledgements out of one pop."""

    ack_offset_list: list[int] = field(name="aol", default_factory=list)


class OrderInfo(Body, kw_only=True):
    """What an ordered group has taken of a queue and not yet finished."""

    pop_time: int = 0
    invisible_time: int | None = field(name="i", default=None)
    offset_list: list[int] | None = field(name="o", default=None)
    offset_next_visible_time: dict[int, int] | None = field(name="ot", default=None)
    offset_consumed_count: dict[int, int] | None = field(name="oc", default=None)
    last_consume_timestamp: int = field(name="l", default=0)
    commit_offset_bit: int = field(name="cm", default=0)
    attempt_id: str | None = field(name="a", default=None)


class ConsumerOrderInfo(Body, kw_only=True):
    """The same by `topic@group` and queue: the shape of consumerOrderInfo.json."""

    table: dict[str, dict[int, OrderInfo]] = field(default_factory=dict)
