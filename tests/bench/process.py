# SPDX-License-Identifier: Apache-2.0
"""process.py - the cost of the process itself: start, memory, cold plans, a second loop."""

import itertools
import os
import socket
import time

import contest
import load
import small_answers
from peers import Peers, Posencd, get

TURNS = 5
CONNECTIONS = 1000
TABLE = "/v1/rope?pos=0:131072&dim=%d&base=%d&out=cos&format=npy"


def resident(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines
                    if line.startswith("VmRSS:"))


def keep_alive(port, count):
    """Open connections, each of which got one answer."""
    opened = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        opened.append(one)
    for one in opened:
        assert one.recv(4096).startswith(b"HTTP/1.1 200")
    return opened


def start():
    """from starting the program until it says ready, self-test included"""
    result = contest.Result("ms", 1e-3)

    def turn():
        begin = time.perf_counter()
        with contest.on_core(contest.SERVER_CORE, contest.LOAD_CORE), Posencd():
            return {"start": time.perf_counter() - begin}
    result.commands["start"] = "build/posencd serve --listen 127.0.0.1:0"
    return contest.take_turns(result, {"start": turn}, TURNS)


def memory():
    """resident memory of an idle server, and what each of 1000 idle connections adds"""
    result = contest.Result("KiB", 1024)

    def turn():
        with Posencd() as server:
            get(server.port, "/livez")
            idle = resident(server.pid)
            opened = keep_alive(server.port, CONNECTIONS)
            full = resident(server.pid)
            for one in opened:
                one.close()
        return {"idle": idle, "a connection": (full - idle) / CONNECTIONS}
    result.commands["idle"] = "VmRSS of build/posencd serve after its first answer"
    return contest.take_turns(result, {"memory": turn}, TURNS, warm=0)


def first_byte(port, target):
    """Seconds until the first byte of the body, since a head may come before a number is known. The
    rest is read: a request for what is still computed waits for it."""
    with socket.create_connection(("127.0.0.1", port)) as one:
        begin = time.perf_counter()
        one.sendall(("GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                     % target).encode())
        came = b""
        while not came.partition(b"\r\n\r\n")[2]:
            part = one.recv(4096)
            assert part, came
            came += part
        passed = time.perf_counter() - begin
        rest = bytearray(1 << 20)
        while one.recv_into(rest):
            pass
    assert came.startswith(b"HTTP/1.1 200"), came
    return passed


def cold():
    """first byte of a long table whose dim and base are new, and of the same from the cache"""
    result, bases = contest.Result("ms", 1e-3, 3), itertools.count(10007)
    with Peers() as peers:
        _, port = peers.posencd()

        def turn():
            times = {"cold": [], "warm": []}
            for dim in range(64, 192, 8):
                target = TABLE % (dim, next(bases))
                times["cold"].append(first_byte(port, target))
                first_byte(port, target)  # which puts it into the cache
                times["warm"].append(first_byte(port, target))
            return {name: contest.median(all_of) for name, all_of in times.items()}
        result.commands["cold"] = "GET " + TABLE.replace("%d", "NEW")
        with contest.on_core(contest.LOAD_CORE):
            return contest.take_turns(result, {"cold": turn}, TURNS)


def loops():
    """server CPU time of a cached GET with two loops, and with one; the floor's as well"""
    result = contest.Result("us of CPU", 1e-6, 2)
    if load.NO_WRK:
        result.missing["two loops"] = load.NO_WRK
        return result
    with Peers() as peers:
        turns, cores = {}, range(os.cpu_count() or 1)
        for name, count in (("one loop", 1), ("two loops", 2)):
            pid, port = peers.posencd(cores=cores, threads=count)
            answer = get(port, small_answers.SMALL)
            turns[name] = cpu_of(name, load.turn(name, pid, port, small_answers.SMALL))
            result.commands[name] = "%s, posencd --threads %d" % (load.shown(small_answers.SMALL),
                                                                  count)
        for name, count in (("floor", 1), ("floor, two", 2)):
            pid, port = peers.floor(*answer, cores=cores, threads=count)
            turns[name] = cpu_of(name, load.turn(name, pid, port, "/"))
            result.commands[name] = "%s, floor of %d" % (load.shown("/"), count)
        return contest.take_turns(result, turns, TURNS)


def cpu_of(name, turn):
    """CPU seconds a request, and answers a second (as seconds an answer) beside them."""
    def call():
        rates = turn()
        return {name: 1 / rates[name + "/cpu"], name + "/clock": 1 / rates[name]}
    return call
