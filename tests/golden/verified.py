#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""verified.py - sends the arrays of golden cases to /v1/verify with the claims of their cases.

    tests/golden/verified.py [--url URL] [-v] [DIR ...]

What other people's code returned is right: each reference must be `exact`, or of a profile where
its arithmetic rounds otherwise. A mistake would be a false accusation, and what is unexplained a
gap in the bounds of core/verify. The last lines count the verdicts; the exit status is 0 if all
arrays are right. Facts are no arrays, and rows that were picked from a table have no claim: both
are counted as not asked."""

import collections
import io
import json
import os
import sys

import numpy as np

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import question  # noqa: E402
from cases import Inexpressible, read_index  # noqa: E402
from methods import METHODS  # noqa: E402
from service import GET_LIMIT, Refused, Service, query_of, text_of  # noqa: E402
from run import main  # noqa: E402

RIGHT = ("exact", "profile")


class Unasked(Exception):
    """The array is no tensor of one claim."""


def archive(tensors):
    """The tensors as numpy.savez writes them."""
    body = io.BytesIO()
    np.savez(body, **tensors)
    return body.getvalue()


def verify(service, encoding, params, tensors):
    """The verdict on tensors by their names."""
    target = "/v1/verify?" + query_of(dict({"encoding": encoding}, **params))
    if len(target) <= GET_LIMIT:
        answer = service._ask("POST", target, archive(tensors), "application/x-npz")
    else:
        claim = {"encoding": encoding, **{name: text_of(value) for name, value in params.items()}}
        body = {"claim": claim, "tensors": [
            {"name": name, "dtype": {"<f4": "f32", "<f8": "f64"}.get(array.dtype.str, "i64"),
             "data": array.tolist()} for name, array in tensors.items()]}
        answer = service._ask("POST", "/v1/verify", json.dumps(body))
    return json.loads(answer[1])


def ask_tensor(service, asked, array):
    yield verify(service, asked.encoding, asked.params, {asked.out: array})


def ask_vectors(service, asked, array):
    vectors = asked.vectors.astype(array.dtype)
    yield verify(service, asked.encoding + "/apply", asked.params, {"x": vectors, "y": array})


def ask(service, asked, array):
    """The verdicts on an array, one a claim."""
    if isinstance(asked, question.Tensor):
        yield from ask_tensor(service, asked, array)
    elif isinstance(asked, question.Apply):
        yield from ask_vectors(service, asked, array)
    elif isinstance(asked, question.Stack):
        for number, part in enumerate(asked.questions):
            yield from ask(service, part, np.take(array, number, axis=asked.axis))
    elif isinstance(asked, question.Same):
        yield from ask(service, asked.first, array)
        yield from ask(service, asked.second, array)
    elif isinstance(asked, question.Padded):
        yield from ask(service, asked.question, array[:len(array) - len(asked.rest)])
    else:
        raise Unasked()


def check_output(service, case, output, asked, verdicts):
    """Faults of an array, as sentences."""
    try:
        for answer in ask(service, asked, np.ascontiguousarray(output.reference)):
            verdicts[answer["profile"] or answer["verdict"]] += 1
            if answer["verdict"] not in RIGHT:
                yield "%s: %s: %s" % (output.name, answer["verdict"], answer["says"])
    except Unasked:
        verdicts["not asked"] += 1
    except Refused as fault:
        verdicts["refused"] += 1
        yield "%s: %s" % (output.name, fault)


def check_case(service, case, method, verdicts):
    case.open()
    questions = method.questions(case)
    return [fault for output in case.outputs
            for fault in check_output(service, case, output, questions[output.name], verdicts)]


def check_folder(folder, service, verdicts, verbose):
    """(passed, failed) of a folder."""
    passed, failed = 0, 0
    for case in read_index(folder):
        method = METHODS.get(case.method)
        if method is None or not method.served(service, case) or method.questions is None:
            continue
        try:
            faults = check_case(service, case, method, verdicts)
        except (Inexpressible, KeyError, TypeError, ValueError) as fault:
            faults = ["%s: %s" % (type(fault).__name__, fault)]
        passed, failed = passed + (not faults), failed + bool(faults)
        for fault in faults:
            print("FAIL %s: %s" % (case.id, fault[-700:]))
        if verbose and not faults:
            print("ok   %s" % case.id)
    return passed, failed


def check_all(folders, url, verbose):
    service, verdicts = Service(url), collections.Counter()
    counts = [check_folder(folder, service, verdicts, verbose) for folder in folders]
    print("arrays: " + ", ".join("%s %d" % entry for entry in sorted(verdicts.items())))
    passed, failed = (sum(column) for column in zip(*counts))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(__doc__, check_all))
