# SPDX-License-Identifier: Apache-2.0
"""clients.py - crowds of bad clients: 300 slow ones for 150 connections, hundreds beyond the limit,
descriptors and address space that run out, idle ones that cost only memory."""

import os
import resource
import select
import threading
import time

from support.posencd import Posencd, cpu_seconds
from support.wire import Client, Closed, request_bytes
from wire_cases import chunked

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
LARGE = "/v1/sinusoidal?dim=1024&pos=0:1024&format=raw"
# The pool plans it: once it is answered, every thread has started.
POOLED = ("/v1/rope?dim=128&pos=0:64&profile=f32-pow&scaling=ntk-by-parts&factor=4&"
          "original_max_position_embeddings=2048&out=cos&format=raw")
# Seconds that only a hang takes. The deadline of a slow reader grows by a second with each 64 KiB
# that the kernel accepted for it, which may be all of LARGE.
PATIENCE = 120


def descriptors(server):
    return len(os.listdir("/proc/%d/fd" % server.pid))


class Slow(threading.Thread):
    """Clients that send or read a byte now and then, and connect again when they are cut off."""

    HEADS = {"head": b"GET / HTTP/1.1\r\nHost: x\r\n",
             "body": b"POST /v1/rope HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                     b"Content-Length: 100000\r\n\r\n",
             "read": request_bytes("GET", LARGE)}

    def __init__(self, address, kind, count):
        super().__init__(daemon=True)
        self.address, self.kind, self.count = address, kind, count
        self.held = self.cuts = self.refused = 0
        self.over = False

    def run(self):
        clients = []
        while not self.over:
            for _ in range(self.count - len(clients)):
                clients.append(self._connect())
            clients = [one for one in clients if one and self._drip(one)]
            self.held = len(clients)
            time.sleep(0.25)  # this makes them slow
        for one in clients:
            one.close()

    def _connect(self):
        try:
            one = Client(self.address, receive_buffer=2048)
            one.send(self.HEADS[self.kind])
            return one
        except OSError:
            return None

    def _drip(self, one):
        """False once the client was cut off or refused."""
        try:
            if self.kind == "read" and one.socket.recv(64):
                return True
            if self.kind != "read":
                if select.select([one.socket], [], [], 0)[0]:
                    self.refused += one.socket.recv(12) == b"HTTP/1.1 503"
                    self.cuts += 1
                    one.close()
                    return False
                one.send(b"X-A: b\r\n" if self.kind == "head" else b" ")
                return True
        except OSError:
            pass
        self.cuts += 1
        one.close()
        return False


def served(server, patience):
    """Seconds until a client that tries again after each 503 was served; None beyond patience."""
    start = time.monotonic()
    while time.monotonic() - start < patience:
        try:
            with Client(server.address, timeout=patience) as one:
                if one.get(SMALL).status == 200:
                    return time.monotonic() - start
        except (Closed, OSError):
            pass
        time.sleep(0.05)  # it waits less than Retry-After says
    return None


def hold(slow, count):
    """Waits until `count` connections are held at once; returns how many were. A machine that is
    slower than the clients never gets there."""
    deadline, most = time.monotonic() + 20, 0
    while most < count and time.monotonic() < deadline:
        most = max(most, slow.held)
        time.sleep(0.01)
    return most


def slow_clients(page, quick):
    for kind in ("head", "body", "read"):
        with Posencd("--threads", "2", "--max-connections", "150", "--header-timeout", "1",
                     "--body-timeout", "1", "--send-timeout", "1", "--idle-timeout", "1",
                     "--access-log", "off") as server:
            slow = Slow(server.address, kind, 300)
            slow.start()
            held = hold(slow, 140)
            waits, end = [], time.monotonic() + (3 if quick else 8)
            while time.monotonic() < end:
                waits.append(served(server, PATIENCE))
                time.sleep(0.1)
            slow.over = True
            slow.join()
            free = served(server, PATIENCE)
            page.promise("300 clients slow with their %s against 150 places" % kind,
                         "%d held, %d served, waits to %.2f s, %d cut off" % (
                             held, sum(wait is not None for wait in waits),
                             max(wait or PATIENCE for wait in waits), slow.cuts),
                         "others are served throughout",
                         None not in waits and free is not None)


def surplus(page, quick):
    with Posencd("--max-connections", "50", "--threads", "2", "--access-log", "off",
                 "--header-timeout", "120") as server:
        held = [Client(server.address) for _ in range(50)]
        waits, wrong, before, start = [], 0, cpu_seconds(server), time.monotonic()
        for _ in range(20 if quick else 100):
            begun = time.monotonic()
            with Client(server.address) as one:
                wrong += one.get(SMALL).status != 503
            waits.append(time.monotonic() - begun)
            time.sleep(0.03)  # 30 a second
        busy = (cpu_seconds(server) - before) / (time.monotonic() - start)
        waits.sort()
        page.promise("surplus clients", "%d told 503" % (len(waits) - wrong), "all", wrong == 0)
        page.timed("until they were told", "half within %.1f ms, the last %.1f ms" % (
            1000 * waits[len(waits) // 2], 1000 * waits[-1]), "half within 50 ms",
            waits[len(waits) // 2] < 0.05)
        page.timed("CPU with 50 held and surplus coming", "%.3f s a second" % busy, "< 0.1",
                   busy < 0.1)
        for one in held:
            one.close()


def endless_line(page):
    """A chunk's line of 64 KiB is refused long before its end, and its client is told."""
    data = chunked(b"15;" + b"a" * 65536)
    with Posencd("--threads", "1", "--access-log", "off", "--body-timeout", "60") as server:
        clients = [Client(server.address) for _ in range(50)]
        for one in clients:
            one.send(data)
        before, start = cpu_seconds(server), time.monotonic()
        wait = served(server, PATIENCE)
        told = sum(one.reply().status == 400 and one.at_end() for one in clients)
        busy = (cpu_seconds(server) - before) / (time.monotonic() - start)
        for one in clients:
            one.close()
        page.promise("50 chunk lines of 64 KiB", "%d told 400, others wait %.3f s" % (
            told, wait or PATIENCE), "all told at once, others are served",
                     told == 50 and wait is not None)
        page.figure("CPU with them", "%.2f s a second" % busy)


def exhaustion(page):
    """60 descriptors, 120 clients: the clients without one are answered 503, nothing spins, and all
    recovers."""
    with Posencd("--threads", "1", "--access-log", "off") as server:
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (60, 60))
        clients, statuses, silent = [], {}, 0
        for _ in range(120):
            one = Client(server.address)
            one.request("GET", "/livez")
            clients.append(one)
        before, start = cpu_seconds(server), time.monotonic()
        for one in clients:
            try:
                status = one.reply().status
                statuses[status] = statuses.get(status, 0) + 1
            except (Closed, OSError):
                silent += 1
        time.sleep(1)  # CPU time that it costs to hold them
        busy = (cpu_seconds(server) - before) / (time.monotonic() - start)
        for one in clients:
            one.close()
        again = served(server, PATIENCE)
        page.promise("120 clients against 60 descriptors", "%s, %d silent, log %d bytes" % (
            statuses, silent, len(server.log())), "the rest 503, log < 10 kB, served after",
            set(statuses) == {200, 503} and silent == 0 and len(server.log()) < 10000 and
            again is not None)
        page.timed("CPU without descriptors", "%.2f s a second" % busy, "< 0.2: no spin",
                   busy < 0.2)


def address_space(page):
    """Little address space: some clients are refused, the process lives and serves."""
    with Posencd("--threads", "1", "--access-log", "off") as server:
        server.get(POOLED)
        with open("/proc/%d/statm" % server.pid, encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.prlimit(server.pid, resource.RLIMIT_AS, (now + (8 << 20), now + (8 << 20)))
        statuses = {}
        for i in range(60):
            try:
                status = server.get("/v1/rope?dim=512&pos=%d:%d&out=cos&format=raw" %
                                    (i, i + 900)).status
            except (Closed, OSError):
                status = "cut"
            statuses[status] = statuses.get(status, 0) + 1
        page.promise("8 MiB of address space left", str(statuses), "200, 503 or cut; alive",
                     not set(statuses) - {200, 503, "cut"} and
                     served(server, PATIENCE) is not None)


def idle(page, quick):
    count, limit = 200 if quick else 900, resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit != resource.RLIM_INFINITY:
        count = min(count, limit - 100)  # more than these may be open
    with Posencd("--threads", "2", "--access-log", "off", "--max-connections",
                 str(count + 10), "--idle-timeout", "600") as server:
        for _ in range(20):
            server.get(SMALL)
        before = server.status("VmRSS")
        clients = []
        for _ in range(count):
            one = Client(server.address)
            assert one.get(SMALL).status == 200
            clients.append(one)
        each = (server.status("VmRSS") - before) / count
        page.timed("an idle connection, of %d" % count, "%.1f KiB" % each, "<= 18 KiB",
                   each <= 18)
        for one in clients:
            one.close()


def rounds(page, quick):
    """Three rounds of everything: memory and descriptors do not grow after the first."""
    import script
    from load import Load
    with Posencd("--threads", "2", "--access-log", "off", "--cache-size", "8MiB") as server:
        requests = script.script(server)
        sizes, files = [], []
        for _ in range(4):
            for _ in range(2 if quick else 12):
                for request in requests:
                    server.ask(*request)
            load = Load(server, [SMALL, "/v1/rope?dim=8&pos=0:64", "/v1/alibi?heads=8&len=64"])
            load.reach(1000 if quick else 6000)
            load.stop()
            assert not load.wrong and not load.cut, load.wrong + load.cut
            sizes.append(server.status("VmRSS"))
            files.append(descriptors(server))
        growth = 100 * (sizes[3] - sizes[2]) / sizes[2]
        page.timed("resident memory after rounds of requests", "%s KiB, the last %+.2f %%" % (
            sizes, growth), "< 2 %", growth < 2)
        page.figure("descriptors after each", files)


def run(page, quick):
    slow_clients(page, quick)
    surplus(page, quick)
    endless_line(page)
    exhaustion(page)
    address_space(page)
    idle(page, quick)
    rounds(page, quick)
