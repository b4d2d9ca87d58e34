# SPDX-License-Identifier: Apache-2.0
"""The key-value store of the name server."""

from ..codes import RequestCode
from ..declare import Action, Header, Resource, request


@request(RequestCode.PUT_KV_CONFIG, action=Action.UPDATE, scope=Resource.CLUSTER)
class PutKVConfig(Header, kw_only=True):
    """Set a value."""

    namespace: str
    key: str
    value: str


@request(RequestCode.GET_KV_CONFIG, action=Action.GET, scope=Resource.CLUSTER)
class GetKVConfig(Header, kw_only=True):
    """Read a value."""

    namespace: str
    key: str


class GetKVConfigResponse(Header, kw_only=True):
    """The value."""

    value: str | None = None


@request(RequestCode.DELETE_KV_CONFIG, action=Action.UPDATE, scope=Resource.CLUSTER)
class DeleteKVConfig(Header, kw_only=True):
    """Remove a value."""

    namespace: str
    key: str


@request(RequestCode.GET_KVLIST_BY_NAMESPACE, action=Action.GET, scope=Resource.CLUSTER)
class GetKVListByNamespace(Header, kw_only=True):
    """All values of a namespace."""

    namespace: str
