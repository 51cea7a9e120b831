# SPDX-License-Identifier: Apache-2.0
"""names.py - foo.o exports foo_* (in core also pe_*) and keeps no writable state. This is read from
the objects, so that no macro hides a name. An exception stands in a table here, with its reason."""

import os
import subprocess
import tempfile

from tree import stem

# (path, what the symbol begins with): reason.
EXPORTS = {
    ("server/main.c", "main"): "the program",
    ("core/args/position_text.c", "positions_"): "the grammar's side of positions.h",
    ("proto/text/json_body.c", "json_body_"): "the noun is the JSON body; body.h is short for it",
}
STATE = {
    ("core/math/cpu.c", ""): "the path in use, picked once or forced by pe_cpu_path_set",
    ("core/math/number/mpfr_memory.c", "holders"): "MPFR's constants take no context; per thread",
    ("core/math/number/mpfr_reserve.c", "reserve"): "GMP's allocator takes no context",
    ("server/mhd/mhd_shortcut.c", ""): "what works with the library, which is one for the process",
    ("proto/text/json_memory.c", "meter"): "jansson's allocator takes no context; per thread",
}

WRITABLE = (".data", ".bss", ".tdata", ".tbss", "*COM*")

wrong = [
    {"server/cache/cache.c": "int table_cache_get(void);\nint table_cache_get(void) { return 0; }\n"},
    {"proto/request/query.c": "int pe_query(void);\nint pe_query(void) { return 0; }\n"},
    {"core/args/args_set.c": "int args_field(void);\nint args_field(void) { return 0; }\n"},
    {"core/math/relative/slopes.c": "int *slopes_at(void);\n"
                           "int *slopes_at(void) { static int calls; return &calls; }\n"},
    {"server/cache/cache.c": "extern int cache_size;\nint cache_size = 1;\n"},
]


def allowed(path, symbol, headers):
    """The file's own prefix; for args_set.c also args_, if args.h says what args is; in a folder of
    rows (core/encodings, proto/output) the row's name: encoding_rope."""
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
    rows = {"core/encodings/": "encoding_", "proto/output/": "format_"}
    return any(path.startswith(folder) and symbol == prefix + own
               for folder, prefix in rows.items())


def excepted(table, path, symbol):
    return any(path == where and symbol.startswith(prefix) for where, prefix in table)


def check(tree):
    findings = []
    headers = {path for path in tree.files if path.endswith(".h")}
    for path, text in tree.under(["core", "proto", "server"], [".c"]):
        for symbol, kind, section in symbols(tree.build, path, text):
            if kind.isupper() and not allowed(path, symbol, headers) \
                    and not excepted(EXPORTS, path, symbol):
                findings.append("%s: exports %s: make it static, or name it %s_..., after "
                                "its file" % (path, symbol, stem(path)))
            if section.startswith(WRITABLE) and not section.startswith(".data.rel.ro") \
                    and not excepted(STATE, path, symbol):
                findings.append("%s: %s is writable state of the whole process: make it const, "
                                "or a member of what is handed down" % (path, symbol))
    return findings


def symbols(build, path, text):
    """(name, kind, section) of each symbol that an object defines; kind is upper case for exports.
    An example (no build folder) is compiled here."""
    with tempfile.TemporaryDirectory() as scratch:
        built = os.path.join(build or scratch, "obj" if build else "", path[:-2] + ".o")
        if build is None:
            os.makedirs(os.path.dirname(built))
            subprocess.run(["cc", "-x", "c", "-c", "-o", built, "-"], input=text, text=True,
                           check=True)
        if not os.path.exists(built):
            return []  # a generator, which is not part of the product
        listing = subprocess.run(["nm", "-f", "sysv", "--defined-only", built], check=True,
                                 capture_output=True, text=True).stdout
    rows = [[field.strip() for field in line.split("|")] for line in listing.splitlines()]
    return [(row[0], row[2], row[6]) for row in rows
            if len(row) == 7 and row[0] != "Name" and row[3] != "FILE"]
