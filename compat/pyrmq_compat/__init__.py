# SPDX-License-Identifier: Apache-2.0
"""The real Apache RocketMQ as a test partner.

`jars` finds its jars and compiles our Java helpers, `reference` runs its servers and mqadmin,
`clients` and `admin` run its clients and many mqadmin commands, `oracle` asks its classes single questions,
`golden` writes down what they produce.
Standard library only; needs a JDK (11 or newer) and Maven the first time.
"""

from .admin import AdminSession
from .clients import Traffic, send_and_receive
from .jars import VERSIONS, ReferenceUnavailable
from .oracle import Oracle, OracleError
from .reference import Cluster, Reference, StartError, mqadmin, start_broker, start_cluster, start_namesrv

__all__ = [
    "VERSIONS",
    "AdminSession",
    "Cluster",
    "Oracle",
    "OracleError",
    "Reference",
    "ReferenceUnavailable",
    "StartError",
    "Traffic",
    "mqadmin",
    "send_and_receive",
    "start_broker",
    "start_cluster",
    "start_namesrv",
]
