#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - the campaign: faults are caused on purpose, and their effects counted.

    tests/campaign/run.py [--quick] [STAGE ...]    # without names all stages

Writes build/campaign.md; the last line is "N passed, N failed" of its promises."""

import os
import sys
import traceback

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "http")]

from page import Page  # noqa: E402

# The order: quick stages first.
STAGES = ("framings", "refusals", "differential", "clients", "shares", "unwanted", "reading",
          "floods", "greedy", "life", "keys", "files", "torture", "races", "memcheck", "parsers", "wirefuzz")


def main():
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or STAGES
    quick = "--quick" in sys.argv
    page = Page(quick)
    for name in names:
        page.begin(name)
        try:
            __import__(name).run(page, quick)
        except Exception:  # a stage that breaks is a broken promise; the others still run
            page.promise("the stage ran to its end", "no", "it does", False,
                         [traceback.format_exc()])
        page.end()
    command = "make campaign" + (" QUICK=1" if quick else "")
    with open(os.path.join(ROOT, "build", "campaign.md"), "w", encoding="utf-8") as file:
        file.write(page.text("Campaign", command))
    page.say_broken()
    print("%d passed, %d failed" % (page.passed, page.failed))
    return 0 if page.failed == 0 and page.passed else 1


if __name__ == "__main__":
    sys.exit(main())
