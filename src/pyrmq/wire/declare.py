# SPDX-License-Identifier: Apache-2.0
"""One declaration per command header; codec, access rule and documentation all derive from it.

A header is a class with typed fields::

    @request(RequestCode.GET_MAX_OFFSET, action=Action.GET)
    class GetMaxOffset(RpcHeader, kw_only=True):
        topic: Topic
        queue_id: Int

The wire name of a field is its camel-case form unless `msgspec.field(name=...)` says otherwise; a field
without a default is required. On the wire every value is a string.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Self, TypeVar, Union, get_args, get_origin

import msgspec

from .codes import RequestCode
from .errors import HeaderError
from .javahash import hash_map_order


class Action(Enum):
    """What a request does to its resource, in the words of RocketMQ's access control."""

    ALL = "All"
    PUB = "Pub"
    SUB = "Sub"
    CREATE = "Create"
    UPDATE = "Update"
    DELETE = "Delete"
    GET = "Get"
    LIST = "List"


class Resource(Enum):
    """What kind of thing a header field names, for access control."""

    CLUSTER = "Cluster"
    TOPIC = "Topic"
    GROUP = "Group"


class Separator(msgspec.Struct, frozen=True):
    """Marks a field that names several resources, joined by this text."""

    text: str


class Width(Enum):
    """The Java integer type behind a field."""

    INT = 32
    LONG = 64


Int = Annotated[int, Width.INT]
Long = Annotated[int, Width.LONG]
Topic = Annotated[str, Resource.TOPIC]
Group = Annotated[str, Resource.GROUP]
Cluster = Annotated[str, Resource.CLUSTER]


class Boundary(Enum):
    """Which neighbour a search by time returns when no message has exactly that time."""

    LOWER = "lower"
    UPPER = "upper"


class Header(msgspec.Struct, rename="camel"):
    """Base of all command headers.

    The order of the fields matters only where two names share a bucket of Java's hash map: then the one that
    the original inserts first is declared first.
    """

    code: ClassVar[RequestCode | None] = None
    actions: ClassVar[tuple[Action, ...]] = ()
    """What the request does to its resources, any of which must be allowed to the caller."""
    scope: ClassVar[Resource | None] = None
    """The kind of resource acted on when no field names one; `CLUSTER` is the cluster served itself."""
    inherited_first: ClassVar[tuple[str, ...]] = ()
    """Inherited fields that the original puts into its hash map before the class's own.

    It puts them in an order of its own making, which shows where two keys share a bucket.
    """

    def to_ext(self) -> dict[str, str]:
        """The ext fields of a frame, in the order a Java peer would write them."""
        values = {}
        for field in plan(type(self)):
            value = getattr(self, field.attribute)
            if value is not None:
                values[field.wire_name] = field.to_text(value)
        return {key: values[key] for key in _java_order(tuple(values))}

    @classmethod
    def from_ext(cls, ext: Mapping[str, str] | None) -> Self:
        """Read the declared fields out of `ext`; others are ignored, as the original ignores them.

        Raises `HeaderError` naming the first field that is missing or malformed.
        """
        values: dict[str, object] = {}
        for field in plan(cls):
            text = ext.get(field.wire_name) if ext else None
            if text is not None:
                try:
                    values[field.attribute] = field.from_text(text)
                except ValueError as error:
                    problem = f"must be {error}, got {_shorten(text)}"
                    raise HeaderError(cls.__name__, field.label, problem) from None
            elif field.required:
                raise HeaderError(cls.__name__, field.label, "is missing")
        return cls(**values)


class RpcHeader(Header, kw_only=True):
    """Fields that most 5.x request headers inherit: namespace and broker name."""

    namespace: str | None = msgspec.field(name="ns", default=None)
    namespaced: bool | None = msgspec.field(name="nsd", default=None)
    broker_name: str | None = msgspec.field(name="bname", default=None)
    oneway: bool | None = msgspec.field(name="oway", default=None)


class TopicHeader(RpcHeader, kw_only=True):
    """Base of the requests about one topic, which may be addressed by its logical queues."""

    logical: bool | None = msgspec.field(name="lo", default=None)


class FieldPlan(msgspec.Struct, frozen=True):
    """How one declared field travels."""

    attribute: str
    wire_name: str
    required: bool
    resource: Resource | None
    separator: str | None
    type_name: str
    from_text: Callable[[str], object]
    to_text: Callable[[Any], str]

    @property
    def label(self) -> str:
        """The wire name, with the meaning added where the wire name is a single letter."""
        return self.wire_name if len(self.wire_name) > 1 else f"{self.wire_name} ({self.attribute})"


@cache
def plan(header: type[Header]) -> tuple[FieldPlan, ...]:
    """The compiled declaration of a header class, one entry a field, in the order of insertion."""
    inherited = TopicHeader.__struct_fields__ if issubclass(header, RpcHeader) else ()

    def rank(field: msgspec.structs.FieldInfo) -> int:
        if field.name not in inherited:
            return 1
        return 0 if field.name in header.inherited_first else 2

    return tuple(_plan_field(field) for field in sorted(msgspec.structs.fields(header), key=rank))


HeaderType = TypeVar("HeaderType", bound=type[Header])

REQUESTS: dict[RequestCode, type[Header]] = {}
"""Every declared request header by code, filled as the modules of `headers` are imported."""


def request(
    *codes: RequestCode, action: Action | tuple[Action, ...] = (), scope: Resource | None = None
) -> Callable[[HeaderType], HeaderType]:
    """Declare the class below to be the header of these request codes, and what they do to what."""

    def register(header: HeaderType) -> HeaderType:
        header.code = codes[0]
        header.actions = action if isinstance(action, tuple) else (action,)
        header.scope = scope
        for code in codes:
            if code in REQUESTS:
                raise ValueError(f"{code.name} is declared twice: {REQUESTS[code]} and {header}")
            REQUESTS[code] = header
        return header

    return register


@lru_cache(maxsize=1024)
def _java_order(keys: tuple[str, ...]) -> list[str]:
    """The order of these keys on the wire; a header has few combinations of fields that are set."""
    return hash_map_order(keys)


def _plan_field(field: msgspec.structs.FieldInfo) -> FieldPlan:
    bare, marks = _unwrap(field.type)
    resource = next((mark for mark in marks if isinstance(mark, Resource)), None)
    separator = next((mark.text for mark in marks if isinstance(mark, Separator)), None)
    width = next((mark for mark in marks if isinstance(mark, Width)), None)
    type_name, from_text, to_text = _codec(bare, width)
    return FieldPlan(
        attribute=field.name,
        wire_name=field.encode_name,
        required=field.required,
        resource=resource,
        separator=separator,
        type_name=type_name,
        from_text=from_text,
        to_text=to_text,
    )


def _unwrap(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Strip `| None` and `Annotated` off a field type, keeping the annotations."""
    if get_origin(annotation) in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not NoneType]
        assert len(members) == 1, f"a header field has one type: {annotation}"
        return _unwrap(members[0])
    if get_origin(annotation) is Annotated:
        bare, *marks = get_args(annotation)
        return bare, tuple(marks)
    return annotation, ()


def _codec(bare: Any, width: Width | None) -> tuple[str, Callable[[str], object], Callable[[Any], str]]:
    if bare is str:
        return "str", str, str
    if bare is bool:
        return "bool", lambda text: text.lower() == "true", lambda value: "true" if value else "false"
    if bare is int and width is not None:
        return ("int" if width is Width.INT else "long"), _integer_reader(width.value), str
    if bare is float:
        return "double", _read_double, repr
    if bare is Boundary:
        return "boundary", _read_boundary, lambda value: str(value.name)
    raise TypeError(f"no wire form for a header field of type {bare} (integers: use Int or Long)")


_INTEGER = re.compile(r"[+-]?[0-9]{1,20}", re.ASCII)


def _integer_reader(bits: int) -> Callable[[str], int]:
    limit = 1 << bits - 1

    def read(text: str) -> int:
        if _INTEGER.fullmatch(text) and -limit <= (value := int(text)) < limit:
            return value
        raise ValueError(f"a {bits}-bit integer")

    return read


def _read_double(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("a number") from None


def _read_boundary(text: str) -> Boundary:
    # The original takes anything but "upper", in any case, for the lower boundary.
    return Boundary.UPPER if text.lower() == "upper" else Boundary.LOWER


def _shorten(text: str, limit: int = 60) -> str:
    return repr(text if len(text) <= limit else text[:limit] + "…")
