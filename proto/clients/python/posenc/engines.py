# SPDX-License-Identifier: Apache-2.0
"""What computes in this process: libposenc where it is found, else the WebAssembly module of this package,
by Node as a child process or by wasmtime."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Protocol, Sequence, Tuple, Type, TypeVar, Union

from . import calls
from .batch import Request, Result
from .by_node import Node, found
from .by_wasmtime import Wasmtime
from .encodings import Encodings
from .errors import PosencError
from .library import Library
from .messages import Answer, Call, Sent
from .tensors import Tensors
from .version import VERSION

R = TypeVar("R")
T = TypeVar("T", bound=Tensors)
NEEDED = ("One of these is needed: libposenc, which `make install` installs and POSENC_LIBRARY may name; Node 18 "
          "or newer, as `node` on the PATH or as POSENC_NODE names it; the package wasmtime, by `pip install wasmtime`")


class Runtime(Protocol):
    """What runs the module."""

    def ask(self, sent: Sent) -> Answer:
        """The module's answer."""


class Module(Encodings):
    """The module, asked as a service is asked."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def _run(self, call: Call[R]) -> R:
        return call.read(self._runtime.ask(call.sent).checked("the module"))

    def _call(self, encoding: str, kinds: Mapping[str, str], given: Mapping[str, Any],
              answer: Type[T]) -> T:
        return self._run(calls.encoding(encoding, given, answer))

    def batch(self, requests: Sequence[Request]) -> List[Result]:
        """Many answers, in order, as `Client.batch` has them."""
        return [one for call in calls.batches(requests) for one in self._run(call)]

    def version(self) -> str:
        """The version of the program that the module was made of."""
        return VERSION


Engine = Union[Library, Module]


@functools.lru_cache(maxsize=1)
def _node(program: str) -> Module:
    """One for all of this process."""
    return Module(Node(program))


@functools.lru_cache(maxsize=1)
def _wasmtime() -> Module:
    return Module(Wasmtime())


# The engines, the first of which that is there is used.
ENGINES: Dict[str, Callable[[], Engine]] = {
    "library": lambda: Library().loaded(),
    "node": lambda: _node(found()),
    "wasmtime": _wasmtime,
}
_choosing = threading.Lock()


def _begin_process() -> None:
    """In a process that was forked, a thread of its parent may have held the lock."""
    global _choosing  # pylint: disable=global-statement
    _choosing = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_process)


class Local(Encodings):
    """The functions of posenc.local. engine: "library", "node" or "wasmtime"; POSENC_ENGINE, or the first of
    them that is there, by default. Threads may share it."""

    def __init__(self, engine: Optional[str] = None) -> None:
        self._wanted = engine
        self._chosen: Optional[Tuple[str, Engine]] = None

    def __reduce__(self) -> Tuple[Any, ...]:
        """A process of a pool chooses for itself."""
        return type(self), (self._wanted,)

    def _choose(self) -> Tuple[str, Engine]:
        if self._chosen is None:
            with _choosing:
                self._chosen = self._chosen or _first(self._wanted or os.environ.get("POSENC_ENGINE"))
        return self._chosen

    def engine(self) -> str:
        """What computes: "library", "node" or "wasmtime"."""
        return self._choose()[0]

    def version(self) -> str:
        """The version of the library, or of the module."""
        return self._choose()[1].version()

    def batch(self, requests: Sequence[Request]) -> List[Result]:
        """Many answers, in order, as `Client.batch` has them."""
        return self._choose()[1].batch(requests)

    def _call(self, encoding: str, kinds: Mapping[str, str], given: Mapping[str, Any],
              answer: Type[T]) -> T:
        return self._choose()[1]._call(encoding, kinds, given, answer)


def _first(wanted: Optional[str]) -> Tuple[str, Engine]:
    """The engine of that name, or the first that is there; a library that POSENC_LIBRARY names is wanted.
    PosencError: none is there, and why."""
    if wanted is not None and wanted not in ENGINES:
        raise PosencError("there is no engine %r: it may be %s" % (wanted, ", ".join(ENGINES)))
    if wanted is None and os.environ.get("POSENC_LIBRARY"):
        wanted = "library"
    reasons = []
    for name in [wanted] if wanted else ENGINES:
        try:
            return name, ENGINES[name]()
        except PosencError as why:
            if wanted:
                raise
            reasons.append(str(why))
    raise PosencError("nothing computes in this process: %s. %s" % ("; ".join(reasons), NEEDED))
