#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""worked.py - the service returns the numbers of every worked example.

    tests/golden/worked.py [--url URL] [FILE]

Asks a service of its own each request of worked.tsv and compares the numbers it names: whole ones
exactly, others to half a unit of their last digit (or three roundings of float32, where they have
more). Every id of ids.tsv must have a line there, or - and the reason why it has no numbers. Starts
$POSENC_BUILD/posencd unless --url or POSENCD_URL names a running one. The last line is
"N passed, N failed"."""

import os
import re
import sys
from decimal import Decimal
from urllib.parse import urlsplit

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from service import arguments, served  # noqa: E402
from support.wire import Client  # noqa: E402

ROUNDINGS = 3 * 2.0 ** -24


def read_lines(path, columns):
    """Lines of tab-separated cells; missing cells are empty."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [cells + [""] * (columns - len(cells)) for cells in lines]


def numbers_of(text):
    """The words of a line, or the bits of a mask's rows."""
    if re.fullmatch(r"[01]{2,}(/[01]{2,})*", text) and ("/" in text or " " not in text):
        return list(text.replace("/", ""))
    return text.split()


def flatten(data):
    for item in data if isinstance(data, list) else [data]:
        if isinstance(item, list):
            yield from flatten(item)
        else:
            yield float(item)  # "-Infinity" too


def fits(got, word):
    """Whether the number of the answer is the one that is written."""
    if re.fullmatch(r"[-+]?\d+", word) or not re.search(r"\d", word):
        return got == float(word)
    right = Decimal(word)
    half = 0.5 * 10.0 ** right.as_tuple().exponent
    few = len(right.as_tuple().digits) <= 3  # 0.25 is meant exactly
    return abs(got - float(right)) <= (0 if few else half) + ROUNDINGS * abs(got) + 1e-15


def fault_of(client, request, output, text):
    """Why the numbers differ, or None."""
    name, _, start = output.partition("@")
    answer = client.get("/v1/" + request)
    if answer.status != 200:
        return answer.text()
    tensors = {tensor["name"]: tensor["data"] for tensor in answer.json()["tensors"]}
    if name not in tensors:
        return "answers %s, not %s" % (", ".join(tensors), name)
    words, values = numbers_of(text), list(flatten(tensors[name]))
    first = int(start or 0)
    if len(values) < first + len(words) or (not start and len(values) != len(words)):
        return "%d numbers, not %d" % (len(values), first + len(words))
    for i, (got, word) in enumerate(zip(values[first:], words), first):
        if not fits(got, word):
            return "%s[%d] is %r, not %s" % (name, i, got, word)
    return None


def run(url, path):
    passed = failed = 0
    lines = read_lines(path, 4)
    ids = [cells[0] for cells in read_lines(os.path.join(HERE, "ids.tsv"), 2)]
    faults = [(name, "has no line in ids.tsv") for name in {line[0] for line in lines} - set(ids)]
    faults += [(name, "has no line") for name in ids if name not in {line[0] for line in lines}]
    at = urlsplit(url)
    with Client((at.hostname, at.port or 80)) as client:
        for name, request, output, text in lines:
            if request == "-":
                fault = None if output else "- without a reason"
            else:
                fault = fault_of(client, request, output, text)
            passed += request != "-" and not fault
            if fault:
                faults.append((name, "/v1/%s\n     %s" % (request, fault)))
    for name, fault in sorted(faults):
        print("FAIL %s\n     %s" % (name, fault))
    failed = len(faults)
    for name, _, reason, _ in (line for line in lines if line[1] == "-"):
        print("without an example: %s (%s)" % (name, reason))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


def main():
    options = arguments(__doc__, ("file", {"nargs": "?", "default": os.path.join(HERE, "worked.tsv")}))
    return served(options, lambda url: run(url, options.file))


if __name__ == "__main__":
    sys.exit(main())
