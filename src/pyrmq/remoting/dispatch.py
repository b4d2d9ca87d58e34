# SPDX-License-Identifier: Apache-2.0
"""From a request to its answer.

A handler is a plain function of the command and its connection. What it returns decides how it is answered:

- a `Reply`: encoded and sent with the other answers of the same read;
- `bytes`: an answer that is already a whole frame (the hot path formats its own);
- a coroutine (the handler is `async def`): run as a task of the connection, so that waiting holds up nobody;
- None: nothing now. The handler keeps the command and calls `Connection.answer` when the time has come.
"""

import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from ..wire import command as commands
from ..wire.codes import ResponseCode
from ..wire.command import JSON, OWN_VERSION, RESPONSE, Command
from ..wire.declare import Header
from ..wire.errors import WireError
from .errors import RequestError

if TYPE_CHECKING:
    from .connection import Connection

logger = logging.getLogger(__name__)


MAX_REMARK = 8192
"""Remarks repeat names that peers send; a header has no room for the longest of those."""


class Reply(msgspec.Struct):
    """The answer to a request, before it knows which request it answers."""

    code: int = ResponseCode.SUCCESS
    header: Header | None = None
    body: bytes = b""
    remark: str | None = None


Outcome: TypeAlias = Reply | bytes | Coroutine[Any, Any, Reply | None] | None
Handler: TypeAlias = Callable[[Command, "Connection"], Outcome]


class Dispatcher:
    """The table from request code to handler, and the border where exceptions become answers.

    Answers are written in the server's own header encoding whatever the request used, as 5.x does.
    """

    def __init__(self, handlers: Mapping[int, Handler], *, serialize_type: int = JSON) -> None:
        self._handlers = handlers
        self._serialize_type = serialize_type

    def handle(self, command: Command, connection: "Connection") -> bytes | None:
        """Answer one request as far as that is possible without waiting."""
        try:
            outcome = self._call_handler(command, connection)
            if outcome is None or isinstance(outcome, bytes):
                return outcome if not command.is_oneway else None
            if not isinstance(outcome, Reply):
                outcome = connection.start_waiting(command, outcome)
            return None if outcome is None else self.encode(command, outcome)
        except Exception as error:  # the border: whatever a handler raises is this request's failure alone
            return self.encode(command, failure(command, error))

    def _call_handler(self, command: Command, connection: "Connection") -> Outcome:
        handler = self._handlers.get(command.code)
        if handler is not None:
            return handler(command, connection)
        remark = f" request type {command.code} not supported"
        return Reply(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, remark=remark)

    def encode(self, command: Command, reply: Reply) -> bytes | None:
        """The frame that carries `reply` to the sender of `command`, None if it expects none."""
        if command.is_oneway:
            return None
        return commands.encode(
            Command(
                code=reply.code,
                flag=RESPONSE,
                opaque=command.opaque,
                version=OWN_VERSION,
                remark=reply.remark and reply.remark[:MAX_REMARK],
                ext=None if reply.header is None else reply.header.to_ext(),
                body=reply.body,
                serialize_type=self._serialize_type,
            )
        )


def failure(command: Command, error: Exception) -> Reply:
    """The answer to a request whose handler raised `error`."""
    if isinstance(error, RequestError):
        return Reply(error.code, remark=error.remark)
    if isinstance(error, WireError):
        return Reply(ResponseCode.SYSTEM_ERROR, remark=str(error))
    logger.error("request %d failed", command.code, exc_info=error)
    return Reply(ResponseCode.SYSTEM_ERROR, remark=f"{type(error).__name__}: {error}")
