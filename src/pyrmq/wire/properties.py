# SPDX-License-Identifier: Apache-2.0
"""The properties of a message as the one string that is sent and stored."""

from collections.abc import Mapping
from typing import Final

NAME_VALUE_SEPARATOR: Final = "\x01"
PROPERTY_SEPARATOR: Final = "\x02"

KEYS: Final = "KEYS"
TAGS: Final = "TAGS"
UNIQ_KEY: Final = "UNIQ_KEY"
WAIT: Final = "WAIT"
DELAY: Final = "DELAY"

MAX_BYTES: Final = 32767
"""The stored length is a signed 16-bit integer."""


def encode(properties: Mapping[str, str]) -> str:
    """Join properties; every one, the last too, ends with the separator, as 5.x writes it."""
    return "".join(f"{name}\x01{value}\x02" for name, value in properties.items())


def decode(text: str) -> dict[str, str]:
    """Split a properties string, skipping what the original skips: an empty name or value, no separator."""
    properties = {}
    for entry in text.split(PROPERTY_SEPARATOR):
        name, separator, value = entry.partition(NAME_VALUE_SEPARATOR)
        if separator and name and value:
            properties[name] = value
    return properties
