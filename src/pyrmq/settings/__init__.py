# SPDX-License-Identifier: Apache-2.0
"""Configuration in RocketMQ's own property names, types and defaults.

`reference` knows every property of the original, `properties` reads and writes its files, and `Configuration`
lays files, environment and command line over the defaults and hands out typed settings.
"""

from .configuration import Configuration, Settings, SettingsError

__all__ = ["Configuration", "Settings", "SettingsError"]
