# SPDX-License-Identifier: Apache-2.0
"""What can go wrong with a store; every message names the file or the remedy."""


class StoreError(Exception):
    """The store cannot be used as it is."""


class StoreLockedError(StoreError):
    """Another process has the store open."""


class DamagedFileError(StoreError):
    """A file that is not what its name says: wrong size, foreign content, unreadable."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
