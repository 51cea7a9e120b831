#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""locks.py - counts the mutexes of ours that a request locks, by callgrind: those that functions of
core, proto and server lock, not those of libmicrohttpd. One mutex, or one cache line that all
threads write, bears some millions of operations a second in all, so on many cores a lock of each
request is what breaks first. Ends with "N passed, N failed"."""

import collections
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(1, os.path.dirname(HERE))
import callgrind  # noqa: E402
from instructions import ask  # noqa: E402
from support.posencd import Posencd  # noqa: E402

REQUESTS = 100
TICK = {"cache_stats"}  # locked ten times a second, not by requests
LOCK = re.compile(r"(pthread_mutex_lock|pthread_rwlock_\w+lock|uv_mutex_lock)")
# what, the target (a %d is a number that is not repeated), the most locks
CASES = (
    ("a hit", "/v1/sinusoidal?pos=0:6&dim=64&format=raw", 0),
    ("a new row", "/v1/sinusoidal?pos=%d&dim=512&format=npy", 4),
    ("a new request", "/v1/alibi?heads=8&q=%d&k=0:8&format=npy&out=bias", 3),
)


def locks(folder):
    """How often each of our functions locked a mutex, in a run of callgrind."""
    count = collections.Counter()
    for call in callgrind.calls(folder):
        if LOCK.match(call.callee) and callgrind.OURS.search(call.file) and call.caller not in TICK:
            count[call.caller] += call.count
    return count


def run(target, requests):
    with tempfile.TemporaryDirectory() as folder:
        with Posencd("--threads", "1",
                     program=callgrind.script(folder, "build/posencd")) as server:
            ask(server, requests, target, {}, 200)
        return locks(folder)


def main():
    passed = failed = 0
    for what, target, most in CASES:
        few, many = run(target, REQUESTS), run(target, 3 * REQUESTS)
        found = {name: round((many[name] - few[name]) / (2 * REQUESTS), 1) for name in many}
        found = {name: count for name, count in found.items() if count >= 0.2}
        total = sum(found.values())
        good = total <= most + 0.5
        passed, failed = passed + good, failed + (not good)
        print("%-14s %4.1f locks, at most %d%s" % (
            what, total, most,
            ": " + ", ".join("%s %.1f" % pair for pair in sorted(found.items()))
            if found else ""), flush=True)
    print("locks: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
