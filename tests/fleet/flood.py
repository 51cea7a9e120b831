#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""flood.py ROW PORT... - clients at each port of 127.0.0.1 that ask for a row of
tests/campaign/flood_rows.py, such as `batch, gzip` or `verify`, as fast as they are answered, until the
end of its input. Then it prints how many answers were whole, refused (503), cut within, and how many
requests met a connection that was closed or refused: a client sends such a request again."""

import os
import re
import sys
import threading
import time

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTS, os.path.join(TESTS, "campaign")]

import flood_rows  # noqa: E402
from support.wire import Client, Closed, request_bytes  # noqa: E402

EACH = 10  # clients at each port
PAUSE = 0.02  # seconds until a refused client asks again
NUMBER = re.compile(r"\{n(?:\+(\d+))?\}")


class Server:
    """What flood_rows.rows asks."""

    def __init__(self, port):
        self.address = ("127.0.0.1", port)

    def get(self, target, headers=()):
        with Client(self.address) as one:
            return one.get(target, headers)


class Flood:
    def __init__(self, row, ports):
        self.row, self.over = row, False
        self.counts = dict.fromkeys(("whole", "refused", "cut", "closed"), 0)
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(port, k), daemon=True)
                        for k, port in enumerate(list(ports) * EACH)]
        for one in self.threads:
            one.start()

    def request(self, n):
        method, target, body, headers = self.row.requests[n % len(self.row.requests)]
        target = NUMBER.sub(lambda match: str(n + int(match[1] or 0)), target)
        return method, request_bytes(method, target, body, headers)

    def run(self, port, k):
        n = 1000000 * k
        while not self.over:
            try:
                with Client(("127.0.0.1", port)) as one:
                    while not self.over:
                        n += 1
                        self.ask(one, n)
            except (OSError, Closed, ValueError):
                time.sleep(PAUSE)

    @staticmethod
    def read(client, answer):
        """Reads the body of an answer to anything but HEAD, which no flood here asks."""
        if answer.header("transfer-encoding") == "chunked":
            for _ in client.chunks():
                pass
        else:
            left = int(answer.header("content-length", "0"))
            while left > 0:
                data = client.file.read(min(left, 1 << 20))
                if not data:
                    raise Closed("answer cut")
                left -= len(data)

    def ask(self, client, n):
        method, request = self.request(n)
        what = "closed"
        try:
            client.send(request)
            answer = client.head(method)
            what = "cut"
            self.read(client, answer)
            what = "whole" if answer.status < 300 else "refused"
        finally:
            with self.lock:
                self.counts[what] += 1
        if what == "refused":
            time.sleep(PAUSE)


def main(name, ports):
    ports = [int(port) for port in ports]
    rows = {row.name: row for row in flood_rows.rows(Server(ports[0])) if not row.is_head}
    if name not in rows:
        sys.exit("no row %s; there are %s" % (name, "; ".join(rows)))
    flood = Flood(rows[name], ports)
    print("floods", flush=True)
    sys.stdin.read()
    flood.over = True
    print(*("%s=%d" % pair for pair in flood.counts.items()), flush=True)
    os._exit(0)  # clients that wait for an answer are not waited for


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
