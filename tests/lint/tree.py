# SPDX-License-Identifier: Apache-2.0
"""tree.py - the sources as the rules see them: path -> text, also without comments and strings."""

import os
import re
import subprocess

FOLDERS = ("core", "proto", "server", "tests")
COPIED = "proto/clients/"  # programs that people copy, which are no part of ours
# A comment, a string or a character; the order matters where one contains another.
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


class Tree:
    def __init__(self, files, build):
        self.files = files  # path -> text
        self.build = build  # folder of objects and libraries, or None

    @staticmethod
    def of(files):
        """A tree of texts: the examples of a rule."""
        return Tree(files, None)

    @staticmethod
    def read(build):
        """The files below the four folders that git knows or would add."""
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS],
            check=True, capture_output=True, text=True).stdout.split("\n")
        files = {}
        for path in listed:
            if (path.endswith((".c", ".h", ".def", ".cc")) and os.path.exists(path)
                    and not path.startswith(COPIED)):
                with open(path, encoding="utf-8") as file:
                    files[path] = file.read()
        return Tree(files, build)

    def under(self, folders, ends=(".c", ".h")):
        """(path, text) of the files below the folders whose names have that end."""
        for path in sorted(self.files):
            if path.startswith(tuple(f + "/" for f in folders)) and path.endswith(tuple(ends)):
                yield path, self.files[path]


def code_only(text, keep_strings=False):
    """Text with comments, and strings unless kept, blanked; line numbers stay."""
    def blank(match):
        token = match.group(0)
        if keep_strings and token[0] in "\"'":
            return token
        return re.sub(r"[^\n]", " ", token)
    return TOKEN.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]
