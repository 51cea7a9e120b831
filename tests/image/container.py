# SPDX-License-Identifier: Apache-2.0
"""container.py - an image as a container, run by crun or runc as a cluster would run it: a root that cannot
be written, the image's user, no capabilities, no new privileges, the runtime's seccomp profile beside
posencd's own, a network of its own, and a limit of memory."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid

import seccomp_profile
from support.wire import Client

PATIENCE = 60.0
CLONE_NEWNET = 0x40000000
PR_SET_CHILD_SUBREAPER = 36
NAMESPACES = ("pid", "network", "ipc", "uts", "mount", "cgroup")
MOUNTS = [
    {"destination": "/proc", "type": "proc", "source": "proc"},
    {"destination": "/dev", "type": "tmpfs", "source": "tmpfs",
     "options": ["nosuid", "strictatime", "mode=755", "size=65536k"]},
    {"destination": "/sys/fs/cgroup", "type": "cgroup", "source": "cgroup",
     "options": ["nosuid", "noexec", "nodev", "relatime", "ro"]},
]


def inside(pid, function):
    """The result of a function that is called in the network of a process."""
    result = {}

    def enter():
        try:
            with open("/proc/%d/ns/net" % pid, encoding="ascii") as network:
                if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            result["value"] = function()
        except BaseException as error:  # pylint: disable=broad-except; it is raised below
            result["error"] = error

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    if "error" in result:
        raise result["error"]
    return result["value"]


class Container:
    """A container of an image's files in `root`. `command` stands for the image's CMD, `init` before its
    ENTRYPOINT; `mounts` is {path inside: path outside}."""

    def __init__(self, image, root, command=None, environment=(), memory=64 << 20, mounts=(), init=(),
                 runtime_path=None):
        self.image, self.root, self.memory = image, root, memory
        self.runtime = runtime(image, root) if runtime_path is None else runtime_path
        self.bundle = tempfile.mkdtemp(prefix="posencd-container-")
        self.name = "posencd-test-" + uuid.uuid4().hex[:12]
        self.words = [*init, *image.config["Entrypoint"],
                      *(image.config["Cmd"] if command is None else command)]
        self.environment = {"PATH": "/usr/bin", **image.environment(), **dict(environment)}
        self.lines, self.news, self.pid = [], threading.Condition(), None
        with open(os.path.join(self.bundle, "config.json"), "w", encoding="utf-8") as file:
            json.dump(self.specification(dict(mounts)), file)

    def specification(self, mounts):
        user, group = map(int, self.image.config["User"].split(":"))
        return {
            "ociVersion": "1.0.2",
            "process": {
                "terminal": False, "user": {"uid": user, "gid": group}, "args": self.words,
                "env": ["%s=%s" % item for item in self.environment.items()], "cwd": "/",
                "capabilities": {kind: [] for kind in ("bounding", "effective", "permitted",
                                                       "inheritable", "ambient")},
                "noNewPrivileges": True},
            "root": {"path": self.root, "readonly": True},
            "hostname": "posencd",
            "mounts": MOUNTS + [{"destination": inner, "type": "bind", "source": outer,
                                 "options": ["bind", "rw"]} for inner, outer in mounts.items()],
            "linux": {
                "namespaces": [{"type": kind} for kind in NAMESPACES],
                "cgroupsPath": "/" + self.name,
                "resources": {"memory": {"limit": self.memory}, "pids": {"limit": 64}},
                "seccomp": seccomp_profile.seccomp(self.image.whole["architecture"]),
                "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list"],
                "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys"]}}

    def runtime_call(self, *words, **options):
        return subprocess.run([self.runtime, *words], stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, **options)

    def start(self):
        """Makes the container, then starts its process; the time until it said that it is ready."""
        # The runtime ends and leaves the process to us, so that its exit code is known.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        reading, writing = os.pipe()
        made = subprocess.run([self.runtime, "create", "--bundle", self.bundle, self.name], check=False,
                              stdin=subprocess.DEVNULL, stdout=writing, stderr=writing, timeout=PATIENCE)
        os.close(writing)
        self.reader = threading.Thread(target=self.read, args=(reading,), daemon=True)
        self.reader.start()
        if made.returncode != 0:
            self.reader.join(PATIENCE)
            raise AssertionError("%s create: %s" % (self.runtime, self.log()))
        self.pid = json.loads(self.runtime_call("state", self.name).stdout)["pid"]
        begun = time.monotonic()
        started = self.runtime_call("start", self.name)
        assert started.returncode == 0, started.stdout
        self.wait_event("ready")
        return time.monotonic() - begun

    def read(self, reading):
        with open(reading, "rb") as file:
            for line in file:
                with self.news:
                    self.lines.append(line.decode("utf-8", "replace"))
                    self.news.notify_all()
        with self.news:
            self.lines.append(None)
            self.news.notify_all()

    def log(self):
        return "".join(line for line in self.lines if line)

    def events(self):
        return [json.loads(line) for line in self.lines if line and line.startswith("{")]

    def wait_event(self, name):
        deadline = time.monotonic() + PATIENCE
        with self.news:
            while not any(event.get("event") == name for event in self.events()):
                assert None not in self.lines, "the container ended before %s\n%s" % (name, self.log())
                assert self.news.wait(deadline - time.monotonic()), "no %s\n%s" % (name, self.log())

    def execute(self, *words):
        """(exit code, output) of a command in the container: a health check is one."""
        done = self.runtime_call("exec", "--user", self.image.config["User"], self.name, *words)
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def health(self):
        """The image's own health check."""
        kind, *words = self.image.config["Healthcheck"]["Test"]
        assert kind == "CMD", kind
        return self.execute(*words)

    def inside(self, function):
        return inside(self.pid, function)

    def client(self, port=8080):
        return self.inside(lambda: Client(("127.0.0.1", port)))

    def get(self, target, port=8080):
        with self.client(port) as one:
            return one.get(target)

    def status(self, field):
        with open("/proc/%d/status" % self.pid, encoding="ascii") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith(field + ":"))

    def cgroup(self):
        """The folder of the cgroup that limits its memory, and the version of cgroups."""
        with open("/proc/%d/cgroup" % self.pid, encoding="ascii") as file:
            groups = [line.rstrip("\n").split(":", 2) for line in file]
        for _, controllers, path in groups:
            if "memory" in controllers.split(","):
                return "/sys/fs/cgroup/memory" + path, 1
        return "/sys/fs/cgroup" + next(path for _, controllers, path in groups if not controllers), 2

    def signal(self, number):
        """A signal to the process, if it has not ended."""
        try:
            if self.pid:
                os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def wait(self):
        """The exit code of the process, or that of a shell for the signal that ended it."""
        self.reader.join(PATIENCE)
        assert not self.reader.is_alive(), "the process goes on\n" + self.log()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self):
        self.signal(signal.SIGKILL)
        self.runtime_call("delete", "--force", self.name)
        shutil.rmtree(self.bundle)

    def __enter__(self):
        try:
            self.seconds = self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind, value, trace):
        self.close()


CHOSEN = {}


def runtime(image, root):
    """The path of the first of crun and runc that runs a container of the image on this machine."""
    reasons = [] if os.getuid() == 0 else ["a container is made as root"]
    for name in () if CHOSEN else ("crun", "runc"):
        path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/usr/bin")
        if not path:
            reasons.append(name + " is not installed: run `make deps-image`")
            continue
        try:
            with Container(image, root, runtime_path=path):
                CHOSEN["path"] = path
        except AssertionError as error:
            reasons.append(str(error).strip())
            continue
        print("  runtime: %s%s" % (path, "".join("; not " + reason for reason in reasons)), flush=True)
        break
    assert CHOSEN, "no container can be run here: " + "; ".join(reasons)
    return CHOSEN["path"]
