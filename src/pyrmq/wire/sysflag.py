# SPDX-License-Identifier: Apache-2.0
"""Bits of a message's sysFlag."""

from enum import IntEnum
from typing import Final

COMPRESSED: Final = 0x1
MULTI_TAGS: Final = 0x2
TRANSACTION_MASK: Final = 0xC
BORN_HOST_V6: Final = 0x10
STORE_HOST_V6: Final = 0x20
NEED_UNWRAP: Final = 0x40
INNER_BATCH: Final = 0x80
COMPRESSION_MASK: Final = 0x700
COMPRESSION_SHIFT: Final = 8


class Transaction(IntEnum):
    """The transaction state in bits 2 and 3."""

    NONE = 0
    PREPARED = 0x4
    COMMIT = 0x8
    ROLLBACK = 0xC


def transaction_of(sys_flag: int) -> Transaction:
    """The transaction state that a sysFlag tells."""
    return Transaction(sys_flag & TRANSACTION_MASK)


def with_transaction(sys_flag: int, state: Transaction) -> int:
    """The same flags with another transaction state."""
    return sys_flag & ~TRANSACTION_MASK | state
