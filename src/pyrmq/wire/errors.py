# SPDX-License-Identifier: Apache-2.0
"""What can go wrong between bytes and values.

Everything a peer can cause is a `WireError`: feeding arbitrary bytes to any decoder of this
package raises that family or nothing. How much harm is done decides the subclass:

- `FrameError` and `CommandError`: the byte stream cannot be trusted any more; close the connection.
- `HeaderError`, `BodyError` and `RecordError`: one request is unusable; answer it and go on.
"""


class WireError(Exception):
    """The peer sent bytes that do not follow the protocol."""


class FrameError(WireError):
    """A length prefix that no frame can have; the position in the stream is lost."""


class CommandError(WireError):
    """A whole frame whose header is broken."""


class HeaderError(WireError):
    """A command whose own fields are missing or malformed; names the field."""

    def __init__(self, header: str, field: str, problem: str) -> None:
        super().__init__(f"{header}: field {field} {problem}")
        self.field = field


class BodyError(WireError):
    """A command body that is not what its request code promises."""


class RecordError(WireError):
    """A message record, batch, property string or message id that is cut short or inconsistent."""
