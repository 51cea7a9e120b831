# SPDX-License-Identifier: Apache-2.0
"""dialect.py - one dialect of C: a pointer is its own condition (p, !p), and a blank line stands
between the declarations of a block and its statements. clang-format keeps the rest, braces too."""

import re

from tree import code_only, line_of

COMPARED = re.compile(r"== NULL\b|^\s*(?:\} else )?(?:if|while) \(\w+ != NULL\b", re.MULTILINE)
# A block whose first line is a declaration and whose second line is a statement.
CRAMPED = re.compile(
    r"\{\n[ \t]+(?:const )?(?:struct \w+|size_t|bool|int|double|char|u?int\d+_t) \*?\w+"
    r"(?:\[\w*\])?(?: = [^;{]*)?;\n[ \t]+(?:if \(|for \(|while \(|return\b|switch \()")

wrong = [
    {"core/args/args.c": "static bool a(void *p)\n{\n    return p == NULL;\n}\n"},
    {"proto/request/query.c": "static void a(char *p)\n{\n    if (p != NULL)\n        *p = 0;\n}\n"},
    {"server/main.c": "int main(void)\n{\n    int code = 0;\n    return code;\n}\n"},
]


def check(tree):
    findings = []
    for path, text in tree.under(["core", "proto", "server", "tests"]):
        code = code_only(text)
        for found in COMPARED.finditer(code):
            findings.append("%s:%d: compares with NULL: write p or !p" % (
                path, line_of(text, found.start())))
        for found in CRAMPED.finditer(code):
            findings.append("%s:%d: leave a blank line after the declarations" % (
                path, line_of(text, found.end())))
    return findings
