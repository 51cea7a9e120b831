#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py NAME... - tries what is shipped: test_deb.py, test_root.py, test_release.py.

The last line is "N passed, N failed"; the exit status is 0 if nothing failed."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]


def main():
    names = ["test_" + name for name in sys.argv[1:]]
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=2, descriptions=False).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.skipped)
    sys.stderr.flush()
    print("%d passed, %d failed" % (result.testsRun - failed, failed))
    return 0 if failed == 0 and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
