# SPDX-License-Identifier: Apache-2.0
"""The name server's properties that have an effect, with the original's names and defaults."""

from pathlib import Path

from ..remoting.tls import TLS_PROPERTIES
from ..settings import Configuration, Settings

DEFAULT_PORT = 9876


class NamesrvSettings(Settings, kw_only=True):
    """Read from a `namesrv.conf` as the original reads it."""

    listen_port: int = DEFAULT_PORT
    bind_address: str = "0.0.0.0"
    server_channel_max_idle_time_seconds: int = 120
    kv_config_path: str = str(Path.home() / "namesrv" / "kvConfig.json")
    config_store_path: str = str(Path.home() / "namesrv" / "namesrv.properties")
    order_message_enable: bool = False
    return_order_topic_config_to_broker: bool = True
    scan_not_active_broker_interval: int = 5000
    un_register_broker_queue_capacity: int = 3000
    support_acting_master: bool = False
    enable_all_topic_list: bool = True
    enable_topic_list: bool = True
    notify_min_broker_id_changed: bool = False
    need_wait_for_service: bool = False
    wait_seconds_for_service: int = 45
    delete_topic_with_broker_registration: bool = False
    config_black_list: str = "configBlackList;configStorePath;kvConfigPath"

    @property
    def unchangeable(self) -> set[str]:
        """The properties that cannot be changed in a running name server."""
        built_in = {"configBlackList", "configStorePath", "kvConfigPath", "rocketmqHome"}
        return built_in | set(self.config_black_list.split(";"))


def namesrv_configuration() -> Configuration:
    """The name server's configuration before any file is read."""
    return Configuration(
        "NamesrvConfig",
        "NettyServerConfig",
        used=NamesrvSettings.names() | TLS_PROPERTIES,
        defaults={"listenPort": str(DEFAULT_PORT)},
    )
