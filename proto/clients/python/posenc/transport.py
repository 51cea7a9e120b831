# SPDX-License-Identifier: Apache-2.0
"""Requests over HTTP/1.1, by TCP, TLS or a unix socket: connections are kept and shared by threads,
and a request is sent again where the service asks for it or an idle connection was closed."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import threading
import time
import urllib.parse
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Sequence, Union

from .arrays import Piece
from .errors import PosencError, RequestError, ServiceError, of_answer

LONGEST_WAIT = 30.0  # seconds that Retry-After may ask for
BUSY = (429, 503)
PIECE = 1 << 20  # bytes that are read at once where no length is stated
JOINED = 1 << 16  # a shorter body is sent in one piece


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


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


class Transport:
    """Connections to one service. url: http://host:port, https://..., or unix:/path/to/socket."""

    def __init__(self, url: str, key: Optional[str], timeout: float, retries: int,
                 tls: Optional[ssl.SSLContext]) -> None:
        self._at = urllib.parse.urlsplit(url)
        self._timeout, self._retries, self._tls = timeout, retries, tls
        self._headers = {"User-Agent": "posenc-python", "Accept-Encoding": "identity"}
        if key:
            self._headers["Authorization"] = "Bearer " + key
        if self._at.scheme not in ("http", "https", "unix"):
            raise ValueError("a URL begins with http://, https:// or unix:; got %s" % url)
        self._prefix = "" if self._at.scheme == "unix" else self._at.path.rstrip("/")
        self._idle: List[http.client.HTTPConnection] = []
        self._forget()

    def _forget(self) -> None:
        """Begins without connections: those of the process that forked this one are its own."""
        for connection in self._idle:
            connection.close()
        self._process, self._idle, self._lock = os.getpid(), [], threading.Lock()

    def _connect(self) -> http.client.HTTPConnection:
        if self._at.scheme == "unix":
            return _UnixConnection(self._at.path, self._timeout)
        if self._at.scheme == "https":
            return http.client.HTTPSConnection(self._at.hostname or "", self._at.port,
                                               timeout=self._timeout, context=self._tls)
        return http.client.HTTPConnection(self._at.hostname or "", self._at.port,
                                          timeout=self._timeout)

    def _take(self) -> Optional[http.client.HTTPConnection]:
        if self._process != os.getpid():
            self._forget()
        with self._lock:
            return self._idle.pop() if self._idle else None

    def close(self) -> None:
        """Closes the idle connections; a later request opens new ones."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _exchange(self, connection: http.client.HTTPConnection, method: str, target: str,
                  body: Optional[Sequence[Piece]], headers: Mapping[str, str]) -> Answer:
        ends = time.monotonic() + self._timeout
        try:
            if connection.sock is not None:
                connection.sock.settimeout(self._timeout)
            connection.request(method, self._prefix + target, body, dict(headers))
            response = connection.getresponse()
            content = _read(response, connection.sock, ends)
        except BaseException:  # KeyboardInterrupt too: half an answer is left on the connection
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            response.close()  # http.client leaves an empty answer open, which stops the next one
            with self._lock:
                self._idle.append(connection)
        return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, content)

    def _once(self, method: str, target: str, body: Optional[Sequence[Piece]],
              headers: Mapping[str, str]) -> Answer:
        """One answer; a kept connection that was closed meanwhile is replaced by a new one."""
        kept = self._take()
        if kept is not None:
            try:
                return self._exchange(kept, method, target, body, headers)
            except (http.client.BadStatusLine, ConnectionError):
                pass  # every request is a pure function: it may be sent again
        return self._exchange(self._connect(), method, target, body, headers)

    def ask(self, method: str, target: str, body: Optional[Sequence[Piece]] = None,
            headers: Optional[Mapping[str, str]] = None) -> Answer:
        """The answer of status 200. RequestError: the service refuses the request. ServiceError: there
        is no answer in time."""
        fields: Dict[str, str] = {**self._headers, **(headers or {})}
        if body is not None:
            length = sum(len(piece) for piece in body)
            fields["Content-Length"] = str(length)
            body = [b"".join(body)] if length < JOINED else body
        for left in range(self._retries, -1, -1):
            try:
                answer = self._once(method, target, body, fields)
            except (OSError, http.client.HTTPException) as why:
                raise ServiceError("%s does not answer: %s" % (self._at.geturl(), why)) from why
            if answer.status not in BUSY or left == 0:
                return _checked(answer)
            time.sleep(_wait(answer))
        raise PosencError("unreachable")


def _read(response: http.client.HTTPResponse, sock: Optional[socket.socket], ends: float) -> bytearray:
    """The content of an answer, which must be there in time."""
    content = bytearray(response.length or 0)
    view, at = memoryview(content), 0
    while at < len(content):
        _limit(sock, ends)
        count = response.readinto(view[at:])
        if count == 0:
            raise http.client.IncompleteRead(bytes(view[:at]), len(content) - at)
        at += count
    view.release()
    while response.length is None:  # in chunks, or as long as the connection lasts
        _limit(sock, ends)
        piece = response.read1(PIECE)
        if not piece:
            break
        content += piece
    return content


def _limit(sock: Optional[socket.socket], ends: float) -> None:
    """Lets the next reading wait no longer than the answer may take."""
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    if sock is not None:  # http.client lets go of one that the service is going to close
        sock.settimeout(left)


def _wait(answer: Answer) -> float:
    """The seconds that Retry-After asks for, one where it does not say."""
    try:
        return min(LONGEST_WAIT, max(0.0, float(answer.headers.get("retry-after", "1"))))
    except ValueError:
        return 1.0


def _checked(answer: Answer) -> Answer:
    if answer.status == 200:
        return answer
    kind = answer.headers.get("content-type", "")
    if kind.startswith("application/problem+json"):
        problem = answer.json()
        if isinstance(problem, dict):
            raise of_answer(answer.status, problem)
    raise RequestError(answer.status, "status %d: %.200r" % (answer.status, answer.content), ())
