# SPDX-License-Identifier: Apache-2.0
"""One frame as a value: the remoting command, and both encodings of its header.

A request and its response have the same shape; `opaque` ties them together. Ext fields stay strings here:
`headers` gives them types, and only for the requests whose handler asks.
"""

import struct
from struct import Struct
from typing import Annotated, Final

import msgspec

from . import javajson
from .codes import LanguageCode, SerializeType, Version
from .errors import BodyError, CommandError
from .frames import PREFIX_BYTES

OWN_VERSION: Final = Version.V5_5_0
"""The version we present. Java clients unlock features by it (SQL92 subscriptions need 232 or more)."""

# Plain integers: operations on enum members cost more than the rest of the fast path's bookkeeping.
RESPONSE: Final = 1
ONEWAY: Final = 2
JSON: Final = int(SerializeType.JSON)
ROCKETMQ: Final = int(SerializeType.ROCKETMQ)

_Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]


class Command(msgspec.Struct):
    """A request or response. `language` is None when the peer named one that nobody knows."""

    code: _Int32 = 0
    flag: _Int32 = 0
    opaque: _Int32 = 0
    language: str | int | None = "JAVA"
    version: _Int32 = 0
    remark: str | None = None
    ext: dict[str, str] | None = msgspec.field(name="extFields", default=None)
    body: bytes = b""
    serialize_type: int = JSON

    @property
    def is_response(self) -> bool:
        """Whether this answers a request of ours."""
        return self.flag & RESPONSE != 0

    @property
    def is_oneway(self) -> bool:
        """Whether the sender waits for no answer."""
        return self.flag & ONEWAY != 0


_LANGUAGES: Final = {language.name: language.value for language in LanguageCode}
_LANGUAGE_NAMES: Final = tuple(_LANGUAGES)

_head = Struct(">I")
_prefix = Struct(">II")
_fixed = Struct(">hbhiii")  # code, language, version, opaque, flag, remark length
_length = Struct(">i")
_key_length = Struct(">h")
_json_decoder = msgspec.json.Decoder(Command)
_json_text = msgspec.json.Encoder().encode


def decode(frame: bytes) -> Command:
    """Read one frame, given without its length prefix. Raises `CommandError`."""
    try:
        (head,) = _head.unpack_from(frame)
    except struct.error:
        raise CommandError(f"frame of {len(frame)} bytes is too short for a header") from None
    serialize_type = head >> 24
    body_start = 4 + (head & 0xFFFFFF)
    if body_start > len(frame):
        raise CommandError(f"header length {body_start - 4} exceeds the frame of {len(frame)} bytes")
    header = frame[4:body_start]
    if serialize_type == JSON:
        command = _decode_json(header)
    elif serialize_type == ROCKETMQ:
        command = _decode_binary(header)
    else:
        raise CommandError(f"unknown header encoding {serialize_type}")
    command.body = frame[body_start:]
    command.serialize_type = serialize_type
    return command


def encode(command: Command) -> bytes:
    """Write one whole frame, length prefix included, in the encoding the command names."""
    header = _encode_json(command) if command.serialize_type == JSON else _encode_binary(command)
    mark = command.serialize_type << 24 | len(header)
    length = PREFIX_BYTES + len(header) + len(command.body)
    return b"".join((_prefix.pack(length, mark), header, command.body))


# --- the JSON header -------------------------------------------------------------------------------------


def _decode_json(header: bytes) -> Command:
    try:
        command = _json_decoder.decode(header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        command = _decode_json_leniently(header)
    if command.language not in _LANGUAGES:
        command.language = _language_name(command.language)
    return command


def _decode_json_leniently(header: bytes) -> Command:
    """Read what the original reads too: ext values that are no strings, unquoted keys, nulls."""
    try:
        fields = javajson.loads(header)
        if not isinstance(fields, dict):
            raise CommandError("header is not a JSON object")
        ext = fields.get("extFields")
        if isinstance(ext, dict):
            present = javajson.without_nulls(ext).items()
            fields["extFields"] = {_scalar(key): _scalar(value) for key, value in present}
        fields.pop("body", None)
        return msgspec.convert(javajson.without_nulls(fields), Command, strict=False)
    except (BodyError, msgspec.ValidationError) as error:
        raise CommandError(f"broken JSON header: {error}") from None


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else javajson.dumps(value).decode()


def _encode_json(command: Command) -> bytes:
    # Keys in alphabetical order and absent values left out, as the original's JSON library does it.
    parts = [b'{"code":%d' % command.code]
    if command.ext is not None:
        parts.append(b'"extFields":' + _json_text(command.ext))
    parts.append(b'"flag":%d' % command.flag)
    if command.language is not None:
        parts.append(b'"language":' + _json_text(command.language))
    parts.append(b'"opaque":%d' % command.opaque)
    if command.remark is not None:
        parts.append(b'"remark":' + _json_text(command.remark))
    parts.append(b'"serializeTypeCurrentRPC":"JSON","version":%d}' % command.version)
    return b",".join(parts)


# --- the ROCKETMQ (binary) header ------------------------------------------------------------------------


def _decode_binary(header: bytes) -> Command:
    try:
        code, language, version, opaque, flag, remark_length = _fixed.unpack_from(header)
        ext_start = _fixed.size + remark_length + _length.size
        (ext_length,) = _length.unpack_from(header, ext_start - _length.size)
        if remark_length < 0 or ext_length < 0 or ext_start + ext_length > len(header):
            raise CommandError("broken binary header: a length points outside of it")
        remark = str(header[_fixed.size : ext_start - _length.size], "utf-8") if remark_length else None
        ext = _decode_ext(header, ext_start, ext_start + ext_length) if ext_length else None
    except (struct.error, UnicodeDecodeError) as error:
        raise CommandError(f"broken binary header: {error}") from None
    return Command(code, flag, opaque, _language_name(language), version, remark, ext)


def _decode_ext(header: bytes, position: int, end: int) -> dict[str, str]:
    ext = {}
    while position < end:
        (key_length,) = _key_length.unpack_from(header, position)
        key_end = position + 2 + key_length
        (value_length,) = _length.unpack_from(header, key_end)
        value_end = key_end + 4 + value_length
        if key_length < 0 or value_length < 0 or value_end > end:
            raise CommandError("broken binary header: an ext field reaches beyond its end")
        if value_length:  # an empty value is an absent one, as the original reads it
            ext[str(header[position + 2 : key_end], "utf-8")] = str(header[key_end + 4 : value_end], "utf-8")
        position = value_end
    return ext


def _encode_binary(command: Command) -> bytes:
    remark = (command.remark or "").encode()
    ext = _encode_ext(command.ext) if command.ext else b""
    language = _LANGUAGES.get(str(command.language), 0)
    # The code has 16 bits on this path; larger ones lose their upper half in the original too.
    code = (command.code + 0x8000 & 0xFFFF) - 0x8000
    fixed = _fixed.pack(code, language, command.version, command.opaque, command.flag, len(remark))
    return b"".join((fixed, remark, _length.pack(len(ext)), ext))


def _encode_ext(ext: dict[str, str]) -> bytes:
    parts: list[bytes] = []
    for key, value in ext.items():
        raw_key, raw_value = key.encode(), value.encode()
        parts += _key_length.pack(len(raw_key)), raw_key, _length.pack(len(raw_value)), raw_value
    return b"".join(parts)


def _language_name(language: str | int | None) -> str | None:
    """The name for a language code; the original turns what it does not know into null."""
    if isinstance(language, int) and 0 <= language < len(_LANGUAGE_NAMES):
        return _LANGUAGE_NAMES[language]
    return None
