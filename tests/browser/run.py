#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - drives the pages in Chromium and compares what they show with what the API answers.

Usage: run.py [test_file[.Class[.test]] ...]. Photographs are left in build/browser.

The last line is "N passed, N failed"; the exit status is 0 if nothing failed."""

import glob
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import chromium  # noqa: E402, found by the line above


def main(names):
    files = glob.glob(os.path.join(HERE, "test_*.py"))
    names = names or sorted(os.path.basename(path)[:-3] for path in files)
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1, descriptions=False).run(suite)
    wrong = result.failures + result.errors + result.skipped  # several of one test, by subtests
    failed = len({getattr(test, "test_case", test) for test, _ in wrong})
    chromium.close()
    sys.stderr.flush()
    print("%d passed, %d failed" % (result.testsRun - failed, failed))
    return 0 if failed == 0 and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
