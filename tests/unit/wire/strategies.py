# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for the values of the protocol."""

from hypothesis import strategies as st

from pyrmq.wire.batch import BatchMessage
from pyrmq.wire.codes import LanguageCode
from pyrmq.wire.command import JSON, ROCKETMQ, Command
from pyrmq.wire.record import Record


def int32() -> st.SearchStrategy[int]:
    return st.integers(-(2**31), 2**31 - 1)


def int64() -> st.SearchStrategy[int]:
    return st.integers(-(2**63), 2**63 - 1)


def text(**limits: int) -> st.SearchStrategy[str]:
    """Anything that UTF-8 can carry."""
    return st.text(st.characters(exclude_categories=("Cs",)), **limits)


def ips() -> st.SearchStrategy[bytes]:
    return st.binary(min_size=4, max_size=4) | st.binary(min_size=16, max_size=16)


def hosts() -> st.SearchStrategy[bytes]:
    return st.binary(min_size=8, max_size=8) | st.binary(min_size=20, max_size=20)


def ext_fields() -> st.SearchStrategy[dict[str, str]]:
    return st.dictionaries(text(max_size=12), text(max_size=40), max_size=20)


def languages() -> st.SearchStrategy[str]:
    return st.sampled_from([language.name for language in LanguageCode])


def json_commands() -> st.SearchStrategy[Command]:
    return st.builds(
        Command,
        code=int32(),
        flag=int32(),
        opaque=int32(),
        language=languages(),
        version=int32(),
        remark=st.none() | text(max_size=60),
        ext=st.none() | ext_fields(),
        body=st.binary(max_size=200),
        serialize_type=st.just(JSON),
    )


def binary_commands() -> st.SearchStrategy[Command]:
    """The binary header holds 16-bit codes and versions, and takes an empty text for an absent one."""
    return st.builds(
        Command,
        code=st.integers(-(2**15), 2**15 - 1),
        flag=int32(),
        opaque=int32(),
        language=languages(),
        version=st.integers(-(2**15), 2**15 - 1),
        remark=st.none() | text(min_size=1, max_size=60),
        ext=st.none() | st.dictionaries(text(max_size=12), text(min_size=1, max_size=40), min_size=1),
        body=st.binary(max_size=200),
        serialize_type=st.just(ROCKETMQ),
    )


def commands() -> st.SearchStrategy[Command]:
    return json_commands() | binary_commands()


def records() -> st.SearchStrategy[Record]:
    return st.builds(
        Record,
        topic=text(max_size=20) | st.text("abcdef", min_size=120, max_size=140),
        queue_id=int32(),
        flag=int32(),
        offset_queue=int64(),
        offset_physical=int64(),
        sys_flag=st.integers(0, 0x7FF),
        born_time_ms=int64(),
        born_host=hosts(),
        store_time_ms=int64(),
        store_host=hosts(),
        reconsume_times=int32(),
        offset_prepared=int64(),
        body=st.binary(max_size=200),
        properties=text(max_size=80),
    )


def batch_messages() -> st.SearchStrategy[BatchMessage]:
    return st.builds(BatchMessage, body=st.binary(max_size=100), properties=text(max_size=60), flag=int32())
