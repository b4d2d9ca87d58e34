# SPDX-License-Identifier: Apache-2.0
"""The broker's properties that have an effect, with the original's names and defaults."""

import socket
from pathlib import Path

from msgspec import field

from ..remoting.tls import TLS_PROPERTIES
from ..settings import Configuration, Settings
from ..settings.reference import local_address

DEFAULT_PORT = 10911
FAST_PORT_DISTANCE = 2
"""The second port, which ordinary pulls cannot clog, lies this far below the first."""
HA_PORT_DISTANCE = 1


class BrokerSettings(Settings, kw_only=True):
    """Read from a `broker.conf` as the original reads it."""

    broker_cluster_name: str = "DefaultCluster"
    broker_name: str = field(default_factory=socket.gethostname)
    broker_id: int = 0
    broker_ip1: str = field(name="brokerIP1", default_factory=local_address)
    broker_ip2: str = field(name="brokerIP2", default_factory=local_address)
    namesrv_addr: str = ""
    listen_port: int = DEFAULT_PORT
    bind_address: str = "0.0.0.0"
    server_channel_max_idle_time_seconds: int = 120
    ha_listen_port: int = 0
    store_path_root_dir: str = str(Path.home() / "store")
    auto_create_topic_enable: bool = True
    default_topic_queue_nums: int = 8
    trace_topic_enable: bool = False
    msg_trace_topic_name: str = "RMQ_SYS_TRACE_TOPIC"
    cluster_topic_enable: bool = True
    broker_topic_enable: bool = True
    register_name_server_period: int = 30_000
    register_broker_timeout_mills: int = 24_000
    enable_slave_acting_master: bool = False
    broker_not_active_timeout_millis: int = 10_000
    compressed_register: bool = False

    @property
    def name_servers(self) -> list[str]:
        """The addresses to register with."""
        return [address.strip() for address in self.namesrv_addr.split(";") if address.strip()]


def broker_configuration() -> Configuration:
    """The broker's configuration before any file is read."""
    return Configuration(
        "BrokerConfig",
        "MessageStoreConfig",
        "NettyServerConfig",
        "NettyClientConfig",
        "AuthConfig",
        used=BrokerSettings.names() | TLS_PROPERTIES,
        # What the original changes before it reads its file; 0 stands for "next to the listening port".
        defaults={"listenPort": str(DEFAULT_PORT), "haListenPort": "0"},
    )
