#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""request_path.py [--list] PROGRAM - counts our functions and files in which a GET runs whose answer
is in no cache: those that callgrind sees called for at least half of the requests, beyond the calls of
a service that nobody asks in the same time. Every request asks for another width, so that the shared
tables are computed as well. Half, since two requests may share a turn of the loop. On a busy machine the
loop's timers, which run by the clock, come to some functions of server/net: measure on a quiet one.

PROGRAM is built with -fno-inline (make FLAVOUR=calls), since a function that the compiler has put into
its caller is not seen. An inline function of a header is counted, and its header as a file.

The first count is of requests on one open connection. For the second each request has a connection of
its own, which adds what accepts, reads for the first time, ends and frees it."""

import collections
import http.client
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(1, os.path.dirname(HERE))
import callgrind  # noqa: E402
from support.posencd import Posencd  # noqa: E402

REQUESTS = 400
TARGET = "/v1/rope?pos=0:4&dim=%d"
COUNTED = """GET %s, another D each time, so that no cache has the answer: %d requests on one open
connection. Counted are functions of core, proto and server, in a build without inlining, which run for
at least half of the requests and not without them; their files; by folder:
""" % (TARGET.replace("%d", "D"), REQUESTS)


def get(server, requests, each):
    """So many requests, on a connection each or all on one."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for number in range(requests):
        connection.request("GET", TARGET % (128 + 2 * number))
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        if each:
            connection.close()
    connection.close()


def run(program, requests, each=False, lasts=0.0):
    """How often each (file, function) of ours was called, and how long the requests took. The run
    lasts so many seconds at least, since the timers of a loop run by the clock."""
    count = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        with Posencd("--threads", "1", program=callgrind.script(folder, program)) as server:
            began = time.monotonic()
            get(server, requests, each)
            took = time.monotonic() - began
            time.sleep(max(0.0, lasts - took))
        for call in callgrind.calls(folder):
            match = callgrind.OURS.search(call.callee_file)
            if match:
                count[(match.group(1), call.callee)] += call.count
    return count, took


def path_of(program, each):
    """File -> its functions in which a request runs."""
    busy, took = run(program, REQUESTS, each)
    idle, _ = run(program, 0, lasts=took)
    found = collections.defaultdict(set)
    for (path, function), count in busy.items():
        if (count - idle[(path, function)]) * 2 >= REQUESTS:
            found[path].add(function)
    return found


def figure(found):
    return "%d functions in %d files" % (sum(map(len, found.values())), len(found))


def by_folder(found):
    """A line for each folder: its functions, its files, its name."""
    rows = collections.defaultdict(lambda: [0, 0])
    for path, functions in found.items():
        row = rows[os.path.dirname(path)]
        row[0] += len(functions)
        row[1] += 1
    return ["%6d functions  %3d files  %s" % (*rows[folder], folder) for folder in sorted(rows)]


def main():
    words = sys.argv[1:]
    program, listed = os.path.abspath(words[-1]), "--list" in words
    alone, whole = path_of(program, each=False), path_of(program, each=True)
    if listed:
        for path in sorted(alone):
            print("%-44s %s" % (path, " ".join(sorted(alone[path]))))
    print(COUNTED + "\n".join(by_folder(alone)))
    headers = {path: found for path, found in alone.items() if path.endswith(".h")}
    print("a cold GET: %s (inline ones of headers among them: %s)" % (figure(alone), figure(headers)))
    print("with the accept and the close of its connection: %s" % figure(whole))


if __name__ == "__main__":
    main()
