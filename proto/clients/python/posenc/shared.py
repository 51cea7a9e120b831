# SPDX-License-Identifier: Apache-2.0
"""Tables of libposenc that calls in this process share."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections import OrderedDict
from typing import Iterator, Optional

TABLES_MAX, BYTES_MAX = 64, 64 << 20  # of the tables that are kept for later calls


class SharedTables:
    """Tables of frequencies and the like, which calls with other positions share: the last ones."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._kept: "OrderedDict[bytes, int]" = OrderedDict()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def of(self, arguments: int) -> Iterator[Optional[int]]:
        """The table of checked arguments, while they use it; None where they share nothing."""
        key = self._library.pe_args_table_key(arguments)
        table = self._find(key) or self._build(key, arguments) if key else None
        try:
            yield table
        finally:
            self._library.pe_table_free(table)

    def _find(self, key: bytes) -> Optional[int]:
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return int(self._library.pe_table_ref(self._kept[key]))

    def _build(self, key: bytes, arguments: int) -> int:
        table = self._library.pe_table_build(arguments)
        if not table:
            raise MemoryError("out of memory")
        with self._lock:
            if key not in self._kept:
                self._kept[key] = self._library.pe_table_ref(table)
            while len(self._kept) > TABLES_MAX or self._bytes() > BYTES_MAX:
                oldest = self._kept.popitem(last=False)[1]
                self._library.pe_table_free(oldest)
        return int(table)

    def _bytes(self) -> int:
        """What the kept tables have now: a plan may have added rows of angles."""
        return sum(int(self._library.pe_table_bytes(table)) for table in self._kept.values())
