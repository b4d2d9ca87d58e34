# SPDX-License-Identifier: Apache-2.0
"""Administration of topics."""

from typing import ClassVar

from ..codes import RequestCode
from ..declare import Action, Group, Header, Int, Resource, RpcHeader, Topic, TopicHeader, request


@request(
    RequestCode.UPDATE_AND_CREATE_TOPIC, RequestCode.UPDATE_AND_CREATE_STATIC_TOPIC, action=Action.CREATE
)
class CreateTopic(TopicHeader, kw_only=True):
    """Create or change a topic; for a static one the body maps its queues."""

    inherited_first: ClassVar[tuple[str, ...]] = ("namespace", "oneway")
    topic: Topic
    default_topic: str
    read_queue_nums: Int
    write_queue_nums: Int
    perm: Int
    topic_filter_type: str
    order: bool = False
    topic_sys_flag: Int | None = None
    attributes: str | None = None
    force: bool = False


@request(RequestCode.UPDATE_AND_CREATE_TOPIC_LIST, action=Action.CREATE)
class CreateTopicList(RpcHeader, kw_only=True):
    """Create or change the topics listed in the body."""


@request(RequestCode.DELETE_TOPIC_IN_BROKER, action=Action.DELETE)
class DeleteTopicInBroker(TopicHeader, kw_only=True):
    """Remove a topic and its queues from a broker."""

    topic: Topic


@request(RequestCode.GET_ALL_TOPIC_CONFIG, action=Action.GET, scope=Resource.TOPIC)
class GetAllTopicConfig(Header, kw_only=True):
    """All topics of a broker, or, since 5.5, a part of them."""

    topic_seq: Int | None = None
    data_version: str | None = None
    max_topic_num: Int | None = None


class GetAllTopicConfigResponse(Header, kw_only=True):
    """How many topics there are in all."""

    total_topic_num: Int | None = None


@request(RequestCode.GET_TOPIC_CONFIG, action=Action.GET)
class GetTopicConfig(TopicHeader, kw_only=True):
    """The configuration of one topic."""

    topic: Topic


@request(RequestCode.GET_TOPIC_STATS_INFO, action=Action.GET)
class GetTopicStats(TopicHeader, kw_only=True):
    """Offsets of all queues of a topic."""

    topic: Topic


@request(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, action=Action.GET)
class QueryTopicConsumeByWho(TopicHeader, kw_only=True):
    """Which groups consume a topic."""

    topic: Topic


@request(RequestCode.QUERY_TOPICS_BY_CONSUMER, action=Action.GET)
class QueryTopicsByConsumer(RpcHeader, kw_only=True):
    """Which topics a group consumes."""

    group: Group


@request(RequestCode.QUERY_CONSUME_TIME_SPAN, action=Action.GET)
class QueryConsumeTimeSpan(TopicHeader, kw_only=True):
    """From when to when the messages of a topic date, and where a group stands."""

    topic: Topic
    group: Group
