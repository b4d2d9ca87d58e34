# SPDX-License-Identifier: Apache-2.0
"""The calling side: finding a server that lives, coming back to it, and saying what went wrong."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
import trio
import trio.testing

from pyrmq.remoting import (
    CallTimeoutError,
    Client,
    Connection,
    Dispatcher,
    NotConnectedError,
    Reply,
    open_client,
)
from pyrmq.remoting.client import parse_address
from pyrmq.wire.command import OWN_VERSION, Command
from tests.component.peers import ECHO, echo, serving

HANG, WHO, COUNT = 21, 22, 23


async def hang(command: Command, connection: Connection) -> Reply | None:
    await trio.sleep_forever()


@pytest.fixture
def patient_clock(autojump_clock: trio.testing.MockClock) -> trio.testing.MockClock:
    """Virtual time that gives real sockets a moment before it jumps."""
    autojump_clock.autojump_threshold = 0.05
    return autojump_clock


@pytest.fixture
def trusting_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Largest(Random):
    """Chance that always picks the upper end."""

    def uniform(self, a: float, b: float) -> float:
        return b


@asynccontextmanager
async def deaf() -> AsyncIterator[tuple[str, list[trio.SocketStream]]]:
    """A port that accepts connections and never says a word; and those connections."""
    accepted: list[trio.SocketStream] = []
    async with trio.open_nursery() as nursery:
        listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]

        async def hold(stream: trio.SocketStream) -> None:
            accepted.append(stream)
            async with stream:
                await trio.sleep_forever()

        await nursery.start(trio.serve_listeners, hold, [listener])
        yield f"127.0.0.1:{listener.socket.getsockname()[1]}", accepted
        nursery.cancel_scope.cancel()


async def unused_address() -> str:
    """An address where nobody listens."""
    listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    return f"127.0.0.1:{port}"


async def test_call_and_oneway() -> None:
    seen: list[Command] = []

    def count(command: Command, connection: Connection) -> Reply:
        seen.append(command)
        return Reply(body=b"%d" % len(seen))

    async with serving({ECHO: echo, COUNT: count}) as served, open_client([served.address]) as client:
        await client.call_oneway(Command(code=COUNT))
        assert (await client.call(Command(code=COUNT))).body == b"2"
        assert (await client.call(Command(code=ECHO, body=b"x"))).body == b"x"
        assert len(served.server.connections) == 1
    assert [each.is_oneway for each in seen] == [True, False]
    assert {each.version for each in seen} == {OWN_VERSION}


async def test_calls_at_once_share_one_connection() -> None:
    async with serving() as served, open_client([served.address]) as client:
        bodies = []

        async def ask(number: int) -> None:
            bodies.append((await client.call(Command(code=ECHO, body=b"%d" % number))).body)

        async with trio.open_nursery() as nursery:
            for number in range(50):
                nursery.start_soon(ask, number)
        assert sorted(bodies) == sorted(b"%d" % number for number in range(50))
        assert len(served.server.connections) == 1


async def test_server_asks_the_client() -> None:
    async def ask_back(command: Command, connection: Connection) -> Reply:
        answer = await connection.call(Command(code=WHO), 3)
        return Reply(body=answer.body + b"!")

    dispatcher = Dispatcher({WHO: lambda command, connection: Reply(body=b"me")})
    async with (
        serving({COUNT: ask_back}) as served,
        open_client([served.address], dispatcher=dispatcher) as client,
    ):
        assert (await client.call(Command(code=COUNT))).body == b"me!"


async def test_reconnects_after_the_server_restarted() -> None:
    async with serving() as served:
        port = served.port
        async with open_client([served.address]) as client:
            await client.call(Command(code=ECHO))
            served.stop()
            await served.stopped.wait()
            with pytest.raises(NotConnectedError, match=rf"^cannot connect: 127.0.0.1:{port}: "):
                await client.call(Command(code=ECHO))
            async with serving(port=port):
                assert (await client.call(Command(code=ECHO, body=b"again"))).body == b"again"


async def test_connection_lost_under_a_call() -> None:
    async with serving({HANG: hang}) as served, open_client([served.address]) as client:
        async with trio.open_nursery() as nursery:

            async def ask() -> None:
                with pytest.raises(
                    NotConnectedError,
                    match=rf"^connection to {served.address} was lost before the answer came$",
                ):
                    await client.call(Command(code=HANG), 10)

            nursery.start_soon(ask)
            with trio.fail_after(5):
                while not served.server.connections:
                    await trio.sleep(0.01)
            for connection in list(served.server.connections):
                connection.close()


async def test_uses_the_address_that_lives() -> None:
    async with serving() as served:
        addresses = [await unused_address(), served.address, await unused_address()]
        async with open_client(addresses) as client:
            assert (await client.call(Command(code=ECHO))).code == 0
            for connection in list(served.server.connections):
                connection.close()
            with trio.fail_after(5):
                while served.server.connections:
                    await trio.sleep(0.01)
            # The next round starts behind the one that broke, and comes around to it.
            assert (await client.call(Command(code=ECHO))).code == 0


async def test_next_connection_is_tried_elsewhere_first() -> None:
    async with serving() as first, serving() as second:
        async with open_client([first.address, second.address]) as client:
            await client.call(Command(code=ECHO))
            assert len(first.server.connections) == 1
            first.stop()
            await first.stopped.wait()
            await client.call(Command(code=ECHO))
            assert len(second.server.connections) == 1


async def test_all_addresses_dead() -> None:
    addresses = [await unused_address(), await unused_address()]
    async with open_client(addresses) as client:
        with pytest.raises(NotConnectedError) as caught:
            await client.call(Command(code=ECHO))
    text = str(caught.value)
    assert text.startswith(f"cannot connect: {addresses[0]}: all attempts to connect")
    assert f"; {addresses[1]}: all attempts to connect" in text


async def test_call_timeout_text(patient_clock: trio.testing.MockClock) -> None:
    async with serving({HANG: hang}) as served, open_client([served.address]) as client:
        text = f"{served.address} did not answer request 21 within 2 s"
        with pytest.raises(CallTimeoutError, match=rf"^{text}$"):
            await client.call(Command(code=HANG), 2)


async def test_no_time_left_is_a_timeout() -> None:
    async with serving({ECHO: echo, HANG: hang}) as served, open_client([served.address]) as client:
        await client.call(Command(code=ECHO))
        for timeout_s in (0, 1e-9):
            with pytest.raises(CallTimeoutError):
                await client.call(Command(code=HANG), timeout_s)


async def test_back_off_grows_to_ten_seconds(patient_clock: trio.testing.MockClock) -> None:
    address = await unused_address()
    async with trio.open_nursery() as nursery:
        client = Client([address], nursery, random=Largest())
        waits, last = [], trio.current_time()
        for _ in range(10):
            with pytest.raises(NotConnectedError, match=r"^cannot connect: "):
                await client.call(Command(code=ECHO), 60)
            waits.append(round(trio.current_time() - last, 3))
            last = trio.current_time()
        assert waits == [0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10]
        # A call that cannot wait so long says so.
        with pytest.raises(NotConnectedError, match=rf"^no connection to {address} within 3 s$"):
            await client.call(Command(code=ECHO), 3)
        # Success makes the next failure quick again.
        async with serving(port=int(address.rpartition(":")[2])) as served:
            await client.call(Command(code=ECHO), 60)
            served.stop()
            await served.stopped.wait()
            await trio.testing.wait_all_tasks_blocked()
        for expected in (0, 0.1):
            last = trio.current_time()
            with pytest.raises(NotConnectedError, match=r"^cannot connect: "):
                await client.call(Command(code=ECHO), 60)
            assert trio.current_time() - last == pytest.approx(expected)
        await client.aclose()
        nursery.cancel_scope.cancel()


async def test_tls(trusting_tls: ssl.SSLContext) -> None:
    async with serving() as served, open_client([served.address], tls=trusting_tls) as client:
        assert (await client.call(Command(code=ECHO, body=b"secret"))).body == b"secret"


async def test_certificate_that_is_not_trusted_is_named() -> None:
    async with serving() as served, open_client([served.address], tls=ssl.create_default_context()) as client:
        with pytest.raises(NotConnectedError, match=r"certificate verify failed"):
            await client.call(Command(code=ECHO))


async def test_server_that_never_greets_is_left_behind(
    patient_clock: trio.testing.MockClock, trusting_tls: ssl.SSLContext
) -> None:
    """A call whose time ran out at one address makes the next call begin with another one."""
    async with deaf() as (address, accepted), serving() as served:
        async with open_client([address, served.address], tls=trusting_tls) as client:
            names = f"{address}, {served.address}"
            with pytest.raises(NotConnectedError, match=rf"^no connection to {names} within 3 s$"):
                await client.call(Command(code=ECHO), 3)
            with trio.fail_after(1):
                while await accepted[0].receive_some():
                    pass  # the attempt that was given up is closed, not left to the garbage collector
            assert (await client.call(Command(code=ECHO, body=b"x"), 3)).body == b"x"


async def test_plain_server_that_never_answers(patient_clock: trio.testing.MockClock) -> None:
    async with deaf() as (address, _), open_client([address]) as client:
        with pytest.raises(CallTimeoutError, match=rf"^{address} did not answer request 7 within 3 s$"):
            await client.call(Command(code=ECHO))


async def test_error_of_the_block_comes_out_alone() -> None:
    async with serving() as served:
        with pytest.raises(KeyError, match="mine"):  # noqa: PT012
            async with open_client([served.address]) as client:
                await client.call(Command(code=ECHO))
                raise KeyError("mine")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost:9876", ("localhost", 9876)),
        (" 10.0.0.1:1 ", ("10.0.0.1", 1)),
        ("[::1]:65535", ("::1", 65535)),
    ],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", "host", "host:", ":1", "host:0", "host:65536", "host:x", "host:-1"])
def test_bad_addresses(text: str) -> None:
    with pytest.raises(ValueError, match="not an address of the form host:port"):
        parse_address(text)


async def test_no_addresses() -> None:
    async with trio.open_nursery() as nursery:
        with pytest.raises(ValueError, match="at least one address"):
            Client([], nursery)
