# SPDX-License-Identifier: Apache-2.0
"""Consumer groups: their configuration and what is forbidden to them."""

from enum import Enum

from msgspec import field

from ..javajson import Body
from .data_version import DataVersion
from .heartbeat import SubscriptionData

_SECOND_MS = 1000
_MINUTE_MS = 60 * _SECOND_MS
_HOUR_MS = 60 * _MINUTE_MS


class GroupRetryPolicyType(Enum):
    """How the pauses between tries grow."""

    EXPONENTIAL = "EXPONENTIAL"
    CUSTOMIZED = "CUSTOMIZED"


class ExponentialRetryPolicy(Body, kw_only=True):
    """Pauses in milliseconds that grow by a factor up to a limit."""

    initial: int = 5 * _SECOND_MS
    max: int = 2 * _HOUR_MS
    multiplier: int = 2


_PAUSES_MS = (
    *(seconds * _SECOND_MS for seconds in (1, 5, 10, 30)),
    *(minutes * _MINUTE_MS for minutes in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 60, 120)),
)


class CustomizedRetryPolicy(Body, kw_only=True):
    """Pauses in milliseconds, listed one by one."""

    next: tuple[int, ...] = _PAUSES_MS


class GroupRetryPolicy(Body, kw_only=True):
    """Which policy holds; one that is not given has its default pauses."""

    type: GroupRetryPolicyType = GroupRetryPolicyType.CUSTOMIZED
    exponential_retry_policy: ExponentialRetryPolicy | None = None
    customized_retry_policy: CustomizedRetryPolicy | None = None


class SimpleSubscriptionData(Body, kw_only=True):
    """A subscription fixed by the administrator."""

    topic: str | None = None
    expression_type: str | None = None
    expression: str | None = None
    version: int = 0


class SubscriptionGroupConfig(Body, kw_only=True):
    """The configuration of one consumer group on one broker."""

    group_name: str
    consume_enable: bool = True
    consume_from_min_enable: bool = True
    consume_broadcast_enable: bool = True
    consume_message_orderly: bool = False
    retry_queue_nums: int = 1
    retry_max_times: int = 16
    group_retry_policy: GroupRetryPolicy = field(default_factory=GroupRetryPolicy)
    broker_id: int = 0
    which_broker_when_consume_slowly: int = 1
    notify_consumer_ids_changed_enable: bool = True
    group_sys_flag: int = 0
    consume_timeout_minute: int = 15
    subscription_data_set: list[SimpleSubscriptionData] | None = None
    attributes: dict[str, str] = field(default_factory=dict)


class SubscriptionGroupWrapper(Body, kw_only=True):
    """All groups of a broker: the shape of subscriptionGroup.json."""

    subscription_group_table: dict[str, SubscriptionGroupConfig] = field(default_factory=dict)
    forbidden_table: dict[str, dict[str, int]] = field(default_factory=dict)
    data_version: DataVersion = field(default_factory=DataVersion)


class SubscriptionGroupList(Body, kw_only=True):
    """Groups to create or change at once."""

    group_config_list: list[SubscriptionGroupConfig] | None = None


class DeleteSubscriptionGroupListRequestBody(Body, kw_only=True):
    """Groups to remove at once."""

    group_name_list: list[str] | None = None
    clean_offset: bool = False


class GroupForbidden(Body, kw_only=True):
    """Whether a group may read a topic."""

    topic: str | None = None
    group: str | None = None
    readable: bool | None = None


class GroupList(Body, kw_only=True):
    """Names of groups."""

    group_list: list[str] = field(default_factory=list)


class QuerySubscriptionResponseBody(Body, kw_only=True):
    """What a group subscribes to within a topic."""

    subscription_data: SubscriptionData | None = None
    group: str | None = None
    topic: str | None = None
