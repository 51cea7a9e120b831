# SPDX-License-Identifier: Apache-2.0
"""load.py - wrk on the load's core: requests a second, requests a second of the server's own
CPU time (which a busy neighbour changes less), bytes a second, p99."""

import itertools
import json
import os
import shutil
import subprocess

import contest

HERE = os.path.dirname(os.path.abspath(__file__))
NO_WRK = None if shutil.which("wrk") else "no wrk (make deps-bench)"
never = itertools.count(1_000_000_000, 20_000_000)  # where a turn's fresh requests begin


def cpu_seconds(pid):
    """User and system time of a process with all its threads."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def command(url, connections, seconds, headers=()):
    given = [word for header in headers for word in ("-H", header)]
    return ["taskset", "-c", str(contest.LOAD_CORE), "wrk", "-t1", "-c%d" % connections,
            "-d%gs" % seconds, "-s", os.path.join(HERE, "load.lua"), *given, url]


def run(port, target, connections=32, seconds=1, headers=(), expect=200):
    """wrk's report as a dictionary. A %d in the target is a number that is never repeated."""
    env = dict(os.environ)
    if "%d" in target:
        env.update(BENCH_TARGET=target, BENCH_FROM=str(next(never)))
        target = target.replace("%d", "0")
    url = "http://127.0.0.1:%d%s" % (port, target)
    text = subprocess.run(command(url, connections, seconds, headers), check=True,
                          capture_output=True, text=True, env=env).stdout
    report = json.loads(text.rpartition("REPORT ")[2])
    assert expect != 200 or report["errors"] == 0, text
    assert report["requests"] > 0, text
    return report


def turn(name, pid, port, target, **options):
    """A contestant: {name: requests a second, name/cpu: requests a CPU second}."""
    def call():
        before = cpu_seconds(pid)
        report = run(port, target, **options)
        spent = max(cpu_seconds(pid) - before, 1e-3)
        return {name: report["requests"] / report["seconds"],
                name + "/cpu": report["requests"] / spent}
    return call


def shown(target, connections=32, seconds=1, headers=()):
    """The command as a reader would type it."""
    return " ".join(command("http://127.0.0.1:PORT" + target, connections, seconds, headers))
