# SPDX-License-Identifier: Apache-2.0
"""The parts of a name server, for handlers to work on."""

from collections.abc import Callable
from dataclasses import dataclass

from ..clock import Clock
from ..settings import Configuration
from .departures import Departures
from .kv import KVStore
from .routes import MinIdChange, Routes
from .settings import NamesrvSettings


@dataclass(slots=True)
class NameServer:
    """What the handlers share. No logic: each part is its own."""

    configuration: Configuration
    settings: NamesrvSettings
    routes: Routes
    kv: KVStore
    departures: Departures
    announce: Callable[[MinIdChange], None]
    clock: Clock
    started_ms: int
