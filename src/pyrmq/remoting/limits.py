# SPDX-License-Identifier: Apache-2.0
"""How much one peer may ask of us."""

import msgspec

from ..wire.frames import DEFAULT_MAX_FRAME_BYTES


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on what a server or client holds for its peers; memory stays flat because of them."""

    max_frame_bytes: int = DEFAULT_MAX_FRAME_BYTES
    max_connections: int = 10_000
    max_waiting_requests: int = 4_096
    """Requests of one connection whose handler is suspended. One more is answered SYSTEM_BUSY."""
    max_calls: int = 4_096
    """Our own unanswered requests to one peer."""
    read_bytes: int = 256 * 1024
    out_pause_bytes: int = 1024 * 1024
    """With this much unsent, nothing more is read from the peer."""
    out_drop_bytes: int = 32 * 1024 * 1024
    """With this much unsent (answers that became ready meanwhile), the peer is dropped."""
    out_stall_s: float = 60.0
    """A peer that takes nothing of what is sent to it for this long is dropped."""
    idle_s: float = 120.0
    """A connection without a byte in either direction for this long is closed, as the original does."""
    greeting_s: float = 10.0
    """A peer that announces TLS or a PROXY header must complete it within this time."""
    shutdown_s: float = 4.0
    """How long a stopping server lets requests under way finish."""
