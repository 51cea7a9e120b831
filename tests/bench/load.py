# SPDX-License-Identifier: Apache-2.0
"""load.py - clients on the load's core: requests a second, requests for each second of the server's
own CPU time (which other work changes less), bytes a second, p99. wrk measures short answers and
p99; build/bench/ask measures long answers, dropped in the kernel or read, and what wrk cannot
send."""

import itertools
import json
import os
import shutil
import subprocess
import time

import contest

HERE = os.path.dirname(os.path.abspath(__file__))
NO_WRK = None if shutil.which("wrk") else "no wrk (make deps-bench)"
TRIES = 3  # a load generator without CPU time may not get a single answer in time
never = itertools.count(1_000_000_000, 20_000_000)  # where the fresh requests of a run begin


def cpu_times(pid):
    """User and system time of a process with all its threads, in seconds."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:13]]


def cpu_seconds(pid):
    """CPU time of a process with all its threads, exact, by the kernel's clock of the process
    (clock_getcpuclockid)."""
    return time.clock_gettime((~pid << 3) | 2)


def command(url, connections, seconds, headers=()):
    given = [word for header in headers for word in ("-H", header)]
    return ["taskset", "-c", str(contest.LOAD_CORE), "wrk", "-t1", "-c%d" % connections,
            "-d%gs" % seconds, "-s", os.path.join(HERE, "load.lua"), *given, url]


def run(port, target, connections=32, seconds=1, headers=()):
    """wrk's report as a dictionary. A %d in the target is a number that is never repeated."""
    env = dict(os.environ)
    if "%d" in target:
        env.update(BENCH_TARGET=target, BENCH_FROM=str(next(never)))
        target = target.replace("%d", "0")
    url = "http://127.0.0.1:%d%s" % (port, target)
    for _ in range(TRIES):
        report = once(url, connections, seconds, headers, env)
        if report["requests"] > 0:
            break
    assert report["requests"] > 0, "no answer within %d s from %s" % (seconds, url)
    assert report["errors"] == 0, "%s: %s" % (url, report)
    return report


def once(url, connections, seconds, headers, env):
    text = subprocess.run(command(url, connections, seconds, headers), check=True,
                          capture_output=True, text=True, env=env).stdout
    return json.loads(text.rpartition("REPORT ")[2])


def turn(name, pid, port, target, **options):
    """A contestant: {name: requests a second, name/cpu: requests a CPU second}."""
    def call():
        before = cpu_seconds(pid)
        report = run(port, target, **options)
        spent = max(cpu_seconds(pid) - before, 1e-3)
        return {name: report["requests"] / report["seconds"],
                name + "/cpu": report["requests"] / spent}
    return call


def request_of(target, headers=(), method="GET", body=b""):
    """The bytes of a request."""
    lines = ["%s %s HTTP/1.1" % (method, target), "Host: 127.0.0.1", *headers]
    if method == "POST":
        lines.append("Content-Length: %d" % len(body))
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def asking(reads):
    return ["build/bench/ask"] + ["--read"] * reads


def ask(address, request, connections=32, seconds=1, pinned=True, first=None, reads=False):
    """Starts build/bench/ask; called, what it returns ends with (answers, seconds, bytes, status).
    ask.c says what an address is, and which numbers of a request count up, from `first` or from one
    that was never asked for. A client that reads copies what it receives."""
    words = [*asking(reads), str(address), str(connections), str(seconds),
             str(next(never) if first is None else first)]
    if pinned:
        words = ["taskset", "-c", str(contest.LOAD_CORE), *words]
    client = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    client.stdin.write(request)
    client.stdin.close()

    def end():
        with client:
            said = client.stdout.read()
        assert client.returncode == 0, words
        answers, passed, size, status = said.split()
        return float(answers), float(passed), int(size), int(status)
    return end


def asker(address, target, connections=32, seconds=1, headers=(), pinned=True, reads=False):
    """ask() with a GET that is answered by 200, 206 or 304: a function that starts it."""
    request = request_of(target, headers)

    def start():
        ended = ask(address, request, connections, seconds, pinned, reads=reads)

        def end():
            *figures, status = ended()
            assert status in (200, 206, 304), (target, status)
            return tuple(figures)
        return end
    return start


def ask_turn(name, pid, address, target, **options):
    """turn() by build/bench/ask."""
    asked = asker(address, target, **options)

    def call():
        before = cpu_seconds(pid)
        count, passed, _ = asked()()
        spent = max(cpu_seconds(pid) - before, 1e-3)
        return {name: count / passed, name + "/cpu": count / spent}
    return call


def ask_shown(target, connections=32, seconds=1, headers=(), reads=False):
    """The command of ask_turn, for a reader."""
    given = "".join(" with " + header for header in headers)
    return "%s: GET %s%s on %d connections for %g s" % (" ".join(asking(reads)), target, given,
                                                        connections, seconds)


def shown(target, connections=32, seconds=1, headers=()):
    """The command as a reader would type it."""
    return " ".join(command("http://127.0.0.1:PORT" + target, connections, seconds, headers))
