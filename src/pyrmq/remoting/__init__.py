# SPDX-License-Identifier: Apache-2.0
"""The Trio shell around `wire`: the only package that owns sockets.

`Server` accepts and `Client` dials; both run a `Connection`, which is symmetric: either side may send
requests. `Dispatcher` maps a request code to the plain function that answers it.
"""

from .client import Client, open_client
from .connection import Connection
from .dispatch import Dispatcher, Handler, Reply
from .errors import CallTimeoutError, ListenError, NotConnectedError, RequestError
from .limits import Limits
from .server import Server

__all__ = [
    "CallTimeoutError",
    "Client",
    "Connection",
    "Dispatcher",
    "Handler",
    "Limits",
    "ListenError",
    "NotConnectedError",
    "Reply",
    "RequestError",
    "Server",
    "open_client",
]
