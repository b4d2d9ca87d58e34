# SPDX-License-Identifier: Apache-2.0
"""The source tree keeps to its plan: who may import whom, and what may not be called where."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "pyrmq"
MODULES = sorted(SOURCE.rglob("*.py"))

MAY_IMPORT = {
    "wire": set(),
    "settings": set(),
    "clock": set(),
    "atomicfile": set(),
    "remoting": {"wire"},
    "storage": {"wire", "clock", "atomicfile"},
    "namesrv": {"wire", "remoting", "settings", "clock", "atomicfile"},
    "broker": {"wire", "remoting", "settings", "clock", "atomicfile"},
    "cli": {"wire", "remoting", "settings", "clock", "namesrv", "broker"},
}


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """The rooms of pyrmq that a module imports from."""
    package = ("pyrmq", *path.relative_to(SOURCE).parent.parts)
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            targets = [(*base, *name.split(".")) for name in names]
        elif isinstance(node, ast.ImportFrom):
            targets = [tuple((node.module or "").split("."))]
        elif isinstance(node, ast.Import):
            targets = [tuple(alias.name.split(".")) for alias in node.names]
        else:
            continue
        found |= {target[1] for target in targets if target[0] == "pyrmq" and len(target) > 1}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_follow_the_plan(path: Path) -> None:
    here = room(path)
    if here == "__init__":
        return
    allowed = MAY_IMPORT[here] | {here, "__version__"}
    assert imported_rooms(path) <= allowed


@pytest.mark.parametrize("path", [p for p in MODULES if room(p) == "wire"], ids=lambda path: path.name)
def test_wire_does_no_io(path: Path) -> None:
    banned = {"trio", "socket", "os", "pathlib", "time", "logging", "ssl"}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert not {alias.name.split(".")[0] for alias in node.names} & banned
        if isinstance(node, ast.ImportFrom) and not node.level:
            assert (node.module or "").split(".")[0] not in banned


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_time_and_chance_are_handed_in(path: Path) -> None:
    if room(path) in ("clock", "cli"):
        return
    source = path.read_text()
    for call in ("time.time(", "time.time_ns(", "time.monotonic(", "datetime.now(", "random.random("):
        if call == "datetime.now(" and path.name == "tls.py":
            continue  # the validity of a certificate is real time by nature
        assert call not in source, f"{call} in {path}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_has_a_licence_and_a_purpose(path: Path) -> None:
    source = path.read_text()
    assert source.startswith("# SPDX-License-Identifier: Apache-2.0\n")
    assert ast.get_docstring(ast.parse(source))
    assert path.name not in ("utils.py", "common.py", "base.py", "manager.py", "helpers.py")


def test_the_reference_settings_are_those_the_real_classes_printed() -> None:
    golden = (ROOT / "compat" / "golden" / "settings.csv").read_bytes()
    assert (SOURCE / "settings" / "reference.csv").read_bytes() == golden
