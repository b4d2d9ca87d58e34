# SPDX-License-Identifier: Apache-2.0
"""Replacing a small file so that a crash at any moment leaves the old or the new content, never a mixture."""

import os
import shutil
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in place of the file at `path`.

    Creates missing folders. Raises `OSError` as the system gives it, with the file untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    _write_synced(temporary, content)
    temporary.replace(path)
    _sync_directory(path.parent)


def replace_keeping_backup(path: Path, content: bytes) -> None:
    """Like `replace_file`; what was there becomes `<name>.bak`."""
    if path.exists():
        shutil.copyfile(path, path.with_name(path.name + ".bak"))
    replace_file(path, content)


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
