# SPDX-License-Identifier: Apache-2.0
"""closure.py - the loader and the libraries that a program needs, found as its loader will find them. The
program may be of another architecture, so nothing of it is run."""

import os
import re
import subprocess


def headers(path):
    return subprocess.run(["readelf", "--wide", "--dynamic", "--program-headers", path], check=True,
                          stdout=subprocess.PIPE, env=dict(os.environ, LC_ALL="C")).stdout.decode()


def needed(path):
    """(the loader or None, the names of libraries) of an ELF file."""
    text = headers(path)
    loader = re.search(r"program interpreter: ([^\]]+)\]", text)
    return (loader.group(1) if loader else None), re.findall(r"\(NEEDED\).*\[([^\]]+)\]", text)


def closure(program, folders):
    """The paths of everything that the program needs, sorted. The folders are those of the loader."""
    loader, names = needed(program)
    found = {loader} if loader else set()
    waiting, seen = list(names), set()
    while waiting:
        name = waiting.pop()
        if name in seen or loader and name == os.path.basename(loader):
            continue
        seen.add(name)
        path = next((path for path in (os.path.join(folder, name) for folder in folders)
                     if os.path.exists(path)), None)
        if path is None:
            raise SystemExit("ship.py: %s is in none of %s" % (name, " ".join(folders)))
        found.add(path)
        waiting += needed(path)[1]
    return sorted(found)
