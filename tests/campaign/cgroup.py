# SPDX-License-Identifier: Apache-2.0
"""cgroup.py - a posencd in a memory cgroup: many large bodies and answers at once, more than the
group has memory for. No process is killed for lack of memory, because the limits hold."""

import os
import time

import numpy
from support.posencd import Posencd
from support.wire import Client, Closed

import script
from clients import PATIENCE, served

# The folder in which a group is made, and the file that limits it: cgroup v1, v2 beside it, v2.
ROOTS = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
         ("/sys/fs/cgroup/unified", "memory.max"), ("/sys/fs/cgroup", "memory.max"))
LIMIT_MIB = 96


class Group:
    """A new memory cgroup with one process in it; OSError where none can be made."""

    def __init__(self, pid):
        self.folder = None
        for root, limit in ROOTS:
            if os.path.exists(os.path.join(root, "cgroup.procs")):
                self._make(root, limit, pid)
                if self.folder:
                    return
        raise OSError("no memory controller that we may use")

    def _make(self, root, limit, pid):
        folder = os.path.join(root, "posencd-campaign-%d" % os.getpid())
        try:
            os.mkdir(folder)
        except OSError:
            return
        try:
            for name, value in ((limit, LIMIT_MIB << 20), ("cgroup.procs", pid)):
                with open(os.path.join(folder, name), "w", encoding="ascii") as out:
                    out.write(str(value))
            self.folder = folder
        except OSError:
            remove(folder)

    def peak(self):
        """The most memory that the group had, in MiB, or None where the kernel does not say."""
        for name in ("memory.max_usage_in_bytes", "memory.peak"):
            try:
                with open(os.path.join(self.folder, name), encoding="ascii") as file:
                    return int(file.read()) >> 20
            except OSError:
                pass
        return None


def remove(folder):
    """Removes the group; the kernel may need a moment until it is empty."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            os.rmdir(folder)
            return
        except OSError:
            time.sleep(0.01)


def run(page, quick):
    with Posencd("--threads", "2", "--access-log", "off", "--max-inflight", "16MiB",
                 "--cache-size", "4MiB", "--shared-table-cache", "4MiB") as server:
        try:
            group = Group(server.pid)
        except OSError as fault:
            page.figure("a memory cgroup", "not tried: %s" % fault)
            return
        statuses, wrong = squeeze(server, 20 if quick else 100)
        again, peak = served(server, PATIENCE), group.peak()
    remove(group.folder)
    page.promise("%d bodies of 4 MB at once in a cgroup of %d MiB" % (
        20 if quick else 100, LIMIT_MIB), "%s, peak %s MiB" % (statuses, peak),
        "0 kills, each whole, 503 or cut", not wrong and not set(statuses) - {200, 503, "cut"} and
        200 in statuses and again is not None, wrong)


def squeeze(server, count):
    """Sends `count` bodies at once; returns how many answers of each status came, and what was
    wrong."""
    vectors = numpy.arange(1 << 20, dtype="<f4").reshape(1 << 14, 64) % 7
    target = "/v1/rope/apply?pos=0:16384&format=raw"
    request = ("POST", target, script.npy(vectors), [script.NPY])
    expected = server.ask(*request)
    assert expected.status == 200, expected
    clients = [Client(server.address) for _ in range(count)]
    statuses, wrong = {}, []
    for one in clients:
        try:
            one.request(*request)
        except OSError:
            pass  # answered 503 while it sent
    for one in clients:
        try:
            answer = one.reply()
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            if answer.status == 200 and answer.body != expected.body:
                wrong.append("another body")
        except (Closed, OSError):
            statuses["cut"] = statuses.get("cut", 0) + 1
        one.close()
    return statuses, wrong
