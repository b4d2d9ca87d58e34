# SPDX-License-Identifier: Apache-2.0
"""Good bytes made bad, as hostile or broken peers would send them."""

import random

TOKENS = [
    *(b"{", b"}", b"[", b"]", b":", b",", b'"', b"'", b"\\", b"\\u", b"\\ud800", b"\\udc00", b"\\x", b"\0"),
    *(b"null", b"true", b"NaN", b"Infinity", b"-", b"1e999", b"-0", b"9" * 25, b"9" * 400, b"1" * 50),
    *(b"{{}:1}", b'{"a":1}', b"[" * 70, b'{"a":' * 70, b"{a:" * 20, b"\xff", b"\xc3", b"\xed\xa0\x80"),
    *(
        b"\xef\xbb\xbf",
        "１２".encode(),
        "\u2028".encode(),
        b"\x01",
        b"\x02",
        b"\r\n",
        b"/*",
        b"L",
        b"1L",
        b" ",
    ),
]
LENGTHS = [-(2**31), -1, 0, 1, 3, 4, 5, 0x7F, 0x80, 0x7FFF, 0x8000, 0xFFFF, 0xFFFFFF, 0x1000000, 2**31 - 1]


def mutate(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """`data` after one to four random wrongs."""
    work = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        place = chance.randrange(len(work) + 1)
        stop = min(len(work), place + chance.choice((1, 1, 2, 4, 8, 40)))
        match chance.randrange(10):
            case 0 if place < len(work):
                work[place] ^= 1 << chance.randrange(8)
            case 1 if place < len(work):
                work[place] = chance.randrange(256)
            case 2:
                work[place:place] = chance.randbytes(chance.choice((1, 2, 4, 16)))
            case 3:
                del work[place:stop]
            case 4:
                del work[place:]
            case 5:
                work[place:place] = work[place:stop]
            case 6:
                other = chance.choice(others)
                work[place:] = other[chance.randrange(len(other) + 1) :]
            case 7:
                size = chance.choice((1, 2, 4))
                number = chance.choice(LENGTHS) + chance.choice((0, 0, len(work)))
                work[place : place + size] = (number & (1 << 8 * size) - 1).to_bytes(size, "big")
            case 8:
                # Count a length near to what is there up or down: the wrongs that pass the first checks.
                if place + 4 <= len(work):
                    number = int.from_bytes(work[place : place + 4], "big") + chance.choice((-4, -1, 1, 4))
                    work[place : place + 4] = (number & 0xFFFFFFFF).to_bytes(4, "big")
            case _:
                work[place:place] = chance.choice(TOKENS)
    return bytes(work)


def soup(chance: random.Random) -> bytes:
    """Tokens that mean something to the JSON reader, in no order."""
    return b"".join(chance.choices(TOKENS, k=chance.randrange(1, 20)))


def noise(chance: random.Random) -> bytes:
    return chance.randbytes(chance.choice((0, 1, 3, 4, 8, 30, 100, 300)))
