# SPDX-License-Identifier: Apache-2.0
"""The properties of one process: defaults, then file, environment and command line, each checked.

All values are kept as text under RocketMQ's names, because that is how they are listed to administrators;
code reads them through a typed `Settings` class that names the ones that have an effect.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Self

import msgspec

from . import properties, reference


class SettingsError(Exception):
    """A property that cannot be used; says which, where it was set and what it should be."""


class Settings(msgspec.Struct, rename="camel"):
    """Base of typed settings. Field names are the original's in snake case, defaults are the original's."""

    @classmethod
    def names(cls) -> set[str]:
        """The properties that have an effect through this class."""
        return {field.encode_name for field in msgspec.structs.fields(cls)}

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Self:
        """Make settings of checked text values."""
        settings = cls()
        settings.update(values)
        return settings

    def update(self, values: Mapping[str, str]) -> None:
        """Take over those of the checked text values that are declared here."""
        for field in msgspec.structs.fields(type(self)):
            if field.encode_name in values:
                setattr(self, field.name, _PARSERS[_type_name(field.type)](values[field.encode_name]))


class Configuration:
    """All properties of a process by name. Collects what was set to no effect, for the start-up message."""

    def __init__(self, *sections: str, used: set[str], defaults: Mapping[str, str] | None = None) -> None:
        self._known = reference.section(*sections)
        self._used = used
        self.values: dict[str, str] = {}
        for known in self._known.values():
            if known.default is not None:
                self.values[known.name] = reference.on_this_machine(known.default)
        self.values.update(defaults or {})
        self.without_effect: list[str] = []
        self.unknown: dict[str, str | None] = {}
        """Names that RocketMQ does not know either, with the nearest one it does."""

    def set(self, given: Mapping[str, str], source: str) -> None:
        """Lay `given` over the present values. Raises `SettingsError` for an ill-typed one."""
        for name, value in given.items():
            known = self._known.get(name)
            text = value.strip()
            if known is not None:
                problem = self._problem(known.type, text)
                if problem:
                    raise SettingsError(f"{source}: {name} must be {problem}, got {text!r}")
            elif name not in self._used:
                self._note_unknown(name)
            if known is not None and name not in self._used and name not in self.without_effect:
                self.without_effect.append(name)
            self.values[name] = text

    def set_from_text(self, text: str, source: str) -> None:
        """Lay the properties of a file over the present values. Raises `SettingsError`."""
        try:
            given = properties.loads(text)
        except ValueError as error:
            raise SettingsError(f"{source}: {error}") from None
        self.set(given, source)

    def change(self, given: Mapping[str, str]) -> list[str]:
        """Change values in a running process; unknown and ill-typed ones are left out and returned.

        This is lenient where `set` is strict, because the original answers such requests with success.
        """
        refused = []
        for name, value in given.items():
            known = self._known.get(name)
            is_known = known is not None or name in self.values
            if not is_known or (known is not None and self._problem(known.type, value.strip())):
                refused.append(name)
            else:
                self.values[name] = value.strip()
        return refused

    def text(self) -> str:
        """All properties as the original lists them."""
        return properties.dumps(self.values)

    def warnings(self) -> Iterator[str]:
        """What a person should know about the properties that were set."""
        for name, nearest in self.unknown.items():
            hint = f"; did you mean {nearest}?" if nearest else ""
            yield f"unknown property {name}{hint}"
        if self.without_effect:
            yield f"accepted, no effect: {', '.join(sorted(self.without_effect))}"

    def _note_unknown(self, name: str) -> None:
        if name in reference.catalogue():
            # It belongs to another process, as when one file configures broker and name server.
            if name not in self.without_effect:
                self.without_effect.append(name)
            return
        candidates = [*self._known, *self._used, *reference.catalogue()]
        nearest = get_close_matches(name, candidates, n=1)
        self.unknown[name] = nearest[0] if nearest else None

    @staticmethod
    def _problem(type_name: str, text: str) -> str | None:
        try:
            _PARSERS[type_name](text)
        except ValueError as error:
            return str(error)
        return None


def _integer(bits: int) -> Any:
    def parse(text: str) -> int:
        try:
            value = int(text) if text.isascii() and "_" not in text else None
        except ValueError:
            value = None
        if value is None or not -(1 << bits - 1) <= value < 1 << bits - 1:
            raise ValueError(f"a {bits}-bit integer")
        return value

    return parse


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("true or false")
    return text.lower() == "true"


def _double(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("a number") from None


_PARSERS: dict[str, Any] = {
    "String": str,
    "boolean": _boolean,
    "int": _integer(32),
    "long": _integer(64),
    "double": _double,
}


def _type_name(annotation: Any) -> str:
    return {str: "String", bool: "boolean", int: "long", float: "double"}[annotation]
