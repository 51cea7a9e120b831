# SPDX-License-Identifier: Apache-2.0
"""The WebAssembly module of this package, and what it is asked and answers (proto/local/module.h)."""

from __future__ import annotations

import os
import urllib.parse
from dataclasses import dataclass
from typing import Optional, Protocol, Tuple

from .errors import PosencError
from .messages import Answer, Sent

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wasm")
TEXT_PIECE = 256  # bytes of a text that are read at once


def module_path() -> str:
    """The module's file. PosencError: the package was made without it."""
    path = os.path.join(FOLDER, "posenc.wasm")
    if not os.path.exists(path):
        raise PosencError("this package was made without its WebAssembly module, which "
                          "`make deps-wasm wasm clients` puts into it")
    return path


@dataclass(frozen=True)
class Asked:
    """A request; its path is decoded, its query as in a URL. `type` and `body` are None where there is no
    body."""

    method: str
    path: str
    query: str
    accept: Optional[str]
    type: Optional[str]
    body: Optional[bytes]

    @classmethod
    def of(cls, sent: Sent) -> "Asked":
        path, _, query = sent.target.partition("?")
        return cls(sent.method, urllib.parse.unquote(path), query, sent.headers.get("Accept"),
                   sent.headers.get("Content-Type"), None if sent.body is None else b"".join(sent.body))

    def texts(self) -> Tuple[Optional[bytes], ...]:
        """The texts that the module is given, in its order."""
        texts = (self.method, self.path, self.query, self.accept, self.type)
        return tuple(None if text is None else text.encode() + b"\0" for text in texts)


# ---- proto/local/module.h, for what runs the module in this process ------------------------------------------

class Instance(Protocol):
    """A module that was loaded: its functions, and its memory by addresses."""

    def call(self, name: str, *given: int) -> int:
        """What a function returns, as a number without a sign."""

    def read(self, at: int, stop: int) -> bytearray:
        """The bytes from an address to another, or to the end of the memory."""

    def write(self, content: bytes, at: int) -> None:
        """Writes from an address on."""


def _put(instance: Instance, content: Optional[bytes]) -> int:
    """The address of bytes in the memory; 0 for none."""
    if content is None:
        return 0
    at = instance.call("module_allocate", len(content) or 1)
    if at == 0:
        raise MemoryError("it has no memory left for the request")
    if content:
        instance.write(content, at)
    return at


def _text(instance: Instance, at: int) -> str:
    found = bytearray()
    while b"\0" not in found:
        found += instance.read(at + len(found), at + len(found) + TEXT_PIECE)
    return found.partition(b"\0")[0].decode()


def ask(instance: Instance, sent: Sent) -> Answer:
    """The answer of a module. MemoryError: there is no memory left for it."""
    asked = Asked.of(sent)
    given = [_put(instance, text) for text in (*asked.texts(), asked.body)]
    answer = instance.call("module_ask", *given, len(asked.body or b""))
    for at in filter(None, given):
        instance.call("module_release", at)
    if answer == 0:
        raise MemoryError("it has no memory left for the answer")
    headers = {"content-type": _text(instance, instance.call("module_type", answer))}
    for line in _text(instance, instance.call("module_headers", answer)).splitlines():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    at, length = instance.call("module_body", answer), instance.call("module_body_len", answer)
    found = Answer(instance.call("module_status", answer), headers, instance.read(at, at + length))
    instance.call("module_free", answer)
    return found
