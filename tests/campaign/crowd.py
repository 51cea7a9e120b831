# SPDX-License-Identifier: Apache-2.0
"""crowd.py - groups of clients, run by crowd.c: those of a flood, and others who ask meanwhile for
health, hits, misses and downloads."""

import json
import os
import struct
import subprocess

from support.posencd import ROOT
from support.wire import request_bytes

import flood_rows

PROGRAM = os.path.join(ROOT, "build", "campaign", "crowd")
UNKNOWN = 0xffffffff
FLOOD, OTHERS = "127.0.0.2", "127.0.0.1"  # the addresses of two peers
PACES = {"reading": 0, "not reading": -1}
PATIENCE = 60
GRACE = 3  # seconds; a longer wait is known to be as long
FEW = 9

# The others: name, target, requests a second, connections, and what else the group is. A download
# has 1.1 MB, and for the slow client, which reads 2 MiB a second, 256 KB.
PROBES = (
    ("livez", "/livez", 100, 64, "fresh"),
    ("hits", flood_rows.HIT, 100, 32, ""),
    ("misses", flood_rows.MISS, 60, 32, ""),
    ("misses of the pool", flood_rows.POOLED, 20, 16, ""),
    ("downloads", flood_rows.LONG, 4, 16, ""),
    ("slow downloads", flood_rows.LONG.replace("9000", "2000"), 1, 8, "pace=2097152"))


class Numbers:
    """Numbers for "{n}", so far apart that no two groups ask for the same."""

    def __init__(self):
        self.at = 0

    def take(self):
        self.at += 1 << 20
        return self.at


def write_requests(path, requests, lengths):
    """Writes the file that crowd.c reads, with the length of each answer's body, None if it is not
    known."""
    with open(path, "wb") as file:
        for request, length in zip(requests, lengths):
            data = request_bytes(*request)
            file.write(struct.pack("<II", len(data), UNKNOWN if length is None else length) + data)


def lengths_of(row, ask):
    """The length of the body of each answer of a row, learned by asking `ask` for it; None where it
    changes. An answer of another status than 200 is a mistake of the row."""
    lengths = [None] * len(row.requests)
    for i, (method, target, body, headers) in enumerate(row.requests):
        if not row.stable and i >= (FEW if method == "GET" else 1):
            break  # it is asked for to see that it can be had
        answer = ask(method, fill(target, (1 << 44) + (i << 16)), body, headers)
        assert answer.status == 200, "%s: %r" % (row.name, answer)
        if row.stable and not row.is_head:
            lengths[i] = len(answer.body)
    return lengths


def fill(target, number):
    """The target with numbers in place of "{n}" and "{n+K}"."""
    parts = target.split("{n")
    return parts[0] + "".join(
        str(number + int(part.partition("}")[0] or 0)) + part.partition("}")[2]
        for part in parts[1:])


class Crowd:
    """A running crowd.c, on the given core; `groups` are its options without the names of files."""

    def __init__(self, address, peer, seconds, groups, core=None, nice=0, grace=0):
        def prepare():
            os.nice(nice)
            if core is not None:
                os.sched_setaffinity(0, {core})
        self.process = subprocess.Popen([PROGRAM, address, peer, "%.3f" % seconds,
                                         "%.3f" % grace, *groups],
                                        stdout=subprocess.PIPE, preexec_fn=prepare)

    def wait(self):
        """{name of a group: its figures}, when the program has ended."""
        out, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, "crowd ended with %d" % self.process.returncode
        return {one["name"]: one for one in map(json.loads, out.splitlines())}

    def end(self):
        self.process.terminate()
        return self.wait()


class Others:
    """The probes: their files, written once for a server that a plain client reaches by `ask`."""

    def __init__(self, folder, ask, numbers):
        self.numbers, self.options = numbers, []
        for i, (name, target, rate, connections, more) in enumerate(PROBES):
            path = os.path.join(folder, "probe-%d" % i)
            row = flood_rows.Row(name, "", flood_rows.get(target))
            write_requests(path, row.requests, lengths_of(row, ask))
            self.options.append("name=%s,file=%s,rate=%d,connections=%d%s" % (
                name, path, rate, connections, more and "," + more))
        for _ in range(3):
            ask("GET", flood_rows.HIT)

    def look(self, address, seconds, core=None, grace=GRACE):
        """What these clients see while they ask for so many seconds, and wait for the last answers
        until the grace is over."""
        return Crowd(address, OTHERS, seconds, ["%s,first=%d" % (one, self.numbers.take())
                                                for one in self.options], core, grace=grace).wait()


def flood(address, path, row, count, kinds, numbers, core=None, seconds=PATIENCE):
    """Clients that ask for the row's requests, from one peer, until they are ended: `count` of each
    kind, which are "reading" and "not reading"."""
    return Crowd(address, FLOOD, seconds, ["name=%s,file=%s,connections=%d,depth=%d,pace=%d,"
                                           "first=%d" % (kind, path, count, row.depth,
                                                         PACES[kind], numbers.take())
                                           for kind in kinds], core, nice=5)
