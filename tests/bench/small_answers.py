# SPDX-License-Identifier: Apache-2.0
"""small_answers.py - small GETs: answers from the cache, answers that need no computing, answers that
were never requested before. The server has core 0 and one thread, the client has core 1."""

import contest
import load
from peers import Peers, get

TURNS = 5
READING_TURNS = 7
SMALL = "/v1/sinusoidal?pos=0:6&dim=64&format=raw"
MIDDLE = "/v1/sinusoidal?pos=0:128&dim=128&format=raw"
WIDE = "/v1/sinusoidal?pos=0:512&dim=128&format=raw"
LARGE = "/v1/sinusoidal?pos=0:1000&dim=256&format=raw"
SIZES = {"1.5k": SMALL, "64k": MIDDLE, "256k": WIDE, "1m": LARGE}
ROW = "/v1/sinusoidal?pos=%d&dim=512&format="


def contestants(result, peers, target, ours, example, files=(), more=(), by_wrk=True):
    """name -> contestant; the floor answers with the bytes of our answer to the example."""
    body, headers = get(ours[1], example)
    assert get(ours[1], example)[0] == body
    started = {"posencd": (ours, target), "floor": (peers.floor(body, headers), "/")}
    for name in files:
        started[name] = (peers.files(name, body), "/answer.raw")
    started.update(more)
    turns = {}
    for name, (server, path) in started.items():
        if not server:
            result.missing[name] = "not installed (make deps-bench)"
            continue
        result.commands[name] = (load.shown if by_wrk else load.ask_shown)(path)
        turns[name] = (load.turn if by_wrk else load.ask_turn)(name, *server, path)
    return turns


def cached(target, by_wrk=True):
    result = contest.Result("k/s", 1e3)
    if by_wrk and load.NO_WRK:
        result.missing["posencd"] = load.NO_WRK
        return result
    with Peers() as peers:
        turns = contestants(result, peers, target, peers.posencd(), target, ("nginx", "h2o"),
                            by_wrk=by_wrk)
        return contest.take_turns(result, turns, TURNS)


def reading(size, unix, connections=32):
    """A client that copies what it receives: the server sends pages that the client's core must
    fetch. By CPU time of the servers, as the client is busier than they are."""
    target = SIZES[size]

    def measure():
        result = contest.Result("k/s", 1e3)
        with Peers() as peers:
            ours = peers.posencd(unix=unix)
            for _ in range(2):
                body, headers = get(ours[1], target)
            started = {"posencd": (ours, target),
                       "floor": (peers.floor(body, headers, file=True, unix=unix), "/"),
                       "nginx": (peers.files("nginx", body, unix=unix), "/answer.raw")}
            turns = {}
            for name, (server, path) in started.items():
                if server:
                    turns[name] = load.ask_turn(name, *server, path, connections=connections, reads=True)
                    result.commands[name] = load.ask_shown(path, connections, reads=True)
                else:
                    result.missing[name] = "not installed (make deps-bench)"
            return contest.take_turns(result, turns, READING_TURNS)
    measure.__doc__ = "a cached GET of %s by a client that reads it, %s, %s: answers/s" % (
        size, "over a unix socket" if unix else "over loopback",
        "on one connection" if connections == 1 else "on %d connections" % connections)
    return measure


def small():
    """a cached GET of 1.5 KB: answers/s"""
    return cached(SMALL)


def middle():
    """a cached GET of 64 KB whose bytes the client's kernel drops: answers/s"""
    return cached(MIDDLE, by_wrk=False)


def large():
    """a cached GET of 1 MB whose bytes the client's kernel drops: answers/s"""
    return cached(LARGE, by_wrk=False)


def unchanged():
    """a conditional GET whose answer the server never computed: 304/s, against cached ones"""
    result = contest.Result("k/s", 1e3)
    asked = "/v1/sinusoidal?pos=7:13&dim=64&format=raw"
    with Peers() as peers:
        tag = dict(get(peers.posencd()[1], asked)[1])["ETag"]  # of another server
        server, headers = peers.posencd(), ["If-None-Match: " + tag]
        turns = {"304": load.ask_turn("304", *server, asked, headers=headers)}
        result.commands["304"] = load.ask_shown(asked, headers=headers)
        for name, target in (("1.5 KB", SMALL), ("64 KB", MIDDLE)):
            get(server[1], target)
            get(server[1], target)  # the second one is a hit in the loop's response cache
            turns[name] = load.ask_turn(name, *server, target)
            result.commands[name] = load.ask_shown(target)
        assert get(server[1], asked, {"If-None-Match": tag})[0] == b""
        return contest.take_turns(result, turns, TURNS)


def fresh(form):
    result = contest.Result("k/s", 1e3, 2)
    if load.NO_WRK:
        result.missing["posencd"] = load.NO_WRK
        return result
    with Peers() as peers:
        turns = contestants(result, peers, ROW + form, peers.posencd(),
                            (ROW + form).replace("%d", "1000000"),
                            more={"fastapi": (peers.fastapi(), "/row?pos=%d&format=" + form)})
        return contest.take_turns(result, turns, TURNS)


def fresh_json():
    """a never-repeated GET of one row of 512, JSON: answers/s"""
    return fresh("json")


def fresh_npy():
    """a never-repeated GET of one row of 512, npy: answers/s"""
    return fresh("npy")
