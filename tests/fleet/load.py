# SPDX-License-Identifier: Apache-2.0
"""load.py - clients that ask the front until they are stopped, compare every byte with what is right,
and keep the time of each request."""

import threading
import time

from support.wire import Client, Closed, request_bytes

PATIENCE = 20  # seconds until a client gives up on an answer
HOST = "posenc.example"


class Connection:
    """One connection that stays open. A request on it that the server closed before the first byte of
    its answer is sent again on a new one, once, as every HTTP client does."""

    def __init__(self, port):
        self.address, self.client = ("127.0.0.1", port), None

    def close(self):
        if self.client:
            self.client.close()
        self.client = None

    def ask(self, request):
        """The answer to the bytes of a request."""
        if self.client and not self._begins(request):
            self.close()
        if not self.client:
            self.client = Client(self.address, PATIENCE)
            self.client.send(request)
        answer = self.client.reply(request.split(b" ", 1)[0].decode())
        if answer.header("connection", "").lower() == "close":
            self.close()
        return answer

    def _begins(self, request):
        """Sends a request on the open connection; whether a byte of an answer comes."""
        try:
            self.client.send(request)
            return self.client.file.peek(1) != b""
        except ConnectionError:
            return False


def get(target, *headers):
    return request_bytes("GET", target, None, [one.split(": ", 1) for one in headers], HOST)


def post(target, body, kind="application/octet-stream"):
    return request_bytes("POST", target, body, [("Content-Type", kind)], HOST)


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

    def connect(self):
        return Connection(self.port)

    def run(self, number):
        connection, k = self.connect(), number * 7919
        while not self.over:
            request, judge = self.draw(k)
            began = time.monotonic()
            try:
                answer = connection.ask(request)
                fault = judge(answer)
            except (OSError, ValueError, Closed) as error:
                connection.close()
                answer, fault = None, repr(error)
            took = time.monotonic() - began
            with self.lock:
                self.done += 1
                self.seconds.append(took)
                self.hits += answer is not None and answer.header("x-cache-status") == "HIT"
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
