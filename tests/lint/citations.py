# SPDX-License-Identifier: Apache-2.0
"""citations.py - a reader can open what a comment cites: a file of this repository, a paper, an
RFC, a public source. A document that is not in the checkout explains nothing."""

import os
import re

from tree import line_of

FOLDERS = ("core", "proto", "server", "tests")
ENDS = (".c", ".h", ".def", ".cc")
# Documents by file name (API.md), or by the names of the notes from which this was designed.
FILE = re.compile(r"\b[A-Za-z][\w-]*\.md\b")
NOTES = re.compile(r"\b(?:CATALOGUE|RELIABILITY|ARCHITECTURE|GOLDEN-NOTES)\b|"
                   r"\b(?:API|STYLE|PEERS) \d+(?:\.\d+)*\b")

wrong = [
    {"core/a.c": "/* as in CATALOGUE 0.7 */\n"},
    {"server/a.h": "/* (RELIABILITY 5.1) */\n"},
    {"proto/a.c": "/* see API.md */\n"},
    {"proto/b.c": "/* headers (API 4) */\n"},
    {"tests/core/test_a.c": "/* the CATALOGUE's recipe */\n"},
]


def exists(name, path):
    folders = ["", "docs", "docs/learn", os.path.dirname(path), *FOLDERS]
    return any(os.path.exists(os.path.join(folder, name)) for folder in folders)


def check(tree):
    findings = []
    for path, text in tree.under(FOLDERS, ENDS):
        cited = [m for m in FILE.finditer(text) if not exists(m.group(0), path)]
        for match in [*cited, *NOTES.finditer(text)]:
            findings.append("%s:%d: cites %s, which is not in this repository: say the fact "
                            "itself, or name the paper, the RFC or the public file it is from"
                            % (path, line_of(text, match.start()), match.group(0)))
    return findings
