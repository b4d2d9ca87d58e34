# SPDX-License-Identifier: Apache-2.0
"""Java's string hash, and the order in which a Java hash map hands out its keys.

The hash decides tag codes and index slots on disk. The map order decides the order of ext fields in
a frame; reproducing it makes our frames equal to the original's byte for byte.
"""

from collections.abc import Iterable


def string_hash(text: str) -> int:
    """`String.hashCode`: 31-polynomial over UTF-16 units, as a signed 32-bit integer."""
    units = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (value * 31 + (high << 8 | low)) & 0xFFFFFFFF
    return value - 0x1_0000_0000 if value >= 0x8000_0000 else value


def hash_map_order(keys: Iterable[str], *, capacity: int = 16) -> list[str]:
    """The given distinct keys in the iteration order of a `java.util.HashMap` they were put into.

    Buckets are visited in order; within a bucket, insertion order holds (true below Java's threshold of
    eight colliding keys, where a bucket becomes a tree).
    """
    ordered = list(keys)
    while len(ordered) > capacity * 3 // 4:
        capacity *= 2
    return sorted(ordered, key=lambda key: _spread(string_hash(key)) & (capacity - 1))


def _spread(value: int) -> int:
    value &= 0xFFFFFFFF
    return value ^ value >> 16
