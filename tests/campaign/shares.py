# SPDX-License-Identifier: Apache-2.0
"""shares.py - clients that try to hold what all clients share: bodies that announce much and send
little, or send it slowly. Other clients are served meanwhile."""

import threading
import time

from support.posencd import Posencd, samples_of
from support.tensor_file import npy_of
from support.wire import Client, Closed, request_bytes

MIB = 1 << 20
# Each is a cache miss: that offset was not requested before.
MISS = "/v1/sinusoidal?dim=64&pos=%d:%d&format=raw"
HEALTH = ("/livez", "/readyz", "/metrics")
PATIENCE = 20


def npy_head(shape):
    """The header of an NPY file of float32, without its elements."""
    return npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': %r, }" % (shape,))


def begin_body(server, shape):
    """Sends only the header of a chunked NPY body; returns the connection and the bytes sent."""
    head = npy_head(shape)
    data = request_bytes("POST", "/v1/rope/apply", None,
                         (("Content-Type", "application/x-npy"), ("Transfer-Encoding", "chunked")))
    data += b"%x\r\n%s\r\n" % (len(head), head)
    one = Client(server.address)
    one.send(data)
    return one, len(data)


class Watch:
    """Asks for health and for cache misses, each on a new connection, until it is stopped."""

    def __init__(self, server, first=0):
        self.server, self.at = server, first
        self.asked = self.refused = self.unhealthy = 0
        self.slowest = 0.0

    def ask(self, target):
        start = time.monotonic()
        try:
            with Client(self.server.address, timeout=PATIENCE) as one:
                status = one.get(target).status
        except (Closed, OSError):
            status = 0
        self.slowest = max(self.slowest, time.monotonic() - start)
        return status

    def is_hit(self, target):
        try:
            with Client(self.server.address, timeout=PATIENCE) as one:
                return "desc=hit" in one.get(target).header("server-timing", "")
        except (Closed, OSError):
            return False

    def look(self, seconds):
        """Ten rounds a second."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.at += 8
            self.asked += 1
            self.refused += self.ask(MISS % (self.at, self.at + 8)) != 200
            self.unhealthy += any(self.ask(path) != 200 for path in HEALTH)
            time.sleep(0.1)
        return self

    def __str__(self):
        return "%d of %d misses refused, health refused in %d of %d rounds, slowest %.2f s" % (
            self.refused, self.asked, self.unhealthy, self.asked, self.slowest)


def announced_bodies(page, quick):
    """Three NPY heads that announce 256 MiB."""
    with Posencd("--threads", "2", "--access-log", "off") as server:
        held = [begin_body(server, shape) for shape in ((262143, 128), (262143, 128), (64, 4))]
        watch = Watch(server).look(1 if quick else 5)
        page.promise("three bodies of which only the heads came, %d bytes" % sum(
            count for _, count in held), watch, "no miss and no health is refused",
            watch.refused == 0 and watch.unhealthy == 0)
        for one, _ in held:
            one.close()


class Drip(threading.Thread):
    """Sends each body `rate` bytes a second; begins another one when it is cut off."""

    def __init__(self, server, count, rate):
        super().__init__(daemon=True)
        self.server, self.count, self.bytes = server, count, rate // 4
        self.sent = self.cuts = 0
        self.over = False

    def run(self):
        chunk = b"%x\r\n%s\r\n" % (self.bytes, bytes(self.bytes))
        bodies = []
        while not self.over:
            while len(bodies) < self.count:
                bodies.append(begin_body(self.server, (262143, 128))[0])
            for one in list(bodies):
                try:
                    one.send(chunk)
                    self.sent += self.bytes
                except OSError:
                    self.cuts += 1
                    bodies.remove(one)
                    one.close()
            time.sleep(0.25)  # this is the rate
        for one in bodies:
            one.close()


def dripped_bodies(page, quick):
    """Announces as much and sends as slowly as no deadline cuts off."""
    with Posencd("--threads", "2", "--access-log", "off") as server:
        drip = Drip(server, 8, 36000)
        drip.start()
        watch = Watch(server).look(1 if quick else 8)
        body = npy_head((64, 64)) + bytes(64 * 64 * 4)
        status = server.ask("POST", "/v1/rope/apply?pos=0:64", body,
                            (("Content-Type", "application/x-npy"),)).status
        drip.over = True
        drip.join()
        page.promise("eight bodies dripped at 36 kB/s each, %d KiB" % (drip.sent >> 10),
                     "%s; another's body: %d" % (watch, status),
                     "no miss, no health and no other's body is refused",
                     watch.refused == 0 and watch.unhealthy == 0 and status == 200)


def full_bodies(page, quick):
    """Bodies that arrive, each as large as allowed, and never end."""
    count, size = (4, 24 << 20) if quick else (12, 24 << 20)
    with Posencd("--threads", "2", "--access-log", "off") as server:
        held = []
        for _ in range(count):
            one, _ = begin_body(server, (262143, 128))
            held.append(one)
            try:
                for _ in range(size >> 20):
                    one.send(b"100000\r\n%s\r\n" % bytes(MIB))
            except OSError:
                pass  # answered that it is too much
        watch = Watch(server).look(1 if quick else 5)
        body = npy_head((64, 64)) + bytes(64 * 64 * 4)
        statuses = []
        for _ in range(5):
            statuses.append(server.ask("POST", "/v1/rope/apply?pos=0:64", body,
                                       (("Content-Type", "application/x-npy"),)).status)
            time.sleep(0.25)  # slow peers are refused within a tick
        page.promise("%d bodies of %d MiB that never end" % (count, size >> 20),
                     "%s; five others' bodies: %s" % (watch, statuses),
                     "no miss and no health is refused; of others' bodies the first at most",
                     watch.refused == 0 and watch.unhealthy == 0 and
                     all(status == 200 for status in statuses[1:]))
        for one in held:
            one.close()


def surplus_health(page, quick):
    """All connections are open, and further clients ask for anything but health."""
    with Posencd("--max-connections", "20", "--threads", "2", "--access-log", "off",
                 "--header-timeout", "120") as server:
        held = [Client(server.address) for _ in range(20)]
        silent = [Client(server.address) for _ in range(60)]
        watch, refused, rounds = Watch(server), 0, 10 if quick else 50
        for _ in range(rounds):
            refused += watch.ask(MISS % (0, 8)) == 503
            watch.unhealthy += any(watch.ask(path) != 200 for path in HEALTH)
        page.promise("all places taken, and 60 surplus clients who say nothing",
                     "health refused in %d of %d rounds, others told 503 %d times" % (
                         watch.unhealthy, rounds, refused),
                     "health never, others always", watch.unhealthy == 0 and refused == rounds)
        for one in held + silent:
            one.close()


def unread_answers(page, quick, count):
    """Each requests a distinct answer of 1 MiB and reads nothing of it."""
    size = 64 * MIB
    with Posencd("--threads", "2", "--access-log", "off", "--cache-size", str(size)) as server:
        hot = ["/v1/rope?dim=64&pos=%d:%d&out=cos&format=raw" % (i, i + 64) for i in range(50)]
        for target in hot * 3:
            server.get(target)
        held, most = [], 0
        for i in range(count):
            one = Client(server.address, receive_buffer=2048)
            one.request("GET", "/v1/sinusoidal?dim=256&pos=%d:%d&format=raw" % (
                1024 * i, 1024 * i + 1024))
            held.append(one)
        watch = Watch(server, 1 << 24)
        start = time.monotonic()
        recovered = None
        while time.monotonic() - start < (3 if quick else 40):
            before = watch.refused
            watch.look(0.5)
            if watch.refused == before and recovered is None:
                recovered = time.monotonic() - start
            if watch.refused > before:
                recovered = None
            samples = {}
            try:
                samples = samples_of(server.get("/metrics"))
            except (Closed, OSError, ValueError):
                pass  # refused; the watch counts it
            most = max(most, samples.get("posencd_cache_bytes", 0))
            if recovered and time.monotonic() - start > 5:
                break
        hits = sum(watch.is_hit(target) for target in hot)
        page.promise("%d distinct answers of 1 MiB that nobody reads" % count,
                     "%s; misses were served after %s s" % (watch, "%.1f" % recovered
                                                            if recovered else "40+"),
                     "no health is refused, and no miss: one while 700 are sent at once",
                     watch.refused <= (count > 500) and watch.unhealthy == 0)
        page.promise("posencd_cache_bytes meanwhile", "%.2f of --cache-size" % (most / size),
                     "<= 1", most <= size)
        page.promise("what was asked for thrice before", "%d of %d still hits" % (hits, len(hot)),
                     "all", hits == len(hot))
        for one in held:
            one.close()


def run(page, quick):
    announced_bodies(page, quick)
    dripped_bodies(page, quick)
    full_bodies(page, quick)
    surplus_health(page, quick)
    unread_answers(page, quick, 260)
    if not quick:
        unread_answers(page, quick, 700)  # more than may be held: the slowest readers are cut off
