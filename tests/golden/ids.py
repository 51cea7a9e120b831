#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ids.py - every id under which a method is looked for is served, or a page says that it is not.

    tests/golden/ids.py [--url URL] [FILE]

Asks for what each line of ids.tsv names: a request must be answered with tensors that have
elements, a page must have the words. An id that is not served (-) counts from the day an encoding
has its name; until then it is named, not counted. The last line is "N passed, N failed"."""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from service import Refused, Service, arguments, served  # noqa: E402


def read_ids(path):
    """(id, what serves it) of each line, in the file's order."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    names = [name for name, _ in lines]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise SystemExit("%s: more than one line: %s" % (path, ", ".join(sorted(twice))))
    return lines


def fault_of_request(service, request):
    """Why the answer has no tensor with elements, or None."""
    try:
        answer = json.loads(service._ask("GET", "/v1/" + request)[1])
    except Refused as fault:
        return str(fault)
    wanted = request.partition("?")[0]
    if answer["encoding"] != wanted:
        return "%s answered, not %s" % (answer["encoding"], wanted)
    if not answer["tensors"]:
        return "no tensors"
    for tensor in answer["tensors"]:
        if 0 in tensor["shape"] or tensor["data"] in ([], None):
            return "%s is empty: shape %s" % (tensor["name"], tensor["shape"])
    return None


def fault_of_suggestion(service, name, request):
    """Why the 404 of /v1/name does not lead to the request, or None."""
    if name in service.encodings:
        return None
    try:
        service._ask("GET", "/v1/" + name)
    except Refused as fault:
        named = re.search(r'did you mean /v1/([^"]*)\?"', str(fault))
        route, _, query = named.group(1).partition("?") if named else ("", "", "")
        wanted, _, given = request.partition("?")
        if route == wanted and all(any(part.startswith(told) for part in given.split("&"))
                                   for told in query.split("&")):
            return None
        return "does not lead to /v1/%s: %s" % (request, fault)
    return "/v1/%s answers, but /v1/encodings has no such name" % name


def fault_of_page(reference):
    """Why the page does not mention it, or None."""
    page, words = reference.split(": ", 1)
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return None if words in file.read() else "%s does not say: %s" % (page, words)


def run(url, path):
    service = Service(url)
    passed = failed = 0
    absent = []
    for name, serves in read_ids(path):
        if serves == "-" and name not in service.encodings:
            absent.append(name)
            continue
        if serves == "-":
            serves = service.encodings[name]["example"][len("/v1/"):]
        if serves.startswith("docs/"):
            fault = fault_of_page(serves)
        else:
            fault = (fault_of_request(service, serves)
                     or fault_of_suggestion(service, name, serves))
        passed, failed = passed + (not fault), failed + bool(fault)
        if fault:
            print("FAIL %s\n     %s" % (name, fault))
    if absent:
        print("not served yet: " + ", ".join(absent))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


def main():
    options = arguments(__doc__, ("file", {"nargs": "?", "default": os.path.join(HERE, "ids.tsv")}))
    return served(options, lambda url: run(url, options.file))


if __name__ == "__main__":
    sys.exit(main())
