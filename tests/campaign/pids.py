# SPDX-License-Identifier: Apache-2.0
"""pids.py - a posencd in a cgroup of few processes, where each thread counts as one: it starts with
as many loops as fit, or names the limit (exit 78). It never dies, and never says that memory is
short."""

import os
import re
import signal
import subprocess
import time

from support.posencd import PATIENCE, binary, child_environment

ROOTS = ("/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified", "/sys/fs/cgroup")
LIMITS = (2, 3, 4, 5, 6, 7, 8, 9, 12, 17, 18, 19, 20, 40)
FLAGS = ((), ("--threads", "8"), ("--threads", "8", "--workers", "8"))


class Group:
    """A new cgroup for processes. OSError where none can be made."""

    def __init__(self):
        self.folder = None
        for root in ROOTS:
            folder = os.path.join(root, "posencd-pids-%d" % os.getpid())
            try:
                os.mkdir(folder)
            except OSError:
                continue
            if os.path.exists(os.path.join(folder, "pids.max")):
                self.folder = folder
                return
            os.rmdir(folder)
        raise OSError("no controller of processes that we may use")

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.write(str(value))

    def await_empty(self):
        """The kernel counts ended processes for a moment longer."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with open(os.path.join(self.folder, "pids.current"), encoding="ascii") as file:
                if int(file.read()) == 0:
                    return
            time.sleep(0.001)

    def remove(self):
        self.await_empty()
        os.rmdir(self.folder)


def start(group, flags):
    """The outcome of a start: "N loops", or the exit code and the message."""
    def enter():
        group.write("cgroup.procs", os.getpid())
    child = subprocess.Popen([binary(), "serve", "--listen", "127.0.0.1:0", "--drain-delay", "0",
                              "--log-format", "json", *flags], stderr=subprocess.PIPE,
                             env=child_environment(), preexec_fn=enter)
    said, ready = "", None
    for line in child.stderr:
        said += line.decode()
        ready = re.search(r'"event":"ready".*"loops":(\d+)', said)
        if ready:
            child.send_signal(signal.SIGTERM)
            said += child.stderr.read().decode()
            break
    code = child.wait(PATIENCE)
    child.stderr.close()
    group.await_empty()
    return "%s loops" % ready.group(1) if ready and code == 0 else "exit %d" % code, said


def run(page, quick):
    try:
        group = Group()
    except OSError as fault:
        page.figure("a cgroup of few processes", "not tried: %s" % fault)
        return
    outcomes, wrong = {}, []
    for limit in LIMITS[1::4] if quick else LIMITS:
        group.write("pids.max", limit)
        for flags in FLAGS:
            outcome, said = start(group, flags)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if not (outcome.endswith("loops") or outcome == "exit 78" and "pids.max" in said and
                    "memory" not in said):
                wrong.append("%d, %s: %s %s" % (limit, " ".join(flags), outcome, said[-200:]))
    group.remove()
    page.promise("starts in cgroups of 2 to 40 processes", ", ".join(
        "%s: %d" % pair for pair in sorted(outcomes.items())),
        "each serves with what it may have, or says the limit (78)", not wrong, wrong)
