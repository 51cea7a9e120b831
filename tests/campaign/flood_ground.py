# SPDX-License-Identifier: Apache-2.0
"""flood_ground.py - the posencd that floods meet, over TCP or TLS, and the cores on which it and the
clients run."""

import os
import time

from support.certificate import Certificate
from support.posencd import Posencd, samples_of
from support.wire import Client, Closed

import crowd
import flood_rows
from clients import cpu_seconds
from flood_cell import Cell

PATIENCE = 60                          # seconds that only a hang takes
MIB = 1 << 20
TICK = os.sysconf("SC_CLK_TCK")
INFLIGHT, CACHE, TABLES = 128, 64, 16  # limits of memory, MiB


def busy_seconds(cores):
    """Seconds in which these cores ran processes, or other machines did."""
    total = 0
    with open("/proc/stat", encoding="ascii") as file:
        for line in file:
            name, *fields = line.split()
            if name in ["cpu%d" % core for core in cores]:
                user, nice, system, steal = (int(fields[i]) for i in (0, 1, 2, 7))
                total += user + nice + system + steal
    return total / TICK


def own_seconds(server):
    """CPU seconds of the server, of this process and of its children that have ended."""
    times = os.times()
    return cpu_seconds(server) + sum(times[:4])


class Ground:
    """A posencd over TCP or TLS that floods meet, with the cores on which both run. A plain unix
    socket serves what this program itself asks for."""

    def __init__(self, transport, folder, quick, inflight=INFLIGHT, cache=CACHE):
        self.transport, self.folder, self.quick = transport, folder, quick
        self.limits = inflight, cache, TABLES
        self.numbers = crowd.Numbers()
        cores = sorted(os.sched_getaffinity(0))
        self.cores = (None, None) if quick or len(cores) == 1 else (cores[0], cores[-1])
        self.certificate = Certificate() if transport == "TLS" else None
        self.server = self.rows = None
        self.start()

    def start(self):
        launcher = () if self.cores[0] is None else ("taskset", "-c", str(self.cores[0]))
        more = self.certificate.flags if self.certificate else ()
        self.server = Posencd("--access-log", "off", "--learned-tables-dir",
                              os.path.join(self.folder, "tables"), "--max-inflight",
                              "%dMiB" % self.limits[0], "--cache-size", "%dMiB" % self.limits[1],
                              "--shared-table-cache", "%dMiB" % self.limits[2], *more, unix=True, launcher=launcher,
                              env={} if self.quick else {"POSENCD_WORK_TIMEOUT": "2"})
        self.others = crowd.Others(self.folder, self.ask, self.numbers)
        self.rows = self.rows or flood_rows.rows(self)
        self.rest = self.server.status("VmRSS") / 1024

    def ask(self, method, target, body=None, headers=()):
        with Client(self.server.unix) as one:
            return one.ask(method, target, body, headers)

    def get(self, target, headers=()):
        return self.ask("GET", target, None, headers)

    @property
    def address(self):
        return "%s%d" % ("tls:" if self.certificate else "", self.server.port)

    def stop(self):
        self.server.stop()

    def restart(self):
        self.stop()
        self.start()

    def is_quiet(self, seconds=5):
        """Waits until nothing of a flood is left in flight; False if that takes long."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                samples = samples_of(self.get("/metrics"))
                if samples["posencd_http_inflight_requests"] <= 1 and not any(
                        value for name, value in samples.items()
                        if name.startswith(("posencd_inflight_bytes",
                                            "posencd_cache_lent_bytes"))):
                    return True
            except (Closed, OSError, KeyError, ValueError):
                pass  # refused: not quiet
            time.sleep(0.02)
        return False

    def peak(self):
        """The most resident memory since the last call of forget_peak and the files of memory,
        MiB."""
        files = 0
        try:
            files = samples_of(self.get("/metrics"))["posencd_cache_file_bytes"] / MIB
        except (Closed, OSError, KeyError, ValueError):
            pass
        status = self.server.status
        return files + (status("VmHWM") - status("RssShmem")) / 1024

    def forget_peak(self):
        with open("/proc/%d/clear_refs" % self.server.pid, "w", encoding="ascii") as file:
            file.write("5")

    def cell(self, row, count, kinds, seconds):
        """A flood by `count` clients of each kind, and the others beside it."""
        path = os.path.join(self.folder, "flood")
        cores = set(self.cores) if self.cores[0] is not None else ()
        self.forget_peak()
        start, before = time.monotonic(), busy_seconds(cores) - own_seconds(self.server)
        flood = crowd.flood(self.address, path, row, count, kinds, self.numbers, self.cores[1])
        try:
            seen = self.others.look(self.address, seconds, self.cores[1],
                                    PATIENCE if self.quick else crowd.GRACE)
        finally:
            floods = flood.end()
        cell = Cell(row, self.transport, count, floods, seen)
        if cores:
            cell.foreign = max(0, busy_seconds(cores) - own_seconds(self.server) - before) / (
                time.monotonic() - start)
        cell.peak, cell.limit = self.peak(), self.rest + sum(self.limits)
        return cell

    def settle(self):
        """What a flood left must not meet the next one."""
        if not self.is_quiet():
            self.restart()

    def learn(self, row):
        crowd.write_requests(os.path.join(self.folder, "flood"), row.requests,
                             crowd.lengths_of(row, self.ask))
