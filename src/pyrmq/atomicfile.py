# SPDX-License-Identifier: Apache-2.0
"""Replacing a small file so that a crash at any moment leaves the old or the new content, never a mixture."""

import os
import shutil
from pathlib import Path


def replace_keeping_backup(path: Path, content: bytes) -> None:
    """Put `content` in place of the file at `path`; what was there becomes `<name>.bak`.

    Creates missing folders. Raises `OSError` as the system gives it, with the file untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    _write_synced(temporary, content)
    if path.exists():
        backup = path.with_name(path.name + ".bak")
        shutil.copyfile(path, backup)
    temporary.replace(path)
    _sync_directory(path.parent)


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
