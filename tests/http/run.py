#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - runs the black-box suites in Python: formats, sockets, life cycle, sharing, streaming.

    tests/http/run.py [NAME ...]    # test_NAME.py; every suite without names

The last line is "N passed, N failed"; the exit status is 0 if nothing failed."""

import glob
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]


def main():
    names = sys.argv[1:] or sorted(os.path.basename(path)[5:-3] for path in
                                   glob.glob(os.path.join(HERE, "test_*.py")))
    suite = unittest.defaultTestLoader.loadTestsFromNames(["test_" + name for name in names])
    result = unittest.TextTestRunner(verbosity=1, descriptions=False).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    passed = result.testsRun - len(result.failures) - len(result.errors)
    sys.stderr.flush()
    print("%d passed, %d failed" % (max(passed, 0), failed + len(result.skipped)))
    return 0 if failed == 0 and not result.skipped and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
