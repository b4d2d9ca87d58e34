# SPDX-License-Identifier: Apache-2.0
"""Java's string hash, and the order in which a Java hash map hands out its keys.

The hash decides tag codes and index slots on disk. The map order decides the order of ext fields in
a frame; reproducing it makes our frames equal to the original's byte for byte.
"""

import sys
from collections.abc import Iterable
from functools import lru_cache
from operator import mul
from typing import Final

_NATIVE_UTF16: Final = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"


def string_hash(text: str) -> int:
    """`String.hashCode`: 31-polynomial over UTF-16 units, as a signed 32-bit integer."""
    if text.isascii():
        units: Iterable[int] = text.encode()
        count = len(text)
    else:
        units = memoryview(text.encode(_NATIVE_UTF16, "surrogatepass")).cast("H")
        count = len(units)
    # A dot product with the powers of 31: one pass in C instead of a loop over characters.
    value = int(sum(map(mul, units, _powers(count)))) & 0xFFFFFFFF
    return value - 0x1_0000_0000 if value >= 0x8000_0000 else value


@lru_cache(maxsize=512)
def _powers(count: int) -> tuple[int, ...]:
    """31 to the power of count - 1 down to 0, modulo 2**32."""
    powers = [1]
    for _ in range(count - 1):
        powers.append(powers[-1] * 31 & 0xFFFFFFFF)
    return tuple(reversed(powers[:count]))


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
