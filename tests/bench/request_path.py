#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""request_path.py [--list] [PROGRAM] - counts our files and functions in which a request runs whose
answer is in no cache: callgrind sees each of these functions called at least once a request.
Every request asks for another width, so that the shared tables are computed as well.

A function that the compiler has put into its caller is not seen; its file is not either, unless
another function of it is called."""

import collections
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(1, os.path.dirname(HERE))
import callgrind  # noqa: E402
from instructions import ask  # noqa: E402
from support.posencd import Posencd  # noqa: E402

REQUESTS = 120


def run(program, requests):
    """How often each (file, function) was called."""
    count = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        with Posencd("--threads", "1", program=callgrind.script(folder, program)) as server:
            for i in range(requests):
                ask(server, 1, "/v1/rope?pos=0:4&dim=%s" % (128 + 2 * i), {}, 200)
        for call in callgrind.calls(folder):
            count[(call.callee_file, call.callee)] += call.count
    return count


def main():
    listed = "--list" in sys.argv
    programs = [word for word in sys.argv[1:] if word != "--list"]
    program = os.path.abspath(programs[0] if programs else "build/posencd")
    idle, busy = run(program, 0), run(program, REQUESTS)
    found = collections.defaultdict(list)
    for (path, function), count in busy.items():
        match = callgrind.OURS.search(path or "")
        if match and count - idle[(path, function)] >= REQUESTS:
            found[match.group(1)].append(function)
    if listed:
        for path in sorted(found):
            print("%-44s %s" % (path, " ".join(sorted(found[path]))))
    print("%d functions in %d files" % (sum(map(len, found.values())), len(found)))


if __name__ == "__main__":
    main()
