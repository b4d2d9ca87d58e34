# SPDX-License-Identifier: Apache-2.0
"""One connection in memory: dispatch, waiting, asking back, and the limits on what a peer may cost."""

import logging
from collections.abc import Callable

import pytest
import trio
import trio.testing

from pyrmq.remoting import (
    CallTimeoutError,
    Connection,
    Dispatcher,
    Limits,
    NotConnectedError,
    Reply,
    RequestError,
)
from pyrmq.wire.codes import ResponseCode
from pyrmq.wire.command import JSON, OWN_VERSION, ROCKETMQ, Command, encode
from pyrmq.wire.errors import WireError
from tests.component.peers import ECHO, VIOLATION, Peer, connected, echo, oneway, request, response

FAIL, REFUSE, BROKEN, WAIT, HANG, LATER, READY, WAIT_FAIL, WAIT_REFUSE = range(20, 29)


def fail(command: Command, connection: Connection) -> Reply:
    raise ValueError("no luck")


def refuse(command: Command, connection: Connection) -> Reply:
    raise RequestError(ResponseCode.TOPIC_NOT_EXIST, "no such topic")


def broken(command: Command, connection: Connection) -> Reply:
    raise WireError("half a header")


async def wait(command: Command, connection: Connection) -> Reply | None:
    await trio.sleep(0.5)
    return Reply(body=b"waited")


async def hang(command: Command, connection: Connection) -> Reply | None:
    await trio.sleep_forever()


async def wait_fail(command: Command, connection: Connection) -> Reply | None:
    await trio.sleep(0.1)
    return fail(command, connection)


async def wait_refuse(command: Command, connection: Connection) -> Reply | None:
    await trio.sleep(0.1)
    return refuse(command, connection)


HANDLERS = {
    ECHO: echo,
    FAIL: fail,
    REFUSE: refuse,
    BROKEN: broken,
    WAIT: wait,
    HANG: hang,
    LATER: lambda command, connection: None,
    READY: lambda command, connection: b"never sent to a oneway request",
    WAIT_FAIL: wait_fail,
    WAIT_REFUSE: wait_refuse,
}


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.WARNING]


# --- answering -------------------------------------------------------------------------------------------


async def test_many_requests_of_one_read_are_answered_in_one_write() -> None:
    async with connected() as pair:
        await pair.peer.send(*(request(number, body=b"%d" % number) for number in range(100)))
        answers = await pair.peer.receive_many(100)
        assert [(answer.opaque, answer.body) for answer in answers] == [(n, b"%d" % n) for n in range(100)]
        assert all(answer.is_response and answer.version == OWN_VERSION for answer in answers)
        assert len(pair.gate.writes) == 1


async def test_frames_cut_anywhere() -> None:
    async with connected() as pair:
        for byte in encode(request(1)) + encode(request(2)):
            await pair.peer.stream.send_all(bytes((byte,)))
            await trio.testing.wait_all_tasks_blocked()
        assert [answer.opaque for answer in await pair.peer.receive_many(2)] == [1, 2]


async def test_waiting_requests_hold_up_nobody(autojump_clock: trio.testing.MockClock) -> None:
    async with connected(HANDLERS) as pair:
        await pair.peer.send(request(1, WAIT), request(2), request(3, WAIT))
        assert (await pair.peer.receive()).opaque == 2
        assert trio.current_time() == 0
        assert sorted(answer.opaque for answer in await pair.peer.receive_many(2)) == [1, 3]
        assert trio.current_time() == 0.5


async def test_none_is_answered_later() -> None:
    kept: list[Command] = []
    async with connected({ECHO: echo, LATER: lambda command, _: kept.append(command)}) as pair:
        await pair.peer.send(request(1, LATER), request(2))
        assert (await pair.peer.receive()).opaque == 2
        pair.connection.answer(kept[0], Reply(body=b"now"))
        answer = await pair.peer.receive()
        assert (answer.opaque, answer.body) == (1, b"now")


async def test_answer_after_the_peer_left_does_nothing() -> None:
    kept: list[Command] = []
    async with connected({LATER: lambda command, _: kept.append(command)}) as pair:
        await pair.peer.send(request(1, LATER))
        await pair.peer.stream.aclose()
        await pair.connection.closed.wait()
        pair.connection.answer(kept[0], Reply())
        pair.connection.call_oneway(Command())


async def test_oneway_is_never_answered(autojump_clock: trio.testing.MockClock) -> None:
    limits = Limits(max_waiting_requests=len(HANDLERS))
    async with connected(HANDLERS, limits=limits) as pair:
        await pair.peer.send(*(oneway(number, code) for number, code in enumerate([*HANDLERS, 999, 998])))
        await trio.sleep(1)
        await pair.peer.send(*(oneway(50, HANG) for _ in range(50)))  # more than may wait
        assert (await pair.peer.ask(request(77))).opaque == 77


async def test_unknown_code() -> None:
    async with connected() as pair:
        answer = await pair.peer.ask(request(5, 31999))
        assert answer.code == ResponseCode.REQUEST_CODE_NOT_SUPPORTED == 3
        assert answer.remark == " request type 31999 not supported"
        assert answer.opaque == 5


@pytest.mark.parametrize("code", [FAIL, WAIT_FAIL])
async def test_failing_handler(
    code: int, autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(HANDLERS) as pair:
        answer = await pair.peer.ask(request(1, code))
        assert (answer.code, answer.remark) == (ResponseCode.SYSTEM_ERROR, "ValueError: no luck")
        assert (await pair.peer.ask(request(2))).opaque == 2
    assert warnings(caplog) == [f"request {code} failed"]
    assert caplog.records[-1].exc_info


@pytest.mark.parametrize("code", [REFUSE, WAIT_REFUSE])
async def test_refusing_handler(
    code: int, autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(HANDLERS) as pair:
        answer = await pair.peer.ask(request(1, code))
        assert (answer.code, answer.remark) == (ResponseCode.TOPIC_NOT_EXIST, "no such topic")
    assert not warnings(caplog)


async def test_unusable_request(caplog: pytest.LogCaptureFixture) -> None:
    async with connected(HANDLERS) as pair:
        answer = await pair.peer.ask(request(1, BROKEN))
        assert (answer.code, answer.remark) == (ResponseCode.SYSTEM_ERROR, "half a header")
        assert (await pair.peer.ask(request(2))).opaque == 2
    assert not warnings(caplog)


@pytest.mark.parametrize("asked", [JSON, ROCKETMQ])
@pytest.mark.parametrize("configured", [JSON, ROCKETMQ])
async def test_answers_are_written_in_our_own_encoding(asked: int, configured: int) -> None:
    async with connected(serialize_type=configured) as pair:
        answer = await pair.peer.ask(request(1, serialize_type=asked))
        assert answer.serialize_type == configured
        assert answer.opaque == 1


async def test_too_many_waiting_requests(autojump_clock: trio.testing.MockClock) -> None:
    async with connected(HANDLERS, limits=Limits(max_waiting_requests=2)) as pair:
        await pair.peer.send(request(1, WAIT), request(2, WAIT), request(3, WAIT), request(4))
        busy, echoed = await pair.peer.receive_many(2)
        assert (busy.opaque, busy.code) == (3, ResponseCode.SYSTEM_BUSY)
        assert busy.remark == "[OVERLOAD]2 requests of this connection are waiting already"
        assert echoed.opaque == 4
        assert sorted(answer.opaque for answer in await pair.peer.receive_many(2)) == [1, 2]
        assert (await pair.peer.ask(request(5, WAIT))).body == b"waited"


# --- asking the peer -------------------------------------------------------------------------------------


async def test_call_both_ways() -> None:
    async with connected() as pair, trio.open_nursery() as nursery:
        answers = []

        async def ask(body: bytes) -> None:
            answers.append(await pair.connection.call(Command(code=40, body=body), 3))

        nursery.start_soon(ask, b"a")
        nursery.start_soon(ask, b"b")
        asked = await pair.peer.receive_many(2)
        assert {each.code for each in asked} == {40}
        assert len({each.opaque for each in asked}) == 2
        # Their own request between, and answers in the other order.
        last, first = asked
        await pair.peer.send(response(first.opaque, body=first.body), request(9))
        await pair.peer.send(response(last.opaque, body=last.body))
        assert (await pair.peer.receive()).opaque == 9
        with trio.fail_after(5):
            while len(answers) < 2:
                await trio.testing.wait_all_tasks_blocked()
        assert [answer.body for answer in answers] == [first.body, last.body]


async def test_call_timeout(autojump_clock: trio.testing.MockClock) -> None:
    async with connected() as pair:
        with pytest.raises(CallTimeoutError, match=r"^peer did not answer request 40 within 2.5 s$"):
            await pair.connection.call(Command(code=40), 2.5)
        assert trio.current_time() == 2.5
        # The late answer is for nobody, and harmless.
        late = await pair.peer.receive()
        await pair.peer.send(response(late.opaque), request(1))
        assert (await pair.peer.receive()).opaque == 1


async def test_unknown_response_is_ignored(caplog: pytest.LogCaptureFixture) -> None:
    async with connected() as pair:
        await pair.peer.send(response(123456), response(-1), request(1))
        assert (await pair.peer.receive()).opaque == 1
    assert not warnings(caplog)


@pytest.mark.parametrize("how", ["peer leaves", "close", "finish"])
async def test_call_when_the_connection_is_lost(how: str) -> None:
    async with connected() as pair, trio.open_nursery() as nursery:

        async def ask() -> None:
            with pytest.raises(
                NotConnectedError, match=r"^connection to peer was lost before the answer came$"
            ):
                await pair.connection.call(Command(code=40), 1000)

        nursery.start_soon(ask)
        await pair.peer.receive()
        if how == "peer leaves":
            await pair.peer.stream.aclose()
        else:
            getattr(pair.connection, how)()
        await pair.connection.closed.wait()
        with pytest.raises(NotConnectedError, match=r"^connection to peer is closed$"):
            await pair.connection.call(Command(code=40), 1000)


async def test_too_many_calls(autojump_clock: trio.testing.MockClock) -> None:
    async with connected(limits=Limits(max_calls=1)) as pair, trio.open_nursery() as nursery:

        async def ask() -> None:
            with pytest.raises(CallTimeoutError):
                await pair.connection.call(Command(code=40), 1)

        nursery.start_soon(ask)
        await pair.peer.receive()
        with pytest.raises(NotConnectedError, match=r"^1 requests to peer are unanswered already$"):
            await pair.connection.call(Command(code=40), 1)


# --- peers that do not listen ----------------------------------------------------------------------------

KIB = bytes(1024)
SMALL = Limits(out_pause_bytes=64 * 1024, out_drop_bytes=256 * 1024, read_bytes=4096, out_stall_s=60)


async def test_peer_that_does_not_read_is_not_read_and_then_dropped(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    handled = 0

    def count(command: Command, connection: Connection) -> Reply:
        nonlocal handled
        handled += 1
        return Reply(body=KIB)

    async with connected({ECHO: count}, limits=SMALL) as pair:
        pair.gate.shut()
        await pair.peer.send(*(request(number) for number in range(5000)))
        await trio.testing.wait_all_tasks_blocked()
        assert not pair.connection.closed.is_set()
        # What fits the outbox, and what came with the read that filled it.
        most = (SMALL.out_pause_bytes + SMALL.read_bytes * 16) // len(KIB)
        assert 1 < handled < most
        before = handled
        await pair.connection.closed.wait()
        assert trio.current_time() == 60
        assert handled == before
    assert warnings(caplog) == ["closing connection to peer: the peer has taken nothing for 60 s"]


async def test_peer_that_reads_again_gets_everything(autojump_clock: trio.testing.MockClock) -> None:
    async with connected(limits=SMALL) as pair:
        pair.gate.shut()
        await pair.peer.send(*(request(number, body=KIB) for number in range(1000)))
        await trio.sleep(59)
        pair.gate.is_open.set()
        answers = await pair.peer.receive_many(1000)
        assert [answer.opaque for answer in answers] == list(range(1000))


async def test_pile_up_is_dropped_at_once(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Also when the pile grew faster than the first byte of it could leave."""
    async with connected(limits=SMALL) as pair:
        pair.gate.shut()
        for _ in range(300):
            pair.connection.send(KIB)
        assert pair.connection.closed.is_set()
        assert await pair.peer.ended()
        assert trio.current_time() == 0
        assert pair.gate.writes == []
    assert warnings(caplog) == [
        "closing connection to peer: 263168 bytes are waiting and the peer does not read"
    ]


async def test_pile_up_behind_a_blocked_write_is_dropped_at_once(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(limits=SMALL) as pair:
        pair.gate.shut()
        for _ in range(300):
            pair.connection.send(KIB)
            await trio.testing.wait_all_tasks_blocked()
        assert await pair.peer.ended()
        assert trio.current_time() == 0
    assert len(warnings(caplog)) == 1


@pytest.mark.parametrize("ticks", range(6))
async def test_close_ends_at_once_whatever_is_being_sent(
    ticks: int, autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(limits=Limits()) as pair:
        pair.gate.shut()
        pair.connection.send(bytes(1_000_000))
        for _ in range(ticks):
            await trio.lowlevel.checkpoint()
        if ticks == 5:
            pair.gate.is_open.set()
        pair.connection.close()
        pair.gate.shut()
        with trio.fail_after(1):
            while not await pair.peer.ended():
                pass
        assert len(pair.gate.writes) <= 2
    assert not warnings(caplog)


# --- ending ----------------------------------------------------------------------------------------------


async def test_idle_time_counts_from_the_last_byte_either_way(autojump_clock: trio.testing.MockClock) -> None:
    async with connected() as pair:
        await trio.sleep(10)
        assert pair.connection.last_active == 0
        await pair.peer.ask(request(1))
        assert pair.connection.last_active == 10
        await trio.sleep(10)
        pair.connection.call_oneway(Command())
        await trio.testing.wait_all_tasks_blocked()
        assert pair.connection.last_active == 20


FLAWS = {
    "frame": (VIOLATION, "frame length -1 is below the smallest possible, 4"),
    "command": (b"\0\0\0\x05\x07\0\0\0x", "unknown header encoding 7"),
    "header": (b"\0\0\0\x06\0\0\0\x02{]", "broken JSON header"),
    "deep": (b"\0\0\x27\x18\0\0\x27\x14" + b'{"x":' + b"[" * 9999, "broken JSON header"),
}


@pytest.mark.parametrize("kind", FLAWS)
async def test_answers_before_a_violation_are_delivered(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    flaw, reason = FLAWS[kind]
    async with connected() as pair:
        await pair.peer.send(request(1), request(2), flaw, request(3))
        assert [answer.opaque for answer in await pair.peer.receive_many(2)] == [1, 2]
        assert await pair.peer.ended()
    assert len(warnings(caplog)) == 1
    assert warnings(caplog)[0].startswith(f"closing connection to peer: protocol violation: {reason}")


async def test_answers_before_a_violation_wait_for_a_write_under_way(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with connected() as pair:
        pair.gate.shut()
        pair.connection.call_oneway(Command(code=40))
        await trio.testing.wait_all_tasks_blocked()
        await pair.peer.send(request(1), request(2), VIOLATION)
        await trio.testing.wait_all_tasks_blocked()
        pair.gate.is_open.set()
        assert [answer.code for answer in await pair.peer.receive_many(3)] == [40, 0, 0]
        assert await pair.peer.ended()
    assert len(warnings(caplog)) == 1


async def test_peer_that_leaves_in_the_middle(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with connected() as pair:
        await pair.peer.send(b"\0\0\0")
        await pair.peer.stream.aclose()
        await pair.connection.closed.wait()
    assert [entry.getMessage() for entry in caplog.records] == ["peer peer left in the middle of a frame"]
    assert not warnings(caplog)


async def test_finish_lets_waiting_requests_be_answered(autojump_clock: trio.testing.MockClock) -> None:
    async with connected(HANDLERS) as pair:
        await pair.peer.send(request(1, WAIT), request(2, WAIT), request(3))
        await pair.peer.receive()
        pair.connection.finish()
        await trio.testing.wait_all_tasks_blocked()
        await pair.peer.send(request(4))  # comes too late
        assert sorted(answer.opaque for answer in await pair.peer.receive_many(2)) == [1, 2]
        assert await pair.peer.ended()
        assert trio.current_time() == 0.5


async def test_finish_sends_all_that_is_queued(autojump_clock: trio.testing.MockClock) -> None:
    async with connected(limits=Limits(out_pause_bytes=1000)) as pair:
        pair.gate.shut()
        await pair.peer.send(*(request(number, body=KIB) for number in range(20)))
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(20):
            pair.connection.send(KIB)
        pair.connection.finish()
        await trio.sleep(1)
        pair.gate.is_open.set()
        received = 0
        while data := await pair.peer.stream.receive_some(65536):
            received += len(data)
        assert received > 21 * len(KIB)


@pytest.mark.parametrize("moment", range(12))
@pytest.mark.parametrize("sends", [1, 100])
@pytest.mark.parametrize("waiting", [0, 3])
@pytest.mark.parametrize("how", ["peer leaves", "cancelled"])
async def test_sending_to_a_connection_that_is_ending_does_nothing(
    how: str, waiting: int, sends: int, moment: int
) -> None:
    """At whatever moment of its end: neither is the sender hurt nor the end put off."""
    theirs, ours = trio.testing.memory_stream_pair()
    connection = Connection(ours, "peer", Dispatcher(HANDLERS), Limits())
    scope = trio.CancelScope()

    async def run() -> None:
        with scope:
            await connection.run()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        for number in range(waiting):
            await theirs.send_all(encode(request(number, HANG)))
        await trio.testing.wait_all_tasks_blocked()
        if how == "cancelled":
            scope.cancel()
        else:
            await theirs.aclose()
        for turn in range(moment + sends):
            if turn >= moment:
                connection.send(b"x")
            await trio.lowlevel.checkpoint()
        for _ in range(20):
            await trio.lowlevel.checkpoint()
        assert connection.closed.is_set()


async def test_first_bytes_are_read_first() -> None:
    theirs, ours = trio.testing.memory_stream_pair()
    first = encode(request(1)) + encode(request(2))[:10]
    connection = Connection(ours, "peer", Dispatcher({ECHO: echo}), Limits(), first_bytes=first)
    peer = Peer(theirs)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.run)
        assert (await peer.receive()).opaque == 1
        await peer.send(encode(request(2))[10:])
        assert (await peer.receive()).opaque == 2
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("end", ["close", "finish"])
async def test_ending_twice(end: str, caplog: pytest.LogCaptureFixture) -> None:
    async with connected() as pair:
        ending: Callable[[], None] = getattr(pair.connection, end)
        ending()
        ending()
        assert await pair.peer.ended()
        ending()
    assert not warnings(caplog)
