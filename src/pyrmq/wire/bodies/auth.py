# SPDX-License-Identifier: Apache-2.0
"""Access control: users and policies of 5.x, accounts of 4.x."""

from ..javajson import Body
from .data_version import DataVersion


class UserInfo(Body, kw_only=True):
    """A user: type `Super` or `Normal`, status `enable` or `disable`."""

    username: str | None = None
    password: str | None = None
    user_type: str | None = None
    user_status: str | None = None


class PolicyEntryInfo(Body, kw_only=True):
    """What is allowed or denied on one resource."""

    resource: str | None = None
    actions: list[str] | None = None
    source_ips: list[str] | None = None
    decision: str | None = None


class PolicyInfo(Body, kw_only=True):
    """A set of entries, `Custom` or `Default`."""

    policy_type: str | None = None
    entries: list[PolicyEntryInfo] | None = None


class AclInfo(Body, kw_only=True):
    """The policies of one subject, which is written `User:name`."""

    subject: str | None = None
    policies: list[PolicyInfo] | None = None


class PlainAccessConfig(Body, kw_only=True):
    """An account of 4.x."""

    access_key: str | None = None
    secret_key: str | None = None
    white_remote_address: str | None = None
    admin: bool = False
    default_topic_perm: str | None = None
    default_group_perm: str | None = None
    topic_perms: list[str] | None = None
    group_perms: list[str] | None = None


class GetBrokerClusterAclConfigResponseBody(Body, kw_only=True):
    """All accounts of a broker, and the addresses that need none (4.x)."""

    global_white_addrs: list[str] | None = None
    plain_access_configs: list[PlainAccessConfig] | None = None


class ClusterAclVersionInfo(Body, kw_only=True):
    """Which version of the account files a broker has."""

    broker_name: str | None = None
    broker_addr: str | None = None
    acl_config_data_version: DataVersion | None = None
    all_acl_config_data_version: dict[str, DataVersion] | None = None
    cluster_name: str | None = None
