#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""same_verdicts.py [--full] [--out=DIR] - posts files of the users' corpus to services of one thread,
one at a time, of which each core has one with its part of the files, and then to one of four threads,
eight at a time, and compares the bodies byte by byte: a verdict depends on the numbers and the claim,
and on no clock. --full takes all files in place of
every tenth, and runs twelve busy processes beside the second service. The last line is
"N passed, N failed"."""

import concurrent.futures
import contextlib
import os
import re
import subprocess
import sys
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(os.path.dirname(HERE))]

import make  # noqa: E402
from support.posencd import Posencd  # noqa: E402

TYPES = {"npz": "application/x-npz", "npy": "application/x-npy", "json": "application/json",
         "safetensors": "application/x-safetensors", "csv": "text/csv"}
PATIENCE = "600"  # seconds of --work-timeout: only the number of operations ends a search
BUSY = 12


def question(folder, arguments):
    """(target, media type, body) of a command of one file and a claim; None for any other command."""
    file, *claim = arguments
    suffix = file.rpartition(".")[2]
    if suffix not in TYPES or any(word.startswith("-") or "=" not in word for word in claim):
        return None
    with open(os.path.join(folder, file), "rb") as data:
        query = urllib.parse.urlencode([tuple(word.split("=", 1)) for word in claim])
        return "/v1/verify?" + query, TYPES[suffix], data.read()


def answers(questions, threads, at_once):
    """The status and body of each, in order, without the id of the request."""
    def ask(one):
        target, kind, body = one
        answer = server.ask("POST", target, body, [("Content-Type", kind)])
        return answer.status, re.sub(rb',"request_id":"[^"]*"', b"", answer.body)
    with Posencd("--threads", str(threads), "--workers", str(threads), "--access-log", "off",
                 "--work-timeout", PATIENCE, "--send-timeout", PATIENCE) as server:
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            return list(pool.map(ask, questions))


def answers_alone(questions):
    """The same of services of one thread, a core each, which get every so-manieth question."""
    cores = len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        parts = list(pool.map(lambda first: answers(questions[first::cores], 1, 1), range(cores)))
    return [parts[i % cores][i // cores] for i in range(len(questions))]


@contextlib.contextmanager
def busy(count):
    children = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


def main():
    words = dict((word[2:].split("=", 1) + ["1"])[:2] for word in sys.argv[1:])
    made = make.make_all(words.get("out", os.path.join("build", "verify", "same")), [])
    asked = [(truth["name"], question(folder, truth["arguments"])) for folder, truth in made]
    asked = [pair for pair in asked if pair[1]][::1 if "full" in words else 10]
    questions = [one for _, one in asked]
    alone = answers_alone(questions)
    with busy(BUSY if "full" in words else 0):
        together = answers(questions, 4, 8)
    other = [name for (name, _), one, two in zip(asked, alone, together)
             if one != two or one[0] >= 500]
    for name in other:
        print("WRONG %s: the service of four threads gives another answer, or a 5xx" % name)
    print("%d passed, %d failed" % (len(asked) - len(other), len(other)))
    return 1 if other or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
