# SPDX-License-Identifier: Apache-2.0
"""Java's properties text. The expected values were read off `java.util.Properties` (see `test_like_java`)."""

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrmq.settings import properties

CASES = {
    "a=b": {"a": "b"},
    "a = b ": {"a": "b "},
    "a:b": {"a": "b"},
    "a b": {"a": "b"},
    "a": {"a": ""},
    "a=": {"a": ""},
    "=b": {"": "b"},
    "  a=b": {"a": "b"},
    "# comment\n! also\n\na=b": {"a": "b"},
    "a=b=c": {"a": "b=c"},
    "a\\=b=c": {"a=b": "c"},
    "a\\ b=c": {"a b": "c"},
    "a\\:b c": {"a:b": "c"},
    "a=one \\\n   two": {"a": "one two"},
    "a=x\\\\\nb=y": {"a": "x\\", "b": "y"},
    "a=\\u0041\\t\\n\\z": {"a": "A\t\nz"},
    "a=1\r\nb=2\rc=3": {"a": "1", "b": "2", "c": "3"},
    "a=1\na=2": {"a": "2"},
    "messageDelayLevel=1s 5s 10s": {"messageDelayLevel": "1s 5s 10s"},
    "a=b # no comment": {"a": "b # no comment"},
    "a==b": {"a": "=b"},
    "a = : b": {"a": ": b"},
    "a=\\": {"a": ""},
}


@pytest.mark.parametrize("text", CASES)
def test_reading(text: str) -> None:
    assert properties.loads(text) == CASES[text]


def test_broken_unicode_escape() -> None:
    with pytest.raises(ValueError, match="uxxxx"):
        properties.loads("a=\\u00")


@given(st.dictionaries(st.text("abcXYZ.0123", min_size=1), st.text("abc =:#!/;,").map(str.strip)))
def test_what_we_list_reads_back(values: dict[str, str]) -> None:
    assert properties.loads(properties.dumps(values)) == values


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert isinstance(properties.loads(text), dict)


@pytest.mark.interop
def test_like_java(tmp_path: Path) -> None:
    """The cases above, read by the real thing."""
    program = tmp_path / "Read.java"
    program.write_text(
        """
        public class Read {
            public static void main(String[] names) throws Exception {
                for (String name : names) {
                    java.util.Properties read = new java.util.Properties();
                    read.load(new java.io.FileReader(name));
                    StringBuilder line = new StringBuilder();
                    for (String key : new java.util.TreeSet<>(read.stringPropertyNames()))
                        line.append(hex(key)).append('=').append(hex(read.getProperty(key))).append(' ');
                    System.out.println(line.toString().trim());
                }
            }
            static String hex(String text) {
                StringBuilder out = new StringBuilder();
                for (char unit : text.toCharArray()) out.append(String.format("%04x", (int) unit));
                return out.toString();
            }
        }
        """
    )
    names = []
    for number, text in enumerate(CASES):
        file = tmp_path / f"{number}.properties"
        file.write_text(text, newline="")
        names.append(str(file))
    ran = subprocess.run(["java", str(program), *names], capture_output=True, text=True, check=True)

    def line(values: dict[str, str]) -> str:
        return " ".join(f"{_hex(key)}={_hex(values[key])}" for key in sorted(values))

    assert ran.stdout.splitlines() == [line(values) for values in CASES.values()]


def _hex(text: str) -> str:
    return text.encode("utf-16-be").hex()
