#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - checks deploy/kustomize and deploy/compose: every object by the schemas of Kubernetes,
and ports, paths, flags and probes by processes started as a pod's containers would be.

Usage: run.py [test_schemas ...]. FULL=1 misspells every field of every object. KSERVE names a
checkout of github.com/kserve/kserve, whose CRDs then judge too. The last line is "N passed, N failed"."""

import glob
import os
import sys
import time
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
DEPLOY = os.path.dirname(HERE)
sys.path[:0] = [HERE, DEPLOY, os.path.dirname(DEPLOY)]


def main(names):
    begin = time.monotonic()
    names = names or sorted(os.path.basename(path)[:-3]
                            for path in glob.glob(os.path.join(HERE, "test_*.py")))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1, descriptions=False).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.skipped)
    sys.stderr.flush()
    print("all parts: %.1f s" % (time.monotonic() - begin))
    print("%d passed, %d failed" % (result.testsRun - failed, failed))
    return 0 if failed == 0 and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
