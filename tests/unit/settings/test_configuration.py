# SPDX-License-Identifier: Apache-2.0
"""Defaults, checks and messages of a configuration."""

import msgspec
import pytest

from pyrmq.broker.settings import BrokerSettings, broker_configuration
from pyrmq.namesrv.settings import NamesrvSettings, namesrv_configuration
from pyrmq.settings import Configuration, Settings, SettingsError, reference

OWN_DEFAULTS = {"listenPort", "haListenPort"}  # the original changes these when it starts, per process


@pytest.mark.parametrize(
    ("settings", "configuration"),
    [(NamesrvSettings, namesrv_configuration()), (BrokerSettings, broker_configuration())],
)
def test_declared_defaults_are_the_originals(settings: type[Settings], configuration: Configuration) -> None:
    declared, from_reference = settings(), settings.read(configuration.values)
    for field in msgspec.structs.fields(settings):
        assert field.encode_name in reference.catalogue(), field.encode_name
        if field.encode_name not in OWN_DEFAULTS:
            assert getattr(declared, field.name) == getattr(from_reference, field.name), field.name


def test_every_default_has_its_type() -> None:
    for entries in reference.catalogue().values():
        for known in entries:
            if known.default is not None:
                text = reference.on_this_machine(known.default)
                assert Configuration._problem(known.type, text) is None, known


def test_a_file_lies_over_the_defaults() -> None:
    configuration = broker_configuration()
    configuration.set_from_text("brokerName = a\nbrokerId=3\nautoCreateTopicEnable=FALSE\n", "broker.conf")
    settings = BrokerSettings.read(configuration.values)
    assert (settings.broker_name, settings.broker_id) == ("a", 3)
    assert settings.auto_create_topic_enable is False
    assert settings.broker_cluster_name == "DefaultCluster"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("brokerId=two", "broker.conf: brokerId must be a 64-bit integer, got 'two'"),
        ("listenPort=1_0", "broker.conf: listenPort must be a 32-bit integer, got '1_0'"),
        ("listenPort=99999999999", "broker.conf: listenPort must be a 32-bit integer, got '99999999999'"),
        ("longPollingEnable=yes", "broker.conf: longPollingEnable must be true or false, got 'yes'"),
        ("a=\\u12", "broker.conf: malformed \\uxxxx escape in '\\\\u12'"),
    ],
)
def test_ill_typed_values_are_refused(line: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        broker_configuration().set_from_text(line, "broker.conf")
    assert str(caught.value) == message


def test_unknown_and_unused_names_are_told() -> None:
    configuration = namesrv_configuration()
    configuration.set(
        {
            "lisenPort": "1",
            "xyzzy": "2",
            "serverSelectorThreads": "3",
            "brokerName": "b",
            "kvConfigPath": "k",
        },
        "test",
    )
    assert list(configuration.warnings()) == [
        "unknown property lisenPort; did you mean listenPort?",
        "unknown property xyzzy",
        "accepted, no effect: brokerName, serverSelectorThreads",
    ]


def test_a_running_process_ignores_what_it_cannot_use() -> None:
    configuration = namesrv_configuration()
    refused = configuration.change({"orderMessageEnable": "true", "listenPort": "x", "nonsense": "1"})
    assert refused == ["listenPort", "nonsense"]
    assert configuration.values["orderMessageEnable"] == "true"
    assert "nonsense" not in configuration.values


def test_listing_is_sorted_and_complete() -> None:
    lines = namesrv_configuration().text().splitlines()
    assert lines == sorted(lines)
    assert "listenPort=9876" in lines
    assert len(lines) == len(reference.section("NamesrvConfig", "NettyServerConfig"))
