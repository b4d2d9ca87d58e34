# SPDX-License-Identifier: Apache-2.0
"""Java's `.properties` text: comments, continued lines, escapes, three ways to separate key and value."""

import re
from collections.abc import Iterator, Mapping

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_KEY_END = re.compile(r"(?<!\\)(?:\\\\)*[=: \t\f]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


def loads(text: str) -> dict[str, str]:
    """Read properties as `java.util.Properties.load` does. Raises `ValueError` on a broken unicode escape."""
    properties = {}
    for line in _logical_lines(text):
        end = _KEY_END.search(line)
        key, rest = (line, "") if end is None else (line[: end.end() - 1], line[end.end() - 1 :])
        rest = rest.lstrip(" \t\f")
        if rest[:1] in ("=", ":"):
            rest = rest[1:].lstrip(" \t\f")
        properties[_unescape(key)] = _unescape(rest)
    return properties


def dumps(properties: Mapping[str, str]) -> str:
    """Write `key=value` lines sorted by key and nothing escaped, as the original answers config requests."""
    return "".join(f"{key}={properties[key]}\n" for key in sorted(properties))


def _logical_lines(text: str) -> Iterator[str]:
    pending = ""
    for line in re.split(r"\r\n|\r|\n", text):
        stripped = line.lstrip(" \t\f")
        if not pending and (not stripped or stripped[0] in "#!"):
            continue
        pending += stripped
        trailing = len(pending) - len(pending.rstrip("\\"))
        if trailing % 2:
            pending = pending[:-1]
            continue
        yield pending
        pending = ""
    if pending:
        yield pending


def _unescape(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        escape = match.group(1)
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        if escape == "u":
            raise ValueError(f"malformed \\uxxxx escape in {text!r}")
        return _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(replace, text)
