# SPDX-License-Identifier: Apache-2.0
"""wire.py - HTTP/1.1 over a plain socket, with every byte in view: the tests look at what a client
library hides (interim answers, pipelining, half a request)."""

import json
import os
import socket
import threading

PATIENCE = 300.0  # seconds that only a hang takes, on a slow machine that is loaded too


def time_for_others():
    """Lets posencd have the core between two looks; nothing waits for this time. Each look of a new
    connection has a port for a minute, and the machine has 28,000 of them for all tests."""
    os.sched_yield()
    threading.Event().wait(0.02)


class Reply:
    """An answer: status, headers (a list of pairs in order, names in lower case), body."""

    def __init__(self, status, reason, headers, body, version):
        self.status, self.reason, self.headers = status, reason, headers
        self.body, self.version = body, version

    def header(self, name, default=None):
        """The only value of a header; a second one is a failure."""
        found = [value for key, value in self.headers if key == name.lower()]
        assert len(found) <= 1, "%s twice: %s" % (name, found)
        return found[0] if found else default

    def text(self):
        return self.body.decode("utf-8")

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return "%d %s %r" % (self.status, self.reason, self.body[:400])


class Closed(Exception):
    """The peer closed where an answer or the rest of one was due."""


class Client:
    """One connection."""

    def __init__(self, address, timeout=PATIENCE, receive_buffer=None, source=None):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect(address)
        self.file = self.socket.makefile("rb", buffering=65536)

    def send(self, data):
        self.socket.sendall(data)

    def request(self, method, target, body=None, headers=()):
        """Sends a request without a wait for its answer."""
        self.send(request_bytes(method, target, body, headers))

    def ask(self, method, target, body=None, headers=()):
        self.request(method, target, body, headers)
        return self.reply(method)

    def get(self, target, headers=()):
        return self.ask("GET", target, None, headers)

    def head(self, method="GET"):
        """The next answer up to its empty line: a Reply without a body."""
        line = self.file.readline()
        if not line:
            raise Closed("no answer")
        if not line.endswith(b"\n"):
            raise Closed("answer cut in its first line")
        version, status, reason = (line.decode("latin-1").rstrip("\r\n").split(" ", 2) + [""])[:3]
        headers = []
        while True:
            line = self.file.readline()
            if not line.endswith(b"\n"):
                raise Closed("answer cut in its head")
            line = line.decode("latin-1").rstrip("\r\n")
            if not line:
                return Reply(int(status), reason, headers, b"", version)
            name, value = line.split(":", 1)
            headers.append((name.lower(), value.strip()))

    def reply(self, method="GET"):
        """The next final answer; interim answers are skipped."""
        answer = self.head(method)
        while 100 <= answer.status < 200:
            answer = self.head(method)
        answer.body = self._body(answer, method)
        return answer

    def _body(self, answer, method):
        if method == "HEAD" or answer.status in (204, 304):
            return b""
        if answer.header("transfer-encoding") == "chunked":
            return b"".join(self.chunks())
        length = answer.header("content-length")
        if length is None:
            return self.file.read()
        return self._exactly(int(length))

    def _exactly(self, count):
        data = self.file.read(count)
        if len(data) != count:
            raise Closed("answer cut: %d of %d bytes" % (len(data), count))
        return data

    def chunks(self):
        """The bytes of a chunked body; trailers are dropped."""
        while True:
            line = self.file.readline()
            if not line:
                raise Closed("chunked answer cut")
            size = int(line.split(b";")[0], 16)
            if size == 0:
                break
            yield self._exactly(size)
            assert self.file.readline() == b"\r\n"
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def at_end(self):
        """Waits for the end; True if the peer closed without another byte."""
        try:
            return self.file.read(1) == b""
        except ConnectionResetError:
            return True

    def close(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.close()


def request_bytes(method, target, body=None, headers=(), host="localhost"):
    """A request as bytes; a body brings its Content-Length unless the headers say chunked."""
    lines = ["%s %s HTTP/1.1" % (method, target), "Host: " + host]
    lines += ["%s: %s" % (name, value) for name, value in headers]
    chunked = any(name.lower() == "transfer-encoding" for name, _ in headers)
    if body is not None and not chunked:
        lines.append("Content-Length: %d" % len(body))
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (body or b"")
