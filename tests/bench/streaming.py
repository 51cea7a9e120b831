# SPDX-License-Identifier: Apache-2.0
"""streaming.py - answers that are too large to keep: their bytes a second, what they do to
others, and in pieces. Server on core 0, clients on core 1, but for the pieces."""

import os
import shutil
import subprocess
import time

import contest
import getting
import load
from peers import Peers, get

TURNS = 5
TABLE = "/v1/rope?pos=0:131072&dim=128&out=cos&format=npy"
GIGABYTE = "/v1/rope?pos=0:4194304&dim=128&out=cos&format=npy"
CLIENTS = 4


def bytes_turn(name, port, target):
    def call():
        report = load.run(port, target, CLIENTS, 2)
        return {name: report["bytes"] / report["seconds"]}
    return call


def table():
    """131072 x 64 float32 streamed as npy to 4 clients: bytes/s, against the file"""
    result = contest.Result("GB/s", 1e9, 2)
    if load.NO_WRK:
        result.missing["posencd"] = load.NO_WRK
        return result
    with Peers() as peers:
        ours = peers.posencd()
        body = get(ours[1], TABLE)[0]
        turns = {"posencd": bytes_turn("posencd", ours[1], TABLE)}
        result.commands["posencd"] = load.shown(TABLE, CLIENTS, 2)
        for name in ("nginx", "h2o"):
            server = peers.files(name, body)
            if not server:
                result.missing[name] = "not installed (make deps-bench)"
                continue
            turns[name] = bytes_turn(name, server[1], "/answer.raw")
            result.commands[name] = load.shown("/answer.raw", CLIENTS, 2)
        return contest.take_turns(result, turns, TURNS)


def neighbours():
    """p99 of cached GETs (1.5 KB, 8 connections) alone and while 4 clients stream 1 GB each"""
    result = contest.Result("ms", 1e3, 3)  # wrk counts microseconds
    if load.NO_WRK:
        result.missing["beside streams"] = load.NO_WRK
        return result
    with Peers() as peers:
        _, port = peers.posencd()
        get(port, getting.SMALL)

        def alone():
            return {"alone": load.run(port, getting.SMALL, 8, 2)["p99"]}

        def beside():
            url = "http://127.0.0.1:%d%s" % (port, GIGABYTE)
            streams = subprocess.Popen(load.command(url, CLIENTS, 60),
                                       stdout=subprocess.DEVNULL)
            try:
                time.sleep(0.2)  # so that all four are under way
                return {"beside streams": load.run(port, getting.SMALL, 8, 2)["p99"]}
            finally:
                streams.kill()
                streams.wait()
        result.commands = {"alone": load.shown(getting.SMALL, 8, 2),
                           "beside streams": "the same beside " + load.shown(GIGABYTE, 4, 60)}
        return contest.take_turns(result, {"alone": alone, "beside": beside}, TURNS)


def ranges():
    """1 GB by 4 clients in quarters, against one client fetching it whole: bytes/s"""
    result = contest.Result("GB/s", 1e9, 2)
    if not shutil.which("curl"):
        result.missing["quarters"] = "no curl (make deps-bench)"
        return result
    with Peers() as peers:
        _, port = peers.posencd(cores=range(os.cpu_count() or 1), threads="auto")
        url = "http://127.0.0.1:%d%s" % (port, GIGABYTE)
        length = int(subprocess.run(["curl", "-sI", url], check=True, text=True,
                                    capture_output=True).stdout.lower()
                     .partition("content-length:")[2].split()[0])
        edges = [length * i // CLIENTS for i in range(CLIENTS + 1)]
        parts = ["%d-%d" % (a, b - 1) for a, b in zip(edges, edges[1:])]
        status = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                                 "-r", "0-9", url], capture_output=True, text=True).stdout
        if status != "206":
            result.missing["quarters"] = "ranges are answered with %s" % status
            return result

        def fetch(name, pieces):
            def call():
                start = time.perf_counter()
                clients = [subprocess.Popen(["curl", "-sf", "-o", "/dev/null", *piece, url])
                           for piece in pieces]
                assert not any([client.wait() for client in clients])
                return {name: length / (time.perf_counter() - start)}
            return call
        result.commands = {"whole": "curl -o /dev/null URL", "quarters":
                           " & ".join("curl -o /dev/null -r %s URL" % part for part in parts)}
        return contest.take_turns(result, {
            "whole": fetch("whole", [[]]),
            "quarters": fetch("quarters", [["-r", part] for part in parts])}, TURNS)
