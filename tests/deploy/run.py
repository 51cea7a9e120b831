#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - checks that deploy/ is consistent and that the program of this tree accepts it.

The last line is "N passed, N failed"; the exit status is 0 if nothing failed."""

import glob
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]


def main():
    names = sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(HERE,
                                                                                  "test_*.py")))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1, descriptions=False).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.skipped)
    sys.stderr.flush()
    print("%d passed, %d failed" % (result.testsRun - failed, failed))
    return 0 if failed == 0 and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
