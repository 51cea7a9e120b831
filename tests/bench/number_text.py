# SPDX-License-Identifier: Apache-2.0
"""number_text.py - float32 to JSON text and back, a million values of a rope table: ours against
std::to_chars (g++), jansson, Python's json and snprintf, on one core, by CPU time."""

import json
import os
import subprocess
import tempfile
import time

import contest

TURNS = 7
ASKED = ["build/posencd", "compute", "rope", "pos=0:15625", "dim=128", "out=cos"]
TEXT = "build/bench/number_text"
WRITERS = {"posenc": [TEXT, "write"], "jansson": [TEXT, "jansson-write"],
           "%.9g": [TEXT, "printf"], "to_chars": ["build/bench/number_text_cxx"]}
READERS = {"posenc": [TEXT, "read"], "jansson": [TEXT, "jansson-read"]}


def program(name, command):
    return lambda: {name: float(subprocess.run(
        ["taskset", "-c", str(contest.SERVER_CORE), *command], check=True,
        capture_output=True, text=True).stdout)}


def python(call, count):
    def turn():
        with contest.on_core(contest.SERVER_CORE):
            start = time.process_time()
            call()
            return {"python": count / (time.process_time() - start)}
    return turn


def measure(programs, form, prepare, call):
    """prepare makes Python's input of the file's bytes."""
    result, turns = contest.Result("M/s", 1e6), {}
    with tempfile.TemporaryDirectory() as folder:
        numbers = os.path.join(folder, "numbers")
        subprocess.run([*ASKED, "format=raw", "-o", numbers], check=True)
        values = prepare(numbers)
        if form == "json":
            with open(numbers, "w", encoding="ascii") as file:
                file.write(values)
        for name, command in programs.items():
            if not os.path.exists(command[0]):
                result.missing[name] = "%s was not built (make deps-bench)" % command[0]
                continue
            turns[name] = program(name, [*command, numbers])
            result.commands[name] = "taskset -c 0 %s NUMBERS" % " ".join(command)
        turns["python"] = python(lambda: call(values), 1_000_000)
        result.commands["python"] = "json.%s in this process" % call.__name__
        return contest.take_turns(result, turns, TURNS)


def floats(path):
    import numpy as np
    return np.fromfile(path, np.float32)


def writing():
    """float32 to its shortest JSON text: numbers a CPU second"""
    return measure(WRITERS, "raw", lambda path: floats(path).tolist(), json.dumps)


def reading():
    """JSON text to float32: numbers a CPU second"""
    return measure(READERS, "json",
                   lambda path: "[%s]" % ",".join(map(str, floats(path))), json.loads)
