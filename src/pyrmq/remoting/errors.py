# SPDX-License-Identifier: Apache-2.0
"""Failures of requests: those we answer with, and those we meet as a caller."""

from ..wire.codes import ResponseCode


class RequestError(Exception):
    """Raised by a handler: the request is answered with this code and remark, and nothing else happens."""

    def __init__(self, code: ResponseCode, remark: str) -> None:
        super().__init__(remark)
        self.code = code
        self.remark = remark


class ListenError(Exception):
    """A port cannot be listened on; says which, why, and what to do."""


class NotConnectedError(Exception):
    """There is no connection to the peer, or it was lost before the answer came."""


class CallTimeoutError(Exception):
    """The peer did not answer in time."""
