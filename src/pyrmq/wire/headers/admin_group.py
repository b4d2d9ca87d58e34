# SPDX-License-Identifier: Apache-2.0
"""Administration of consumer groups and a look at their clients."""

from typing import Annotated

from msgspec import field

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Resource, RpcHeader, Separator, Topic, TopicHeader, request


@request(RequestCode.DELETE_SUBSCRIPTIONGROUP, action=Action.DELETE)
class DeleteSubscriptionGroup(RpcHeader, kw_only=True):
    """Remove a consumer group."""

    group_name: Group
    clean_offset: bool = False
    remove_offset: bool | None = None


@request(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, action=Action.GET, scope=Resource.GROUP)
class GetAllSubscriptionGroup(Header, kw_only=True):
    """All groups of a broker, or, since 5.5, a part of them."""

    group_seq: Int | None = None
    data_version: str | None = None
    max_group_num: Int | None = None


class GetAllSubscriptionGroupResponse(Header, kw_only=True):
    """How many groups there are in all."""

    total_group_num: Int


@request(RequestCode.GET_SUBSCRIPTIONGROUP_CONFIG, action=Action.GET)
class GetSubscriptionGroupConfig(RpcHeader, kw_only=True):
    """The configuration of one group."""

    group: Group


@request(RequestCode.UPDATE_AND_GET_GROUP_FORBIDDEN, action=Action.UPDATE)
class UpdateGroupForbidden(TopicHeader, kw_only=True):
    """Forbid or allow a group a topic; without a wish, just ask."""

    group: Group
    topic: Topic
    readable: bool | None = None


@request(RequestCode.GET_CONSUMER_CONNECTION_LIST, action=Action.GET)
class GetConsumerConnectionList(RpcHeader, kw_only=True):
    """The connections of a consumer group."""

    consumer_group: Group


@request(RequestCode.GET_PRODUCER_CONNECTION_LIST, action=Action.GET, scope=Resource.CLUSTER)
class GetProducerConnectionList(RpcHeader, kw_only=True):
    """The connections of a producer group."""

    producer_group: str


@request(RequestCode.GET_ALL_PRODUCER_INFO, action=Action.GET, scope=Resource.CLUSTER)
class GetAllProducerInfo(Header, kw_only=True):
    """The connections of all producer groups."""


@request(RequestCode.GET_CONSUME_STATS, action=Action.GET)
class GetConsumeStats(TopicHeader, kw_only=True):
    """How far a group is behind on its topics."""

    consumer_group: Group
    topic: Topic | None = None
    topic_list: Annotated[str, Resource.TOPIC, Separator(";")] | None = None


@request(RequestCode.QUERY_SUBSCRIPTION_BY_CONSUMER, action=Action.GET)
class QuerySubscriptionByConsumer(TopicHeader, kw_only=True):
    """What a group subscribes to within a topic."""

    group: Group
    topic: Topic | None = None


@request(RequestCode.REGISTER_MESSAGE_FILTER_CLASS)
class RegisterMessageFilterClass(Header, kw_only=True):
    """Upload the source of a filter class (4.x; no server takes it any more)."""

    consumer_group: str
    topic: str
    class_name: str
    class_crc: Int = field(name="classCRC")
