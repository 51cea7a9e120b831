# SPDX-License-Identifier: Apache-2.0
"""front.py - what stands in front of the replicas: nginx, Varnish and HAProxy, each with its file of
deploy/ but for the addresses, which are those of the test."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

DEPLOY = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), "deploy")
PATIENCE = 30


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def replaced(text, pattern, replacement):
    """The text with what the pattern matches replaced; it must match."""
    text, count = re.subn(pattern, lambda _: replacement, text, flags=re.M)
    assert count > 0, "nothing matches %s" % pattern
    return text


class Front:
    """A program in the foreground in a folder of its own. Its upstreams are HOST:PORT."""

    def __init__(self, upstreams):
        # not below /tmp/..., which the unprivileged children of these programs may not read
        self.folder = tempfile.mkdtemp(prefix="posencd-fleet-")
        os.chmod(self.folder, 0o755)
        self.port = free_port()
        self.write(upstreams)
        self.log = open(os.path.join(self.folder, "log"), "wb+")
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, cwd=self.folder)
        self.wait_listening()

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def template(self):
        with open(os.path.join(DEPLOY, self.FILE), encoding="utf-8") as file:
            return file.read()

    def wait_listening(self):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert self.process.poll() is None and time.monotonic() < deadline, self.said()
                time.sleep(0.01)

    def said(self):
        self.log.flush()
        with open(self.path("log"), encoding="utf-8", errors="replace") as file:
            return file.read()[-5000:]

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.log.close()
            shutil.rmtree(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Nginx(Front):
    NAME, FILE, CACHES = "nginx", "nginx/posencd.conf", True

    def write(self, upstreams):
        text = self.template()
        servers = "".join("    server %s max_fails=0;\n" % one for one in upstreams)
        text = replaced(text, r"^    server 127\.0\.0\.1:8080 max_fails=0;\n", servers)
        text = replaced(text, r"listen 127\.0\.0\.1:8081;", "listen 127.0.0.1:%d;" % self.port)
        text = replaced(text, "/var/cache/nginx/posencd", self.path("cache"))
        self.put("posencd.conf", text)
        self.put("nginx.conf", """daemon off; user root; worker_processes 1; pid %s;
events { worker_connections 2048; }
http {
    access_log off; keepalive_requests 1000000; client_body_temp_path %s; proxy_temp_path %s;
    include %s;
}
""" % (self.path("pid"), self.path("bodies"), self.path("temporary"), self.path("posencd.conf")))

    def command(self):
        return ["nginx", "-e", "stderr", "-c", self.path("nginx.conf")]

    def change(self, upstreams):
        """Other replicas: the new workers take over, and the old ones finish their requests."""
        before = self.workers()
        self.write(upstreams)
        self.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + PATIENCE
        while self.workers() & before and time.monotonic() < deadline:
            time.sleep(0.02)

    def workers(self):
        path = "/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)
        with open(path, encoding="ascii") as file:
            return set(file.read().split())

    def purge(self):
        """Forgets every answer, as `find /var/cache/nginx/posencd -type f -delete` does."""
        subprocess.run(["find", self.path("cache"), "-type", "f", "-delete"], check=True)


class Varnish(Front):
    NAME, FILE, CACHES = "Varnish", "varnish/posencd.vcl", True

    def write(self, upstreams):
        text = self.template()
        for name, director, probe in (("replica", "replicas", ".probe = ready; "),
                                      ("unready", "unready", "")):
            backends = adds = ""
            for number, one in enumerate(upstreams, 1):
                backends += ('backend %s%d { .host = "%s"; .port = "%s"; .connect_timeout = 300ms; %s}\n'
                             % (name, number, *one.split(":"), probe))
                adds += "    %s.add_backend(%s%d);\n" % (director, name, number)
            text = replaced(text, r"^backend %s1 .* %s}\n" % (name, re.escape(probe)), backends)
            text = replaced(text, r"^    %s\.add_backend\(%s1\);\n" % (director, name), adds)
        self.put("posencd.vcl", text)

    def command(self):
        return ["varnishd", "-F", "-f", self.path("posencd.vcl"), "-n", self.path("varnish"),
                "-a", "127.0.0.1:%d" % self.port, "-s", "malloc,256m", "-p", "thread_pool_min=50",
                "-p", "thread_pools=1",
                "-p", "backend_remote_error_holddown=0"]


    def admin(self, *words):
        done = subprocess.run(["varnishadm", "-n", self.path("varnish"), *words], check=False,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def change(self, upstreams):
        """Other replicas: requests of the old list finish by it."""
        self.changes = getattr(self, "changes", 0) + 1
        self.write(upstreams)
        self.admin("vcl.load", "list%d" % self.changes, self.path("posencd.vcl"))
        self.admin("vcl.use", "list%d" % self.changes)

    def purge(self):
        """Forgets every answer that pins no revision, by the method BAN of the file."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as one:
            one.sendall(b"BAN / HTTP/1.1\r\nHost: posenc.example\r\nConnection: close\r\n\r\n")
            assert one.recv(100).startswith(b"HTTP/1.1 200 ")


class Haproxy(Front):
    NAME, FILE, CACHES = "HAProxy", "haproxy/haproxy.cfg", False

    def write(self, upstreams):
        text = self.template()
        for name, kind in (("replica", ""), ("unready", " no-check backup")):
            servers = "".join("    server %s%d %s%s\n" % (name, number, one, kind)
                              for number, one in enumerate(upstreams, 1))
            text = replaced(text, r"^    server %s1 127\.0\.0\.1:8080%s\n" % (name, kind), servers)
        text = replaced(text, r"bind 127\.0\.0\.1:8081", "bind 127.0.0.1:%d" % self.port)
        self.put("haproxy.cfg", text)

    def command(self):
        return ["haproxy", "-db", "-f", self.path("haproxy.cfg")]


FRONTS = [Nginx, Varnish, Haproxy]
