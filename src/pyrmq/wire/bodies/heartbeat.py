# SPDX-License-Identifier: Apache-2.0
"""What a client says of itself: the groups it produces and consumes for, and its subscriptions."""

from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from msgspec import field

from ..javajson import Body


class ConsumeType(Enum):
    """Who drives consumption: the application, the client library, or the broker."""

    CONSUME_ACTIVELY = "CONSUME_ACTIVELY"
    CONSUME_PASSIVELY = "CONSUME_PASSIVELY"
    CONSUME_POP = "CONSUME_POP"


class MessageModel(Enum):
    """Whether every member of a group gets each message, or just one of them."""

    BROADCASTING = "BROADCASTING"
    CLUSTERING = "CLUSTERING"
    LITE_SELECTIVE = "LITE_SELECTIVE"


class ConsumeFromWhere(Enum):
    """Where a group starts that has no offset yet."""

    CONSUME_FROM_LAST_OFFSET = "CONSUME_FROM_LAST_OFFSET"
    CONSUME_FROM_LAST_OFFSET_AND_FROM_MIN_WHEN_BOOT_FIRST = (
        "CONSUME_FROM_LAST_OFFSET_AND_FROM_MIN_WHEN_BOOT_FIRST"
    )
    CONSUME_FROM_MIN_OFFSET = "CONSUME_FROM_MIN_OFFSET"
    CONSUME_FROM_MAX_OFFSET = "CONSUME_FROM_MAX_OFFSET"
    CONSUME_FROM_FIRST_OFFSET = "CONSUME_FROM_FIRST_OFFSET"
    CONSUME_FROM_TIMESTAMP = "CONSUME_FROM_TIMESTAMP"


# The C++ client sends the number of a constant instead of its name. The reader has to let that number pass;
# `ConsumerData` replaces it at once, so code only ever meets the constants.
if TYPE_CHECKING:
    ConsumeTypeOrNumber = ConsumeType
    MessageModelOrNumber = MessageModel
    ConsumeFromWhereOrNumber = ConsumeFromWhere
else:
    ConsumeTypeOrNumber = ConsumeType | int
    MessageModelOrNumber = MessageModel | int
    ConsumeFromWhereOrNumber = ConsumeFromWhere | int

Constant = TypeVar("Constant", bound=Enum)


def _by_number(constants: type[Constant], value: Constant | None) -> Constant | None:
    number: object = value
    if not isinstance(number, int):
        return value
    members = list(constants)
    if not 0 <= number < len(members):
        raise ValueError(f"no {constants.__name__} has the number {number}")
    return members[number]


class SubscriptionData(Body, kw_only=True):
    """What a group wants of a topic. `sub_version` is the time in milliseconds at which it said so."""

    class_filter_mode: bool = False
    topic: str
    sub_string: str | None = None
    tags_set: list[str] = field(default_factory=list)
    code_set: list[int] = field(default_factory=list)
    sub_version: int = 0
    expression_type: str = "TAG"


class ProducerData(Body, kw_only=True):
    """Membership in a producer group."""

    group_name: str


class ConsumerData(Body, kw_only=True):
    """Membership in a consumer group."""

    group_name: str
    consume_type: ConsumeTypeOrNumber | None = None
    message_model: MessageModelOrNumber | None = None
    consume_from_where: ConsumeFromWhereOrNumber | None = None
    subscription_data_set: list[SubscriptionData] = field(default_factory=list)
    unit_mode: bool = False

    def __post_init__(self) -> None:
        self.consume_type = _by_number(ConsumeType, self.consume_type)
        self.message_model = _by_number(MessageModel, self.message_model)
        self.consume_from_where = _by_number(ConsumeFromWhere, self.consume_from_where)


class HeartbeatData(Body, kw_only=True):
    """The heartbeat of a client."""

    client_id: str = field(name="clientID")
    producer_data_set: list[ProducerData] = field(default_factory=list)
    consumer_data_set: list[ConsumerData] = field(default_factory=list)
    heartbeat_fingerprint: int = 0
    without_sub: bool = False


class CheckClientRequestBody(Body, kw_only=True):
    """A subscription the client wants checked before it starts."""

    client_id: str | None = None
    group: str | None = None
    subscription_data: SubscriptionData | None = None
    namespace: str | None = None


class GetConsumerListByGroupResponseBody(Body, kw_only=True):
    """The client ids of a group."""

    consumer_id_list: list[str] | None = None
