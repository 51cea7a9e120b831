# SPDX-License-Identifier: Apache-2.0
"""documents.py - what the documents say of the code: each file and folder that they name exists,
and docs/architecture.md shows the levels of overload as server/sys/overload_level.def has them."""

import glob
import os
import re

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "core/README.md", "tests/README.md",
             "docs/architecture.md")
LEVELS, TABLE = "server/sys/overload_level.def", "docs/architecture.md"
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(core|proto|server|tests|docs|deploy)/[\w./*-]*")
NAME = re.compile(r"[\w-]+\.(c|h|def|py)")

wrong = [
    {TABLE: "`server/no_such_file.c`"},
    {TABLE: "`no_such_file.c`"},
    {LEVELS: 'LEVEL(NONE, 0)\nLEVEL(BUSY, 70)\nEFFECT(REST, BUSY, "it rests")\n',
     TABLE: "| 0 | | nothing |\n| 1 | 70 % | it works |\n"},
]


def check(tree):
    texts = {path: tree.files[path] for path in DOCUMENTS if path in tree.files}
    if tree.build:
        for path in DOCUMENTS:
            with open(path, encoding="utf-8") as file:
                texts[path] = file.read()
    names = {os.path.basename(path) for path in glob.glob("[!.b]*/**", recursive=True)}
    findings = []
    for path, text in texts.items():
        for word in QUOTED.findall(text):
            if PATH.fullmatch(word) and not glob.glob(word) or \
                    NAME.fullmatch(word) and word not in names:
                findings.append("%s: there is no %s" % (path, word))
    for row in overload(tree.files.get(LEVELS, "")):
        if row not in texts.get(TABLE, ""):
            findings.append("%s: the table of overload has no row %s" % (TABLE, row))
    return findings


def overload(text):
    """The rows of the table that stand for levels with effects."""
    levels = re.findall(r"^LEVEL\((\w+), (\d+)\)", text, re.MULTILINE)
    effects = re.findall(r'^EFFECT\(\w+, (\w+),\s+"([^"]+)"\)', text, re.MULTILINE)
    return ["| %d | %s %% | %s |" % (number, percent, "; ".join(
                says for level, says in effects if level == name))
            for number, (name, percent) in enumerate(levels) if number > 0]
