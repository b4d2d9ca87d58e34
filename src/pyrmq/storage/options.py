# SPDX-License-Identifier: Apache-2.0
"""How a store is laid out and behaves. No file records the sizes: who opens a store must know them."""

import msgspec


class StoreOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes, limits and switches, with the original's defaults (`MessageStoreConfig`)."""

    commit_log_file_bytes: int = 1024 * 1024 * 1024
    consume_queue_file_bytes: int = 300_000 * 20
    index_slots: int = 5_000_000
    index_entries: int = 20_000_000
    max_message_bytes: int = 4 * 1024 * 1024
    index_enabled: bool = True
    index_tags: bool = True
    """5.5 indexes tags too; 4.9 does not mind."""
    check_crc_on_recover: bool = True
    max_mapped_files: int = 8192
    query_limit: int = 64
    """How many offsets one key query returns at most (`maxMsgsNumBatch`)."""
    scan_bytes_min: int = 16_000
    """How far, in bytes of queue entries, one read looks for matching messages (`maxFilterMessageSize`)."""
    memory_bytes: int = 24 * 1024**3
    memory_ratio: int = 40
    """What lies further back in the log than this share of memory, in percent, counts as being on disk."""
    in_memory_bytes: int = 256 * 1024
    in_memory_count: int = 32
    on_disk_bytes: int = 64 * 1024
    on_disk_count: int = 8

    @property
    def hot_bytes(self) -> int:
        """How much of the end of the log is taken to be in memory."""
        return self.memory_bytes * self.memory_ratio // 100
