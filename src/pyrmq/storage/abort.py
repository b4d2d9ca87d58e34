# SPDX-License-Identifier: Apache-2.0
"""The file `abort`: there while a store is open, so that finding it at the start means that nobody closed it.

Only its existence means anything to the original. We also note in it which run of the operating system it
was: if that is still the same, then a killed process lost nothing that it had written to mapped files.
"""

from pathlib import Path
from typing import Final

from .vfs import FileSystem

PATH: Final = "abort"
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class AbortFile:
    """The state in which the store was left, and the flag for as long as it is open."""

    def __init__(self, fs: FileSystem) -> None:
        self._fs = fs
        self._mark = f"pyrmq {_boot_id()}".encode()
        self.stopped_cleanly = fs.size(PATH) is None
        self.memory_survived = not self.stopped_cleanly and fs.read(PATH) == self._mark

    def raise_(self) -> None:
        """Say that the store is open."""
        self._fs.replace(PATH, self._mark)

    def lower(self) -> None:
        """Say that it was closed in order."""
        self._fs.remove(PATH)


def _boot_id() -> str:
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return "unknown"
