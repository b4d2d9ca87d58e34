# SPDX-License-Identifier: Apache-2.0
"""Every binary layout of the protocol, declared once with `construct`: the readable specification.

Nothing on a hot path imports this module. Tools use it to show bytes field by field, and property tests prove
that the hand-tuned codecs beside it agree with it. All integers are big-endian. Lengths and checksums are
rebuilt from the data when a layout is written.
"""

from typing import Any

from construct import (
    Bytes,
    Const,
    Default,
    GreedyRange,
    IfThenElse,
    Int8sb,
    Int8ub,
    Int16sb,
    Int16ub,
    Int24ub,
    Int32sb,
    Int32ub,
    Int64sb,
    OneOf,
    PascalString,
    Prefixed,
    Rebuild,
    Struct,
    len_,
    this,
)

from . import record, sysflag

# --- frames ----------------------------------------------------------------------------------------------

FRAME = Struct(
    "length" / Rebuild(Int32ub, 4 + len_(this.header) + len_(this.body)),
    "serialize_type" / Int8ub,  # 0 JSON, 1 ROCKETMQ
    "header_length" / Rebuild(Int24ub, len_(this.header)),
    "header" / Bytes(this.header_length),
    "body" / Bytes(this.length - 4 - this.header_length),
)

EXT_FIELD = Struct(
    "key" / PascalString(Int16ub, "utf-8"),
    "value" / PascalString(Int32ub, "utf-8"),
)

BINARY_HEADER = Struct(
    "code" / Int16sb,
    "language" / Int8sb,
    "version" / Int16sb,
    "opaque" / Int32sb,
    "flag" / Int32sb,  # bit 0 response, bit 1 oneway
    "remark" / PascalString(Int32ub, "utf-8"),
    "ext" / Prefixed(Int32ub, GreedyRange(EXT_FIELD)),
)

# --- addresses and ids -----------------------------------------------------------------------------------

HOST_V4 = Struct("ip" / Bytes(4), "port" / Int32sb)
HOST_V6 = Struct("ip" / Bytes(16), "port" / Int32sb)


def offset_message_id(ip_bytes: int) -> Any:
    """The offset message id for addresses of 4 or 16 bytes; its text form is upper-case hex."""
    return Struct("ip" / Bytes(ip_bytes), "port" / Int32sb, "offset_physical" / Int64sb)


def unique_id(ip_bytes: int) -> Any:
    """The client-made unique id for addresses of 4 or 16 bytes; its text form is upper-case hex."""
    return Struct(
        "ip" / Bytes(ip_bytes),
        "pid" / Int16ub,
        "loader_hash" / Int32sb,
        "since_month_start_ms" / Int32sb,
        "counter" / Int16ub,
    )


# --- messages --------------------------------------------------------------------------------------------


def _host(v6_bit: int) -> Any:
    return IfThenElse(this.sys_flag & v6_bit, HOST_V6, HOST_V4)


def _record_size(context: Any) -> int:
    v6_hosts = bool(context.sys_flag & sysflag.BORN_HOST_V6) + bool(context.sys_flag & sysflag.STORE_HOST_V6)
    wide_topic = bool(context.magic == record.MAGIC_V2)
    variable = len(context.body) + len(context.topic.encode()) + len(context.properties.encode())
    return record.SMALLEST + 12 * v6_hosts + int(wide_topic) + variable


RECORD = Struct(
    "size" / Rebuild(Int32sb, _record_size),
    "magic" / OneOf(Int32sb, (record.MAGIC_V1, record.MAGIC_V2)),
    "body_crc" / Rebuild(Int32sb, lambda context: record.body_crc(context.body)),
    "queue_id" / Int32sb,
    "flag" / Int32sb,
    "offset_queue" / Int64sb,
    "offset_physical" / Int64sb,
    "sys_flag" / Int32sb,
    "born_time_ms" / Int64sb,
    "born_host" / _host(sysflag.BORN_HOST_V6),
    "store_time_ms" / Int64sb,
    "store_host" / _host(sysflag.STORE_HOST_V6),
    "reconsume_times" / Int32sb,
    "offset_prepared" / Int64sb,
    "body_length" / Rebuild(Int32sb, len_(this.body)),
    "body" / Bytes(this.body_length),
    "topic"
    / IfThenElse(
        this.magic == record.MAGIC_V2, PascalString(Int16sb, "utf-8"), PascalString(Int8sb, "utf-8")
    ),
    "properties" / PascalString(Int16sb, "utf-8"),
)

BLANK_RECORD = Struct("size" / Int32sb, "magic" / Const(record.MAGIC_BLANK, Int32sb))
"""Fills the end of a commit-log file; what follows its eight bytes is undefined."""

BATCH_MESSAGE = Struct(
    "size" / Rebuild(Int32sb, lambda context: 22 + len(context.body) + len(context.properties.encode())),
    "magic" / Default(Int32sb, 0),
    "body_crc" / Default(Int32sb, 0),
    "flag" / Int32sb,
    "body_length" / Rebuild(Int32sb, len_(this.body)),
    "body" / Bytes(this.body_length),
    "properties" / PascalString(Int16sb, "utf-8"),
)

BATCH = GreedyRange(BATCH_MESSAGE)
