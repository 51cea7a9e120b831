# SPDX-License-Identifier: Apache-2.0
"""parsers.py - runs every libFuzzer target for a while, from its corpus and the seeds of the unit
tests: how many inputs, and which part of its functions they reached."""

import glob
import os
import re
import subprocess

from support.posencd import ROOT

# Seconds of each target in the short campaign and the full one. An input to the search for a verdict
# takes a thousand times as long as one to a parser, and there is one search for all encodings.
SECONDS = (4, 30)
LONGER = {"fuzz_verdict": (60, 1800)}


def run(page, quick):
    targets = sorted(glob.glob(os.path.join(ROOT, "build", "fuzz", "fuzz_*")))
    targets = [one for one in targets if os.access(one, os.X_OK) and "." not in one]
    targets.sort(key=lambda target: os.path.basename(target) not in LONGER)  # others run beside it
    timed = ["%s=%d" % (target, LONGER.get(os.path.basename(target), SECONDS)[not quick])
             for target in targets]
    came = subprocess.run([os.path.join(ROOT, "tests", "fuzz", "run.sh"), "0", *timed],
                          capture_output=True, text=True, check=False, cwd=ROOT)
    clean = re.findall(r"^fuzz (\w+): (\d+) runs in \d+ s, clean, (.*)$", came.stdout, re.M)
    for name, runs, reached in clean:
        page.figure(name, "%s inputs, %s" % (runs, reached))
    total = sum(int(runs) for _, runs, _ in clean)
    page.promise("inputs to %d targets" % len(targets), str(total),
                 "0 findings" + ("" if quick else ", >= 1,000,000"),
                 came.returncode == 0 and len(clean) == len(targets) > 0 and
                 (quick or total >= 1000000), [came.stdout[-3000:]])
