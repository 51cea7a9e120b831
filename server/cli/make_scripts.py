#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_scripts.py FILE... - the scripts of completion as rows of a C header: the shell, which is the
file's suffix, and the text."""

import os
import sys


def literal(text):
    """The text as string literals of C, a line each."""
    lines = text.splitlines(keepends=True)
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for line in lines]
    return "\n".join('    "%s"' % line for line in escaped)


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "posencd complete" not in text:
            sys.exit("%s: must ask `posencd complete`" % path)
        shell = os.path.splitext(path)[1][1:]
        print('{"%s",\n%s},' % (shell, literal(text)))


main()
