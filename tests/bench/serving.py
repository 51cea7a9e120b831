# SPDX-License-Identifier: Apache-2.0
"""serving.py - a GET that is in the cache: posencd against nginx with the same bytes in a
file, and against the floor (floor.c) with the same bytes and headers. The server has core 0
and one thread, wrk has core 1. Besides answers a second there are answers per second of the
server's own CPU time ("/cpu"), which a busy neighbour changes less."""

import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import contest

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from support.posencd import Posencd  # noqa: E402

TURNS, SECONDS, CONNECTIONS = 5, 2, 32
NOT_OF_THE_ANSWER = {"date", "content-length", "connection", "server"}
PATHS = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
NGINXES = {"nginx": "", "nginx-open": "open_file_cache max=16;"}

NGINX = """
master_process off;
daemon off;
error_log stderr error;
pid {folder}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    {more}
    types {{ application/octet-stream raw; }}
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{ listen 127.0.0.1:{port}; root {folder}/files; }}
}}
"""


def pinned(command):
    return ["taskset", "-c", str(contest.SERVER_CORE), *command]


def get(port, target):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", target)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status == 200, (target, answer.status, body[:200])
    return body, answer.getheaders()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < end, "nothing listens on port %d" % port
            time.sleep(0.01)


def cpu_seconds(pid):
    """User and system time of a process with all its threads."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(name, pid, port, target):
    """Answers per second, and per second of the server's CPU; any error is a failure."""
    command = ["taskset", "-c", str(contest.LOAD_CORE), "wrk", "-t1", "-c%d" % CONNECTIONS,
               "-d%ds" % SECONDS, "http://127.0.0.1:%d%s" % (port, target)]
    before = cpu_seconds(pid)
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    spent = cpu_seconds(pid) - before
    assert "Non-2xx" not in report and "Socket errors" not in report, report
    return {name: float(re.search(r"Requests/sec:\s*([\d.]+)", report).group(1)),
            name + "/cpu": int(re.search(r"(\d+) requests in", report).group(1)) / spent}


def start_nginx(folder, body, more):
    """Debian's settings without its logs, and more: a cache of open files."""
    port = free_port()
    folder = os.path.join(folder, "nginx%d" % port)
    os.makedirs(os.path.join(folder, "files"))
    with open(os.path.join(folder, "files", "answer.raw"), "wb") as file:
        file.write(body)
    configuration = os.path.join(folder, "nginx.conf")
    with open(configuration, "w", encoding="ascii") as file:
        file.write(NGINX.format(folder=folder, port=port, more=more))
    process = subprocess.Popen(pinned([shutil.which("nginx", path=PATHS), "-p", folder,
                                       "-c", configuration]), stderr=subprocess.DEVNULL)
    wait_for(port)
    return process, port


def start_floor(folder, body, headers):
    paths = [os.path.join(folder, name) for name in ("body", "headers")]
    with open(paths[0], "wb") as file:
        file.write(body)
    with open(paths[1], "w", encoding="latin-1") as file:
        file.writelines("%s: %s\n" % pair for pair in headers
                        if pair[0].lower() not in NOT_OF_THE_ANSWER)
    process = subprocess.Popen(pinned(["build/bench/floor", *paths]), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline())


def measure(target):
    result = contest.Result("k/s", 1e3)
    if not shutil.which("wrk"):
        result.missing = dict.fromkeys(("nginx", "floor"), "no wrk (make deps-bench)")
        return result
    print("   taskset -c %d wrk -t1 -c%d -d%ds http://127.0.0.1:PORT%s" % (
        contest.LOAD_CORE, CONNECTIONS, SECONDS, target))
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {contest.SERVER_CORE})  # posencd inherits it
    with tempfile.TemporaryDirectory() as folder, Posencd("--threads", "1") as server:
        os.sched_setaffinity(0, before)
        os.chmod(folder, 0o755)  # nginx reads it as another user
        started = []
        try:
            get(server.port, target)
            body, headers = get(server.port, target)
            print("   %d bytes" % len(body))
            turns = {"posencd": lambda: load("posencd", server.pid, server.port, target)}
            floor, floor_port = start_floor(folder, body, headers)
            started.append(floor)
            assert get(floor_port, "/")[0] == body
            turns["floor"] = lambda: load("floor", floor.pid, floor_port, target)
            for name, more in NGINXES.items():
                if not shutil.which("nginx", path=PATHS):
                    result.missing[name] = "no nginx (make deps-bench)"
                    continue
                nginx, nginx_port = start_nginx(folder, body, more)
                started.append(nginx)
                assert get(nginx_port, "/answer.raw")[0] == body
                turns[name] = lambda name=name, pid=nginx.pid, port=nginx_port: load(
                    name, pid, port, "/answer.raw")
            contest.take_turns(result, turns, TURNS)
        finally:
            for process in started:
                process.terminate()
                process.wait()
    return result


def small():
    """a cached GET of 1.5 KB: answers/s, server on core 0, wrk on core 1"""
    return measure("/v1/sinusoidal?pos=0:6&dim=64&format=raw")


def large():
    """a cached GET of 64 KB: answers/s, server on core 0, wrk on core 1"""
    return measure("/v1/sinusoidal?pos=0:128&dim=128&format=raw")
