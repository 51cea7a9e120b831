#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""folders.py - no folder of more than thirty sources, no two sources that include each other's
headers. Run as a program it prints what the tree weighs, and the calls between the files of each
folder of server (arrows.py): `make layout`."""

import os
import re
import subprocess
import sys

from tree import Tree, code_only

SOURCES = 30
PARTS = ("core", "proto", "server")
LARGE = re.compile(r"core/(encodings|models)/|tests/")  # one file an encoding, a model, a source
# Circles that are known, each a pair of sources without their suffixes.
CIRCLES = {
    ("core/encodings/index/ids_mrope", "core/encodings/index/ids_mrope_check"),
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)\.h"', re.MULTILINE)

wrong = [
    {"proto/a/%d.c" % number: "" for number in range(SOURCES + 1)},
    {"core/a.c": '#include "core/b.h"\n', "core/b.c": "", "core/b.h": '#include "core/a.h"\n'},
]


def sizes(tree):
    """Folder -> number of its sources, where the number is bounded."""
    count = {}
    for path, _ in tree.under(PARTS, (".c",)):
        if not LARGE.match(path):
            folder = os.path.dirname(path)
            count[folder] = count.get(folder, 0) + 1
    return count


def circles(tree):
    """Pairs of sources each of which, or its header, includes the other's header."""
    includes, sources = {}, set()
    for path, text in tree.under(PARTS):
        name, suffix = os.path.splitext(path)
        sources |= {name} if suffix == ".c" else set()
        includes.setdefault(name, set()).update(
            INCLUDE.findall(code_only(text, keep_strings=True)))
    return sorted((one, other) for one in sources for other in includes[one]
                  if one < other and other in sources and one in includes[other])


def check(tree):
    return ["%s: %d sources, at most %d: find the noun that is a folder of its own" % (
        folder, count, SOURCES) for folder, count in sorted(sizes(tree).items())
        if count > SOURCES] + \
           ["%s.c: includes %s.h, which includes its header: move what both need down" % pair
            for pair in circles(tree) if pair not in CIRCLES]


def lines(prefix):
    """Lines of .c, .h, .def and .inc below a folder, as git knows them."""
    listed = subprocess.run(["git", "ls-files", "--", prefix], check=True, capture_output=True,
                            text=True).stdout.split("\n")
    total = 0
    for path in listed:
        if path.endswith((".c", ".h", ".def", ".inc")) and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                total += sum(1 for _ in file)
    return total


def main():
    import arrows
    import layers
    tree = Tree.read(None)
    folder, most = max(sizes(tree).items(), key=lambda item: item[1])
    parts = {prefix: lines(prefix) for prefix in ("core", "core/encodings", "proto", "server",
                                                  "tests")}
    total = sum(parts[part] for part in ("core", "proto", "server", "tests"))
    parts["core"] -= parts["core/encodings"]
    print("includes against the order of folders: %d, each named in tests/lint/layers.py" %
          len(layers.FACES))
    print("circles of two sources and their headers: %d" % len(circles(tree)))
    print("largest folder outside encodings: %s, %d sources of at most %d" % (
        folder, most, SOURCES))
    print("lines: %s, total %d" % (", ".join("%s %d" % part for part in parts.items()), total))
    print("\n".join(arrows.report(tree)))


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    sys.exit(main())
