# SPDX-License-Identifier: Apache-2.0
"""greedy.py - one greedy key and nine quiet ones: the greedy one asks as fast as answers come, on
32 connections, far beyond its limits; the quiet ones ask at a rate. How long the quiet ones wait
with the greedy one and without it, in turns."""

import os
import statistics
import tempfile

from support.posencd import Posencd, samples_of

import crowd

QUIET, RUNS = 9, 5
RATIO = 1.1           # of the quiet keys' median and 99th percentile, with the greedy key and without
SECONDS, QUICK_SECONDS = 8, 2
ROW = "%s name=%s %s\n"
HIT = "/v1/sinusoidal?dim=64&pos=0:64&format=npy"
MISS = "/v1/rope?dim=512&pos={n}:{n+64}&out=cos&format=raw"
KINDS = (("hits", HIT, 40), ("misses", MISS, 20))  # requests a second of each quiet key


def key_of(name):
    return "campaign-key-of-" + name


def names():
    return ["quiet-%d" % i for i in range(QUIET)]


def write_keys(path):
    with open(path, "w", encoding="ascii") as file:
        for name in names():
            file.write(ROW % (key_of(name), name, ""))
        file.write(ROW % (key_of("greedy"), "greedy", "requests=50 inflight=4 work=3s"))


class Clients:
    """The files of requests, one for each key and kind."""

    def __init__(self, folder, server):
        self.folder, self.server, self.numbers = folder, server, crowd.Numbers()

    def group(self, name, kind, target, more):
        path = os.path.join(self.folder, "%s-%s" % (name, kind))
        headers = [("Authorization", "Bearer " + key_of(name))]
        crowd.write_requests(path, [("GET", target, None, headers)], [None])
        return "name=%s-%s,file=%s,first=%d,%s" % (name, kind, path, self.numbers.take(), more)

    def quiet(self):
        """Groups of crowd.c: a kind is one group, so that its percentiles are of all nine keys."""
        groups = []
        for kind, target, rate in KINDS:
            path = os.path.join(self.folder, kind)
            requests = [("GET", target, None, [("Authorization", "Bearer " + key_of(name))])
                        for name in names()]
            crowd.write_requests(path, requests, [None] * len(requests))
            groups.append("name=%s,file=%s,first=%d,connections=%d,rate=%d" % (
                kind, path, self.numbers.take(), QUIET * 4, QUIET * rate))
        return groups

    def greedy(self):
        return [self.group("greedy", kind, target, "connections=16")
                for kind, target, _ in KINDS]


def measure(server, clients, seconds, with_greedy):
    """What came of each kind for the quiet keys."""
    port = str(server.port)
    greedy = crowd.Crowd(port, crowd.FLOOD, seconds + 1, clients.greedy()) \
        if with_greedy else None
    came = crowd.Crowd(port, crowd.OTHERS, seconds, clients.quiet(),
                       grace=crowd.GRACE).wait()
    if greedy:
        greedy.wait()
    return came


def run(page, quick):
    seconds, runs = (QUICK_SECONDS, 1) if quick else (SECONDS, RUNS)
    with tempfile.TemporaryDirectory(prefix="posencd-greedy-") as folder:
        keys = os.path.join(folder, "keys")
        write_keys(keys)
        with Posencd("--api-keys-file", keys, "--access-log", "off") as server:
            clients = Clients(folder, server)
            server.get(HIT, [("Authorization", "Bearer " + key_of("quiet-0"))])
            pairs = [(measure(server, clients, seconds, False),
                      measure(server, clients, seconds, True)) for _ in range(runs)]
            samples = samples_of(server.get("/metrics", [
                ("Authorization", "Bearer " + key_of("quiet-0"))]))
    judge(page, pairs, samples)


def judge(page, pairs, samples):
    refused = {name: sum(value for sample, value in samples.items()
                         if sample.startswith('posencd_client_refused_total{client="%s"' % name))
               for name in [*names(), "greedy"]}
    admitted = samples['posencd_client_requests_total{client="greedy"}']
    of_quiet = sum(refused[name] for name in names())
    lost = sum(kind["asked"] - kind["statuses"].get("200", 0)
               for pair in pairs for came in pair for kind in came.values())
    page.promise("quiet keys beside a greedy one: refused or lost",
                 "%d refused, %d without an answer; of the greedy key %d were admitted and %d "
                 "refused" % (of_quiet, lost, admitted, refused["greedy"]),
                 "none of the quiet ones, most of the greedy one",
                 of_quiet == 0 and lost == 0 and refused["greedy"] > admitted / 2)
    for kind, _, _ in KINDS:
        for figure in ("p50", "p99"):
            ratios = [having[kind][figure] / without[kind][figure]
                      for without, having in pairs]
            page.timed("%s of the quiet keys, %s, with the greedy key / without" % (kind, figure),
                       "%.2f (%s), %.2f ms without" % (
                           statistics.median(ratios), " ".join("%.2f" % r for r in ratios),
                           statistics.median(without[kind][figure] for without, _ in pairs)),
                       "the median of %d runs at most %.1f" % (RUNS, RATIO),
                       statistics.median(ratios) <= RATIO)
