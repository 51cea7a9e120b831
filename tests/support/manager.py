# SPDX-License-Identifier: Apache-2.0
"""manager.py - a small service manager for tests: it holds listening sockets, starts posencd with
them (sd_listen_fds(3)) and hears what posencd notifies (sd_notify(3)).

    with Manager("web") as manager:
        server = manager.start()
        server.stop()              # the socket stays, and clients wait in its queue
"""

import fcntl
import os
import shutil
import socket
import subprocess
import tempfile

from support.posencd import PATIENCE, Posencd, binary, child_environment

FIRST = 3  # the first descriptor of the protocol
HIGH = 100  # descriptors from here on are not those of the protocol


class Manager:
    """Sockets by their names: on a free TCP port each, or on a file for a name in `unix`."""

    def __init__(self, *names, unix=()):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-test-")
        self.sockets = {}
        for name in names:
            made = socket.socket(socket.AF_UNIX if name in unix else socket.AF_INET)
            made.bind(self.path(name) if name in unix else ("127.0.0.1", 0))
            made.listen(1024)
            self.sockets[name] = made
        self.notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notified.bind(self.path("notify"))
        self.notified.settimeout(PATIENCE)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def address(self, name):
        """The address for socket.connect."""
        return self.sockets[name].getsockname()

    def passing(self, sockets=None, **variables):
        """(launcher, descriptors) of a child that is given the sockets; None: all.
        A variable that is None is not set; {pid} in a value is the child's process id."""
        sockets = self.sockets if sockets is None else sockets
        high = [fcntl.fcntl(one.fileno(), fcntl.F_DUPFD_CLOEXEC, HIGH) for one in
                sockets.values()]
        values = {"LISTEN_PID": "{pid}", "LISTEN_FDS": str(len(high)),
                  "LISTEN_FDNAMES": ":".join(sockets), "NOTIFY_SOCKET": self.path("notify"),
                  **variables}
        words = ["%s=%s" % (name, value.replace("{pid}", "$$")) for name, value in values.items()
                 if value is not None]
        moves = ["%d<&%d %d<&-" % (FIRST + i, fd, fd) for i, fd in enumerate(high)]
        script = "exec %s; %s exec \"$@\"" % (" ".join(moves), " ".join(words))
        return [shutil.which("bash"), "-c", script, "manager"], high

    def start(self, *flags, sockets=None, delay=0, env=None, program=None, **variables):
        """A Posencd that has logged that it is ready."""
        launcher, high = self.passing(sockets, **variables)
        try:
            return Posencd(*flags, tcp=False, delay=delay, env=env, program=program,
                           launcher=launcher, pass_fds=high)
        finally:
            for fd in high:
                os.close(fd)

    def run(self, *flags, sockets=None, env=None, **variables):
        """posencd serve that is expected to end by itself: a CompletedProcess."""
        launcher, high = self.passing(sockets, **variables)
        try:
            return subprocess.run([*launcher, binary(), "serve", *flags], capture_output=True,
                                  timeout=PATIENCE, env=child_environment(env), pass_fds=high,
                                  check=False)
        finally:
            for fd in high:
                os.close(fd)

    def hear(self):
        """The next notification, as lines."""
        return self.notified.recv(4096).decode().splitlines()

    def close(self):
        for one in (*self.sockets.values(), self.notified):
            one.close()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.close()
