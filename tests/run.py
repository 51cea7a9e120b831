#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - runs the unittest suites of a folder of tests/.

    tests/run.py [-v] FOLDER [NAME[.CLASS[.TEST]] ...]    # FOLDER/test_NAME.py; all without a name

The folder's modules, and those of the folders around it, are found by import. A new folder needs
nothing but its test_*.py and a goal of the Makefile. With -v each test prints its name. A test that
is skipped, or that passes though it should not, counts as failed. The last line is
"N passed, N failed"; the exit status is 0 if nothing failed and something ran."""

import glob
import os
import sys
import unittest

sys.dont_write_bytecode = True
TESTS = os.path.dirname(os.path.abspath(__file__))


def add_to_path(folder):
    """Lets modules of the folder, and of the folders around it up to tests/, be imported, the
    nearest first."""
    folders = [folder]
    while folders[-1] != TESTS:
        folders.append(os.path.dirname(folders[-1]))
    sys.path[:1] = folders


def suites_of(folder, names):
    """The names of the modules or tests that are chosen, "test_" before each."""
    if not names:
        paths = glob.glob(os.path.join(folder, "test_*.py"))
        return sorted(os.path.basename(path)[:-3] for path in paths)
    return [name if name.startswith("test_") else "test_" + name for name in names]


def counts(result):
    """(passed, failed): a test with several failures is one, and so is a class that could not
    be set up, none of whose tests ran."""
    wrong = [test for test, _ in result.failures + result.errors + result.skipped]
    wrong += result.unexpectedSuccesses
    broken = {getattr(test, "test_case", test) for test in wrong}
    ran = sum(isinstance(test, unittest.TestCase) for test in broken)
    return max(result.testsRun - ran, 0), len(broken)


def main(words):
    loud = "-v" in words
    words = [word for word in words if word != "-v"]
    folder = os.path.join(TESTS, words[0].rstrip("/")) if words else TESTS
    if not glob.glob(os.path.join(folder, "test_*.py")):
        print("run.py wants a folder of tests/ that has a test_*.py, such as http", file=sys.stderr)
        return 64
    add_to_path(folder)
    suite = unittest.defaultTestLoader.loadTestsFromNames(suites_of(folder, words[1:]))
    runner = unittest.TextTestRunner(verbosity=2 if loud else 1, descriptions=False)
    passed, failed = counts(runner.run(suite))
    sys.stderr.flush()
    print("%d passed, %d failed" % (passed, failed))
    return 0 if failed == 0 and passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
