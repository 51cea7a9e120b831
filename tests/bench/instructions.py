#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""instructions.py [--record] [NAME...] - instructions of the most frequent paths, counted by
valgrind, so that a busy machine does not change them. Each path runs at two lengths, so that start
and end cancel out; the difference for each unit (request, block, number) is compared with the file
`instructions` beside this one and may grow by 5 %. --record writes that file anew.

The generic code path and glibc's plainest string functions are taken, so that the figures are
the same on every x86-64 machine with Debian 12's compiler and libraries."""

import array
import concurrent.futures
import http.client
import os
import re
import subprocess
import sys
import tempfile
from collections import namedtuple

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(1, os.path.dirname(HERE))
from support.posencd import Posencd  # noqa: E402

RECORDED = os.path.join("tests", "bench", "instructions")
MAY_GROW = 1.05
os.environ["GLIBC_TUNABLES"] = \
    "glibc.cpu.hwcaps=-AVX2,-AVX,-AVX512F,-AVX512VL,-AVX512BW,-SSE4_2,-ERMS,-FSRM,-BMI2"

# name, the unit counted, two lengths, pieces a unit of length, run(folder, length)
Path = namedtuple("Path", "name unit lengths pieces run")


def valgrind(folder):
    return ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
            "--log-file=%s/count" % folder]


def collected(folder):
    with open(folder + "/count", encoding="utf-8") as file:
        return int(re.search(r"Collected : (\d+)", file.read()).group(1))


# ---- programs that are given their length -----------------------------------------------

def program(*words):
    def run(folder, length):
        subprocess.run(valgrind(folder) + [word.replace("LENGTH", str(length))
                                           for word in words], check=True,
                       stdout=subprocess.DEVNULL)
    return run


def text(way):
    """build/bench/text over numbers of a rope table."""
    def run(folder, length):
        path = folder + "/numbers"
        subprocess.run(["build/posencd", "compute", "rope", "pos=0:256", "dim=64", "out=cos",
                        "format=raw", "-o", path], check=True)
        if way == "read":
            with open(path, "rb") as file:
                numbers = array.array("f", file.read())
            with open(path, "w", encoding="ascii") as file:
                file.write("[%s]" % ",".join("%.7g" % number for number in numbers))
        program("build/bench/text", way, path, "LENGTH")(folder, length)
    return run


# ---- the server, asked over one connection ------------------------------------------------

class Counted(Posencd):
    """A posencd that runs under valgrind."""

    def __init__(self, folder):
        path = os.path.join(folder, "posencd")
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nexec %s '%s' \"$@\"\n" % (
                " ".join(valgrind(folder)), os.path.abspath("build/posencd")))
        os.chmod(path, 0o755)
        super().__init__("--threads", "1", "--cpu-path", "generic", program=path)


def requests(target, headers=None, status=200):
    """Sends `length` requests; a %d in the target is a number that is not repeated."""
    def run(folder, length):
        with Counted(folder) as server:
            ask(server, length, target, headers or {}, status)
    return run


def unchanged(target):
    """Another server gives the tag, so that this one never computes the answer."""
    def run(folder, length):
        with Posencd("--threads", "1") as other:
            tag = other.get(target).header("etag")
        requests(target, {"If-None-Match": tag}, 304)(folder, length)
    return run


def ask(server, length, target, headers, status):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for i in range(length):
        path = target.replace("%d", str(1_000_000 + i))
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == status, (path, answer.status)
    connection.close()


def stream(target):
    """One request whose answer has `length` blocks of 64 KiB."""
    def run(folder, length):
        requests(target % (length * 256))(folder, 1)
    return run


FILL = ("build/bench/fill", "posenc")
ROW = "/v1/sinusoidal?pos=%d&dim=512&format="
SMALL = "/v1/sinusoidal?pos=0:6&dim=64&format=raw"
PATHS = [
    Path("get-cached", "request", (100, 500), 1, requests(SMALL)),
    Path("get-cached-id", "request", (100, 500), 1,
         requests(SMALL, {"X-Request-Id": "3f0e5b7c-1c1c-4a57-9d0e-6f5f0a9d2c11"})),
    Path("get-304", "request", (100, 500), 1, unchanged(SMALL)),
    Path("row-json", "request", (100, 400), 1, requests(ROW + "json")),
    Path("row-npy", "request", (100, 400), 1, requests(ROW + "npy")),
    Path("row-png", "request", (20, 80), 1, requests(ROW + "png")),
    Path("stream", "block", (32, 160), 1,
         stream("/v1/rope?pos=0:%d&dim=128&out=cos&format=npy")),
    Path("table-fill", "1000 elements", (1, 5), 262.144, program(
        *FILL, "block", "LENGTH", "1", "generic", "rope", "pos=0:2048", "dim=128",
        "out=cos,sin")),
    Path("bias-fill", "1000 elements", (1, 5), 1048.576, program(
        *FILL, "block", "LENGTH", "1", "generic", "alibi", "heads=4", "q=0:512", "k=0:512",
        "out=bias")),
    Path("rotate-f32", "1000 elements", (1, 5), 524.288, program(
        *FILL, "array", "LENGTH", "1", "generic", "rope/apply", "pos=0:128", "seq_axis=0",
        "x=@f32:128,32,128")),
    Path("rotate-bf16", "1000 elements", (1, 5), 524.288, program(
        *FILL, "array", "LENGTH", "1", "generic", "rope/apply", "pos=0:128", "seq_axis=0",
        "x=@bf16:128,32,128")),
    Path("text-write", "number", (2, 10), 8192, text("write")),
    Path("text-read", "number", (2, 10), 8192, text("read")),
]


def count(path):
    """Instructions for each unit."""
    totals = []
    for length in path.lengths:
        with tempfile.TemporaryDirectory() as folder:
            path.run(folder, length)
            totals.append(collected(folder))
    pieces = (path.lengths[1] - path.lengths[0]) * path.pieces
    return (totals[1] - totals[0]) / pieces


def recorded():
    try:
        with open(RECORDED, encoding="ascii") as file:
            return {name: float(figure) for name, figure, *_ in map(str.split, file)}
    except FileNotFoundError:
        return {}


def main():
    known, record = recorded(), "--record" in sys.argv
    chosen = [word for word in sys.argv[1:] if word != "--record"]
    paths = [path for path in PATHS if not chosen or path.name in chosen]
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, now in zip(paths, pool.map(count, paths)):
            before = known.get(path.name)
            good = record or before is not None and now <= before * MAY_GROW
            passed, failed = passed + good, failed + (not good)
            known[path.name] = now
            print("%-12s %10.1f a %-14s %s%s" % (
                path.name, now, path.unit, "%+.1f %%" % (100 * (now / before - 1)) if before
                else "not recorded", "" if good else ": grown by more than 5 %, or unknown; "
                "see `make instructions`"), flush=True)
    if record:
        with open(RECORDED, "w", encoding="ascii") as file:
            file.writelines("%s %.1f a %s\n" % (path.name, known[path.name], path.unit)
                            for path in PATHS if path.name in known)
    print("instructions: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
