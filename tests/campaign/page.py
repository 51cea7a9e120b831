# SPDX-License-Identifier: Apache-2.0
"""page.py - the page of figures: what was tried, what was measured, what was promised."""

import sys
import time


class Page:
    """Rows of stages. A promise that is broken fails the campaign; a figure never does."""

    def __init__(self, quick):
        self.quick = quick
        self.rows = []     # (stage, what, value, promise, mark)
        self.broken = []   # (stage, what, value, promise, details)
        self.seconds = {}
        self.stage = ""
        self.passed = self.failed = 0

    def begin(self, stage):
        self.stage = stage
        self.seconds[stage] = time.monotonic()

    def end(self):
        self.seconds[self.stage] = time.monotonic() - self.seconds[self.stage]

    def figure(self, what, value):
        """A measured value without a promise."""
        self._row(what, value, "", "")

    def promise(self, what, value, promise, kept, details=()):
        """A measured value and its promise; details say what broke it."""
        self.passed += bool(kept)
        self.failed += not kept
        self._row(what, value, promise, "kept" if kept else "**BROKEN**")
        if not kept:
            details = [str(one) for one in details]
            self.broken.append((self.stage, what, value, promise, details))
            for one in details[:10]:
                print("    " + one, file=sys.stderr)

    def say_broken(self):
        """The broken promises again, a line each, for readers of the end of a log."""
        for stage, what, value, promise, details in self.broken:
            print("BROKEN %s, %s: %s (%s)" % (stage, what, value, promise))
            for one in details[:3]:
                print("BROKEN ... " + " | ".join(one.split("\n")[-4:])[-200:])

    def timed(self, what, value, promise, kept, details=()):
        """A promise about seconds, CPU time or resident memory, which depend on the machine and its
        other work: the full campaign judges it, the short one states it."""
        if self.quick:
            self._row(what, value, promise, "not judged")
        else:
            self.promise(what, value, promise, kept, details)

    def _row(self, what, value, promise, mark):
        self.rows.append((self.stage, what, value, promise, mark))
        print("  %-14s %s: %s%s %s" % (self.stage, what, value,
                                       promise and " (%s)" % promise, mark), flush=True)

    def text(self, title, command):
        lines = ["# " + title, "", "`%s` repeats it all, `tests/campaign/run.py STAGE` one stage."
                 % command, ""]
        for stage, seconds in self.seconds.items():
            lines += ["## %s" % stage, "", "`tests/campaign/run.py %s`, %.0f s" % (stage, seconds),
                      "", "| what | measured | promised | |", "|---|---|---|---|"]
            lines += ["| %s | %s | %s | %s |" % (what, value, promise, mark)
                      for name, what, value, promise, mark in self.rows if name == stage]
            lines.append("")
        if self.broken:
            lines += ["## What broke", ""]
            lines += ["- %s, %s: %s" % (stage, what, one)
                      for stage, what, _, _, details in self.broken for one in details] + [""]
        lines.append("%d promises kept, %d broken" % (self.passed, self.failed))
        return "\n".join(lines) + "\n"
