# SPDX-License-Identifier: Apache-2.0
"""Class paths: the jars of one RocketMQ version, and our Java helpers compiled against them.

Both are kept below `~/.cache/pyrmq-compat/<version>/` (PYRMQ_COMPAT_CACHE names another folder), so
Maven and javac run once and again only when `pom.xml` or a source changed, or a jar went missing.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

VERSIONS = ("4.9.7", "5.5.0")

JAVA_FOLDER = Path(__file__).resolve().parent.parent / "java"
POM = JAVA_FOLDER / "pom.xml"
SOURCES = JAVA_FOLDER / "src" / "main" / "java"

MAVEN_TIMEOUT_S = 600
JAVAC_TIMEOUT_S = 300

# RocketMQ reaches into the JDK for direct buffers; since JDK 9 that must be allowed explicitly.
OPEN_JDK = (
    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
    "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
)


class ReferenceUnavailable(RuntimeError):  # noqa: N818
    """The real RocketMQ cannot be used here; the message says what is missing."""


def class_path(version: str) -> str:
    """Everything `java -cp` needs to run RocketMQ `version` and our helpers."""
    jars = rocketmq_jars(version)
    return os.pathsep.join([str(compiled(version)), *jars])


def rocketmq_jars(version: str) -> list[str]:
    """Paths of all jars of RocketMQ `version`, resolved through Maven at most once."""
    folder = _cache_folder(version)
    listing, stamp = folder / "classpath.txt", folder / "pom.sha256"
    digest = _digest([POM])
    with _locked(folder):
        if listing.is_file() and stamp.is_file() and stamp.read_text() == digest:
            jars = listing.read_text().split(os.pathsep)
            if all(Path(jar).is_file() for jar in jars):
                return jars
        stamp.unlink(missing_ok=True)
        _resolve(version, listing)
        stamp.write_text(digest)
        return listing.read_text().split(os.pathsep)


def compiled(version: str) -> Path:
    """Folder with our Java helpers compiled against RocketMQ `version`.

    The folder's name carries the digest of the sources: a process still running from an older
    compilation keeps its classes.
    """
    jars = rocketmq_jars(version)
    sources = sorted(SOURCES.rglob("*.java"))
    folder = _cache_folder(version)
    classes = folder / f"classes-{_digest([POM, *sources])[:16]}"
    with _locked(folder):
        if not classes.is_dir():
            _compile(sources, jars, classes)
    return classes


def java_command(version: str, *options: str) -> list[str]:
    """The start of a command line: java, the needed options, the class path."""
    return [tool("java"), *OPEN_JDK, "-Dfile.encoding=UTF-8", *options, "-cp", class_path(version)]


def tool(name: str) -> str:
    """Path of `java`, `javac` or `mvn`; JAVA_HOME goes before PATH."""
    home = os.environ.get("JAVA_HOME")
    if home and name != "mvn":
        candidate = Path(home) / "bin" / name
        if candidate.is_file():
            return str(candidate)
    found = shutil.which(name)
    if found is None:
        need = "Maven 3" if name == "mvn" else "a JDK, 11 or newer"
        raise ReferenceUnavailable(f"no `{name}` on PATH: install {need} to use the real RocketMQ")
    return found


def _resolve(version: str, listing: Path) -> None:
    result = _run(
        [
            tool("mvn"),
            "--batch-mode",
            "--quiet",
            f"--file={POM}",
            f"-Drocketmq.version={version}",
            f"-Dmdep.outputFile={listing}",
            "-Dmdep.includeScope=runtime",
            "dependency:build-classpath",
        ],
        MAVEN_TIMEOUT_S,
    )
    if result.returncode != 0:
        raise ReferenceUnavailable(
            f"Maven could not resolve RocketMQ {version} (right version? repository reachable?):\n"
            + _tail(result.stdout)
        )


def _compile(sources: Sequence[Path], jars: Sequence[str], classes: Path) -> None:
    with tempfile.TemporaryDirectory(dir=classes.parent) as scratch:
        output = Path(scratch) / "classes"
        result = _run(
            [
                tool("javac"),
                *("--release", "11", "-encoding", "UTF-8", "-proc:none", "-Xlint:-options"),
                *("-cp", os.pathsep.join(jars), "-d", str(output)),
                *map(str, sources),
            ],
            JAVAC_TIMEOUT_S,
        )
        if result.returncode != 0:
            raise ReferenceUnavailable(f"javac failed on {SOURCES}:\n{_tail(result.stdout)}")
        output.rename(classes)


def _run(command: Sequence[str], timeout_s: float) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ReferenceUnavailable(f"{command[0]} did not finish in {timeout_s:.0f} s") from error


def _cache_folder(version: str) -> Path:
    root = os.environ.get("PYRMQ_COMPAT_CACHE")
    folder = (Path(root) if root else Path.home() / ".cache" / "pyrmq-compat") / version
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other processes (parallel test workers) out of `folder`."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest(files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _tail(text: str, lines: int = 30) -> str:
    return "\n".join(text.splitlines()[-lines:])
