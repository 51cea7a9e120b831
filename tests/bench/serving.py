# SPDX-License-Identifier: Apache-2.0
"""serving.py - a GET that is in the cache: posencd against nginx with the same bytes in a
file, and against the floor (floor.c) with the same bytes and headers. The server has core 0
and one thread, wrk has core 1."""

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

NGINX = """
worker_processes 1;
daemon off;
error_log stderr error;
pid {folder}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    open_file_cache max=16;
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


def wrk(port, target):
    """Requests per second of one run; an error of any kind is a failure."""
    command = ["taskset", "-c", str(contest.LOAD_CORE), "wrk", "-t1", "-c%d" % CONNECTIONS,
               "-d%ds" % SECONDS, "http://127.0.0.1:%d%s" % (port, target)]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in report and "Socket errors" not in report, report
    return float(re.search(r"Requests/sec:\s*([\d.]+)", report).group(1))


def start_nginx(folder, body):
    port = free_port()
    os.makedirs(os.path.join(folder, "files"))
    with open(os.path.join(folder, "files", "answer.raw"), "wb") as file:
        file.write(body)
    configuration = os.path.join(folder, "nginx.conf")
    with open(configuration, "w", encoding="ascii") as file:
        file.write(NGINX.format(folder=folder, port=port))
    os.chmod(folder, 0o755)
    process = subprocess.Popen(pinned([shutil.which("nginx") or "/usr/sbin/nginx", "-p", folder,
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
        started = []
        try:
            get(server.port, target)
            body, headers = get(server.port, target)
            print("   %d bytes" % len(body))
            turns = {"posencd": lambda: wrk(server.port, target)}
            process, floor_port = start_floor(folder, body, headers)
            started.append(process)
            assert get(floor_port, "/")[0] == body
            turns["floor"] = lambda: wrk(floor_port, target)
            if shutil.which("nginx") or os.path.exists("/usr/sbin/nginx"):
                process, nginx_port = start_nginx(folder, body)
                started.append(process)
                assert get(nginx_port, "/answer.raw")[0] == body
                turns["nginx"] = lambda: wrk(nginx_port, "/answer.raw")
            else:
                result.missing["nginx"] = "no nginx (make deps-bench)"
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
