# SPDX-License-Identifier: Apache-2.0
"""Every property that RocketMQ itself knows, with type and default, as read out of its own classes.

`reference.csv` beside this module is the file that `python -m pyrmq_compat golden` writes.
"""

import csv
import os
import re
import socket
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

_ENUMERATIONS = {"metricsExporterType"}
"""Properties that the original takes by name or by number."""


class Known(msgspec.Struct, frozen=True):
    """One property of the original."""

    section: str
    """The configuration class it belongs to, such as `BrokerConfig`."""
    name: str
    type: str
    default: str | None
    """As the original prints it, None where it prints nothing; machine-dependent parts are marked."""


@cache
def catalogue() -> dict[str, tuple[Known, ...]]:
    """All known properties by name; a few names belong to several sections."""
    found: dict[str, tuple[Known, ...]] = {}
    with files(__package__).joinpath("reference.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            default = None if row["default"] == "<null>" else row["default"]
            type_name = "String" if row["name"] in _ENUMERATIONS else row["type"]
            known = Known(row["class"], row["name"], type_name, default)
            found[known.name] = (*found.get(known.name, ()), known)
    return found


def section(*names: str) -> dict[str, Known]:
    """The properties of the given configuration classes."""
    return {
        known.name: known for entries in catalogue().values() for known in entries if known.section in names
    }


def on_this_machine(default: str) -> str:
    """A default with its machine-dependent parts filled in."""
    if "<" not in default:
        return default
    if "<cpu>" in default:
        return str(_thread_count(default))
    for mark, value in (
        ("<user.home>", str(Path.home())),
        ("<rocketmq.home>", os.environ.get("ROCKETMQ_HOME", "")),
        ("<hostname>", socket.gethostname()),
        ("<address>", local_address()),
    ):
        default = default.replace(mark, value)
    return default


def local_address() -> str:
    """The address other machines would reach this one by; the loopback address if there is none."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # Connecting a datagram socket sends nothing; it only makes the system choose a source address.
        probe.connect(("198.51.100.1", 9))
        return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"
    finally:
        probe.close()


def _thread_count(formula: str) -> int:
    """Evaluate the few shapes in which the original sizes its thread pools by processors."""
    text = formula.replace("<cpu>", str(os.cpu_count() or 1))
    if match := re.fullmatch(r"min\((\d+),(\d+)\)", text):
        return min(int(match[1]), int(match[2]))
    match = re.fullmatch(r"(\d+)(?:\*(\d+))?(?:\+(\d+))?", text)
    assert match is not None, f"unknown default formula {formula}"
    return int(match[1]) * int(match[2] or 1) + int(match[3] or 0)
