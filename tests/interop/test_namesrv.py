# SPDX-License-Identifier: Apache-2.0
"""Our name server beside the real one.

One real broker registers with both, so both hold the same data. Then both are asked the same questions in
the same order, and the frames must be equal byte for byte; and mqadmin must print the same about both.
`questions` lists what is asked and what may differ.
"""

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from pyrmq.wire import command as commands
from pyrmq.wire.command import JSON, Command
from pyrmq_compat import AdminSession, Reference, start_broker, start_namesrv

from .conftest import VERSIONS
from .frames import Peer, ask, wait_until
from .questions import (
    AS_4_9_7,
    CONVERSATIONS,
    FORMS,
    NEW_FAQ,
    OLD_FAQ,
    ONLY_5_5_0,
    OWN_PLACES,
    REGISTERED,
    SLAVE,
    TOPIC_LISTS,
    TWO_TOPICS,
    Ask,
    Differs,
    text,
)
from .servers import PyrmqServer, pyrmq_namesrv

pytestmark = pytest.mark.interop

SILENCE_S = 0.15
PATIENCE_S = 10.0


@dataclass
class Pair:
    """The real name server, ours, and the broker that registered with both."""

    version: str
    real: Reference
    ours: PyrmqServer
    broker: Reference


@pytest.fixture(scope="module", params=VERSIONS)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    version = str(request.param)
    folder: Path = tmp_path_factory.mktemp("pair")
    with (
        start_namesrv(version, folder / "real") as real,
        pyrmq_namesrv(folder / "ours") as ours,
        start_broker(version, folder / "broker", f"{real.address};{ours.address}") as broker,
    ):
        yield Pair(version, real, ours, broker)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("subject", [*CONVERSATIONS, *ONLY_5_5_0])
def test_answers_are_equal(pair: Pair, subject: str, form: str) -> None:
    if subject in ONLY_5_5_0 and pair.version != "5.5.0":
        pytest.skip("came with 5.0")
    questions = {**CONVERSATIONS, **ONLY_5_5_0}[subject]
    with Peer(pair.real.address) as real, Peer(pair.ours.address) as ours:
        for step, question in enumerate(questions):
            what = f"step {step} of {subject!r}: {question}"
            compare(pair.version, question, real, ours, FORMS[form], what)
    for server in (pair.real, pair.ours):
        _await_departure_of_made_up_broker(server.address)


def test_every_topic_has_the_same_route(pair: Pair) -> None:
    names = json.loads(ask(pair.real.address, 206).body)["topicList"]
    assert "TBW102" in names
    with Peer(pair.real.address) as real, Peer(pair.ours.address) as ours:
        for name in names:
            for form in FORMS.values():
                compare(pair.version, Ask(105, {"topic": name}), real, ours, form, f"route of {name}")


def compare(version: str, question: Ask, real: Peer, ours: Peer, form: tuple[int, int], what: str) -> None:
    """Ask both; the frames must be equal but for the accepted differences, which must really be there."""
    command = question.command(*form)
    if question.json_only and command.serialize_type != JSON:
        return
    differs = question.differs.get(version)
    silent = differs is Differs.SILENT or command.is_oneway
    theirs = real.ask(command, SILENCE_S if silent else PATIENCE_S)
    answer = ours.ask(command, SILENCE_S if command.is_oneway else PATIENCE_S)
    if command.is_oneway:
        assert (theirs, answer) == (None, None), what
        return
    assert answer is not None, f"no answer: {what}"
    if differs is Differs.SILENT:
        assert theirs is None, f"4.9.7 did answer: {what}"
        return
    assert theirs is not None, f"no answer from the real one: {what}"
    expected, found = commands.decode(theirs[4:]), commands.decode(answer[4:])
    if version == "4.9.7":
        answer = _as_4_9_7(found, command.serialize_type)
    if differs in (Differs.NULL_FIELD, Differs.JAVA_EXCEPTION):
        assert found.code == 1, what
        assert found.remark, what
        assert theirs != answer, f"not different any more: {what}"
        if differs is Differs.JAVA_EXCEPTION:
            assert expected.code == 1, what
            assert "Exception" in (expected.remark or ""), f"not an exception: {expected.remark}: {what}"
    elif differs is not None:
        assert _settled(question, theirs) != _settled(question, answer), f"not different any more: {what}"
    else:
        assert _settled(question, answer) == _settled(question, theirs), what


def _settled(question: Ask, frame: bytes) -> tuple[bytes, bytes, bytes]:
    """Mark, header and body, the latter without what names a place of its own or comes in a random order."""
    mark = frame[4:8]
    end = 8 + int.from_bytes(mark[1:], "big")
    header, body = frame[8:end], frame[end:]
    if question.code in TOPIC_LISTS and body.startswith(b"{"):
        content = json.loads(body)
        content["topicList"].sort()
        body = text(content)
    if question.code == 319:
        body = OWN_PLACES.sub(rb"\1=", body)
    return mark, header, body


def _as_4_9_7(answer: Command, serialize_type: int) -> bytes:
    """Our answer as 4.9.7 would have written it."""
    frame = commands.encode(answer)
    end = 8 + int.from_bytes(frame[5:8], "big")
    header, body = frame[8:end], frame[end:]
    for _, pattern, replacement in AS_4_9_7:
        header, body = re.sub(pattern, replacement, header), re.sub(pattern, replacement, body)
    rewritten = commands.decode(len(header).to_bytes(4, "big") + header + body)
    return commands.encode(msgspec.structs.replace(rewritten, serialize_type=serialize_type))


def _await_departure_of_made_up_broker(address: str) -> None:
    """The connection is closed, so a name server must forget the broker that was registered through it."""
    wait_until(lambda: b"made-up" not in ask(address, 106).body, 5, f"{address} forgets the made-up broker")


def test_servers_set_to_binary_headers_answer_alike(tmp_path: Path) -> None:
    """With the same switch, both write their own answers in the other encoding."""
    switch = "-Drocketmq.serialize.type=ROCKETMQ"
    with (
        start_namesrv("5.5.0", tmp_path / "real", jvm=("-Xmx256m", switch)) as real,
        pyrmq_namesrv(tmp_path / "ours", environment={"ROCKETMQ_SERIALIZE_TYPE": "ROCKETMQ"}) as ours,
    ):
        for subject, questions in {**CONVERSATIONS, **ONLY_5_5_0}.items():
            with Peer(real.address) as theirs, Peer(ours.address) as our_own:
                for step, question in enumerate(questions):
                    what = f"step {step} of {subject!r}: {question}"
                    compare("5.5.0", question, theirs, our_own, FORMS["JSON, quoted keys"], what)
            for address in (real.address, ours.address):
                _await_departure_of_made_up_broker(address)


def test_a_whole_group_leaves_with_its_connection(tmp_path: Path) -> None:
    """Master and slave behind one connection leave together, and nobody else is disturbed."""
    with pyrmq_namesrv(tmp_path) as ours:
        with Peer(ours.address) as peer:
            for ext in (REGISTERED, SLAVE):
                command = Ask(103, ext, TWO_TOPICS).command(JSON, 513)
                assert peer.ask(command) is not None
        _await_departure_of_made_up_broker(ours.address)
        assert ask(ours.address, 105, {"topic": "one"}).code == 17


# --- mqadmin ---------------------------------------------------------------------------------------------

COMMANDS: dict[str, list[str]] = {
    "clusters": ["clusterList"],
    "clusters with totals": ["clusterList -m"],
    "topics": ["topicList", "topicList -c"],
    "routes": ["topicRoute -t TBW102", "topicRoute -t unknown"],
    "key values": [
        "updateKvConfig -s space -k key -v value",
        "deleteKvConfig -s space -k key",
    ],
    "write permission": [
        "wipeWritePerm -b broker-a",
        "topicRoute -t TBW102",
        "addWritePerm -b broker-a",
        "topicRoute -t TBW102",
    ],
    "properties": [
        "getNamesrvConfig",
        "updateNamesrvConfig -k productEnvName -v here",
        "getNamesrvConfig",
        "updateNamesrvConfig -k productEnvName -v center",
    ],
    "a topic's life": [
        "updateTopic -c DefaultCluster -t T -r 3 -w 2",
        "topicRoute -t T",
        "topicStatus -t T",
        "topicClusterList -t T",
        "deleteTopic -c DefaultCluster -t T",
        "topicRoute -t T",
    ],
    "ordered topics": [
        "updateOrderConf -t T -v broker-a:4 -m put",
        "updateOrderConf -t T -m get",
        "updateOrderConf -t T -m delete",
    ],
}


@pytest.fixture(scope="module")
def admin(pair: Pair) -> Iterator[AdminSession]:
    with AdminSession(pair.version) as session:
        yield session


@pytest.mark.parametrize("subject", COMMANDS)
def test_mqadmin_prints_the_same(pair: Pair, admin: AdminSession, subject: str) -> None:
    for command in COMMANDS[subject]:
        # Once in a dozen runs a command printed something else, on a busy machine and for no reason found.
        # What differs between the servers differs the second time too.
        diff = _difference(pair, admin, command) and _difference(pair, admin, command)
        assert not diff, f"mqadmin {command}\n{diff}"


def _difference(pair: Pair, admin: AdminSession, command: str) -> str:
    """How what one command prints about our server differs from what it prints about the real one."""
    real, ours = (
        _normalised(admin.run(*command.split(), namesrv=server.address), server.address, command)
        for server in (pair.real, pair.ours)
    )
    if pair.version == "4.9.7":
        ours = [line.replace(NEW_FAQ, OLD_FAQ) for line in ours]
        if command == "getNamesrvConfig":
            # It has fewer properties and lists them in another order.
            known = {line.split("=")[0] for line in real}
            real, ours = sorted(real), sorted(line for line in ours if line.split("=")[0] in known)
    if not real:
        return "printed nothing"
    return "\n".join(difflib.unified_diff(real, ours, "real", "ours", lineterm=""))


def _normalised(printed: str, address: str, command: str) -> list[str]:
    """What was printed, by lines, without what must differ: addresses, folders, and a broker's rates."""
    printed = printed.replace(address, "<name server>")
    printed = re.sub(r"(listenPort|kvConfigPath|configStorePath|rocketmqHome)(\s*)=.*", r"\1\2=", printed)
    lines = printed.splitlines()
    if command.startswith("clusterList"):
        lines = [lines[0], *(_without_rates(line) for line in lines[1:])]
    return lines


def _without_rates(line: str) -> str:
    """A line of clusterList with every number after the broker's version blotted out."""
    head, version, rates = re.split(r"(V\d_\d_\d)", line, maxsplit=1) if "V" in line else ("", "", line)
    return head + version + re.sub(r" +", " ", re.sub(r"\d+(\.\d+)?", "#", rates))
