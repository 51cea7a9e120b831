# SPDX-License-Identifier: Apache-2.0
"""peers.py - servers to compare with, each with one thread on the server's core: posencd, the
floor (floor.c), nginx and h2o with the bytes in a file, FastAPI and NumPy (peer_fastapi.py).
A `Peers` stops all of them at its end, by their process ids."""

import http.client
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import contest

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from support.posencd import Posencd  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PATHS = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
NOT_OF_THE_ANSWER = {"date", "content-length", "connection", "server"}

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
    types {{ application/octet-stream raw; application/json json; }}
    gzip_types application/json;
    client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port}; listen unix:{folder}/nginx.sock; root {folder};
        location = /packed.json {{ gzip on; }}
        location = /kept.json {{ gzip_static on; }}
    }}
}}
"""
H2O = """
listen: {{host: 127.0.0.1, port: {port}}}
num-threads: {threads}
hosts: {{default: {{paths: {{"/": {{file.dir: {folder}}}}}}}}}
"""


def connect(address):
    """A connection to a port, or to the path of a unix socket."""
    if isinstance(address, int):
        return http.client.HTTPConnection("127.0.0.1", address, timeout=30)
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.settimeout(30)
    connection.sock.connect(address)
    return connection


def get(address, target, headers=None):
    connection = connect(address)
    connection.request("GET", target, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status in (200, 304), (target, answer.status, body[:200])
    return body, answer.getheaders()


def head(address, target):
    connection = connect(address)
    connection.request("HEAD", target)
    headers = connection.getresponse().getheaders()
    connection.close()
    return headers


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < end, "nothing listens on port %d" % port
            time.sleep(0.01)


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("latin-1"))
    return path


class Peers:
    """Started servers, and a folder for their files."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)  # nginx and h2o read the folder as another user
        self.started = []
        return self

    def __exit__(self, *_):
        for process in self.started:
            if isinstance(process, Posencd):
                process.stop()
            else:
                process.terminate()
                process.wait()
        self.folder.cleanup()

    def _start(self, words, cores=(contest.SERVER_CORE,), **options):
        process = subprocess.Popen(["taskset", "-c", ",".join(map(str, cores)), *words],
                                   stderr=subprocess.DEVNULL, **options)
        self.started.append(process)
        return process

    def posencd(self, *flags, cores=(contest.SERVER_CORE,), threads=1, unix=False):
        """(pid, port), or (pid, path of its unix socket)"""
        with contest.on_core(*cores):
            server = Posencd("--threads", str(threads), *flags, unix=unix)
        self.started.append(server)
        return server.pid, server.unix or server.port

    def floor(self, body, headers, cores=(contest.SERVER_CORE,), threads=1, file=False,
              unix=False):
        """(pid, port), or with `file` and `unix` the path of its socket; with `file` it sends a file
        of memory."""
        kept = "".join("%s: %s\n" % pair for pair in headers
                       if pair[0].lower() not in NOT_OF_THE_ANSWER)
        path = os.path.join(self.folder.name, "floor.sock") if unix else ""
        process = self._start(["build/bench/floor", write(self.folder.name, "body", body),
                               write(self.folder.name, "headers", kept), str(threads),
                               *([path] if file else [])],
                              cores, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = int(process.stdout.readline())
        return process.pid, path or port

    def put(self, name, body):
        """The body that files() serves at /name; a number means so many zeros."""
        path = write(self.folder.name, name, b"" if isinstance(body, int) else body)
        if isinstance(body, int):
            os.truncate(path, body)

    def files(self, program, body, cores=(contest.SERVER_CORE,), unix=False):
        """nginx or h2o (a thread a core) with the body as /answer.raw (see put), on a port, nginx
        also on a unix socket; None when it is not installed."""
        words = {"nginx": ("-p", self.folder.name, "-c"), "h2o": ("-m", "worker", "-c")}
        found, port = shutil.which(program, path=PATHS), free_port()
        if not found:
            return None
        self.put("answer.raw", body)
        text = {"nginx": NGINX, "h2o": H2O}[program]
        path = write(self.folder.name, program + ".conf",
                     text.format(folder=self.folder.name, port=port, threads=len(cores)))
        process = self._start([found, *words[program], path], cores, stdout=subprocess.DEVNULL)
        wait_for(port)
        address = os.path.join(self.folder.name, "nginx.sock") if unix else port
        assert isinstance(body, int) or get(address, "/answer.raw")[0] == body
        return process.pid, address

    def fastapi(self):
        """None when FastAPI or uvicorn is not installed."""
        if not all(map(importlib.util.find_spec, ("fastapi", "uvicorn"))):
            return None
        port = free_port()
        process = self._start([sys.executable, "-m", "uvicorn", "--app-dir", HERE,
                               "--no-access-log", "--log-level", "error", "--port", str(port),
                               "peer_fastapi:app"], stdout=subprocess.DEVNULL)
        wait_for(port)
        return process.pid, port
