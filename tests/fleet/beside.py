# SPDX-License-Identifier: Apache-2.0
"""beside.py - the floods of flood.py beside a stage of the fleet, where BESIDE names a row, such as
BESIDE='batch, gzip'. Nothing may be lost beside them: no byte is wrong, and no answer is cut but by kill -9.
What is refused with 503 is counted."""

import contextlib
import os
import subprocess
import sys

ROW = os.environ.get("BESIDE", "")


@contextlib.contextmanager
def flood(ports, may_be_cut=False):
    """Floods each port until the end, and prints what the flood itself saw."""
    if not ROW:
        yield
        return
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "flood.py")
    with subprocess.Popen([sys.executable, script, ROW, *map(str, ports)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "floods\n", "no flood of %s" % ROW
        yield
        said = process.communicate("", timeout=60)[0].strip()
    print("beside the flood of %s, which saw %s:" % (ROW, said), flush=True)
    counts = dict(pair.split("=") for pair in said.split())
    assert int(counts["whole"]) > 0, said
    assert may_be_cut or counts["cut"] == "0", said


def lost(wrong):
    """Of what went wrong for other clients: all, but beside a flood not what was refused."""
    return [one for one in wrong if not (ROW and ": status 503" in one)]
