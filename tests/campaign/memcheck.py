# SPDX-License-Identifier: Apache-2.0
"""memcheck.py - the wire cases and the script under valgrind, which sees what AddressSanitizer
does not: memory that is read before it is written, in the libraries too."""

import os
import re
import shutil
import tempfile

from support.posencd import Posencd, binary
from support.wire import Client, Closed
from test_wire import CASES, Talk

import script

# libmicrohttpd 0.9.75 reads the byte before its copy of such a cookie, inside its pool.
KNOWN = re.compile(rb"Cookie: *[=,;\r]")
FLAGS = ("--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite",
         "--show-leak-kinds=definite", "--num-callers=25")
REPORT = re.compile(r"^==\d+== .*", re.MULTILINE)


def wrapper(folder):
    """A script that runs posencd under valgrind."""
    path = os.path.join(folder, "posencd")
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\nexec valgrind %s %s \"$@\"\n" % (" ".join(FLAGS), binary()))
    os.chmod(path, 0o700)
    return path


def run(page, quick):
    if not shutil.which("valgrind"):
        page.figure("valgrind", "not installed: not tried")
        return
    wrong, count = [], 0
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        server = Posencd("--threads", "1", "--access-log", "off", "--header-timeout", "60",
                         "--body-timeout", "60", program=wrapper(folder))
        for name, parts, allowed in CASES[::4 if quick else 1]:
            data = b"".join(part for part in parts if isinstance(part, bytes))
            if KNOWN.search(data):
                continue
            talk = Talk(server.address, parts)
            came = talk.outcome(allowed)
            talk.client.close()
            count += 1
            wrong += ["%s: %s" % (name, came)] if came not in allowed else []
        requests = [*script.tables(), *script.bodies(), *script.pages(), *script.refusals(),
                    *script.coded()]
        for request in requests[::4 if quick else 1]:
            try:
                with Client(server.address) as one:
                    one.ask(*request)
            except (Closed, ConnectionError) as fault:
                wrong.append("%s %s: %s" % (*request[:2], fault))
            count += 1
        code = server.stop()
        reports = REPORT.findall(server.log())
    page.promise("requests under valgrind", "%d, %d lines of reports, exit %d" % (
        count, len(reports), code), "no report, 0 bytes lost, exit 0",
        not reports and not wrong and code == 0, wrong + reports[:40])
