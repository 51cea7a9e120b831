# SPDX-License-Identifier: Apache-2.0
"""Requests over HTTP/1.1, by TCP, TLS or a unix socket: connections are kept and shared by threads, and a
request is sent again where that helps."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
import threading
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, NoReturn, Optional, Tuple, TypeVar, Union

from . import retry
from .errors import ServiceError
from .exchange import Exchange
from .messages import Answer, Sent
from .tags import Tags

DEFAULT_URL = "http://localhost:8080"
R = TypeVar("R")


@dataclass(frozen=True)
class Settings:
    """What a client was made with."""

    url: Optional[str]
    key: Optional[str]
    timeout: float
    retries: int
    tls: Optional[ssl.SSLContext]
    cache: int

    def address(self) -> urllib.parse.SplitResult:
        """The service; POSENC_URL where no URL was given. ValueError: it is none."""
        url = self.url or os.environ.get("POSENC_URL") or DEFAULT_URL
        at = urllib.parse.urlsplit(url)
        if at.scheme not in ("http", "https", "unix"):
            raise ValueError("a URL begins with http://, https:// or unix:; got %s" % url)
        return at

    def headers(self) -> Dict[str, str]:
        """The header fields of every request."""
        found = {"User-Agent": "posenc-python", "Accept-Encoding": "identity"}
        key = self.key or os.environ.get("POSENC_KEY")
        if key:
            found["Authorization"] = "Bearer " + key
        return found

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.tls is not None:
            raise TypeError("a client with a TLS context cannot be pickled: each process makes its own")
        return Settings, (self.url, self.key, self.timeout, self.retries, None, self.cache)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Transport:
    """Connections to one service."""

    def __init__(self, settings: Settings) -> None:
        self._at, self._settings = settings.address(), settings
        self.service = self._at.geturl()
        self._headers = settings.headers()
        self._prefix = "" if self._at.scheme == "unix" else self._at.path.rstrip("/")
        self._idle: List[http.client.HTTPConnection] = []
        self._begin_process()

    def _begin_process(self) -> None:
        """Begins without connections and answers: those of the process that forked this one are its own,
        and a thread of it may have held a lock."""
        for connection in self._idle:
            connection.close()
        self._process, self._idle, self._lock = os.getpid(), [], threading.Lock()
        self._tags = Tags(self._settings.cache)

    def _look_for_fork(self) -> None:
        if self._process != os.getpid():
            self._begin_process()

    def _connect(self) -> http.client.HTTPConnection:
        timeout = self._settings.timeout
        if self._at.scheme == "unix":
            return _UnixConnection(self._at.path, timeout)
        if self._at.scheme == "https":
            return http.client.HTTPSConnection(self._at.hostname or "", self._at.port, timeout=timeout,
                                               context=self._settings.tls)
        return http.client.HTTPConnection(self._at.hostname or "", self._at.port, timeout=timeout)

    def _take(self) -> Optional[http.client.HTTPConnection]:
        self._look_for_fork()
        with self._lock:
            return self._idle.pop() if self._idle else None

    def close(self) -> None:
        """Closes the idle connections; a later request opens new ones."""
        self._look_for_fork()
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    # ---- one attempt -----------------------------------------------------------------------------

    def _begin(self, connection: http.client.HTTPConnection, sent: Sent,
               headers: Mapping[str, str]) -> Exchange:
        try:
            return Exchange(connection, self._prefix, sent, headers, self._settings.timeout)
        except BaseException:  # KeyboardInterrupt too: half an exchange is left on the connection
            connection.close()
            raise

    def _finish(self, exchange: Exchange, read: Callable[[Exchange], R]) -> R:
        """Reads the content and keeps the connection, if nothing is left on it."""
        try:
            found = read(exchange)
            again = exchange.end()
        except BaseException:
            exchange.close()
            raise
        if again:
            with self._lock:
                self._idle.append(exchange.connection)
        return found

    def _once(self, sent: Sent, headers: Mapping[str, str], streamed: bool) -> Union[Answer, Exchange]:
        """An answer, or an exchange of status 200 whose content is to be streamed. A kept connection that
        was closed meanwhile is replaced by a new one."""
        for connection in filter(None, (self._take(), self._connect())):
            kept = connection.sock is not None
            try:
                exchange = self._begin(connection, sent, headers)
                if streamed and exchange.status == 200:
                    return exchange
                content = self._finish(exchange, Exchange.content)
                return Answer(exchange.status, exchange.headers, content)
            except (http.client.BadStatusLine, ConnectionError):
                if not kept:
                    raise
        raise AssertionError("a new connection answers or fails")

    # ---- attempts ----------------------------------------------------------------------------------

    def _attempts(self, sent: Sent, more: Mapping[str, str], streamed: bool) -> Union[Answer, Exchange]:
        fields = {**self._headers, **sent.headers, **more}
        if sent.body is not None:
            fields["Content-Length"] = str(sent.length())
        tried = 0
        while True:
            last = tried >= self._settings.retries
            headers: Mapping[str, str] = {}
            try:
                found = self._once(sent, fields, streamed)
                if last or found.status not in retry.STATUSES:
                    return found
                headers = found.headers
            except (ConnectionError, http.client.BadStatusLine) as why:
                if last:
                    self._fail(why)
            except (OSError, http.client.HTTPException) as why:
                self._fail(why)
            time.sleep(retry.wait(tried, headers))
            tried += 1

    def _fail(self, why: BaseException) -> NoReturn:
        raise ServiceError("%s does not answer: %s" % (self.service, why)) from why

    def ask(self, sent: Sent) -> Answer:
        """The answer of status 200. RequestError: the service refuses the request. ServiceError: there
        is no answer in time."""
        self._look_for_fork()
        condition = self._tags.condition(sent)
        answer = self._attempts(sent, condition, False)
        assert isinstance(answer, Answer)
        answer = self._tags.settle(sent, answer, condition)
        if answer.status == 304 and condition:
            return self.ask(sent)
        return answer.checked(self.service)

    def stream(self, sent: Sent, read: Callable[[Exchange], R]) -> R:
        """What a function reads of an answer of status 200 as it arrives. A request is sent again until
        its answer begins, not afterwards."""
        found = self._attempts(sent, {}, True)
        if isinstance(found, Answer):
            found.checked(self.service)
            raise AssertionError("an answer of status 200 is read")
        found.service = self.service
        return self._finish(found, read)
