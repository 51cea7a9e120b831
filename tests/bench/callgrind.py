# SPDX-License-Identifier: Apache-2.0
"""callgrind.py - a posencd that runs under callgrind, and the calls in the file that callgrind wrote."""

import os
import re
from collections import namedtuple

OURS = re.compile(r"(?:^|/)((?:core|proto|server)/[\w/]+\.[ch])$")
NAME = re.compile(r"\((\d+)\)(?: (.*))?$")
Call = namedtuple("Call", "file caller callee_file callee count")


def script(folder, program):
    """The path of a script that runs the program under callgrind, which writes folder/out."""
    path = os.path.join(folder, "posencd")
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\nexec valgrind --tool=callgrind --callgrind-out-file=%s/out "
                   "--log-file=/dev/null %s \"$@\"\n" % (folder, os.path.abspath(program)))
    os.chmod(path, 0o755)
    return path


def calls(folder):
    """The calls of a run, one for each line of the file; callgrind names a file and a function once
    and then writes their numbers."""
    files, functions = {}, {}
    here = caller = callee_file = callee = None
    with open(os.path.join(folder, "out"), encoding="utf-8") as file:
        for line in file:
            key, _, rest = line.rstrip("\n").partition("=")
            if key in ("fl", "fi", "fe", "cfi", "cfl", "fn", "cfn"):
                names = functions if key in ("fn", "cfn") else files
                number, name = NAME.match(rest).groups()
                names.setdefault(number, name)
                if key == "fl":
                    here = callee_file = names[number]
                elif key == "fn":
                    caller = names[number]
                elif key in ("cfi", "cfl"):
                    callee_file = names[number]
                elif key == "cfn":
                    callee = names[number]
            elif key == "calls":
                yield Call(here or "", caller, callee_file or "", callee or "",
                           int(rest.split()[0]))
                callee_file = here
