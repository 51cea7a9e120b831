# SPDX-License-Identifier: Apache-2.0
"""parsers.py - runs every libFuzzer target for a while, from its corpus and the seeds of the unit
tests: how many inputs, and which part of its functions they reached."""

import glob
import os
import re
import subprocess

from support.posencd import ROOT


def run(page, quick):
    seconds = 4 if quick else 30
    targets = sorted(glob.glob(os.path.join(ROOT, "build", "fuzz", "fuzz_*")))
    targets = [one for one in targets if os.access(one, os.X_OK) and "." not in one]
    came = subprocess.run([os.path.join(ROOT, "tests", "fuzz", "run.sh"), str(seconds), *targets],
                          capture_output=True, text=True, check=False, cwd=ROOT)
    clean = re.findall(r"^fuzz (\w+): (\d+) runs in \d+ s, clean, (.*)$", came.stdout, re.M)
    for name, runs, reached in clean:
        page.figure(name, "%s inputs, %s" % (runs, reached))
    total = sum(int(runs) for _, runs, _ in clean)
    page.promise("inputs to %d targets" % len(targets), str(total),
                 "0 findings" + ("" if quick else ", >= 1,000,000"),
                 came.returncode == 0 and len(clean) == len(targets) > 0 and
                 (quick or total >= 1000000), [came.stdout[-3000:]])
