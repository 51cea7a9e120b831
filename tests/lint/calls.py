# SPDX-License-Identifier: Apache-2.0
"""calls.py - functions and words that the code does not use, each with its replacement."""

import re

from tree import code_only, line_of

EVERYWHERE = ("core", "proto", "server", "tests")
LIBRARIES = ("core", "proto")

# (words, folders, replacement); a word is a call unless it holds a space.
BANNED = [
    (("sprintf", "vsprintf", "strcpy", "strcat", "stpcpy"), EVERYWHERE,
     "snprintf into a sized buffer and look at its result, or proto/text/buffer.h"),
    (("strncpy", "strncat"), EVERYWHERE, "memcpy of a length that was checked"),
    (("strtok", "strtok_r"), EVERYWHERE, "walk the text with a pointer and an end"),
    (("atoi", "atol", "atoll", "atof"), EVERYWHERE,
     "core/args/number.h in core, a parameter row elsewhere: they say what is wrong"),
    (("gets",), EVERYWHERE, "fgets, or read into a sized buffer"),
    (("alloca", "__builtin_alloca"), EVERYWHERE, "a sized array, or malloc and its check"),
    (("sleep", "usleep", "nanosleep"), EVERYWHERE,
     "wait for the thing itself: a timer of the loop, a condition, a readable descriptor"),
    (("printf", "puts", "putchar", "fprintf", "fputs", "perror"), LIBRARIES,
     "write to the caller's buffer; only server talks to descriptors"),
    (("exit", "abort", "_exit", "quick_exit"), LIBRARIES,
     "a status for bad data, assert for our own bugs"),
    (("getenv", "setlocale", "time", "clock", "clock_gettime", "rand", "random", "srand"),
     LIBRARIES, "an argument: core and proto are pure functions"),
    (("setlocale", "rand", "srand", "gmtime", "localtime", "getpwnam"),
     ("server",), "the re-entrant or local form: several threads run here"),
]
# (words, the files of the service that may write them, replacement).
ONE_PLACE = [
    (r"\.kind = TRANSPORT_(?:BYTES|FILE|PULLED|NONE)",
     r"server/(exchange/response_body|mhd/mhd_probe)\.c$",
     "server/exchange/response_body.h, where a body needs a reservation"),
]
GENERATOR = re.compile(r"/make_\w+\.c$")  # a program of the build: it prints and may stop

wrong = [
    {"core/a.c": "int f(char *p)\n{\n    return sprintf (p, x);\n}\n"},
    {"tests/core/test_a.c": "    strcpy(a, b);\n"},
    {"tests/server/test_a.c": "    usleep(10);\n"},
    {"proto/a.c": '    printf("x");\n'},
    {"core/math/a.c": "    exit(1);\n"},
    {"server/a.c": "    x = localtime(&t);\n"},
    {"server/a.c": "    b = (struct transport_body){.kind = TRANSPORT_BYTES, .bytes = p};\n"},
    {"core/a.c": "/* TO" "DO: later */\n"},
    {"core/a.c": "#define NDE" "BUG\n"},
]


def check(tree):
    findings = []
    for words, folders, instead in BANNED:
        pattern = re.compile(r"(?<![\w.>])(%s)\s*\(" % "|".join(words))
        for path, text in tree.under(folders):
            if folders == LIBRARIES and GENERATOR.search(path):
                continue
            for match in pattern.finditer(code_only(text)):
                findings.append("%s:%d: %s() is not used here: %s" % (
                    path, line_of(text, match.start()), match.group(1), instead))
    for words, place, instead in ONE_PLACE:
        for path, text in tree.under(("server",)):
            for match in re.finditer(r"(%s)\b" % words, code_only(text)):
                if not re.search(place, path):
                    findings.append("%s:%d: %s is not used here: %s" % (
                        path, line_of(text, match.start()), match.group(1), instead))
    for path, text in tree.under(EVERYWHERE, (".c", ".h", ".def", ".cc")):
        for match in re.finditer(r"\b(TODO|FIXME|XXX|HACK)\b", text):
            findings.append("%s:%d: %s: finish it, or open an issue and say nothing here" % (
                path, line_of(text, match.start()), match.group(1)))
        for match in re.finditer(r"\bNDEBUG\b", text):
            findings.append("%s:%d: asserts stay on in release" % (
                path, line_of(text, match.start())))
    return findings
