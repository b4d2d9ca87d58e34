# SPDX-License-Identifier: Apache-2.0
"""Route look-up and the topic lists of the name server."""

from ..codes import RequestCode
from ..declare import Action, Cluster, Header, Resource, Topic, TopicHeader, request


@request(RequestCode.GET_ROUTEINFO_BY_TOPIC, action=(Action.PUB, Action.SUB, Action.GET))
class GetRouteInfo(TopicHeader, kw_only=True):
    """Where a topic's queues are."""

    topic: Topic
    accept_standard_json_only: bool | None = None


@request(RequestCode.GET_TOPICS_BY_CLUSTER, action=Action.LIST, scope=Resource.TOPIC)
class GetTopicsByCluster(Header, kw_only=True):
    """The topics that live on any broker of a cluster."""

    cluster: str


@request(RequestCode.DELETE_TOPIC_IN_NAMESRV, action=Action.UPDATE, scope=Resource.CLUSTER)
class DeleteTopicInNamesrv(TopicHeader, kw_only=True):
    """Forget the routes of a topic."""

    topic: str
    cluster_name: Cluster | None = None


@request(RequestCode.REGISTER_TOPIC_IN_NAMESRV, action=Action.UPDATE, scope=Resource.CLUSTER)
class RegisterTopicInNamesrv(TopicHeader, kw_only=True):
    """Make the queues of one topic known; the body holds the route."""

    topic: str
