# SPDX-License-Identifier: Apache-2.0
"""balance.py - what three replicas compute behind each front, with consistent hashing and round
robin. The files are those of deploy/ but for addresses, and for what a row changes."""

import random
import shutil

import contest
import load
from capacity.keeping import zipf
from capacity.kinds import SMALL
from fleet.front import Haproxy, Nginx, replaced
from fleet.load import Connection, get
from fleet.replica import replicas

REPLICAS, KEYS, REQUESTS = 3, 1000, 6000
ROUNDS, SECONDS = 3, 0.3  # of the front's own cost
COMPUTED = "posencd_compute_seconds_count"
REACHED = 'posencd_http_requests_total{route="/v1/{encoding}"'


def target(key):
    return "/v1/rope?dim=128&pos=%d:%d&out=cos&format=raw" % (8 * key, 8 * key + 8)


# What is asked for: keys by Zipf's law; others, each as often as any.
TRACES = [[target(key) for key in zipf(KEYS, REQUESTS)],
          [target(KEYS + key) for key in random.Random(2).choices(range(KEYS), k=REQUESTS)]]


class HaproxyInTurn(Haproxy):
    def template(self):
        return replaced(replaced(super().template(), r"^    balance uri whole$",
                                 "    balance roundrobin"), r"^    hash-type consistent\n", "")


class NginxWithoutCache(Nginx):
    def template(self):
        return replaced(super().template(), r"^    proxy_cache posencd;$", "    proxy_cache off;")


class NginxInTurn(NginxWithoutCache):
    def template(self):
        return replaced(super().template(), r"^    hash \$posencd_key consistent;\n", "")


# name of the figures, what a reader sees, front
ROWS = [("haproxy", "HAProxy, file as it stands: consistent hashing", Haproxy),
        ("haproxy-in-turn", "HAProxy, `balance roundrobin`", HaproxyInTurn),
        ("nginx-without-cache", "nginx, `proxy_cache off`: consistent hashing", NginxWithoutCache),
        ("nginx-in-turn", "nginx, `proxy_cache off`, without `hash`: round robin", NginxInTurn),
        ("nginx", "nginx, file as it stands: its own cache before consistent hashing", Nginx)]


def own_cost(started):
    """CPU time of the front itself, in seconds, for an answer that was asked for before."""
    with open("/proc/%d/task/%d/children" % (2 * (started.process.pid,)), encoding="ascii") as file:
        processes = [started.process.pid, *map(int, file.read().split())]
    before = sum(map(load.cpu_seconds, processes))
    answers = load.ask(started.port, load.request_of(SMALL), 32, SECONDS, pinned=False)()[0]
    return (sum(map(load.cpu_seconds, processes)) - before) / answers


def counts(fleet, name):
    """The sum of the samples of a family, of each replica."""
    return [sum(value for sample, value in one.samples().items() if sample.startswith(name))
            for one in fleet]


def ask_all(fleet, started, targets):
    """(computations, the busiest replica's part of the requests that reached one)"""
    before = [counts(fleet, name) for name in (COMPUTED, REACHED)]
    client = Connection(started.port)
    for target in targets:
        answer = client.ask(get(target))
        assert answer.status == 200, (target, answer.status)
    client.close()
    computed, reached = ([now - then for now, then in zip(counts(fleet, name), of)]
                         for name, of in zip((COMPUTED, REACHED), before))
    assert len(targets) >= sum(reached) >= sum(computed) > 0, (reached, computed)
    return sum(computed), max(reached) / sum(reached)


def row(front):
    """(computations for keys by Zipf's law, for keys that are equally popular, the busiest replica's
    part of the former, seconds of the front's CPU for an answer)"""
    with replicas(REPLICAS) as fleet, front([one.address for one in fleet]) as started:
        popular, busiest = ask_all(fleet, started, TRACES[0])
        equal, _ = ask_all(fleet, started, TRACES[1])
        cost = contest.median([own_cost(started) for _ in range(ROUNDS)])
    return popular, equal, busiest, cost


def measure():
    """{front: the figures of row()}, and how many keys each trace has."""
    for program in ("nginx", "haproxy"):
        assert shutil.which(program, path="/usr/sbin:/usr/local/sbin:/usr/bin"), \
            "%s is missing: run `make deps-fleet`" % program
    return {name: row(front) for name, _, front in ROWS}, [len(set(trace)) for trace in TRACES]
