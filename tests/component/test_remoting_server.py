# SPDX-License-Identifier: Apache-2.0
"""A listening port on loopback: isolation, limits, TLS, PROXY headers, and stopping."""

import ipaddress
import logging
import ssl
import struct
from pathlib import Path

import pytest
import trio
import trio.testing

from pyrmq.remoting import Connection, Limits, Reply
from pyrmq.remoting.greeting import TlsMode
from pyrmq.remoting.tls import ServerTls
from pyrmq.wire.command import Command, encode
from tests.component.peers import ECHO, VIOLATION, Peer, echo, request, serving

WAIT, HANG = 20, 21


async def wait(command: Command, connection: Connection) -> Reply | None:
    await trio.sleep(0.5)
    return Reply(body=b"waited")


async def hang(command: Command, connection: Connection) -> Reply | None:
    await trio.sleep_forever()


HANDLERS = {ECHO: echo, WAIT: wait, HANG: hang}


@pytest.fixture
def patient_clock(autojump_clock: trio.testing.MockClock) -> trio.testing.MockClock:
    """Virtual time that gives real sockets a moment before it jumps."""
    autojump_clock.autojump_threshold = 0.05
    return autojump_clock


@pytest.fixture
def client_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def secured(peer: Peer, context: ssl.SSLContext) -> Peer:
    stream = trio.SSLStream(peer.stream, context, https_compatible=True)
    await stream.do_handshake()
    return Peer(stream)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.WARNING]


async def until_alone(connections: set[Connection]) -> None:
    with trio.fail_after(5):
        while connections:
            await trio.sleep(0.01)


# --- many connections ------------------------------------------------------------------------------------


async def test_violation_ends_that_connection_only(caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as served:
        good, bad = await served.dial(), await served.dial()
        await good.ask(request(1))
        await bad.send(request(1), request(2), VIOLATION)
        assert [answer.opaque for answer in await bad.receive_many(2)] == [1, 2]
        assert await bad.ended()
        assert (await good.ask(request(2))).opaque == 2
        assert len(served.server.connections) == 1
    assert len(warnings(caplog)) == 1
    assert "protocol violation: frame length -1 is below the smallest possible, 4" in warnings(caplog)[0]


async def test_connections_are_known_by_address_and_forgotten() -> None:
    gone: list[Connection] = []
    async with serving(on_close=gone.append) as served:
        peers = [await served.dial() for _ in range(5)]
        for peer in peers:
            await peer.ask(request(1))
        names = [f"127.0.0.1:{peer.stream.socket.getsockname()[1]}" for peer in peers]  # type: ignore[attr-defined]
        assert served.peers == sorted(names)
        for peer in peers[:2]:
            await peer.stream.aclose()
        await peers[2].send(VIOLATION)
        with trio.fail_after(5):
            while len(gone) < 3:
                await trio.sleep(0.01)
        assert {connection.peer for connection in gone} == set(names[:3])
        assert served.peers == sorted(names[3:])
    assert len(gone) == 5
    assert not served.server.connections


async def test_failing_close_hook_is_contained(caplog: pytest.LogCaptureFixture) -> None:
    def fail(connection: Connection) -> None:
        raise ValueError("hook")

    async with serving(on_close=fail) as served:
        peer = await served.dial()
        await peer.ask(request(1))
        await peer.stream.aclose()
        await until_alone(served.server.connections)
        assert (await (await served.dial()).ask(request(2))).opaque == 2
    assert all("ended by an internal error" in line for line in warnings(caplog))
    assert warnings(caplog)


async def test_too_many_connections() -> None:
    async with serving(limits=Limits(max_connections=2)) as served:
        peers = [await served.dial() for _ in range(2)]
        for peer in peers:
            await peer.ask(request(1))
        assert await (await served.dial()).ended()
        await peers[0].stream.aclose()
        with trio.fail_after(5):
            while len(served.server.connections) > 1:
                await trio.sleep(0.01)
        assert (await (await served.dial()).ask(request(2))).opaque == 2


async def test_connections_that_never_send_count_too() -> None:
    async with serving(limits=Limits(max_connections=2)) as served:
        silent = [await served.dial() for _ in range(2)]
        await trio.sleep(0.05)
        assert await (await served.dial()).ended()
        assert (await silent[0].ask(request(1))).opaque == 1


async def test_idle_connection_is_closed_and_active_one_is_not(
    patient_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(limits=Limits(idle_s=120)) as served:
        idle, active, silent = [await served.dial() for _ in range(3)]
        await idle.ask(request(1))
        for number in range(4):
            await active.ask(request(number))
            await trio.sleep(50)
        assert await idle.ended()
        assert await silent.ended()
        assert (await active.ask(request(9))).opaque == 9
        assert len(served.server.connections) == 1
    assert [line.partition(": ")[2] for line in warnings(caplog)] == ["idle for 120 s"]


async def test_flood_from_a_peer_that_never_reads_stays_bounded(caplog: pytest.LogCaptureFixture) -> None:
    handled = 0

    def large(command: Command, connection: Connection) -> Reply:
        nonlocal handled
        handled += 1
        return Reply(body=bytes(1024))

    limits = Limits(out_pause_bytes=256 * 1024, out_stall_s=0.5)
    async with serving({ECHO: large, WAIT: echo}, limits=limits) as served:
        bad, good = await served.dial(), await served.dial()
        sent, dropped = 0, False
        many = b"".join(encode(request(number)) for number in range(1000))
        with trio.fail_after(20):
            while not dropped:
                try:
                    with trio.move_on_after(0.2):
                        await bad.stream.send_all(many)
                        sent += 1000
                except trio.BrokenResourceError:
                    dropped = True
                assert (await good.ask(request(1, WAIT))).opaque == 1
                assert sent < 1_000_000
        # What the sockets of both sides hold came through as well; their sizes are the system's.
        assert handled * 1024 < 32 * 1024 * 1024
    assert [line.partition(": ")[2] for line in warnings(caplog)] == ["the peer has taken nothing for 0.5 s"]


# --- stopping --------------------------------------------------------------------------------------------


async def test_stopping_answers_what_is_under_way_and_refuses_more() -> None:
    async with serving(HANDLERS) as served:
        peer, idle = await served.dial(), await served.dial()
        await idle.ask(request(1))
        await peer.send(request(1, WAIT), request(2))
        assert (await peer.receive()).opaque == 2
        started = trio.current_time()
        served.stop()
        assert await idle.ended()
        with pytest.raises(OSError, match="all attempts to connect"):
            await served.dial()
        assert (await peer.receive()).body == b"waited"
        assert await peer.ended()
        with trio.fail_after(2):
            await served.stopped.wait()
        assert trio.current_time() - started < 3
        assert not served.server.connections


async def test_stopping_ends_in_time_although_a_handler_hangs(
    patient_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(HANDLERS, limits=Limits(shutdown_s=4)) as served:
        peer = await served.dial()
        await peer.send(request(1, HANG), request(2))
        await peer.receive()
        started = trio.current_time()
        served.stop()
        await served.stopped.wait()
        assert trio.current_time() - started == 4
        assert await peer.ended()
    assert [line.partition(": ")[2] for line in warnings(caplog)] == ["still busy 4 s after shutdown began"]


async def test_stopping_ends_in_time_although_a_peer_does_not_read(
    patient_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(limits=Limits(shutdown_s=4)) as served:
        peer = await served.dial()
        await peer.send(request(1, body=bytes(10_000_000)))
        await trio.sleep(1)
        started = trio.current_time()
        served.stop()
        await served.stopped.wait()
        assert trio.current_time() - started == 4
    assert len(warnings(caplog)) == 1


@pytest.mark.parametrize("opening", [b"", b"\x16\x03\x01", b"PROXY TCP4 "])
async def test_stopping_does_not_wait_for_openings(opening: bytes) -> None:
    async with serving() as served:
        peer = await served.dial()
        if opening:
            await peer.send(opening)
        await trio.sleep(0.05)
        served.stop()
        with trio.fail_after(2):
            await served.stopped.wait()
        assert await peer.ended()


async def test_connection_that_opens_during_the_stop_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(HANDLERS) as served:
        busy, late = await served.dial(), await served.dial()
        await busy.send(request(1, WAIT), request(2))
        await busy.receive()
        served.stop()
        await trio.sleep(0.05)
        await late.send(request(1))
        assert await late.ended()
        assert (await busy.receive()).body == b"waited"
    assert not warnings(caplog)


# --- TLS -------------------------------------------------------------------------------------------------


async def test_permissive_serves_plain_and_tls_on_one_port(client_tls: ssl.SSLContext) -> None:
    async with serving() as served:
        plain, tls = await served.dial(), await secured(await served.dial(), client_tls)
        assert (await plain.ask(request(1))).opaque == 1
        await tls.send(*(request(number, body=bytes(2_000)) for number in range(50)))
        assert [answer.opaque for answer in await tls.receive_many(50)] == list(range(50))
        assert (await plain.ask(request(2))).opaque == 2
        await tls.stream.aclose()
        await plain.stream.aclose()
        await until_alone(served.server.connections)


async def test_enforcing_refuses_plain(client_tls: ssl.SSLContext, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(tls=ServerTls(TlsMode.ENFORCING)) as served:
        plain = await served.dial()
        await plain.send(request(1))
        assert await plain.ended()
        tls = await secured(await served.dial(), client_tls)
        assert (await tls.ask(request(1))).opaque == 1
    assert len(warnings(caplog)) == 1
    assert "plain text on a port that enforces TLS (tls.server.mode)" in warnings(caplog)[0]


async def test_disabled_refuses_tls(client_tls: ssl.SSLContext, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(tls=ServerTls(TlsMode.DISABLED)) as served:
        peer = await served.dial()
        with pytest.raises(trio.BrokenResourceError):
            await secured(peer, client_tls)
        assert (await (await served.dial()).ask(request(1))).opaque == 1
    assert len(warnings(caplog)) == 1
    assert "TLS on a port that has it disabled (tls.server.mode)" in warnings(caplog)[0]


async def test_stalled_handshake_is_dropped(
    patient_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(limits=Limits(greeting_s=10)) as served:
        peer = await served.dial()
        await peer.send(b"\x16\x03\x01\x02\x00\x01")
        started = trio.current_time()
        assert await peer.ended()
        assert trio.current_time() - started == 10
        assert not served.server.connections
    assert len(warnings(caplog)) == 1
    assert "the TLS handshake took more than 10 s" in warnings(caplog)[0]


async def test_broken_handshake_does_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as served:
        peer = await served.dial()
        await peer.send(b"\x16\x03\x01\x00\x05hello" + bytes(2000))
        while not await peer.ended():
            pass
        assert (await (await served.dial()).ask(request(1))).opaque == 1
    assert not warnings(caplog)


async def test_frames_over_tls_are_held_to_the_protocol(client_tls: ssl.SSLContext) -> None:
    async with serving() as served:
        tls = await secured(await served.dial(), client_tls)
        await tls.send(request(1), VIOLATION)
        assert (await tls.receive()).opaque == 1
        assert await tls.ended()


async def test_tls_properties(tmp_path: Path) -> None:
    assert ServerTls.from_properties({}).mode is TlsMode.PERMISSIVE
    assert ServerTls.from_properties({"tls.server.mode": "ENFORCING"}).mode is TlsMode.ENFORCING
    with pytest.raises(
        ValueError, match=r"^tls.server.mode must be disabled, permissive or enforcing, got 'x'$"
    ):
        ServerTls.from_properties({"tls.server.mode": "x"})


# --- PROXY -----------------------------------------------------------------------------------------------

PROXY_V2 = b"\r\n\r\n\x00\r\nQUIT\n"


def proxy_v2(source: str, port: int, *, local: bool = False, extra: bytes = b"") -> bytes:
    ip = ipaddress.ip_address(source).packed
    body = ip + ip + struct.pack(">HH", port, 9876) + extra
    family = 0x11 if len(ip) == 4 else 0x21
    return PROXY_V2 + struct.pack(">BBH", 0x20 if local else 0x21, family, len(body)) + body


PROXIED = {
    "v1": (b"PROXY TCP4 10.1.2.3 10.0.0.1 4711 9876\r\n", "10.1.2.3:4711"),
    "v1-v6": (b"PROXY TCP6 2001:db8::1 ::1 4711 9876\r\n", "[2001:db8::1]:4711"),
    "v1-unknown": (b"PROXY UNKNOWN\r\n", None),
    "v2": (proxy_v2("10.1.2.3", 4711), "10.1.2.3:4711"),
    "v2-v6": (proxy_v2("2001:db8::1", 4711), "[2001:db8::1]:4711"),
    "v2-extensions": (proxy_v2("10.1.2.3", 4711, extra=b"\x03\0\x04abcd"), "10.1.2.3:4711"),
    "v2-local": (proxy_v2("10.1.2.3", 4711, local=True), None),
}


@pytest.mark.parametrize("kind", PROXIED)
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "byte by byte"])
async def test_proxy_header_names_the_peer(kind: str, cut: bool, client_tls: ssl.SSLContext) -> None:
    header, expected = PROXIED[kind]
    async with serving() as served:
        for tls in (False, True):
            peer = await served.dial()
            own = f"127.0.0.1:{peer.stream.socket.getsockname()[1]}"  # type: ignore[attr-defined]
            if cut:
                peer.stream.setsockopt(6, 1, 1)  # type: ignore[attr-defined]
                for byte in header:
                    await peer.send(bytes((byte,)))
            elif not tls:
                await peer.send(header, request(1))
                await peer.receive()
            else:
                await peer.send(header)
            if tls:
                peer = await secured(peer, client_tls)
            assert (await peer.ask(request(2))).opaque == 2
            assert served.peers == [expected or own]
            await peer.stream.aclose()
            await until_alone(served.server.connections)


@pytest.mark.parametrize(
    "header",
    [
        b"PROXY TCP4 10.1.2.3 10.0.0.1 4711\r\n",
        b"PROXY TCP4 10.1.2.3 10.0.0.1 port 9876\r\n",
        b"PROXY TCP4 no\nlog:line 10.0.0.1 4711 9876\r\n",
        b"PROXY TCP4 host.name 10.0.0.1 4711 9876\r\n",
        b"PROXY TCP4 10.1.2.3 10.0.0.1 99999 9876\r\n",
        b"PROXYTCP4\r\n",
        b"PROXY " + b"x" * 200,
        b"POST / HTTP/1.1\r\n\r\n",
        b"\r\n\r\n\x00\r\nQUIX\n!\x11\x00\x0c" + bytes(12),
        b"\r\n\r\n\x00\r\nQUIT\n\x11\x11\x00\x0c" + bytes(12),
    ],
)
async def test_broken_proxy_header(header: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as served:
        peer = await served.dial()
        await peer.send(header, request(1))
        assert await peer.ended()
        assert not served.server.connections
        assert (await (await served.dial()).ask(request(1))).opaque == 1
    assert len(warnings(caplog)) == 1
    assert "\n" not in warnings(caplog)[0]


@pytest.mark.parametrize(
    "header", [b"P", b"PROXY TCP4 10.1.2.3", b"\r\n\r\n", PROXY_V2 + b"\x21\x11\xff\xff"]
)
async def test_stalled_proxy_header_is_dropped(
    header: bytes, patient_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(limits=Limits(greeting_s=10)) as served:
        peer = await served.dial()
        await peer.send(header)
        started = trio.current_time()
        assert await peer.ended()
        assert trio.current_time() - started == 10
    assert len(warnings(caplog)) == 1
    assert "the PROXY header took more than 10 s" in warnings(caplog)[0]


async def test_proxied_peer_may_be_silent_for_a_while(patient_clock: trio.testing.MockClock) -> None:
    async with serving(limits=Limits(greeting_s=10, idle_s=120)) as served:
        peer = await served.dial()
        await peer.send(PROXIED["v1"][0])
        await trio.sleep(60)
        assert (await peer.ask(request(1))).opaque == 1
        assert served.peers == ["10.1.2.3:4711"]
