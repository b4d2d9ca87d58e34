# SPDX-License-Identifier: Apache-2.0
"""The JSON dialect of RocketMQ's bodies and configuration files.

The original writes with fastjson: bean properties in alphabetical order, nulls left out, compact, and two
shapes that standard JSON forbids: integer map keys without quotes, and whole objects as map keys. It reads
those and a little more. `dumps` writes that dialect, `loads` reads it as well as standard JSON, and `decode`
turns either into a declared body.
"""

import math
import re
from collections.abc import Callable, Hashable
from enum import Enum
from functools import cache, partial
from operator import itemgetter
from typing import Any, ClassVar, Final, Self, TypeVar

import msgspec

from .errors import BodyError

BodyType = TypeVar("BodyType")

MAX_DEPTH: Final = 64
"""How deep arrays and objects may nest: far beyond any real body, far below the interpreter's stack."""


class Body(msgspec.Struct, rename="camel"):
    """Base of everything declared in `bodies`: a JSON object with camel-case keys."""

    object_key: ClassVar[type | None] = None
    """The type of the objects that serve as map keys somewhere in this body, if any do."""

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read this body from the bytes of a command. Raises `BodyError`."""
        return decode(data, cls, cls.object_key)

    def encode(self, *, standard: bool = False) -> bytes:
        """Write this body as the original would; `standard` puts integer keys in quotes."""
        return dumps(self, standard=standard)


def decode(data: bytes, body_type: type[BodyType], object_key: type | None = None) -> BodyType:
    """Read `data`, in the standard or in fastjson's form, as a `body_type`. Raises `BodyError`."""
    try:
        return msgspec.json.decode(data, type=body_type, strict=False)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        make_key = partial(msgspec.convert, type=object_key, strict=False) if object_key else ObjectKey.of
        return msgspec.convert(without_nulls(loads(data, make_key)), body_type, strict=False)
    except msgspec.ValidationError as error:
        raise BodyError(f"body is no {body_type.__name__}: {error}") from None


def without_nulls(value: Any) -> Any:
    """The same value with null members dropped: the original takes a null for an absent property."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


# --- writing ---------------------------------------------------------------------------------------------

_encode_scalar = msgspec.json.Encoder().encode


def dumps(value: object, *, standard: bool = False) -> bytes:
    """Write `value` compactly. With `standard`, maps are sorted and integer keys get quotes."""
    return _text(value, standard).encode()


def dumps_pretty(value: object) -> bytes:
    """Write `value` as the original formats its configuration files: tabs, one member a line."""
    return _pretty(value, "\n").encode()


@cache
def _members(struct: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """The text before each value of an object, in writing order, and the attribute that holds the value."""
    fields = sorted(msgspec.structs.fields(struct), key=lambda field: field.encode_name)
    return tuple((f'"{field.encode_name}":', field.name) for field in fields)


def _text(value: Any, standard: bool) -> str:
    kind = type(value)
    if kind is str or kind is int:
        return _encode_scalar(value).decode()
    if issubclass(kind, msgspec.Struct):
        parts = []
        for before, attribute in _members(kind):
            item = getattr(value, attribute)
            if item is not None:
                parts.append(before + _text(item, standard))
        return "{" + ",".join(parts) + "}"
    if kind is dict:
        pairs = [(key, item) for key, item in value.items() if item is not None]
        if standard:
            pairs.sort(key=itemgetter(0))
        return "{" + ",".join([f"{_key(key, standard)}:{_text(item, standard)}" for key, item in pairs]) + "}"
    if kind in _SEQUENCES:
        return "[" + ",".join([_text(item, standard) for item in value]) + "]"
    return _scalar_text(value)


def _pretty(value: Any, newline: str) -> str:
    inner = newline + "\t"
    if isinstance(value, msgspec.Struct):
        named = ((before, getattr(value, attribute)) for before, attribute in _members(type(value)))
        parts = [before + _pretty(item, inner) for before, item in named if item is not None]
    elif value == {}:
        return "{}"  # but an object without members and an empty list get an empty line inside
    elif isinstance(value, dict):
        pairs = ((key, item) for key, item in value.items() if item is not None)
        parts = [f"{_pretty(key, inner)}:{_pretty(item, inner)}" for key, item in pairs]
    elif isinstance(value, list | set | frozenset):
        return "[" + inner + ("," + inner).join([_pretty(item, inner) for item in value]) + newline + "]"
    else:
        # A tuple stands for a Java array of numbers, which the original keeps on one line.
        return _text(value, False)
    return "{" + inner + ("," + inner).join(parts) + newline + "}"


_SEQUENCES: Final = frozenset((list, tuple, set, frozenset))


def _key(key: object, standard: bool) -> str:
    return f'"{key}"' if standard and type(key) is int else _text(key, standard)


def _scalar_text(value: object) -> str:
    if isinstance(value, Enum):
        value = value.name
    if isinstance(value, float):
        # Java prints 0.0 and 1.0E10 where Python prints 0.0 and 10000000000.0; both read back the same.
        return repr(value) if math.isfinite(value) else "null"
    return _encode_scalar(value).decode()


# --- reading ---------------------------------------------------------------------------------------------


class ObjectKey(msgspec.Struct, frozen=True):
    """A JSON object that stood where a map key belongs: its members as sorted pairs."""

    members: tuple[tuple[str, object], ...]

    @classmethod
    def of(cls, members: dict[Any, Any]) -> Self:
        """The key for an object with these members, which must be plain values to be comparable."""
        if any(isinstance(item, dict | list) for item in members.values()):
            raise BodyError("an object used as a map key must hold plain values only")
        pairs = ((str(key), item) for key, item in members.items())
        return cls(tuple(sorted(pairs, key=itemgetter(0))))


MakeKey = Callable[[dict[Any, Any]], Hashable]


def loads(data: bytes, make_key: MakeKey = ObjectKey.of) -> Any:
    """Read JSON, standard or fastjson's; `make_key` turns an object in a key's place into something hashable.

    Raises `BodyError` with the position of the first flaw.
    """
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    else:
        _check_depth(value)
        return value
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BodyError(f"body is not UTF-8: {error}") from None
    return _Reader(text, make_key).document()


def _check_depth(value: object) -> None:
    """Hold what the fast reader read to the same depth as the other; `without_nulls` and `dumps` recurse."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        maps = [item for item in level if isinstance(item, dict)]
        lists = [item for item in level if isinstance(item, list)]
        level = [inner for each in maps for inner in each.values()]
        level += [inner for each in lists for inner in each]
        if not level:
            return
    raise BodyError(_TOO_DEEP)


_TOO_DEEP = f"JSON is nested deeper than {MAX_DEPTH} levels"
_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$.\-]*")
_PLAIN = {quote: re.compile(rf"[^{quote}\\]*") for quote in "\"'"}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None, "NaN": None}


class _Reader:
    """A recursive-descent reader of the dialect, used only after the fast standard reader gave up."""

    def __init__(self, text: str, make_key: MakeKey) -> None:
        self._text = text
        self._make_key = make_key
        self._at = 0
        self._depth = 0

    def document(self) -> Any:
        value = self._value()
        if self._peek():
            raise self._flaw("nothing more")
        return value

    def _value(self) -> Any:
        character = self._peek()
        if character == "{":
            return self._nested(self._object)
        if character == "[":
            return self._nested(self._array)
        if character in _PLAIN:
            return self._string(character)
        if match := _NUMBER.match(self._text, self._at):
            return self._number(match)
        if (match := _WORD.match(self._text, self._at)) and match.group() in _WORDS:
            self._at = match.end()
            return _WORDS[match.group()]
        raise self._flaw("a value")

    def _nested(self, read: Callable[[], Any]) -> Any:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BodyError(_TOO_DEEP)
        self._at += 1
        value = read()
        self._depth -= 1
        return value

    def _object(self) -> dict[Any, Any]:
        members = {}
        while self._peek() != "}":
            key = self._key()
            self._expect(":")
            members[key] = self._value()
            if self._peek() == ",":
                self._at += 1
            elif self._peek() != "}":
                raise self._flaw("',' or '}'")
        self._at += 1
        return members

    def _array(self) -> list[Any]:
        items = []
        while self._peek() != "]":
            items.append(self._value())
            if self._peek() == ",":
                self._at += 1
            elif self._peek() != "]":
                raise self._flaw("',' or ']'")
        self._at += 1
        return items

    def _key(self) -> Hashable:
        character = self._peek()
        if character in _PLAIN:
            return self._string(character)
        if character == "{":
            return self._make_key(self._nested(self._object))
        if match := _NUMBER.match(self._text, self._at) or _WORD.match(self._text, self._at):
            self._at = match.end()
            return match.group()
        raise self._flaw("a key")

    def _string(self, quote: str) -> str:
        self._at += 1
        parts = []
        while True:
            match = _PLAIN[quote].match(self._text, self._at)
            assert match is not None
            parts.append(match.group())
            self._at = match.end()
            if self._at >= len(self._text):
                raise self._flaw(f"closing {quote}")
            self._at += 1
            if self._text[self._at - 1] == quote:
                # Escaped surrogate pairs arrive as two halves; joining them makes one character again.
                joined = "".join(parts)
                return joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            parts.append(self._escape())

    def _escape(self) -> str:
        letter = self._text[self._at : self._at + 1]
        self._at += 1
        if letter in ("u", "x"):
            digits = self._text[self._at : self._at + (4 if letter == "u" else 2)]
            if not re.fullmatch(r"[0-9a-fA-F]{4}|[0-9a-fA-F]{2}", digits):
                raise self._flaw("hexadecimal digits")
            self._at += len(digits)
            return chr(int(digits, 16))
        if not letter:
            raise self._flaw("an escaped character")
        return _ESCAPES.get(letter, letter)

    def _number(self, match: re.Match[str]) -> int | float:
        text = match.group()
        if len(text) > 40:
            raise self._flaw("a number of sensible length")
        self._at = match.end()
        # fastjson accepts a type suffix behind a number.
        if self._text[self._at : self._at + 1] in ("L", "S", "B", "D", "F"):
            self._at += 1
        return float(text) if match.group(1) or match.group(2) else int(text)

    def _peek(self) -> str:
        match = _BLANK.match(self._text, self._at)
        assert match is not None
        self._at = match.end()
        return self._text[self._at : self._at + 1]

    def _expect(self, character: str) -> None:
        if self._peek() != character:
            raise self._flaw(repr(character))
        self._at += 1

    def _flaw(self, wanted: str) -> BodyError:
        found = self._text[self._at : self._at + 20]
        return BodyError(f"broken JSON at character {self._at}: expected {wanted}, found {found!r}")
