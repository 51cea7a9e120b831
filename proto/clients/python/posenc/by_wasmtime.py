# SPDX-License-Identifier: Apache-2.0
"""The WebAssembly module, run in this process by the package wasmtime."""

from __future__ import annotations

import importlib
import threading
from typing import Any, Callable, Tuple

from .errors import PosencError
from .messages import Answer, Sent
from .module import ask, module_path

ENOSYS = 52
# What the module imports, by how many values a function returns: there is no system, and nothing is printed.
NO_SYSTEM: Tuple[Callable[..., Any], ...] = (lambda *_: None, lambda *_: ENOSYS)


class Wasmtime:
    """Threads may share it: one request is computed at a time. PosencError: there is no wasmtime."""

    def __init__(self) -> None:
        path, self._lock = module_path(), threading.Lock()
        try:
            self._wasmtime: Any = importlib.import_module("wasmtime")
            self._engine = self._wasmtime.Engine()
            self._compiled = self._wasmtime.Module.from_file(self._engine, path)
        except ImportError as why:
            raise PosencError("the package wasmtime is not installed: pip install wasmtime") from why
        except Exception as why:  # as where it has no compiler for this machine
            raise PosencError("the package wasmtime cannot be used: %s" % why) from why
        self._has: Any = None  # the exports of an instance in self._store

    def _load(self) -> None:
        self._store = self._wasmtime.Store(self._engine)
        imports = [self._wasmtime.Func(self._store, one.type, NO_SYSTEM[len(one.type.results)])
                   for one in self._compiled.imports]
        self._has = self._wasmtime.Instance(self._store, self._compiled, imports).exports(self._store)
        self.call("_initialize")

    def call(self, name: str, *given: int) -> int:
        return (self._has[name](self._store, *given) or 0) & 0xffffffff  # i32 comes with a sign

    def read(self, at: int, stop: int) -> bytearray:
        return bytearray(self._has["memory"].read(self._store, at, stop))

    def write(self, content: bytes, at: int) -> None:
        self._has["memory"].write(self._store, content, at)

    def ask(self, sent: Sent) -> Answer:
        """The module's answer. PosencError: it failed, or has no memory left."""
        with self._lock:
            try:
                if self._has is None:
                    self._load()
                return ask(self, sent)
            except Exception as why:
                self._has = None  # after a trap its stack is not what it was
                raise PosencError("the module failed: %s" % why) from why
