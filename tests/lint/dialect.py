# SPDX-License-Identifier: Apache-2.0
"""dialect.py - one dialect of C: a pointer is its own condition (p, !p), a blank line stands
between the declarations of a block and its statements, and a comment says what a function does
("Returns the row"), not what it is to do. clang-format keeps the rest, braces too."""

import re

from tree import code_only, line_of

COMPARED = re.compile(r"== NULL\b|^\s*(?:\} else )?(?:if|while) \(\w+ != NULL\b", re.MULTILINE)
# A block whose first line is a declaration and whose second line is a statement.
CRAMPED = re.compile(
    r"\{\n[ \t]+(?:const )?(?:struct \w+|size_t|bool|int|double|char|u?int\d+_t) \*?\w+"
    r"(?:\[\w*\])?(?: = [^;{]*)?;\n[ \t]+(?:if \(|for \(|while \(|return\b|switch \()")
IMPERATIVE = re.compile(
    r"/\*\s+(?:Return|Write|Fill|Find|Compute|Make|Get|Print|Copy|Store|Add|Set)"
    r"(?= (?:the|a|an|its|all|each|what|true|false|whether|how|out|one)\b)")
# The interfaces are as their users know them.
INTERFACES = ("core/posenc.h", "core/encoding.h")

wrong = [
    {"core/args/args.c": "/* Return the row. */\nint a(void)\n{\n    return 1;\n}\n"},
    {"core/args/args.c": "static bool a(void *p)\n{\n    return p == NULL;\n}\n"},
    {"proto/request/query.c": "static void a(char *p)\n{\n    if (p != NULL)\n        *p = 0;\n}\n"},
    {"server/main.c": "int main(void)\n{\n    int code = 0;\n    return code;\n}\n"},
]


def check(tree):
    findings = []
    for path, text in tree.under(["core", "proto", "server", "tests"]):
        code = code_only(text)
        for found in IMPERATIVE.finditer(text):
            if path not in INTERFACES:
                findings.append("%s:%d: say what it does: Returns, Writes, Sets" % (
                    path, line_of(text, found.start())))
        for found in COMPARED.finditer(code):
            findings.append("%s:%d: compares with NULL: write p or !p" % (
                path, line_of(text, found.start())))
        for found in CRAMPED.finditer(code):
            findings.append("%s:%d: leave a blank line after the declarations" % (
                path, line_of(text, found.end())))
    return findings
