# SPDX-License-Identifier: Apache-2.0
"""layout.py - the layout that clang-format does not check: columns, tabs, ends of lines and of
files."""

COLUMNS = 96

wrong = [
    {"core/a.c": "x" * (COLUMNS + 1) + "\n"},
    {"core/a.c": "\tx;\n"},
    {"core/a.c": "x; \n"},
    {"core/a.c": "x;"},
    {"core/a.c": "x;\n\n"},
]


def check(tree):
    findings = []
    for path, text in tree.under(["core", "proto", "server", "tests"], (".c", ".h", ".def")):
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > COLUMNS and not path.endswith(".def"):
                findings.append("%s:%d: %d columns, at most %d: break the line" % (
                    path, number, len(line), COLUMNS))
            if "\t" in line:
                findings.append("%s:%d: a tab: indent by four spaces" % (path, number))
            if line != line.rstrip():
                findings.append("%s:%d: ends with a space: take it away" % (path, number))
        if not text.endswith("\n") or text.endswith("\n\n"):
            findings.append("%s: end it with exactly one newline" % path)
    return findings
