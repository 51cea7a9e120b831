# SPDX-License-Identifier: Apache-2.0
"""batch.py - a hundred rows that were never requested before: asked for in one batch, and one by
one over a connection that is kept. One thread of the server has core 0, a plain socket core 1. The
time is from the first request's first byte to the last answer's last, and the server's CPU time in
it."""

import itertools
import json
import os
import socket
import sys
import time

import contest
import load

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from support.posencd import Posencd  # noqa: E402

TURNS, REPEATS, ROWS = 7, 20, 100
TARGET = "/v1/sinusoidal?pos=%d&dim=512"


class Connection:
    """A connection that is kept; answers have a Content-Length."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request):
        """Sends the bytes of a request; returns the body of its answer."""
        self.socket.sendall(request)
        read = self._read()
        while b"\r\n\r\n" not in read:
            read += self._read()
        head, _, body = read.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), read
        length = int(head.lower().split(b"content-length:")[1].split()[0])
        parts, got = [body], len(body)
        while got < length:
            parts.append(self._read())
            got += len(parts[-1])
        return b"".join(parts)

    def _read(self):
        read = self.socket.recv(1 << 20)
        assert read, "the server closed the connection"
        return read


def gets(targets):
    return ["GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % target for target in targets]


def batch(targets):
    body = json.dumps({"requests": [{"path": target} for target in targets]})
    return ["POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "Content-Length: %d\r\n\r\n%s" % (len(body), body)]


def rows():
    """a hundred new rows of 512 as JSON, in a batch and by a hundred GETs: s"""
    result = contest.Result("ms", 1e-3, 2)
    numbers = itertools.count()
    with contest.on_core(contest.SERVER_CORE):
        server = Posencd("--threads", "1")
    result.commands["batch"] = "POST /v1/batch of %d paths %s" % (ROWS, TARGET)
    result.commands["gets"] = "%d times GET %s on one connection" % (ROWS, TARGET)

    def turn(name, write):
        def run():
            connection, passed = Connection(server.port), 0.0  # one has at most 10,000 requests
            spent = load.cpu_seconds(server.pid)
            for _ in range(REPEATS):
                targets = [TARGET % next(numbers) for _ in range(ROWS)]
                requests = [request.encode() for request in write(targets)]
                begin = time.perf_counter()
                answers = [connection.ask(request) for request in requests]
                passed += time.perf_counter() - begin
                assert sum(len(answer) for answer in answers) > ROWS * 512 * 4
            spent = load.cpu_seconds(server.pid) - spent
            return {name: passed / REPEATS, name + "/cpu": spent / REPEATS}
        return run

    with contest.on_core(contest.LOAD_CORE):
        contest.take_turns(result, {"batch": turn("batch", batch), "gets": turn("gets", gets)}, TURNS)
    server.stop()
    return result
