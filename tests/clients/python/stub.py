# SPDX-License-Identifier: Apache-2.0
"""stub.py - a service that answers as a test says: each connection's requests get the next answers."""

import socket
import struct
import threading

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"
BUSY = (b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\nContent-Length: 15\r\n"
        b"Content-Type: application/problem+json\r\n\r\n{\"detail\":\"no\"}")
CHUNKED = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
           b"4\r\n{\"a\"\r\n3\r\n:1}\r\n0\r\n\r\n")
GATEWAY = (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 17\r\nContent-Type: text/plain\r\n\r\n"
           b"upstream is away\n")
TAGGED = (b"HTTP/1.1 200 OK\r\nETag: \"tag\"\r\nContent-Length: 7\r\n"
          b"Content-Type: application/json\r\n\r\n{\"a\":1}")
KEPT = b"HTTP/1.1 304 Not Modified\r\nETag: \"tag\"\r\n\r\n"
CUT = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n{\"a\""
ONE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\0\0\x80\x3f"  # 1 as float32
DRIP = 0.02  # seconds between two bytes of an answer that drips
CLOSES = None  # the connection is closed in place of an answer
SILENT = b""   # no answer comes
RESETS = "resets"  # the connection is reset in place of an answer


class Dripping(bytes):
    """An answer that comes byte by byte."""


class Stub:
    """Listens on a free port of the loopback. `asked` has the head of each request."""

    def __init__(self, answers):
        self.answers, self.asked = list(answers), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(30)

    def _serve(self):
        while self.answers:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            with connection:
                self._answer(connection)

    def _answer(self, connection):
        while self.answers:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = connection.recv(65536)
                if not piece:
                    return
                head += piece
            self.asked.append(head.decode("latin-1"))
            answer = self.answers.pop(0)
            if answer == RESETS:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if answer in (CLOSES, RESETS):
                return
            if answer == SILENT:
                self.ended.wait(30)
                return
            if isinstance(answer, Dripping):
                self._drip(connection, answer)
                return
            connection.sendall(answer)
            if b" HTTP/1.0\r\n" in head:
                return  # whose answer ends with the connection

    def _drip(self, connection, answer):
        for byte in answer:
            try:
                connection.sendall(bytes([byte]))
            except OSError:
                return  # the client has gone
            if self.ended.wait(DRIP):
                return
