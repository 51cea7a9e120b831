# SPDX-License-Identifier: Apache-2.0
"""load.py - clients that ask the front until they are stopped, compare every byte with what is right,
and keep the time of each request."""

import socket
import threading
import time

PATIENCE = 20  # seconds until a client gives up on an answer


class Answer:
    def __init__(self, status, head, body):
        self.status, self.head, self.body = status, head, body

    def header(self, name):
        """A header field's value; b"" if there is none."""
        at = self.head.lower().find(b"\r\n" + name.lower() + b":")
        return self.head[at:].split(b":", 1)[1].split(b"\r\n", 1)[0].strip() if at >= 0 else b""


class Connection:
    """One connection that stays open. A request on it that the server closed before the first byte of
    its answer is sent again on a new one, once, as every HTTP client does."""

    def __init__(self, port):
        self.port, self.socket, self.rest = port, None, b""

    def open(self):
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.rest = None, b""

    def ask(self, request):
        reused = self.socket is not None
        if not reused:
            self.open()
        try:
            return self.exchange(request)
        except ConnectionError:
            self.close()
            if not reused or self.rest:
                raise
        self.open()
        return self.exchange(request)

    def more(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("the connection ended after %d bytes of an answer" %
                                  len(self.rest))
        self.rest += data

    def exchange(self, request):
        self.socket.sendall(request)
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        answer = Answer(int(head[9:12]), head, b"")
        if answer.status not in (204, 304):
            answer.body = self.body(answer)
        if answer.header(b"Connection").lower() == b"close":
            self.close()
        return answer

    def body(self, answer):
        length = answer.header(b"Content-Length")
        if length:
            return self.exactly(int(length))
        parts = []
        while True:
            while b"\r\n" not in self.rest:
                self.more()
            size, _, self.rest = self.rest.partition(b"\r\n")
            parts.append(self.exactly(int(size, 16)))
            self.exactly(2)
            if not parts[-1]:
                return b"".join(parts)

    def exactly(self, count):
        while len(self.rest) < count:
            self.more()
        body, self.rest = self.rest[:count], self.rest[count:]
        return body


def get(target, *headers):
    return request_of("GET", target, b"", *headers)


def post(target, body, kind="application/octet-stream"):
    return request_of("POST", target, body, "Content-Type: " + kind)


def request_of(method, target, body, *headers):
    lines = ["%s %s HTTP/1.1" % (method, target), "Host: posenc.example", *headers]
    if method == "POST":
        lines.append("Content-Length: %d" % len(body))
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Load:
    """`threads` clients; `draw(number)` gives a client's next request as (request, judge), where
    judge(answer) is a sentence that says what is wrong, or None."""

    def __init__(self, port, draw, threads=12):
        self.port, self.draw = port, draw
        self.seconds, self.wrong, self.hits, self.done = [], [], 0, 0
        self.over, self.lock = False, threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(i,), daemon=True)
                        for i in range(threads)]
        for one in self.threads:
            one.start()

    def run(self, number):
        connection, k = Connection(self.port), number * 7919
        while not self.over:
            request, judge = self.draw(k)
            began = time.monotonic()
            try:
                answer = connection.ask(request)
                fault = judge(answer)
            except (OSError, ValueError) as error:
                connection.close()
                answer, fault = None, repr(error)
            took = time.monotonic() - began
            with self.lock:
                self.done += 1
                self.seconds.append(took)
                self.hits += answer is not None and answer.header(b"X-Cache-Status") == b"HIT"
                if fault:
                    self.wrong.append("%s: %s" % (request.split(b" HTTP", 1)[0].decode(), fault))
            k += 1
        connection.close()

    def reach(self, count, seconds=120):
        """Waits until there are `count` answers more."""
        deadline, goal = time.monotonic() + seconds, self.done + count
        while self.done < goal:
            assert time.monotonic() < deadline, "%d of %d answers; %s" % (self.done, goal,
                                                                         self.wrong[:3])
            time.sleep(0.005)

    def stop(self):
        self.over = True
        for one in self.threads:
            one.join()
        return self
