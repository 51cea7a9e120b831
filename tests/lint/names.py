# SPDX-License-Identifier: Apache-2.0
"""names.py - foo.o exports foo_* (in core also pe_*), and keeps no writable state; read from
the objects, so nothing hides behind a macro. What departs from it stands in a table here,
with its reason."""

import os
import subprocess

from tree import stem

# (path, symbol or "*"): reason.
EXPORTS = {
    ("server/main.c", "main"): "the program",
}
STATE = {
    ("core/math/cpu.c", "*"): "the path in use, picked once or forced by pe_cpu_path_set",
}

WRITABLE = (".data", ".bss", ".tdata", ".tbss", "*COM*")

wrong = []  # needs objects: `allowed` below is tried instead


def allowed(path, symbol, headers):
    """The file's own prefix; of args_set.c also args_, if args.h says what args is; in
    a folder of rows (core/encodings, proto/formats) the row's name: encoding_rope."""
    own = stem(path)
    if symbol == own or symbol.startswith(own + "_"):
        return True
    if path.startswith("core/") and symbol.startswith("pe_"):
        return True
    words = own.split("_")
    for count in range(1, len(words)):
        noun = "_".join(words[:count])
        if os.path.join(os.path.dirname(path), noun + ".h") in headers:
            if symbol == noun or symbol.startswith(noun + "_"):
                return True
    rows = {"core/encodings/": "encoding_", "proto/formats/": "format_"}
    return any(path.startswith(folder) and symbol == prefix + own
               for folder, prefix in rows.items())


assert allowed("server/cache.c", "cache_get", set())
assert not allowed("server/cache.c", "store_get", set())
assert not allowed("server/cache.c", "cachet", set())
assert not allowed("proto/query.c", "pe_query", set())
assert allowed("core/args_set.c", "args_field", {"core/args.h"})
assert not allowed("core/args_set.c", "args_field", set())


def excepted(table, path, symbol):
    return (path, symbol) in table or (path, "*") in table


def check(tree):
    if not tree.build:
        return []
    findings = []
    headers = {path for path in tree.files if path.endswith(".h")}
    for path, _ in tree.under(["core", "proto", "server"], [".c"]):
        built = os.path.join(tree.build, "obj", path[:-2] + ".o")
        if not os.path.exists(built):
            continue
        for symbol, kind, section in symbols(built):
            if kind.isupper() and not allowed(path, symbol, headers) \
                    and not excepted(EXPORTS, path, symbol):
                findings.append("%s: exports %s: make it static, or name it %s_..., after "
                                "its file" % (path, symbol, stem(path)))
            if section.startswith(WRITABLE) and not section.startswith(".data.rel.ro") \
                    and not excepted(STATE, path, symbol):
                findings.append("%s: %s is writable state of the whole process: make it const, "
                                "or a member of what is handed down" % (path, symbol))
    return findings


def symbols(built):
    """(name, kind, section) of what an object defines; kind is upper case for exports."""
    listing = subprocess.run(["nm", "-f", "sysv", "--defined-only", built], check=True,
                             capture_output=True, text=True).stdout
    for line in listing.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7 and fields[0] != "Name" and fields[3] != "FILE":
            yield fields[0], fields[2], fields[6]
