# SPDX-License-Identifier: Apache-2.0
"""unwanted.py - work that no client waits for: twenty clients each ask for a spectrum of 512 nodes
at 4,096 times and are answered 503, or have left; other clients ask for something small meanwhile.
The figure is the CPU time that is used after the last of them was answered."""

import http.client
import json
import threading
import time

from support.posencd import Posencd, cpu_seconds
from support.wire import Client, Closed

NODES, TIMES, CLIENTS = 512, 4096, 20
TARGET = "/v1/heat-kernel-pe?format=raw"
JSON = (("Content-Type", "application/json"),)
WAIT = {"POSENCD_WORK_TIMEOUT": "2"}
QUIET = 1.0     # after so many seconds without CPU time no work goes on
PATIENCE = 400  # the test gives up then; on commit 90d4904 it came after 149 s


def body(number):
    """A ring of nodes; no two numbers have the same answer."""
    return json.dumps({"n": NODES, "edges": [[i, (i + 1) % NODES] for i in range(NODES)],
                       "times": [0.01 * (i + 1) + number * 1e-6 for i in range(TIMES)]}).encode()


class Crowd:
    """Each client asks once, all at one time; `statuses` once they are answered, unless they
    leave."""

    def __init__(self, server, leave):
        self.statuses = []
        self.threads = [threading.Thread(target=self._ask, args=(server, body(i), leave),
                                         daemon=True) for i in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def _ask(self, server, question, leave):
        with Client(server.address, timeout=PATIENCE) as one:
            one.request("POST", TARGET, question, JSON)
            if not leave:
                self.statuses.append(one.reply().status)

    def join(self):
        for thread in self.threads:
            thread.join()


def others(server, crowd):
    """Statuses of small cache misses while the crowd waits, and the longest time of one."""
    statuses, slowest, number = [], 0, 0
    while any(thread.is_alive() for thread in crowd.threads) or number < 10:
        number += 1
        start = time.monotonic()
        try:
            with Client(server.address, timeout=PATIENCE) as one:
                statuses.append(one.get("/v1/random-walk-pe?nodes=64&edges=0,1;1,2;2,%d&steps=16"
                                        "&space_dim=%g" % (number % 60 + 3, number / 1000))
                                .status)
        except (Closed, OSError, http.client.HTTPException) as fault:
            statuses.append(repr(fault))
        slowest = max(slowest, time.monotonic() - start)
        time.sleep(0.05)  # one client that asks now and then
    return statuses, slowest


def goes_on(server):
    """CPU seconds until the process is quiet."""
    start = last = cpu_seconds(server)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        time.sleep(QUIET)
        now = cpu_seconds(server)
        if now - last < QUIET / 10:
            break
        last = now
    return cpu_seconds(server) - start


def crowd(page, leave):
    who = "%d clients who left" % CLIENTS if leave else "%d clients who were told" % CLIENTS
    with Posencd("--threads", "2", "--access-log", "off", env=WAIT) as server:
        asked = Crowd(server, leave)
        statuses, slowest = others(server, asked)
        asked.join()
        spent, after = cpu_seconds(server), goes_on(server)
        page.figure("CPU of %s, up to then" % who, "%.1f s" % spent)
        page.timed("CPU that goes on for %s" % who, "%.1f s" % after, "at most 5 s: the deadline "
                   "of two threads, and a step", after <= 5)
        served = sum(status == 200 for status in statuses)
        page.timed("small misses beside %s" % who,
                   "%d of %d served, the slowest in %.2f s" % (served, len(statuses), slowest),
                   "all", served == len(statuses), statuses)
        if not leave:
            page.promise("answers to the crowd", sorted(set(asked.statuses)), "200 or 503",
                         set(asked.statuses) <= {200, 503})


def too_expensive(page):
    """A request far beyond the work timeout is refused with its number of operations, before any
    work."""
    question = json.dumps({"n": 1024, "edges": [[i, i + 1] for i in range(1023)],
                           "sets": 1024, "set_size": 1024, "seed": 1}).encode()
    with Posencd("--threads", "1", "--access-log", "off", env=WAIT) as server:
        before = cpu_seconds(server)
        with Client(server.address, timeout=PATIENCE) as one:
            answer = one.ask("POST", "/v1/anchor-distance?format=raw", question, JSON)
        problem = answer.json() if answer.status == 400 else {}
        page.promise("a plan of 7.5 * 10^9 operations",
                     "%d, limit %s" % (answer.status, problem.get("limit")),
                     "400, limit 4000000000", problem.get("limit") == 4000000000, [answer.body])
        page.timed("CPU for that refusal", "%.2f s" % (cpu_seconds(server) - before),
                   "at most 0.2 s", cpu_seconds(server) - before <= 0.2)


def run(page, quick):
    too_expensive(page)
    crowd(page, leave=False)
    if not quick:
        crowd(page, leave=True)
