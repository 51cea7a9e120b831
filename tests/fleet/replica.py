# SPDX-License-Identifier: Apache-2.0
"""replica.py - replicas of posencd: processes that may die, stop or be another version, and begin
again at the same address."""

import contextlib
import signal
from concurrent import futures

from support.posencd import Posencd


class Replica:
    """A posencd at 127.0.0.1 that keeps its port from start to start."""

    def __init__(self, program=None, flags=(), delay=0):
        self.program, self.flags, self.port, self.server = program, flags, None, None
        self.delay = delay
        self.start()

    def start(self):
        listen = ["--listen", "127.0.0.1:%d" % self.port] if self.port else []
        quiet = () if "--access-log" in self.flags else ("--access-log", "off")
        self.server = Posencd(*listen, "--threads", "1", *quiet, *self.flags,
                              tcp=self.port is None, program=self.program, delay=self.delay,
                              env={"POSENCD_WORK_TIMEOUT": "2"})
        self.port = self.port or self.server.port

    @property
    def address(self):
        return "127.0.0.1:%d" % self.port

    def kill(self):
        """Ends the process at once and begins it again."""
        self.end()
        self.start()

    def end(self):
        self.server.process.kill()
        self.server.process.wait()
        self.server.code = -signal.SIGKILL
        self.server.process.stderr.close()
        self.server.folder.cleanup()

    def stop(self):
        """Ends the process by TERM: what is in flight is answered."""
        return self.server.stop()

    @contextlib.contextmanager
    def paused(self):
        """Keeps the process from running, as a machine does that swaps or is moved."""
        self.server.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.server.signal(signal.SIGCONT)

    def samples(self):
        """What the process counted since it began."""
        self.server.port = self.port
        return self.server.metrics()


def together(function, fleet):
    """Calls the function for each replica at the same moment."""
    with futures.ThreadPoolExecutor(max(len(fleet), 1)) as pool:
        list(pool.map(function, fleet))


@contextlib.contextmanager
def replicas(count, program=None, flags=(), delay=0):
    running = []
    try:
        for _ in range(count):
            running.append(Replica(program, flags, delay))
        yield running
    finally:
        together(Replica.stop, [one for one in running if one.server.code is None])
