# SPDX-License-Identifier: Apache-2.0
"""The key-value store and its file."""

from pathlib import Path

import pytest

from pyrmq.namesrv.kv import KVStore


def test_values_survive(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "kvConfig.json"
    store = KVStore(path)
    store.load()
    store.put("ORDER_TOPIC_CONFIG", "TopicA", "broker-a:4;broker-b:4")
    store.put("n", "k", '名 "quoted"')
    store.delete("n", "nothing")
    again = KVStore(path)
    again.load()
    assert again.namespaces == store.namespaces
    # The file as the real name server 5.5.0 writes it.
    order = '{"TopicA":"broker-a:4;broker-b:4"}'
    assert (
        path.read_text()
        == f'{{"configTable":{{"ORDER_TOPIC_CONFIG":{order},"n":{{"k":"名 \\"quoted\\""}}}}}}'
    )


@pytest.mark.parametrize("damage", [b"", b"{", b'{"configTable":{"n":5}}', b"\xff\xfe"])
def test_a_damaged_file_gives_way_to_its_backup(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "kvConfig.json"
    store = KVStore(path)
    store.put("n", "k", "old")
    store.put("n", "k", "new")
    path.write_bytes(damage)
    again = KVStore(path)
    again.load()
    assert again.get("n", "k") == "old"


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "kvConfig.json"
    store = KVStore(path)
    store.put("n", "k", "old")
    before = path.read_bytes()
    (tmp_path / "kvConfig.json.tmp").mkdir()
    with pytest.raises(OSError, match=r"kvConfig\.json\.tmp"):
        store.put("n", "k", "new")
    assert path.read_bytes() == before
