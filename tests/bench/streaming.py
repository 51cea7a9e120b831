# SPDX-License-Identifier: Apache-2.0
"""streaming.py - answers that are too large for the cache: their bytes a second, their effect on
other clients, and ranges. The server has core 0, clients core 1, except for the ranges."""

import os
import time

import contest
import load
import small_answers
from peers import Peers, get, head

TURNS = 5
QUIET_TURNS = 9  # a p99 that one interruption changes
TABLE = "/v1/sinusoidal?pos=0:131072&dim=128&format=npy"
GIGABYTE = "/v1/rope?pos=0:4194304&dim=128&out=cos&format=npy"
CLIENTS = 4


def bytes_turn(name, pid, address, target, reads):
    """Bytes a second; and a second of the server's CPU time, its own and the kernel's for it."""
    asked = load.asker(address, target, CLIENTS, 2, reads=reads)

    def call():
        before, spent = load.cpu_times(pid), load.cpu_seconds(pid)
        _, seconds, count = asked()()
        spent = max(load.cpu_seconds(pid) - spent, 1e-3)
        user, system = [max(after - at, 1e-3)
                        for after, at in zip(load.cpu_times(pid), before)]
        return {name: count / seconds, name + "/cpu": count / spent,
                name + "/user": count / user, name + "/system": count / system}
    return call


def streamed(unix=False, reads=False):
    """posencd against the same bytes out of memory (floor) and out of a file (nginx, h2o); over a
    unix socket nginx alone listens."""
    result = contest.Result("GB/s", 1e9, 2)
    with Peers() as peers:
        ours = peers.posencd(unix=unix)
        body, headers = get(ours[1], TABLE)
        started = {"posencd": (ours, TABLE), "nginx": (peers.files("nginx", body, unix=unix),
                                                       "/answer.raw")}
        if not unix:
            started["floor"] = peers.floor(body, headers), "/"
            started["h2o"] = peers.files("h2o", body), "/answer.raw"
        turns = {}
        for name, (server, path) in started.items():
            if not server:
                result.missing[name] = "not installed (make deps-bench)"
                continue
            turns[name] = bytes_turn(name, *server, path, reads)
            result.commands[name] = load.ask_shown(path, CLIENTS, 2, reads=reads)
        return contest.take_turns(result, turns, TURNS)


def dropped():
    """131072 x 128 float32 streamed as npy to 4 clients, whose kernel drops the bytes: bytes/s"""
    return streamed()


def read():
    """131072 x 128 float32 streamed as npy to 4 clients that read it, over loopback: bytes/s"""
    return streamed(reads=True)


def read_unix():
    """131072 x 128 float32 streamed as npy to 4 clients that read it, over a unix socket:
    bytes/s"""
    return streamed(unix=True, reads=True)


def neighbours():
    """p99 of cached GETs (1.5 KB, 8 connections) alone and while 4 clients stream 1 GB each;
    the same of nginx, from files"""
    result, turns = contest.Result("ms", 1e3, 3), {}  # wrk counts microseconds
    if load.NO_WRK:
        result.missing["beside streams"] = load.NO_WRK
        return result
    with Peers() as peers:
        _, port = peers.posencd()
        body, length = get(port, small_answers.SMALL)[0], dict(head(port, GIGABYTE))["Content-Length"]
        turns.update(disturbed("", port, small_answers.SMALL, GIGABYTE))
        result.commands = {"alone": load.shown(small_answers.SMALL, 8, 1),
                           "beside streams": "the same beside " +
                           load.ask_shown(GIGABYTE, CLIENTS, 2)}
        server = peers.files("nginx", body)
        peers.put("gigabyte.raw", int(length))
        if server:
            turns.update(disturbed("nginx ", server[1], "/answer.raw", "/gigabyte.raw"))
        else:
            result.missing["nginx alone"] = "not installed (make deps-bench)"
        return contest.take_turns(result, turns, QUIET_TURNS)


def disturbed(name, port, small, large):
    """p99 of the small answers, without the streams and beside them. The stream clients drop what
    arrives: wrk would copy it, and wait for it on the core of the wrk that measures."""
    streams = load.asker(port, large, CLIENTS, 2)

    def alone():
        return {name + "alone": load.run(port, small, 8, 1)["p99"]}

    def beside():
        end = streams()
        time.sleep(0.3)  # so that all four streams have begun
        p99 = load.run(port, small, 8, 1)["p99"]
        end()
        return {name + "beside streams": p99}
    return {name + "alone": alone, name + "beside": beside}


def ranges():
    """1 GB by 4 clients in quarters, against one client fetching it whole: bytes/s; all cores
    for servers and clients alike"""
    result = contest.Result("GB/s", 1e9, 2)
    cores = range(os.cpu_count() or 1)
    with Peers() as peers:
        _, port = peers.posencd(cores=cores, threads="auto")
        started = {"": (port, GIGABYTE)}
        length = int(dict(head(port, GIGABYTE))["Content-Length"])
        server = peers.files("h2o", length, cores=cores)
        if server:
            started["h2o "] = (server[1], "/answer.raw")
        else:
            result.missing["h2o quarters"] = "not installed (make deps-bench)"
        edges = [length * i // CLIENTS for i in range(CLIENTS + 1)]
        parts = [["Range: bytes=%d-%d" % (a, b - 1)] for a, b in zip(edges, edges[1:])]
        turns = {}
        for name, (port, target) in started.items():
            for what, pieces in (("whole", [[]]), ("quarters", parts)):
                turns[name + what] = together(name + what, port, target, pieces)
                result.commands[name + what] = load.ask_shown(target, 1, 2, pieces[0])
                if pieces is parts:
                    result.commands[name + what] += ", and the other three at once"
        return contest.take_turns(result, turns, TURNS)


def together(name, port, target, pieces):
    """One client for each part, all at once."""
    clients = [load.asker(port, target, 1, 2, headers, pinned=False) for headers in pieces]

    def call():
        running = [start() for start in clients]
        reports = [end() for end in running]
        return {name: sum(count / seconds for _, seconds, count in reports)}
    return call
