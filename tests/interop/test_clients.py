# SPDX-License-Identifier: Apache-2.0
"""Real clients find real brokers through our name server, in every combination of versions."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyrmq.wire.command import Command
from pyrmq_compat import Traffic, send_and_receive, start_broker
from pyrmq_compat.clients import HEADERS_BINARY, TLS

from .conftest import VERSIONS
from .frames import Peer, ask, route, wait_until
from .servers import PyrmqServer, pyrmq_namesrv

pytestmark = pytest.mark.interop

COUNT = 50
ALL_ARRIVED = Traffic(sent=COUNT, received=COUNT, repeated=0, faults=[])


@dataclass
class Site:
    """Our name server and a real broker that registered with it."""

    broker_version: str
    namesrv: PyrmqServer


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda version: f"broker {version}")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("site")
    with (
        pyrmq_namesrv(folder / "namesrv") as namesrv,
        start_broker(request.param, folder / "broker", namesrv.address),
    ):
        yield Site(request.param, namesrv)


@pytest.mark.parametrize("client", VERSIONS, ids=lambda version: f"client {version}")
def test_messages_travel(site: Site, client: str) -> None:
    topic = f"plain_{client.replace('.', '_')}"
    assert send_and_receive(client, site.namesrv.address, topic, COUNT) == ALL_ARRIVED
    assert list(route(site.namesrv.address, topic)) == ["broker-a"]


def test_messages_travel_with_binary_headers(site: Site) -> None:
    """Clients and brokers of one version, with the header encoding ROCKETMQ."""
    traffic = send_and_receive(
        site.broker_version, site.namesrv.address, "binary", COUNT, options=[HEADERS_BINARY]
    )
    assert traffic == ALL_ARRIVED


def test_everything_over_tls(version: str, tmp_path: Path) -> None:
    """Our name server takes nothing but TLS here, so broker and clients must speak it to be found."""
    settings = {"tls.server.mode": "enforcing"}
    with pyrmq_namesrv(tmp_path / "namesrv", settings=settings) as namesrv:
        with Peer(namesrv.address) as plain, pytest.raises(ConnectionError):
            plain.ask(Command(code=106))
        broker = start_broker(
            version,
            tmp_path / "broker",
            properties={"namesrvAddr": namesrv.address},
            jvm=("-Xmx512m", TLS),
        )
        with broker:
            wait_until(
                lambda: route(namesrv.address, "TBW102", tls=True) == {"broker-a": {0: broker.address}},
                30,
                "the broker registers over TLS",
            )
            assert send_and_receive(version, namesrv.address, "secret", COUNT, options=[TLS]) == ALL_ARRIVED
            assert ask(namesrv.address, 106, tls=True).code == 0
