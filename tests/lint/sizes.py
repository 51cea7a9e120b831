# SPDX-License-Identifier: Apache-2.0
"""sizes.py - at most 400 lines a file and 60 a function. A longer one gives its
reason, a file (of 500 lines at most) in the comment at its head, a function in the comment above
it:
lint: long, because ..."""

import re

FILE_LINES, LONG_FILE_LINES, FUNCTION_LINES = 400, 500, 60
ESCAPE = re.compile(r"/\* lint: long, because \S+")
FILE_ESCAPE = re.compile(r"lint: long, because \S+")

wrong = [
    {"core/a.c": "int x;\n" * (FILE_LINES + 1)},
    {"core/a.c": "int x; /* lint: long, because x */\n" * (FILE_LINES + 1)},
    {"core/a.c": "/* lint: long, because x. */\n" + "int x;\n" * LONG_FILE_LINES},
    {"core/a.c": "int f(void)\n{\n" + "    g();\n" * (FUNCTION_LINES + 1) + "}\n"},
    {"tests/core/test_a.c": "START_TEST(f)\n{\n" + "    g();\n" * (FUNCTION_LINES + 1) + "}\n"},
]


def check(tree):
    findings = []
    for path, text in tree.under(["core", "proto", "server", "tests"]):
        lines = text.splitlines()
        most = LONG_FILE_LINES if FILE_ESCAPE.search(head(text)) else FILE_LINES
        if len(lines) > most:
            findings.append("%s: %d lines, at most %d: give the second noun in it a file of "
                            "its own" % (path, len(lines), most))
        findings += functions(path, lines)
    return findings


def head(text):
    """The comment with which a file begins."""
    return text[:text.find("*/")] if text.startswith("/*") else ""


def functions(path, lines):
    """A body is the text between a { and a } in the first column."""
    findings, start = [], None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line.startswith("}") and start is not None:
            length = number - start + 1
            if length > FUNCTION_LINES and not excused(lines, start):
                findings.append("%s:%d: a function of %d lines, at most %d: give its steps "
                                "names, or say /* lint: long, because ... */ above it"
                                % (path, start, length, FUNCTION_LINES))
            start = None
    return findings


def excused(lines, brace):
    """Whether the comment above the function of this brace gives a reason."""
    above = brace - 1
    while above > 0 and lines[above].strip() and brace - above < 20:
        if ESCAPE.search(lines[above]):
            return True
        above -= 1
    return False
