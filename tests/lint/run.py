#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py BUILD [RULE...] - the rules of the code base that a program can check.

Each rule is a module of this folder: check(tree) returns findings, and `wrong` holds small trees
in which it must find something. A rule is first tried on these trees, so that it cannot pass
because it sees nothing."""

import os
import sys

import arrows
import calls
import catalogue
import citations
import classes
import dialect
import documents
import folders
import headers
import layers
import layout
import names
import once
import parameters
import sizes
import verify
from tree import Tree

RULES = [layers, names, sizes, calls, arrows, catalogue, citations, classes, dialect, documents, folders,
         headers, once, parameters, layout, verify]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def blind(rule):
    """The examples of wrong code that the rule does not see."""
    return [files for files in rule.wrong if not rule.check(Tree.of(files))]


def main():
    os.chdir(ROOT)
    build, chosen = sys.argv[1], sys.argv[2:]
    tree = Tree.read(build)
    passed = failed = 0
    for rule in RULES:
        if chosen and rule.__name__ not in chosen:
            continue
        findings = ["lint is blind: %s does not object to %s" % (rule.__name__, files)
                    for files in blind(rule)]
        findings += rule.check(tree)
        for finding in findings:
            print(finding)
        passed, failed = passed + (not findings), failed + bool(findings)
    print("lint: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
