# SPDX-License-Identifier: Apache-2.0
"""What name servers are asked, ours and the real one, and where answers may differ, with the reason."""

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from pyrmq.wire.command import JSON, ONEWAY, ROCKETMQ, Command

from .conftest import VERSIONS

OLD_FAQ = "http://rocketmq.apache.org/docs/faq/"
NEW_FAQ = "https://rocketmq.apache.org/docs/bestPractice/06FAQ"


class Differs(Enum):
    """How our answer to one question may differ from the real one's, and why."""

    SILENT = "4.9.7 does not answer requests that it does not know; we follow 5.5.0"
    NULL_FIELD = (
        "RocketMQ reads a missing or malformed required field as null and goes on, to whatever end; "
        "we refuse the request with code 1 and name the field"
    )
    JAVA_EXCEPTION = "the real remark is a Java exception and its line; ours says what is wrong; same code"
    ZONE = "4.9.7 has no zones; we follow 5.5.0"
    PROPERTIES = "4.9.7 has other properties; we follow 5.5.0"


AS_4_9_7: Sequence[tuple[str, bytes, bytes]] = (
    ("answers carry the server's version", rb'("JSON",)"version":513', rb'\1"version":407'),
    ("acting masters came with 5.0", rb',"enableActingMaster":(true|false)', b""),
    ("zones came with 5.0", rb',"zoneName":"[^"]*"', b""),
    ("state versions came with 5.0", rb'"stateVersion":\d+,', b""),
    ("the page for help moved", re.escape(NEW_FAQ.encode()), OLD_FAQ.encode()),
)
"""What 4.9.7 writes otherwise than 5.5.0, which we follow: reason, our text, its text.

One more, not a matter of text: 4.9.7 answers in the header encoding of the request, 5.5.0 in its own.
"""

TOPIC_LISTS = {206, 224, 304, 311, 312, 313}
"""Their answers hold a Java set, whose order means nothing."""

OWN_PLACES = re.compile(rb"^(listenPort|kvConfigPath|configStorePath|rocketmqHome)=.*$", re.MULTILINE)
"""Properties that name a server's own port and folders."""


@dataclass(frozen=True)
class Ask:
    """One request. `differs` names accepted differences by version.

    `json_only` is for empty values: in a binary header they cannot be told from absent ones.
    """

    code: int
    ext: dict[str, str] | None = None
    body: bytes = b""
    flag: int = 0
    version: int | None = None
    json_only: bool = False
    differs: dict[str, Differs] = field(default_factory=dict)

    def command(self, serialize_type: int, version: int) -> Command:
        return Command(
            code=self.code,
            ext=self.ext,
            body=self.body,
            flag=self.flag,
            opaque=77,
            version=version if self.version is None else self.version,
            serialize_type=serialize_type,
        )


NO_ZONES = {"4.9.7": Differs.ZONE}
OTHER_PROPERTIES = {"4.9.7": Differs.PROPERTIES}


def unknown_in_4_9_7(code: int, ext: dict[str, str] | None = None, **more: object) -> Ask:
    return Ask(code, ext, differs={"4.9.7": Differs.SILENT}, **more)  # type: ignore[arg-type]


def incomplete(code: int, ext: dict[str, str] | None = None, **more: object) -> Ask:
    return Ask(code, ext, differs=dict.fromkeys(VERSIONS, Differs.NULL_FIELD), **more)  # type: ignore[arg-type]


def failing(code: int, ext: dict[str, str] | None = None, **more: object) -> Ask:
    return Ask(code, ext, differs=dict.fromkeys(VERSIONS, Differs.JAVA_EXCEPTION), **more)  # type: ignore[arg-type]


# --- a broker that exists only in its registration --------------------------------------------------------

BROKER = {"brokerName": "made-up", "brokerAddr": "127.0.0.1:9", "clusterName": "elsewhere", "brokerId": "0"}
REGISTERED = {**BROKER, "haServerAddr": "127.0.0.1:10"}
SLAVE = {**REGISTERED, "brokerAddr": "127.0.0.1:19", "brokerId": "1", "haServerAddr": "127.0.0.1:20"}


def topic_config(name: str, flags: int = 0, perm: int = 6) -> dict[str, object]:
    return {
        "order": False,
        "perm": perm,
        "readQueueNums": 4,
        "topicFilterType": "SINGLE_TAG",
        "topicName": name,
        "topicSysFlag": flags,
        "writeQueueNums": 3,
    }


def topics(counter: int = 1, **flags: int) -> dict[str, object]:
    return {
        "dataVersion": {"counter": counter, "stateVersion": 0, "timestamp": 1_700_000_000_000},
        "topicConfigTable": {name: topic_config(name, flag) for name, flag in flags.items()},
    }


def text(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def registration(filters: Sequence[str] = (), **flags: int) -> bytes:
    return text({"filterServerList": list(filters), "topicConfigSerializeWrapper": topics(**flags)})


def compressed_registration(**flags: int) -> bytes:
    """The body that brokers before 5.0 send with `compressed=true`."""
    content = topics(**flags)
    parts = [text(content["dataVersion"]), *(f"{name} 4 3 6 SINGLE_TAG".encode() for name in flags), b"[]"]
    lengths = [len(part).to_bytes(4, "big") + part for part in parts]
    lengths.insert(1, len(flags).to_bytes(4, "big"))
    return zlib.compress(b"".join(lengths))


def queues_of(broker: str) -> bytes:
    queues = {"brokerName": broker, "perm": 6, "readQueueNums": 2, "writeQueueNums": 2, "topicSysFlag": 0}
    return text({"queueDatas": [queues]})


def checked(ext: dict[str, str], body: bytes) -> dict[str, str]:
    return {**ext, "bodyCrc32": str(zlib.crc32(body) & 0x7FFFFFFF)}


TWO_TOPICS = registration(one=0, two=0)
UNIT_TOPICS = registration(plain=0, unit=1, subscribed=2, both=3)
SLAVE_GOES = Ask(104, {name: SLAVE[name] for name in BROKER})
"""The real one forgets a single broker behind a lost connection, we all; real brokers have their own each."""

ROUTE_OF_MADE_UP = [
    Ask(105, {"topic": "one"}),
    Ask(106),
    Ask(206),
    Ask(224, {"clusterName": "elsewhere", "cluster": "elsewhere"}),
]

CONVERSATIONS: dict[str, list[Ask]] = {
    "routes": [
        Ask(105, {"topic": "TBW102"}),
        Ask(105, {"topic": "TBW102", "acceptStandardJsonOnly": "true"}),
        Ask(105, {"topic": "TBW102", "acceptStandardJsonOnly": "false"}),
        Ask(105, {"topic": "broker-a"}),
        Ask(105, {"topic": "DefaultCluster"}),
        Ask(105, {"topic": "SCHEDULE_TOPIC_XXXX"}),
        Ask(105, {"topic": "unknown"}),
        Ask(105, {"topic": ""}, json_only=True),
        Ask(105, {"topic": "with \"quotes\", ümlauts and 𝄞"}),
        incomplete(105),
        incomplete(105, {}),
    ],
    "zones": [
        Ask(105, {"topic": "TBW102", "__ZONE_MODE": "false", "__ZONE_NAME": "z"}),
        Ask(105, {"topic": "TBW102", "__ZONE_MODE": "true"}),
        Ask(105, {"topic": "TBW102", "__ZONE_MODE": "true", "__ZONE_NAME": "z"}, differs=NO_ZONES),
        Ask(103, {**REGISTERED, "__ZONE_NAME": "z"}, TWO_TOPICS),
        Ask(105, {"topic": "one"}),
        Ask(105, {"topic": "one", "__ZONE_MODE": "true", "__ZONE_NAME": "Z"}, version=399),
        Ask(105, {"topic": "one", "__ZONE_MODE": "true", "__ZONE_NAME": "y"}, differs=NO_ZONES),
    ],
    "clusters": [Ask(106), Ask(106, {})],
    "topic lists": [
        Ask(206),
        Ask(224, {"cluster": "DefaultCluster"}),
        Ask(224, {"cluster": "unknown"}),
        incomplete(224),
        Ask(304),
        Ask(311),
        Ask(312),
        Ask(313),
    ],
    "key values": [
        Ask(219, {"namespace": "a"}),
        Ask(101, {"namespace": "a", "key": "b"}),
        Ask(100, {"namespace": "a", "key": "b", "value": "c ü \" \\ 𝄞"}),
        Ask(101, {"namespace": "a", "key": "b"}),
        Ask(101, {"namespace": "a", "key": "c"}),
        Ask(219, {"namespace": "a"}),
        Ask(102, {"namespace": "a", "key": "b"}),
        Ask(102, {"namespace": "a", "key": "b"}),
        Ask(219, {"namespace": "a"}),
        Ask(102, {"namespace": "never", "key": "b"}),
        Ask(219, {"namespace": "never"}),
        Ask(100, {"namespace": "", "key": "", "value": ""}, json_only=True),
        Ask(101, {"namespace": "", "key": ""}, json_only=True),
        incomplete(100),
        incomplete(102),
        incomplete(219),
        incomplete(101, {"namespace": "a"}),
    ],
    "members of a group": [
        unknown_in_4_9_7(901, {"clusterName": "DefaultCluster", "brokerName": "broker-a"}),
        unknown_in_4_9_7(901, {"clusterName": "unknown", "brokerName": "broker-a"}),
        unknown_in_4_9_7(901, {"clusterName": "DefaultCluster", "brokerName": "unknown"}),
        Ask(901, differs={"4.9.7": Differs.SILENT, "5.5.0": Differs.NULL_FIELD}),
    ],
    "heartbeats": [
        unknown_in_4_9_7(904, BROKER),
        Ask(904, differs={"4.9.7": Differs.SILENT, "5.5.0": Differs.JAVA_EXCEPTION}),
    ],
    "data versions": [
        Ask(103, REGISTERED, TWO_TOPICS),
        Ask(322, BROKER, b'{"counter":1,"stateVersion":0,"timestamp":1700000000000}'),
        Ask(322, BROKER, b'{"counter":1,"timestamp":1700000000000}'),
        Ask(322, BROKER, b'{"counter":2,"stateVersion":0,"timestamp":1700000000000}'),
        Ask(322, BROKER, b'{"counter":1,"stateVersion":0,"timestamp":1700000000001}'),
        Ask(322, {**BROKER, "brokerAddr": "127.0.0.1:11"}, b'{"counter":1,"timestamp":1700000000000}'),
    ],
    "unknown requests": [
        unknown_in_4_9_7(code) for code in (0, 10, 34, 200, 999, 9999, -5)
    ],
    "requests without an answer": [
        Ask(106, flag=ONEWAY),
        Ask(9999, flag=ONEWAY),
        Ask(105, {"topic": "TBW102"}),
    ],
    "a broker comes": [
        Ask(103, REGISTERED, TWO_TOPICS),
        *ROUTE_OF_MADE_UP,
        Ask(304),
        Ask(103, REGISTERED, TWO_TOPICS),
        Ask(104, {**BROKER, "brokerName": "unknown", "brokerAddr": "127.0.0.1:99"}),
        *ROUTE_OF_MADE_UP,
    ],
    "a slave comes": [
        Ask(103, SLAVE, TWO_TOPICS),
        *ROUTE_OF_MADE_UP,
        Ask(103, REGISTERED, TWO_TOPICS),
        *ROUTE_OF_MADE_UP,
        Ask(103, SLAVE, TWO_TOPICS),
        *ROUTE_OF_MADE_UP,
        SLAVE_GOES,
    ],
    "registrations": [
        Ask(103, REGISTERED),
        Ask(106),
        Ask(103, checked(REGISTERED, TWO_TOPICS), TWO_TOPICS),
        Ask(103, {**REGISTERED, "bodyCrc32": "77"}, TWO_TOPICS),
        Ask(103, {**REGISTERED, "heartbeatTimeoutMillis": "60000"}, TWO_TOPICS),
        Ask(103, REGISTERED, text(topics(2, three=0, four=0)), version=0),
        *ROUTE_OF_MADE_UP,
        Ask(105, {"topic": "three"}),
        Ask(103, {**REGISTERED, "compressed": "true"}, compressed_registration(five=0, six=0), version=399),
        Ask(105, {"topic": "five"}),
        failing(103),
        failing(103, {**REGISTERED, "brokerId": "none"}, body=TWO_TOPICS),
    ],
    "filter servers": [
        Ask(103, REGISTERED, registration(["127.0.0.1:77"], one=0, two=0)),
        Ask(105, {"topic": "one"}),
        Ask(103, REGISTERED, registration(one=0, two=0)),
        Ask(105, {"topic": "one"}),
    ],
    "order configuration": [
        Ask(100, {"namespace": "ORDER_TOPIC_CONFIG", "key": "one", "value": "made-up:3"}),
        Ask(103, REGISTERED, TWO_TOPICS),
        Ask(105, {"topic": "one"}),
        Ask(318, body=b"orderMessageEnable=true"),
        Ask(105, {"topic": "one"}),
        Ask(105, {"topic": "two"}),
        Ask(318, body=b"orderMessageEnable=false"),
        Ask(105, {"topic": "one"}),
        Ask(102, {"namespace": "ORDER_TOPIC_CONFIG", "key": "one"}),
        Ask(103, REGISTERED, TWO_TOPICS),
    ],
    "units": [Ask(103, REGISTERED, UNIT_TOPICS), Ask(311), Ask(312), Ask(313), Ask(105, {"topic": "both"})],
    "write permission": [
        Ask(103, REGISTERED, TWO_TOPICS),
        Ask(205, {"brokerName": "made-up"}),
        Ask(105, {"topic": "one"}),
        Ask(327, {"brokerName": "made-up"}),
        Ask(105, {"topic": "one"}),
        Ask(205, {"brokerName": "unknown"}),
        Ask(327, {"brokerName": "unknown"}),
        incomplete(205),
        incomplete(327),
    ],
    "topics go": [
        Ask(103, REGISTERED, TWO_TOPICS),
        Ask(216, {"topic": "one"}),
        *ROUTE_OF_MADE_UP,
        Ask(216, {"topic": "one"}),
        Ask(216, {"topic": "two", "clusterName": "DefaultCluster"}),
        Ask(105, {"topic": "two"}),
        Ask(216, {"topic": "two", "clusterName": "elsewhere"}),
        Ask(105, {"topic": "two"}),
        incomplete(216),
    ],
    "topics come": [
        Ask(103, REGISTERED, TWO_TOPICS),
        unknown_in_4_9_7(217, {"topic": "three"}),
        unknown_in_4_9_7(
            217,
            {"topic": "three"},
            body=queues_of("made-up"),
        ),
        unknown_in_4_9_7(
            217,
            {"topic": "four"},
            body=queues_of("unknown"),
        ),
        Ask(105, {"topic": "four"}),
    ],
    "properties": [
        Ask(319, differs=OTHER_PROPERTIES),
        Ask(318),
        Ask(318, body=b"productEnvName=here\nunknownProperty=1\nserverWorkerThreads=many\n"),
        Ask(319, differs=OTHER_PROPERTIES),
        Ask(318, body=b"productEnvName=center"),
    ],
}  # fmt: skip

ONLY_5_5_0: dict[str, list[Ask]] = {
    "unchangeable properties": [
        Ask(318, body=b"kvConfigPath=elsewhere"),
        Ask(318, body=b"configBlackList=a\nproductEnvName=no"),
        Ask(319),
    ],
    "a single topic of an unknown broker": [
        Ask(103, REGISTERED, registration(one=0)),
        Ask(105, {"topic": "one"}),
        Ask(106),
        Ask(103, REGISTERED, TWO_TOPICS),
        Ask(103, REGISTERED, registration(one=0)),
        *ROUTE_OF_MADE_UP,
    ],
    "acting masters": [
        Ask(103, {**SLAVE, "enableActingMaster": "true"}, TWO_TOPICS),
        *ROUTE_OF_MADE_UP,
        Ask(318, body=b"supportActingMaster=true"),
        *ROUTE_OF_MADE_UP,
        Ask(103, {**REGISTERED, "enableActingMaster": "true"}, TWO_TOPICS),
        *ROUTE_OF_MADE_UP,
        Ask(318, body=b"supportActingMaster=false"),
        *ROUTE_OF_MADE_UP,
        SLAVE_GOES,
    ],
    "zones in standard JSON": [
        Ask(103, {**REGISTERED, "__ZONE_NAME": "z"}, TWO_TOPICS),
        Ask(105, {"topic": "one", "__ZONE_MODE": "true", "__ZONE_NAME": "Z"}),
        Ask(105, {"topic": "one", "__ZONE_MODE": "true", "__ZONE_NAME": "y"}),
    ],
    "slaves without acting masters": [
        Ask(103, {**SLAVE, "enableActingMaster": "false"}, TWO_TOPICS),
        *ROUTE_OF_MADE_UP,
    ],
    "topics that a broker does not name any more": [
        Ask(103, REGISTERED, registration(one=0, two=0, three=0)),
        Ask(318, body=b"deleteTopicWithBrokerRegistration=true"),
        Ask(103, REGISTERED, TWO_TOPICS),
        Ask(105, {"topic": "three"}),
        Ask(318, body=b"deleteTopicWithBrokerRegistration=false"),
        *ROUTE_OF_MADE_UP,
    ],
    "topic lists can be forbidden": [
        Ask(318, body=b"enableTopicList=false\nenableAllTopicList=false"),
        *(Ask(code, {"cluster": "DefaultCluster"}) for code in sorted(TOPIC_LISTS)),
        Ask(318, body=b"enableTopicList=true\nenableAllTopicList=true"),
    ],
}

FORMS = {
    "JSON, unquoted keys": (JSON, 399),
    "JSON, quoted keys": (JSON, 513),
    "binary": (ROCKETMQ, 513),
}
