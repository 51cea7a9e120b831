#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - compares golden cases with the answers of a running posencd.

    tests/golden/run.py [--url URL] [-v] [DIR ...]

Reads DIR/index.json (README.md has the format; default: this folder's cases), asks posencd for
every case whose method it serves, and compares with truth and reference by the case's own
tolerances. Starts $POSENC_BUILD/posencd unless --url or POSENCD_URL names a running one.
Methods that are not served are named and counted; a served case that cannot be asked is a
failure. The last line is "N passed, N failed"; the exit status is 0 if nothing failed."""

import collections
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import parity  # noqa: E402
from cases import TRUTHS, Inexpressible, compare, compare_exact, read_index  # noqa: E402
from methods import METHODS  # noqa: E402
from service import Refused, Service, arguments, served  # noqa: E402

# the dtype of the answer that is compared with a reference of this dtype
REFERENCES = {"float32": "f32", "float64": "f64", "int32": None, "int64": None}


def comparisons(case, output):
    """(name, dtype to ask for, expected array, tolerance) of everything that the case has."""
    if output.exact:
        yield "exact", None, output.reference, None
        if output.truth is not None:
            yield "exact truth", None, output.truth, None
        return
    for name, tolerance in output.tolerance.items():
        if name == "vs_reference":
            narrow = case.narrow if any(TRUTHS.get(other) == case.narrow
                                        for other in output.tolerance) else None
            yield name, narrow or REFERENCES[output.dtype], output.reference, tolerance
        elif name in TRUTHS and output.truth is not None:
            yield name, TRUTHS[name], output.truth, tolerance
        else:
            raise Inexpressible("output %s: tolerance %s has nothing to compare" %
                                (output.name, name))
    if not output.tolerance:
        raise Inexpressible("output %s has no tolerance" % output.name)


def check_output(case, output, question, service):
    answers = {}
    for name, dtype, expected, tolerance in comparisons(case, output):
        if dtype not in answers:
            answers[dtype] = question.fetch(service, dtype)
        if tolerance is None:
            fault = compare_exact(answers[dtype], expected)
        else:
            fault = compare(answers[dtype], expected, tolerance, output.position_axis)
        if fault:
            yield "%s, %s: %s" % (output.name, name, fault)


def check_case(case, method, service, exceptions):
    """Every fault of a case, as sentences."""
    try:
        case.open()
        if method.questions is None:
            return ["served as %s, but methods.py has no questions for it" % method.encoding]
        questions = method.questions(case)
        faults = []
        for output in case.outputs:
            faults += check_output(case, output, questions[output.name], service)
        return faults + parity.check(case, questions, service, exceptions)
    except (Inexpressible, Refused, KeyError, TypeError, ValueError) as fault:
        return ["%s: %s" % (type(fault).__name__, fault)]


def run_folder(folder, service, verbose):
    """(passed, failed) of a folder."""
    passed, failed = 0, 0
    unserved = collections.Counter()
    exceptions = parity.read_exceptions(folder, os.path.dirname(os.path.abspath(folder)),
                                        os.path.join(HERE, "cases"))
    for case in read_index(folder):
        method = METHODS.get(case.method)
        if method is None or not method.served(service, case):
            unserved[case.title] += 1
            continue
        faults = check_case(case, method, service, exceptions)
        passed, failed = passed + (not faults), failed + bool(faults)
        for fault in faults:
            print("FAIL %s: %s" % (case.id, fault))
        if verbose and not faults:
            print("ok   %s" % case.id)
    for title, count in sorted(unserved.items()):
        print("not served yet: %s (%d)" % (title, count))
    return passed, failed


def run_all(folders, url, verbose):
    service = Service(url)
    counts = [run_folder(folder, service, verbose) for folder in folders]
    passed, failed = (sum(column) for column in zip(*counts))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


def main(description=__doc__, check_all=run_all):
    """Checks folders by the function, against the service of --url or one that is started."""
    options = arguments(
        description, ("folders", {"nargs": "*", "metavar": "DIR",
                                  "default": [os.path.join(HERE, "cases")]}),
        ("-v --verbose", {"action": "store_true"}))
    return served(options, lambda url: check_all(options.folders, url, options.verbose))


if __name__ == "__main__":
    sys.exit(main())
