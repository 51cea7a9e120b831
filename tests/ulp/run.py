#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [--rounds N] [ENCODING ...] - the worst error of every encoding, in ULP.

Asks a posencd for every encoding that it lists, in float32 and float64, and compares with the
formula of the paper at 240 bits (mpmath). Arguments are drawn by chance, with edges; the seed
is the encoding's name and the round. An encoding without a row, or an output that no row asks
for, is a failure; so is a row of an encoding that is gone, and a word of a parameter that no
row draws (choices.py). The last line is "N passed, N failed".
"""

import argparse
import collections
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from choices import missing  # noqa: E402
from draw import Draw  # noqa: E402
from golden.service import Refused, Service  # noqa: E402
from measure import is_whole, limits, shape_of, worst  # noqa: E402
from rows import ROWS  # noqa: E402
from support.posencd import Posencd  # noqa: E402


class Tally:
    """The errors of one output."""

    def __init__(self, output):
        self.bound = output["bound"]
        self.uses = set(output["uses"]) | {"preset"}
        self.values, self.errors, self.faults = 0, {}, []

    def whole(self, case, array):
        self.values += array.size
        if array.astype(object).tolist() != case.exact:
            self.faults.append("differs: %r, not %r" % (array.tolist(), case.exact))

    def real(self, case, array, dtype):
        self.values += array.size
        away, index = worst(array, case, dtype)
        self.errors[dtype] = max(self.errors.get(dtype, 0.0), away)
        most = limits(self.bound, case.amplified)[dtype]
        if away > most:
            self.faults.append("%s: %.4g ULP at element %d, at most %g" % (
                dtype, away, index, most))


def ask(service, name, case, tally):
    params = {key: value for key, value in case.params.items() if key in tally.uses}
    params["out"] = case.out
    dtypes = [None] if is_whole(case.exact) else case.dtypes
    for dtype in dtypes:
        array = service.array(name, params, dtype)
        if case.view:
            array = case.view(array)
        if array.size and array.shape != shape_of(case.exact):
            tally.faults.append("shape %s, not %s" % (array.shape, shape_of(case.exact)))
        elif dtype is None:
            tally.whole(case, array)
        else:
            tally.real(case, array, dtype)


def measure(service, name, row, rounds):
    """{output: Tally} of an encoding."""
    outputs = {output["name"]: output for output in service.encodings[name]["outputs"]}
    known = {param["name"] for param in service.encodings[name]["params"]}
    tallies = collections.OrderedDict((out, Tally(outputs[out])) for out in outputs)
    for number in range(rounds):
        for case in row(Draw(name, number)):
            tally, before = tallies[case.out], len(tallies[case.out].faults)
            tally.faults += ["%s is no parameter" % key for key in set(case.params) - known]
            try:
                ask(service, name, case, tally)
            except Refused as refused:
                tally.faults.append(str(refused))
            for at in range(before, len(tally.faults)):
                tally.faults[at] += "\n     asked with %r" % (case.params,)
    for out, tally in tallies.items():
        if not tally.values and not tally.faults:
            tally.faults.append("no row asks for it")
    return tallies


def line(name, out, tally):
    def shown(dtype):
        return "%.4f" % tally.errors[dtype] if dtype in tally.errors else "-"
    exact = "exact" if not tally.errors and not tally.faults else ""
    return "%-34s %-18s %8d %9s %9s  %s" % (name, out, tally.values, exact or shown("f32"),
                                           exact or shown("f64"), tally.bound)


def report(service, names, rounds):
    passed, failed = 0, 0
    print("%-34s %-18s %8s %9s %9s  %s" % ("encoding", "output", "values", "f32 ULP", "f64 ULP",
                                           "stated bound"))
    for name in names:
        if name not in ROWS:
            print("FAIL %s: has no row in tests/ulp/rows.py" % name)
            failed += 1
            continue
        for out, tally in measure(service, name, ROWS[name], rounds).items():
            print(line(name, out, tally))
            for fault in tally.faults[:3]:
                print("FAIL %s %s: %s" % (name, out, fault))
            passed, failed = passed + (not tally.faults), failed + bool(tally.faults)
        told = missing(ROWS[name], name, service.encodings[name])
        for sentence in told:
            print("FAIL %s: %s" % (name, sentence))
        passed, failed = passed + (not told), failed + bool(told)
    for name in sorted(set(ROWS) - set(service.encodings)):
        print("FAIL %s: has a row, but is not served" % name)
        failed += 1
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="ENCODING")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with Posencd() as server:
        service = Service(server.url)
        passed, failed = report(service, options.names or list(service.encodings),
                                options.rounds)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
