# SPDX-License-Identifier: Apache-2.0
"""One request on a connection, and its answer as it arrives."""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import time
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from .arrays import Piece
from .errors import ServiceError
from .messages import Sent

PIECE = 1 << 20  # bytes that are read at once where they are not kept


class _Deadline:
    """An instant, until which a socket may wait."""

    def __init__(self, timeout: float) -> None:
        self._ends = time.monotonic() + timeout

    def limit(self, sock: Optional[socket.socket]) -> None:
        """Lets the next call wait no longer. TimeoutError: the instant is past."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        if sock is not None:
            sock.settimeout(left)


class _Bytes(io.RawIOBase):
    """What a socket receives, each piece of it in time: those of the head too, which come as they like."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock, self._deadline = sock, deadline
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, view: Any) -> Optional[int]:
        self._deadline.limit(self._sock)
        return self._raw.readinto(view)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Source:
    """A socket as http.client's response takes it."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(_Bytes(self._sock, self._deadline))


class Exchange:
    """Sends a request and reads the head of its answer; the content is read by one of the functions below.
    All of it is done in time. A connection that is left halfway must be closed."""

    def __init__(self, connection: http.client.HTTPConnection, prefix: str, sent: Sent,
                 headers: Mapping[str, str], timeout: float) -> None:
        self.service: Optional[str] = None  # whose name a ServiceError says where reading fails
        self.connection, self._deadline = connection, _Deadline(timeout)
        connection.response_class = self._response_of  # type: ignore[assignment]
        if connection.sock is None:
            connection.connect()
        self._deadline.limit(connection.sock)
        pieces = sent.pieces()
        connection.request(sent.method, prefix + sent.target,
                           None if pieces is None else self._sent_in_time(pieces), dict(headers))
        self._response = connection.getresponse()
        self.status = self._response.status
        self.headers = {name.lower(): value for name, value in self._response.getheaders()}

    def _response_of(self, sock: socket.socket, **options: Any) -> http.client.HTTPResponse:
        source: Any = _Source(sock, self._deadline)
        return http.client.HTTPResponse(source, **options)

    def _sent_in_time(self, pieces: Sequence[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            self._deadline.limit(self.connection.sock)
            yield piece

    def content(self) -> bytearray:
        """All that comes."""
        content = bytearray(self._response.length or 0)
        with memoryview(content) as view:
            self.fill(view)
        if self._response.length is None:
            for piece in self.pieces():
                content += piece
        return content

    def fill(self, view: memoryview) -> None:
        """Reads as many bytes as the view has, into it."""
        at = 0
        while at < len(view):
            at += self._into(view[at:])

    def pieces(self) -> Iterator[Union[bytes, memoryview]]:
        """The rest in pieces; each is valid until the next one is asked for."""
        if self._response.length is None:  # in chunks, or as long as the connection lasts
            yield from iter(self._piece, b"")
        with memoryview(bytearray(PIECE)) as view:
            while self._response.length:
                yield view[:self._into(view)]

    def _into(self, view: memoryview) -> int:
        with self._told():
            count = self._response.readinto(view)
            if count == 0:
                raise http.client.IncompleteRead(b"", self._response.length)
            return count

    def _piece(self) -> bytes:
        with self._told():
            return self._response.read1(PIECE)

    def close(self) -> None:
        self.connection.close()

    def end(self) -> bool:
        """Ends an exchange whose content was read; whether the connection may be used again."""
        if self._response.will_close or self._response.length:
            self.connection.close()
            return False
        self._response.close()  # http.client leaves an empty answer open, which stops the next one
        return True

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Says of a content that breaks off whose it is."""
        try:
            yield
        except (OSError, http.client.HTTPException) as why:
            if self.service is None:
                raise
            raise ServiceError("%s broke off its answer: %s" % (self.service, why)) from why
