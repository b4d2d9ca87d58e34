# SPDX-License-Identifier: Apache-2.0
"""The version stamp that tables carry, so that a peer can tell whether its copy is out of date."""

from ..javajson import Body


class DataVersion(Body, kw_only=True):
    """Version of a table. Two stamps are equal when all three numbers are."""

    state_version: int = 0
    timestamp: int = 0
    counter: int = 0

    def advance(self, now_ms: int, state_version: int = 0) -> None:
        """Note a change of the table, made at `now_ms`."""
        self.timestamp = now_ms
        self.state_version = state_version
        self.counter += 1

    def assign(self, other: "DataVersion") -> None:
        """Take over the stamp of a table that was copied."""
        self.timestamp = other.timestamp
        self.state_version = other.state_version
        self.counter = other.counter

    def rank(self) -> tuple[int, int, int]:
        """What decides which of two stamps is the later one."""
        return self.state_version, self.counter, self.timestamp
