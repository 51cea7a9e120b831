# SPDX-License-Identifier: Apache-2.0
"""Answers that are kept by their entity tags: the service is asked each time, and says with 304 that an
answer is the one that was kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Dict

from .messages import Answer, Sent

ENTRY = 500  # bytes, about, that Python takes for an answer besides its content and its texts


def _size(target: str, answer: Answer) -> int:
    """The bytes that a kept answer takes: its content, and what names and describes it."""
    texts = sum(len(name) + len(value) for name, value in answer.headers.items())
    return ENTRY + len(target) + texts + len(answer.content)


class Tags:
    """The answers that were asked for last, which take at most so many bytes together. Threads may share
    it."""

    def __init__(self, bytes_max: int) -> None:
        self._max, self._bytes = bytes_max, 0
        self._kept: "OrderedDict[str, Answer]" = OrderedDict()
        self._lock = threading.Lock()

    def condition(self, sent: Sent) -> Dict[str, str]:
        """The header fields that say what is kept."""
        with self._lock:
            kept = self._kept.get(sent.target) if sent.method == "GET" else None
        return {"If-None-Match": kept.headers["etag"]} if kept else {}

    def settle(self, sent: Sent, answer: Answer, condition: Dict[str, str]) -> Answer:
        """The answer, in place of 304 the kept one. A copy is kept, since arrays of an answer can be
        written to."""
        if answer.status == 304:
            with self._lock:
                kept = self._kept.get(sent.target)
                if kept is None or kept.headers["etag"] != condition.get("If-None-Match"):
                    return answer  # another thread has replaced it; the request is sent again
                self._kept.move_to_end(sent.target)
            return Answer(200, kept.headers, bytearray(kept.content))
        if (sent.method == "GET" and answer.status == 200 and "etag" in answer.headers
                and _size(sent.target, answer) <= self._max):
            self._keep(sent.target, Answer(200, answer.headers, bytearray(answer.content)))
        return answer

    def _keep(self, target: str, answer: Answer) -> None:
        with self._lock:
            before = self._kept.pop(target, None)
            self._bytes += _size(target, answer) - (_size(target, before) if before else 0)
            self._kept[target] = answer
            while self._bytes > self._max:
                self._bytes -= _size(*self._kept.popitem(last=False))
