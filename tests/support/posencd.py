# SPDX-License-Identifier: Apache-2.0
"""posencd.py - a posencd for a test: started as a child on a free port or a unix socket,
ended by its process id. Its log is read as it is written, and a report of a sanitizer is a failure.

    with Posencd("--threads", "2") as server:
        print(server.get("/version").json())

The binary is $POSENC_BUILD/posencd (default: build/ of this repository)."""

import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time

from support.wire import PATIENCE, Client

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SANITIZER = re.compile(r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:")


def binary():
    """Path of the program under test."""
    build = os.environ.get("POSENC_BUILD", os.path.join(ROOT, "build"))
    return os.path.join(build, "posencd")


def library():
    """The version of libmicrohttpd that the program runs with, as numbers."""
    said = run("version").stdout.decode()
    return tuple(int(part) for part in re.search(r"libmicrohttpd ([0-9.]+)", said)[1].split("."))


def is_sanitized():
    """Whether the binary is a sanitizer's: then not all of its memory is the program's."""
    with open(binary(), "rb") as file:
        return re.search(rb"__[at]san_init", file.read()) is not None


def child_environment(extra=None):
    """This environment without our own variables, which could change a test; and with memory
    enough, however little other programs of the machine leave."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("POSENCD_")}
    env["POSENCD_CGROUP_ROOT"] = ""
    env.update(extra or {})
    return env


def run(*arguments, env=None, stdin=None, timeout=PATIENCE):
    """posencd with these arguments, run to its end: a CompletedProcess with bytes."""
    done = subprocess.run([binary(), *arguments], capture_output=True, timeout=timeout,
                          env=child_environment(env), input=stdin, check=False)
    report = SANITIZER.search(done.stderr.decode("utf-8", "replace"))
    assert not report, done.stderr.decode("utf-8", "replace")
    return done


def samples_of(answer):
    """A page of metrics as {'name{labels}': value}."""
    samples = {}
    for line in answer.text().splitlines():
        if line and not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            samples[name] = float(value)
    return samples


def cpu_seconds(server):
    """CPU seconds of all threads of the process, user and system."""
    with open("/proc/%d/stat" % server.pid, encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Posencd:
    """A running server. Attributes: pid, port (None without TCP), unix (path or None)."""

    def __init__(self, *flags, env=None, unix=False, tcp=True, delay=0, program=None,
                 level="info", launcher=(), pass_fds=()):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-test-")
        self.unix = os.path.join(self.folder.name, "sock") if unix else None
        listen = (["--listen", "127.0.0.1:0"] if tcp else []) + \
                 (["--listen", "unix:" + self.unix] if unix else [])
        # So much that no slow or busy machine gives up work, unless a test sets it.
        env = {"POSENCD_WORK_TIMEOUT": "60", **(env or {})}
        command = [*launcher, program or binary(), "serve", *listen, "--log-format", "json",
                   "--log-level", level,
                   "--drain-delay", str(delay), *flags]
        self._launch(command, env, tcp, pass_fds)

    def _launch(self, command, env, tcp, pass_fds=()):
        """Starts the command and waits until it serves."""
        self.port = None
        self.lines = []  # of stderr, as text
        self.code = None
        self._news = threading.Condition()
        self._clients = []
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        env=child_environment(env), pass_fds=pass_fds)
        self.pid = self.process.pid
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self._await_ready(tcp)
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def _read(self):
        for line in self.process.stderr:
            with self._news:
                self.lines.append(line.decode("utf-8", "replace").rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self.lines.append(None)  # the end
            self._news.notify_all()

    def wait_line(self, test, what, timeout=PATIENCE):
        """The first log line (a dict) that passes the test; waits for the line, not for a time."""
        deadline = time.monotonic() + timeout
        seen = 0
        with self._news:
            while True:
                for line in self.lines[seen:]:
                    seen += 1
                    if line is None:
                        raise AssertionError("posencd ended before %s\n%s" % (what, self.log()))
                    event = self._parse(line)
                    if event is not None and test(event):
                        return event
                if not self._news.wait(deadline - time.monotonic()):
                    raise AssertionError("no %s in the log\n%s" % (what, self.log()))

    @staticmethod
    def _parse(line):
        try:
            event = json.loads(line)
        except ValueError:
            return None
        return event if isinstance(event, dict) else None

    def events(self):
        """Every log line so far that is a JSON object."""
        with self._news:
            lines = [line for line in self.lines if line is not None]
        return [event for event in map(self._parse, lines) if event is not None]

    def log(self):
        return "\n".join(line for line in self.lines if line is not None)

    def _await_ready(self, tcp):
        """Waits until the server listens everywhere and is warmed up; the log names its port."""
        self.wait_line(lambda event: event.get("event") == "ready", "line that says ready")
        listening = [event["on"] for event in self.events() if event["event"] == "listening"]
        if tcp:
            address = next(on for on in listening if on.startswith("127.0.0.1:"))
            self.port = int(address.rpartition(":")[2])

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.port

    @property
    def address(self):
        """The address for socket.connect."""
        return ("127.0.0.1", self.port) if self.port else self.unix

    def client(self, **options):
        """A new connection, which is closed with the server."""
        made = Client(self.address, **options)
        self._clients.append(made)
        return made

    def ask(self, method, target, body=None, headers=()):
        """One request on a fresh connection."""
        with Client(self.address) as one:
            return one.ask(method, target, body, headers)

    def get(self, target, headers=()):
        return self.ask("GET", target, None, headers)

    def metrics(self):
        """Samples of /metrics. Another loop may not have counted its last answer yet."""
        return samples_of(self.get("/metrics"))

    def status(self, field):
        """A number of /proc/PID/status, VmRSS in KiB for example."""
        with open("/proc/%d/status" % self.pid, encoding="ascii") as lines:
            for line in lines:
                if line.startswith(field + ":"):
                    return int(line.split()[1])
        raise AssertionError("no %s" % field)

    def signal(self, number):
        os.kill(self.pid, number)

    def wait(self, timeout=PATIENCE):
        """The exit code of a server that has ended by itself; no sanitizer may have reported
        anything."""
        self.code = self.process.wait(timeout)
        self._reader.join(timeout)
        report = SANITIZER.search(self.log())
        assert not report, self.log()
        return self.code

    def stop(self):
        """Sends TERM to the process id; returns the exit code."""
        for one in self._clients:
            one.close()
        if self.code is None:
            if self.process.poll() is None:
                self.signal(signal.SIGTERM)
            try:
                self.wait()
            finally:
                if self.process.poll() is None:
                    self.process.kill()
                    self.process.wait()
                self.process.stderr.close()
                self.folder.cleanup()
        return self.code

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        code = self.stop()
        if kind is None:
            assert code == 0, "exit code %s\n%s" % (code, self.log())
