# SPDX-License-Identifier: Apache-2.0
"""Tables of names and values."""

from msgspec import field

from ..javajson import Body


class KVTable(Body, kw_only=True):
    """Names and values: a namespace of the name server, or the figures of a broker."""

    table: dict[str, str] = field(default_factory=dict)


class KVConfigSerializeWrapper(Body, kw_only=True):
    """All namespaces of the name server: the shape of kvConfig.json."""

    config_table: dict[str, dict[str, str]] | None = None
