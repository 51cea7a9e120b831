#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""slugs.py [MISTAKES.DEF] - prints how many cases of a corpus have each mistake, of three cases of
each kind. With the table of mistakes: fails where one of its rows has fewer than three cases."""

import collections
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import make  # noqa: E402

LEAST = 3
ROW = re.compile(r'^\s*[A-Z_]+\(\s*"?([a-z][a-z0-9_-]+)"?\s*,', re.MULTILINE)


def counts(each=LEAST, seed=1):
    """Cases by slug. A case that accepts several counts for each, since any of them explains it."""
    found = collections.Counter()
    for number, row in enumerate(make.rows() * each):
        case = row(make.Draw(seed, number))
        found.update(set(case.found).union(*case.found_both))
    return found


def main():
    found = counts()
    for slug, count in sorted(found.items()):
        print("%6d  %s" % (count, slug))
    if len(sys.argv) < 2:
        return 0
    with open(sys.argv[1], encoding="utf-8") as table:
        few = [slug for slug in ROW.findall(table.read()) if found[slug] < LEAST]
    for slug in few:
        print("%s: %s has %d cases in tests/verify, %d are required" % (sys.argv[1], slug,
                                                                       found[slug], LEAST))
    return len(few) > 0


if __name__ == "__main__":
    sys.exit(main())
