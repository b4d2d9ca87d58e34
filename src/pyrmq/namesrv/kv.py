# SPDX-License-Identifier: Apache-2.0
"""The key-value store of the name server, kept in `kvConfig.json` as the original keeps it."""

import logging
from pathlib import Path

from ..atomicfile import replace_keeping_backup
from ..wire.bodies.kv import KVConfigSerializeWrapper
from ..wire.errors import BodyError

logger = logging.getLogger(__name__)

ORDER_TOPIC_CONFIG = "ORDER_TOPIC_CONFIG"


class KVStore:
    """Namespaces of string values; every change is on disk before it is answered."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.namespaces: dict[str, dict[str, str]] = {}

    def load(self) -> None:
        """Read the file, or its backup if the file is missing or damaged; start empty if both are."""
        for path in (self._path, self._path.with_name(self._path.name + ".bak")):
            try:
                self.namespaces = KVConfigSerializeWrapper.decode(path.read_bytes()).config_table or {}
            except FileNotFoundError:
                continue
            except BodyError as error:
                logger.error("cannot read %s: %s", path, error)  # noqa: TRY400 - the text says it all
                continue
            logger.info("loaded %d namespaces from %s", len(self.namespaces), path)
            return

    def get(self, namespace: str, key: str) -> str | None:
        """A value, None if it is not set."""
        return self.namespaces.get(namespace, {}).get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        """Set a value."""
        self.namespaces.setdefault(namespace, {})[key] = value
        self._persist()

    def delete(self, namespace: str, key: str) -> None:
        """Remove a value; nothing happens if there is none."""
        self.namespaces.get(namespace, {}).pop(key, None)
        self._persist()

    def _persist(self) -> None:
        content = KVConfigSerializeWrapper(config_table=self.namespaces).encode()
        replace_keeping_backup(self._path, content)

    def log_all(self) -> None:
        """Write every value to the log, for operators."""
        logger.info("%d namespaces", len(self.namespaces))
        for namespace, values in self.namespaces.items():
            for key, value in values.items():
                logger.info("namespace %s: %s = %s", namespace, key, value)
