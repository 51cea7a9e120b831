# SPDX-License-Identifier: Apache-2.0
"""gzip_answers.py - JSON for clients that accept gzip: from the cache, and never requested before,
against nginx, which compresses a file for each answer (level 1) or sends the .gz beside it. The
server has core 0, the client core 1."""

import gzip

import contest
import load
from peers import Peers, get
from small_answers import ROW

TURNS = 5
MATRIX = "/v1/sinusoidal?pos=0:64&dim=64&format=json"
MASK = "/v1/causal-mask?len=1024&format=npy"
HEADERS = ["Accept-Encoding: gzip"]
ACCEPTED = dict([HEADERS[0].split(": ")])


def packed(port, target):
    """The body as a client that accepts gzip gets it."""
    body, headers = get(port, target, ACCEPTED)
    assert ("content-encoding", "gzip") in [(a.lower(), b) for a, b in headers], headers
    return body


def against_nginx(target, example, turns):
    """Contestants: ours, and nginx with the example's bytes as a file."""
    result = contest.Result("k/s", 1e3, 2)
    if load.NO_WRK:
        result.missing["posencd"] = load.NO_WRK
        return result
    with Peers() as peers:
        ours = peers.posencd()
        body = get(ours[1], example)[0]
        contestants = {"posencd": (ours, target, HEADERS), "plain": (ours, target, [])}
        server = peers.files("nginx", body)
        peers.put("packed.json", body)
        peers.put("kept.json", body)
        peers.put("kept.json.gz", packed(ours[1], example))
        if server:
            assert gzip.decompress(packed(server[1], "/packed.json")) == body
            contestants["nginx"] = server, "/packed.json", HEADERS
            contestants["nginx kept"] = server, "/kept.json", HEADERS
        else:
            result.missing["nginx"] = result.missing["nginx kept"] = "not installed"
        called = {}
        for name, (server, path, headers) in contestants.items():
            result.commands[name] = load.shown(path, headers=headers)
            called[name] = load.turn(name, *server, path, headers=headers)
        return contest.take_turns(result, called, turns)


def cached():
    """a cached matrix of 64 x 64 as JSON in gzip: answers/s"""
    return against_nginx(MATRIX, MATRIX, TURNS)


def fresh():
    """a never-repeated GET of one row of 512, JSON in gzip: answers/s"""
    return against_nginx(ROW + "json", (ROW + "json").replace("%d", "1000000"), TURNS)


def mask():
    """a mask of 1024 x 1024 as npy, cached in gzip and streamed as it is: answers/s"""
    return against_nginx(MASK, MASK, TURNS)


def sizes():
    """bytes of that matrix as JSON: as it is, by us and by nginx in gzip"""
    result = contest.Result("KB", 1e3, 1)
    with Peers() as peers:
        _, port = peers.posencd()
        body = get(port, MATRIX)[0]
        sent = {"plain": len(body), "posencd": len(packed(port, MATRIX))}
        server = peers.files("nginx", body)
        if server:
            peers.put("packed.json", body)
            sent["nginx"] = len(packed(server[1], "/packed.json"))
        else:
            result.missing["nginx"] = "not installed (make deps-bench)"
        result.commands["posencd"] = "GET %s with %s" % (MATRIX, HEADERS[0])
    return contest.take_turns(result, {"sizes": lambda: sent}, 1, warm=0)
