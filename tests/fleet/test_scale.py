# SPDX-License-Identifier: Apache-2.0
"""A front and three replicas through every accident: no client may see an error, a wrong byte or a
long wait, and a herd of equal requests costs one computation."""

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

from support.posencd import Posencd

import beside
from front import FRONTS, Haproxy, Nginx
from load import Connection, Load, get
from questions import Questions
from replica import Replica, replicas, together

FULL = os.environ.get("FULL", "") != ""
# Of each accident, how often; between two, how many answers.
KILLS, PAUSE, BETWEEN, FAULTED = (15, 12.0, 1500, 3000) if FULL else (3, 3.0, 400, 400)
LEAST = 40000 if FULL else 4000
SLOWEST = 3.0
# How often all replicas get TERM at once, and for how long they serve then: HAProxy and Varnish find
# within 1.5 s that none is ready.
TERMS, DELAY = (3, 5) if FULL else (1, 2)
HERD, HERD_P99 = 200, 0.3
AGE = 4 if FULL else 2  # seconds


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def counted(fleet, name):
    return sum(value for one in fleet for sample, value in one.samples().items()
               if sample.split("{")[0] == name)


def pause(fleet, load, seconds):
    """One replica does not run; the answers of that time come from the others."""
    with fleet[1].paused():
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            load.reach(BETWEEN // 4)


def accidents(fleet, load):
    for i in range(KILLS):
        load.reach(BETWEEN)
        fleet[i % len(fleet)].kill()
    load.reach(BETWEEN)
    pause(fleet, load, PAUSE)
    for one in fleet:  # all three at once within ten seconds
        one.kill()
    load.reach(BETWEEN)
    for one in fleet:  # the operator's files are read again
        one.server.signal(signal.SIGHUP)
    load.reach(BETWEEN)
    for one in fleet:  # one after the other, in peace
        one.stop()
        one.start()
        load.reach(BETWEEN)


class Herd:
    """Clients on connections of their own that ask for one URL at the same moment."""

    def __init__(self, port, target, count):
        self.seconds, self.statuses = [], set()
        request, poll = get(target, "Connection: close"), selectors.DefaultSelector()
        clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
        began = time.monotonic()
        for one in clients:
            one.sendall(request)
            poll.register(one, selectors.EVENT_READ, bytearray())
        while len(self.seconds) < count:
            ready = poll.select(10)
            assert ready, "no answer for ten seconds"
            for key, _ in ready:
                data = key.fileobj.recv(1 << 16)
                key.data.extend(data)
                if not data:
                    self.seconds.append(time.monotonic() - began)
                    self.statuses.add(bytes(key.data[9:12]))
                    poll.unregister(key.fileobj)
                    key.fileobj.close()


def asked(one):
    """The requests for encodings that a replica has answered."""
    return sum(value for sample, value in one.samples().items()
               if sample.startswith('posencd_http_requests_total{route="/v1/'))


class Service:
    """Gives connections to replicas in turn."""

    def __init__(self, ports):
        self.ports, self.next, self.lock = list(ports), 0, threading.Lock()

    def port(self):
        with self.lock:
            self.next += 1
            return self.ports[self.next % len(self.ports)]


class Spread(Load):
    """Clients that ask at a rate, each a service for a replica when it opens a connection, and count the
    requests that a closed connection made them send again. Without a rate the threads of this process,
    and not the replicas, would decide how many requests a connection has."""
    PAUSE = 0.01  # seconds between the requests of a client

    def __init__(self, service, draw, threads):
        self.service, self.resent = service, 0
        super().__init__(None, draw, threads)

    def connect(self):
        return Balanced(self)


class Balanced(Connection):
    def __init__(self, load):
        super().__init__(None)
        self.load = load

    def ask(self, request):
        time.sleep(self.load.PAUSE)  # this is the rate
        self.address = ("127.0.0.1", self.load.service.port()) if not self.client else self.address
        return super().ask(request)

    def _begins(self, request):
        begins = super()._begins(request)
        self.load.resent += not begins
        return begins


class Scale(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with Posencd("--threads", "1", "--access-log", "off") as reference:
            cls.questions = Questions(reference.port)

    def test_every_front_survives_term_to_all_replicas_at_once(self):
        """Each replica serves for DELAY while /readyz is 503 everywhere; then no process is there until
        all have ended, and all begin again."""
        with contextlib.ExitStack() as stack:
            fleet = stack.enter_context(replicas(3, delay=DELAY))
            fronts = [stack.enter_context(kind([one.address for one in fleet])) for kind in FRONTS]
            stack.enter_context(beside.flood([one.port for one in fleet]))
            loads = [Load(front.port, self.questions.draw, threads=6) for front in fronts]
            try:
                for _ in range(TERMS):
                    for load in loads:
                        load.reach(BETWEEN)
                    together(Replica.stop, fleet)
                    together(Replica.start, fleet)
                for load in loads:
                    load.reach(BETWEEN)
            finally:
                for load in loads:
                    load.stop()
            log = fronts[FRONTS.index(Haproxy)].said()
        for front, load in zip(fronts, loads):
            self.judge(front.NAME, "%d times TERM to all at once, %g s of drain" % (TERMS, DELAY), load)
        for number in (1, 2, 3):  # or nothing was tried: HAProxy found none of them ready
            self.assertRegex(log, r"replicas/replica%d is DOWN, reason: Layer7 wrong status, code: 503"
                             % number)

    def judge(self, name, what, load, extra=""):
        slowest = max(load.seconds)
        print("%s, %s: %d requests, %d errors, p50 %.1f ms, p99 %.0f ms, slowest %.2f s%s" % (
            name, what, load.done, len(load.wrong), 1000 * percentile(load.seconds, 0.5),
            1000 * percentile(load.seconds, 0.99), slowest, extra), flush=True)
        self.assertEqual(beside.lost(load.wrong)[:5], [])
        if not beside.ROW:
            self.assertLess(slowest, SLOWEST)

    def survives(self, kind):
        with replicas(3) as fleet, kind([one.address for one in fleet]) as front, \
                beside.flood([one.port for one in fleet], may_be_cut=True):
            load = Load(front.port, self.questions.draw)
            try:
                accidents(fleet, load)
                load.reach(max(LEAST - load.done, 0))
            finally:
                load.stop()
            hits = ", hits %.0f %%" % (100 * load.hits / load.done) if kind.CACHES else ""
            self.judge(kind.NAME, "%d times kill -9, %g s stopped, all killed at once, reloaded, rolled" % (
                KILLS, PAUSE), load, hits)

    def survives_a_bad_network(self, kind):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.py")
        with replicas(3) as fleet, subprocess.Popen(
                [sys.executable, script, *(one.address for one in fleet)], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, text=True) as proxy:
            ports = proxy.stdout.readline().split()
            with kind(["127.0.0.1:" + port for port in ports]) as front:
                load = Load(front.port, self.questions.draw, threads=48)
                load.reach(FAULTED)
                load.stop()
            counts = proxy.communicate("", timeout=10)[0].strip()
            self.judge(kind.NAME, "200 ms of delay, 2 % reset or stalled", load, "; " + counts)
            seen = dict(pair.split("=") for pair in counts.split())
            self.assertGreater(int(seen["resets"]) + int(seen["stalls"]), 0)

    def takes_a_herd(self, kind):
        """Three herds, each for a URL that is new; the machine's noise is not in the best of them."""
        best = None
        with replicas(3) as fleet, kind([one.address for one in fleet]) as front:
            for number in range(3):
                before = counted(fleet, "posencd_compute_seconds_count")
                herd = Herd(front.port, "/v1/rope?dim=128&pos=%d:%d&out=cos&format=raw" % (
                    7000 + number, 7128 + number), HERD)
                computed = counted(fleet, "posencd_compute_seconds_count") - before
                self.assertEqual(herd.statuses, {b"200"})
                self.assertEqual(computed, 1)
                if best is None or percentile(herd.seconds, 0.99) < percentile(best, 0.99):
                    best = herd.seconds
        p99 = percentile(best, 0.99)
        print("%s, cold herd of %d: 1 computed, p50 %.0f ms, p99 %.0f ms" % (
            kind.NAME, HERD, 1000 * percentile(best, 0.5), 1000 * p99), flush=True)
        self.assertLess(p99, HERD_P99)


    def test_new_replicas_get_their_share_of_connections_that_stay_open(self):
        """Clients whose connections are given to replicas in turn when they are opened, as a Service
        of Kubernetes does, while two replicas become four: the new ones get half of the requests
        when all connections have reached their age, and nothing without an age."""
        for age in (0, AGE):
            with replicas(4, flags=("--max-connection-age", str(age))) as fleet:
                service = Service([one.port for one in fleet[:2]])
                load = Spread(service, self.questions.draw, threads=32)
                try:
                    load.reach(BETWEEN)
                    service.ports += [one.port for one in fleet[2:]]
                    began = time.monotonic()
                    while time.monotonic() < began + 1.1 * AGE:
                        load.reach(BETWEEN // 4)
                    before = [asked(one) for one in fleet]
                    while time.monotonic() < began + 5 * AGE:
                        load.reach(BETWEEN // 4)
                    came = [asked(one) - count for one, count in zip(fleet, before)]
                finally:
                    load.stop()
            share = sum(came[2:]) / sum(came)
            print("two replicas become four, --max-connection-age %g: the new ones get %.1f %% of %d "
                  "requests, %d sent again, %d errors" % (age, 100 * share, sum(came), load.resent,
                                                          len(load.wrong)), flush=True)
            self.assertEqual(load.wrong[:5], [])
            self.assertEqual(load.resent, 0)
            if age:
                self.assertAlmostEqual(share, 0.5, delta=0.05)
            else:
                self.assertEqual(share, 0)


def add(kind, name):
    def test(self):
        getattr(Scale, name)(self, kind)
    setattr(Scale, "test_%s_%s" % (kind.NAME.lower(), name), test)


for front in FRONTS if FULL else [Nginx, Haproxy]:
    for name in ("survives", "survives_a_bad_network", "takes_a_herd"):
        if FULL or front is Nginx or name == "survives":
            add(front, name)
