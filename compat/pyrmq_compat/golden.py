# SPDX-License-Identifier: Apache-2.0
"""Golden data: what the real classes produce, written down once and committed.

Golden.java writes `golden/<version>/`. `golden/settings.csv` covers all versions at once, so it is put
together here from what Settings.java prints under each of them. Nothing in the files depends on the machine
or the time: two runs give the same bytes.
"""

import csv
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .jars import VERSIONS, java_command
from .javahome import environment, home_options, prepare_home

GOLDEN_FOLDER = Path(__file__).resolve().parent.parent / "golden"

TIMEOUT_S = 300

# Thread counts that RocketMQ derives from the number of processors. It is asked under several numbers, and
# the first formula that explains all answers is written down.
CPU_COUNTS = (1, 3, 8, 64)
CPU_FORMULAS: dict[str, Callable[[int], int]] = {
    "<cpu>": lambda cpu: cpu,
    "min(<cpu>,4)": lambda cpu: min(cpu, 4),
    "min(<cpu>,32)": lambda cpu: min(cpu, 32),
    "<cpu>+8": lambda cpu: cpu + 8,
    "<cpu>*2+16": lambda cpu: cpu * 2 + 16,
    "<cpu>*2+8": lambda cpu: cpu * 2 + 8,
}

SettingKey = tuple[str, str]


@dataclass(frozen=True)
class Setting:
    type: str
    default: str
    settable: bool


def generate(versions: Iterable[str], output: Path = GOLDEN_FOLDER) -> list[Path]:
    """Write the files of `versions` and the settings table; returns what was written."""
    written = []
    for version in versions:
        folder = output / version
        _java(version, "pyrmq.compat.Golden", str(folder.resolve()))
        written += sorted(folder.iterdir())
    written.append(_write_settings(output))
    return written


def _write_settings(output: Path) -> Path:
    old, new = (_settings(version) for version in VERSIONS)
    file = output / "settings.csv"
    with file.open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["class", "name", "type", "default", "versions", "default_4_9", "settable"])
        for key in sorted(old.keys() | new.keys()):
            before, now = old.get(key), new.get(key)
            shown = now or before
            assert shown is not None
            versions = [version for version, found in zip(VERSIONS, (before, now), strict=True) if found]
            differs = before is not None and now is not None and before.default != now.default
            table.writerow(
                [
                    *key,
                    shown.type,
                    shown.default,
                    "|".join(versions),
                    before.default if differs and before else "",
                    "yes" if shown.settable else "no",
                ]
            )
    return file


def _settings(version: str) -> dict[SettingKey, Setting]:
    runs = [_settings_with(version, cpu) for cpu in CPU_COUNTS]
    return {
        key: Setting(setting.type, _default_text([run[key].default for run in runs], key), setting.settable)
        for key, setting in runs[0].items()
    }


def _settings_with(version: str, cpu: int) -> dict[SettingKey, Setting]:
    lines = _java(version, "pyrmq.compat.Settings", options=[f"-XX:ActiveProcessorCount={cpu}"]).splitlines()
    return {
        (row["class"], row["name"]): Setting(
            row["type"], "<null>" if row["default"] is None else row["default"], row["settable"]
        )
        for row in map(json.loads, lines)
    }


def _default_text(defaults: Sequence[str], key: SettingKey) -> str:
    if len(set(defaults)) == 1:
        return defaults[0]
    for text, formula in CPU_FORMULAS.items():
        if all(default == str(formula(cpu)) for default, cpu in zip(defaults, CPU_COUNTS, strict=True)):
            return text
    raise RuntimeError(f"no formula explains {key} under {CPU_COUNTS} processors: {defaults}")


def _java(version: str, main_class: str, *arguments: str, options: Sequence[str] = ()) -> str:
    """Run one of our main classes where home folder, time zone and language are the same everywhere."""
    fixed = ["-Duser.home=<user.home>", "-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US"]
    with tempfile.TemporaryDirectory(prefix="golden-") as scratch:
        home = Path(scratch)
        prepare_home(home)
        result = subprocess.run(
            [*java_command(version, *home_options(home), *fixed, *options), main_class, *arguments],
            cwd=home,  # the placeholder for the home folder is a relative path: its log file lands here
            env={**environment(home), "ROCKETMQ_HOME": "<rocketmq.home>"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT_S,
            check=False,
        )
    if result.returncode != 0:
        raise RuntimeError(f"{main_class} failed under {version}:\n{result.stderr[-4000:]}")
    return result.stdout
