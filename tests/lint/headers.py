# SPDX-License-Identifier: Apache-2.0
"""headers.py - each file names its licence and says what it answers for; each header is guarded and
compiles alone."""

import re
import subprocess

SPDX = "/* SPDX-License-Identifier: Apache-2.0"
INSTALLED = ("core/posenc.h", "core/posenc_show.h", "core/posenc_verify.h")
GUARD = r"^#ifndef (\w+_H)\n#define \1\n"

wrong = [
    {"core/a.c": "#include <a.h>\n"},
    {"core/a.c": SPDX + " */\n#include <a.h>\n"},
    {"core/a.h": SPDX + "\n * a.h - a. */\nint a(void);\n"},
    {"core/a.h": SPDX + "\n * a.h - a. */\n#ifndef PE_A_H\n#define PE_A_H\n#endif\n"},
    {"core/posenc.h": SPDX + "\n * posenc.h - a. */\n#pragma once\n"},
]


def check(tree):
    findings = []
    for path, text in tree.under(["core", "proto", "server", "tests"]):
        lines = text.split("\n")
        if lines[0] != SPDX:
            findings.append("%s:1: begin with %s" % (path, SPDX))
        elif len(lines) < 2 or not re.match(r" \* \S", lines[1]):
            findings.append("%s:2: say in one to four lines what this file answers for" % path)
        if path.endswith(".h"):
            findings += header(path, text, tree.build is not None)
    return findings


def header(path, text, compile_it):
    if not re.search(GUARD if path in INSTALLED else r"^#pragma once\n", text, re.MULTILINE):
        return ["%s: %s" % (path, "guard it with #ifndef NAME_H and #define NAME_H, for every "
                            "compiler" if path in INSTALLED else "write #pragma once")]
    if not compile_it:
        return []
    run = subprocess.run(
        ["cc", "-std=c11", "-D_GNU_SOURCE", "-I.", "-Ibuild/gen", "-Wall", "-Wextra", "-Wno-unused-parameter",
         "-Wpedantic", "-Werror", "-fsyntax-only", "-x", "c", "-"],
        input='#include "%s"\ntypedef int alone;\n' % path, capture_output=True, text=True)
    if run.returncode != 0:
        return ["%s: does not compile alone: include what it uses\n%s" % (path, run.stderr)]
    return []
