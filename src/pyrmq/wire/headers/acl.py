# SPDX-License-Identifier: Apache-2.0
"""Access control: accounts of 4.x, users and policies of 5.x."""

from ..codes import RequestCode
from ..declare import Action, Header, Resource, request


@request(RequestCode.UPDATE_AND_CREATE_ACL_CONFIG)
class UpdateAclConfig(Header, kw_only=True):
    """Create or change an account (4.x)."""

    access_key: str
    secret_key: str | None = None
    white_remote_address: str | None = None
    admin: bool = False
    default_topic_perm: str | None = None
    default_group_perm: str | None = None
    topic_perms: str | None = None
    group_perms: str | None = None


@request(RequestCode.DELETE_ACL_CONFIG)
class DeleteAclConfig(Header, kw_only=True):
    """Remove an account (4.x)."""

    access_key: str


@request(RequestCode.UPDATE_GLOBAL_WHITE_ADDRS_CONFIG)
class UpdateGlobalWhiteAddrs(Header, kw_only=True):
    """Set the addresses that need no account (4.x)."""

    global_white_addrs: str
    acl_file_full_path: str | None = None


class GetBrokerAclConfigResponse(Header, kw_only=True):
    """Which version of the account files a broker has (4.x)."""

    version: str
    all_acl_file_version: str | None = None
    broker_name: str
    broker_addr: str
    cluster_name: str


@request(RequestCode.AUTH_CREATE_USER, action=Action.UPDATE, scope=Resource.CLUSTER)
class CreateUser(Header, kw_only=True):
    """Add a user."""

    username: str | None = None


@request(RequestCode.AUTH_UPDATE_USER, action=Action.UPDATE, scope=Resource.CLUSTER)
class UpdateUser(Header, kw_only=True):
    """Change a user."""

    username: str | None = None


@request(RequestCode.AUTH_DELETE_USER, action=Action.UPDATE, scope=Resource.CLUSTER)
class DeleteUser(Header, kw_only=True):
    """Remove a user."""

    username: str | None = None


@request(RequestCode.AUTH_GET_USER, action=Action.GET, scope=Resource.CLUSTER)
class GetUser(Header, kw_only=True):
    """One user."""

    username: str | None = None


@request(RequestCode.AUTH_LIST_USER, action=Action.GET, scope=Resource.CLUSTER)
class ListUsers(Header, kw_only=True):
    """The users whose name contains a text."""

    filter: str | None = None


@request(RequestCode.AUTH_CREATE_ACL, action=Action.UPDATE, scope=Resource.CLUSTER)
class CreateAcl(Header, kw_only=True):
    """Give a subject its policies."""

    subject: str | None = None


@request(RequestCode.AUTH_UPDATE_ACL, action=Action.UPDATE, scope=Resource.CLUSTER)
class UpdateAcl(Header, kw_only=True):
    """Change the policies of a subject."""

    subject: str | None = None


@request(RequestCode.AUTH_DELETE_ACL, action=Action.UPDATE, scope=Resource.CLUSTER)
class DeleteAcl(Header, kw_only=True):
    """Remove policies of a subject."""

    subject: str | None = None
    policy_type: str | None = None
    resource: str | None = None


@request(RequestCode.AUTH_GET_ACL, action=Action.GET, scope=Resource.CLUSTER)
class GetAcl(Header, kw_only=True):
    """The policies of one subject."""

    subject: str | None = None


@request(RequestCode.AUTH_LIST_ACL, action=Action.GET, scope=Resource.CLUSTER)
class ListAcls(Header, kw_only=True):
    """The policies that match a subject and a resource."""

    subject_filter: str | None = None
    resource_filter: str | None = None
