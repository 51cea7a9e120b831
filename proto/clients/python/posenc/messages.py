# SPDX-License-Identifier: Apache-2.0
"""A request as it is sent, its answer, and what is read from that: the same for clients that wait and for
those of asyncio."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Callable, Generic, Mapping, Optional, Sequence, TypeVar

from .arrays import Piece
from .errors import RequestError, ServiceError, of_answer

JOINED = 1 << 16  # a shorter body is sent in one piece
PROBLEM = "application/problem+json"
SHOWN = 200  # letters of an answer that is no posencd's
R = TypeVar("R")


@dataclass(frozen=True)
class Sent:
    """A request: its target is a path and a query, its body pieces of bytes."""

    method: str
    target: str
    body: Optional[Sequence[Piece]] = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def pieces(self) -> Optional[Sequence[Piece]]:
        """The body in few pieces."""
        if self.body is None or self.length() >= JOINED:
            return self.body
        return [b"".join(self.body)]

    def length(self) -> int:
        return sum(len(piece) for piece in self.body or ())


@dataclass(frozen=True)
class Answer:
    """A response: its status, its header fields by names in lower case, its content."""

    status: int
    headers: Mapping[str, str]
    content: bytearray

    def json(self) -> object:
        try:
            return json.loads(self.content)
        except ValueError as why:
            raise ServiceError("the answer is no JSON: %s" % why) from why

    def checked(self, service: str) -> "Answer":
        """The answer of status 200; RequestError of any other."""
        if self.status == 200:
            return self
        kind = self.headers.get("content-type", "")
        if kind.startswith(PROBLEM):
            problem = self.json()
            if isinstance(problem, dict):
                raise of_answer(self.status, problem)
        raise RequestError(self.status, "%s answers with status %d%s" % (
            service, self.status, self._shown(kind)), ())

    def _shown(self, kind: str) -> str:
        """What something between us and the service says, in as much as it is text."""
        if not kind.startswith("text/plain") or not self.content:
            return " and no description of the problem"
        words = " ".join(self.content.decode("utf-8", "replace").split())
        return ": " + (words if len(words) <= SHOWN else words[:SHOWN] + "...")


@dataclass(frozen=True)
class Call(Generic[R]):
    """A request and the reading of its answer."""

    sent: Sent
    read: Callable[[Answer], R]
