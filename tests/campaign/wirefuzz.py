# SPDX-License-Identifier: Apache-2.0
"""wirefuzz.py - hundreds of thousands of mutated requests to a whole posencd under AddressSanitizer
and UBSan, with a sanitized libmicrohttpd where its source can be fetched."""

import json
import os
import struct
import subprocess
import tempfile
import threading
import time

import test_wire
from support.posencd import ROOT, Posencd
from support.wire import Client, request_bytes

import script

FUZZ = os.path.join(ROOT, "build", "campaign", "wire_fuzz")
BUILD = os.path.join(ROOT, "build", "asan", "campaign")
SHORT = ("--header-timeout", "300ms", "--body-timeout", "300ms", "--idle-timeout", "300ms",
         "--send-timeout", "300ms")


def seeds(path):
    """Writes the wire cases and the script in the form that wire_fuzz reads; returns how many."""
    requests = [b"".join(part for part in parts if isinstance(part, bytes))
                for _, parts, _ in test_wire.CASES]
    for method, target, body, headers in [*script.tables(), *script.bodies(), *script.pages()]:
        requests.append(request_bytes(method, target, body, headers))
    requests = [one for one in requests if 0 < len(one) <= 10000]
    with open(path, "wb") as file:
        for one in requests:
            file.write(struct.pack("<I", len(one)) + one)
    return len(requests)


class Probe(threading.Thread):
    """Asks for /livez all the time; `longest` is the longest wait in seconds."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.address, self.over, self.longest, self.failed = address, False, 0.0, 0

    def run(self):
        while not self.over:
            start = time.monotonic()
            try:
                with Client(self.address, timeout=30) as one:
                    self.failed += one.get("/livez").status not in (200, 503)
            except Exception:  # no answer is counted as the longest wait
                self.failed += 1
            self.longest = max(self.longest, time.monotonic() - start)
            time.sleep(0.1)


def run(page, quick):
    os.environ["POSENC_BUILD"], before = BUILD, os.environ.get("POSENC_BUILD")
    try:
        fuzz(page, 60000 if quick else 610000)
    finally:
        if before is None:
            del os.environ["POSENC_BUILD"]
        else:
            os.environ["POSENC_BUILD"] = before


def fuzz(page, inputs):
    with open(os.path.join(BUILD, "library"), encoding="ascii") as file:
        page.figure("libmicrohttpd", file.read().strip())
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        path = os.path.join(folder, "seeds")
        page.figure("seeds", seeds(path))
        server = Posencd("--threads", "2", "--access-log", "off",
                         "--max-inflight", "64MiB", *SHORT, unix=True, tcp=False,
                         env={"ASAN_OPTIONS": "allocator_may_return_null=1",
                              "UBSAN_OPTIONS": "print_stacktrace=1"})
        probe = Probe(server.unix)
        probe.start()
        start, sizes, done = time.monotonic(), [], {}
        for part in range(3):
            came = subprocess.run([FUZZ, server.unix, path, str(inputs // 3), str(part + 1)],
                                  capture_output=True, check=False)
            if came.returncode != 0:
                found = os.path.join(ROOT, "build", "campaign", "found-wire")
                with open(found, "wb") as file:
                    file.write(came.stderr)
                page.promise("answers look like answers", "the input is in " + found, "all do",
                             False, [server.log()[-2000:]])
                break
            for name, count in json.loads(came.stdout).items():
                done[name] = done.get(name, 0) + count
            sizes.append(server.status("VmRSS"))
        took = time.monotonic() - start
        probe.over = True
        probe.join()
        code = server.stop()
    page.promise("mutated inputs to the whole server", "%d at %d a second: %s" % (
        done.get("inputs", 0), done.get("inputs", 0) / took, done),
        ">= %d, 0 crashes, 0 reports, 0 leaks" % (inputs // 3 * 3),
        code == 0 and done.get("inputs", 0) >= inputs // 3 * 3, ["exit %s" % code,
                                                                 server.log()[-3000:]])
    page.promise("others meanwhile", "the longest wait %.2f s, %d unanswered" % (
        probe.longest, probe.failed), "all answered", probe.failed == 0)
    page.figure("resident memory after each third, KiB", sizes)
