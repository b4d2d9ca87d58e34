# SPDX-License-Identifier: Apache-2.0
"""File systems behind one interface: the real one, one in memory, and those that fail on purpose."""

from .interface import FileSystem, Lock, MappedFile
from .memory import MemoryFileSystem
from .real import RealFileSystem

__all__ = ["FileSystem", "Lock", "MappedFile", "MemoryFileSystem", "RealFileSystem"]
