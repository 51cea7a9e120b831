# SPDX-License-Identifier: Apache-2.0
"""layers.py - server -> proto -> core, proved in two ways: by the includes of each folder, and by
linking core and proto with only the libraries that they may know."""

import glob
import os
import re
import subprocess
import tempfile

from tree import code_only, line_of

C11 = {"assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h",
       "limits.h", "math.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h",
       "stdint.h", "stdio.h", "stdlib.h", "string.h"}

# The first row that fits a path decides: folder, project includes, system includes, advice.
# None: anything.
RULES = [
    (r"core/posenc\.h$", r"^posenc_show\.h$", C11, "the public header stands alone"),
    (r"core/posenc_show\.h$", r"^$", C11, "the public header stands alone"),
    (r"core/posenc_verify\.h$", r"^posenc\.h$", C11, "a public header needs posenc.h alone"),
    (r"core/math/", r"^core/", C11 | {"mpfr.h", "gmp.h"},
     "core is mathematics: hand what you need in as an argument"),
    (r"core/text/make_\w+\.c$", r"^core/", C11 | {"mpfr.h", "gmp.h"},
     "a generator knows its own header and MPFR"),
    (r"proto/pictures/make_\w+\.c$", r"^$", C11 | {"ft2build.h"}, "a generator knows FreeType"),
    (r"core/", r"^(core/.*|float_powers\.h)$", C11,
     "core is mathematics; MPFR belongs to core/math, the rest to proto or server"),
    (r"proto/", r"^(proto/.*|core/posenc(_verify)?\.h|"
                r"core/args/(args_at|args_parse|when_clause)\.h|core/plan/plan_size\.h|"
                r"core/text/.*|(model|guide|schema|glyph)_rows\.h)$",
     C11 | {"strings.h", "jansson.h", "xxhash.h", "libdeflate.h", "zlib.h", "png.h"},
     "proto is pure functions of bytes over core/posenc.h, four headers of core and core/text; "
     "sockets, clocks, threads and files belong to server"),
    (r"server/", r"^(server/.*|proto/.*|core/posenc(_verify)?\.h|"
                 r"(web_assets|completion_scripts)\.h)$", None, "server knows core by its public headers only"),
]
# (path, header): reason.
EXCEPTIONS = {
    ("proto/text/json_memory.c", "malloc.h"): "malloc_usable_size, to count what jansson took",
    ("proto/pictures/png_writer.c", "setjmp.h"): "libpng leaves a failed call by longjmp",
    ("core/math/trig/wave_angles.c", "immintrin.h"): "products of 32 bits in lanes of 64",
    ("core/math/stream_store.c", "emmintrin.h"): "stores past the caches, which C has no word for",
}
# The folders of a part, lower first; "" is the part's root. A file may include headers of its own
# folder and of those before it.
ORDER = {
    "proto": ["text", "http", "pictures", "tensors", "tensors/gguf", "models", "request", "output",
              "batch", "inference", "describe", "pages", "models/hf", "verify", "local"],
    "server": ["http", "mhd", "sys", "config", "quota", "cache", "files", "net", "compute",
               "exchange", "document", "batch",
               "handlers", "", "cli/command", "cli/tensors", "cli", "cli/verify"],
}
# Headers that every folder of their part may include, and the face through which a lower folder
# calls a higher one. (folder or path, header): reason.
SHARED = {"server/shared.h"}
FACES = {
    ("server/net", "server/exchange/exchange.h"): "what a transport tells runs an exchange",
}
# libmicrohttpd is known to one folder, which implements the face of a transport, and its tests.
# Two programs of the tests do without the service: one that the service is compared with, and a
# library that fails.
TRANSPORT = re.compile(r"\bMHD_\w+|\bmicrohttpd\.h\b")
KNOWS_TRANSPORT = re.compile(
    r"server/mhd/|tests/server/mhd/|tests/bench/floor\.c$|tests/campaign/fail_library\.c$")
NOT_IN_SERVER = {"jansson.h", "mpfr.h", "gmp.h", "libdeflate.h", "zlib.h", "png.h"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)

wrong = [
    {"core/args/args.c": '#include <uv.h>\n'},
    {"core/args/args.c": '#include <mpfr.h>\n'},
    {"core/encodings/bias/alibi.c": '#include "proto/request/request.h"\n'},
    {"proto/request/query.c": '#include "core/encoding.h"\n'},
    {"proto/request/query.c": '#include "core/args/number.h"\n'},
    {"proto/request/query.c": '#include <microhttpd.h>\n'},
    {"proto/request/query.c": '#include <pthread.h>\n'},
    {"server/exchange/exchange.c": '#include "core/encoding.h"\n'},
    {"server/exchange/exchange.c": '#include <jansson.h>\n'},
    {"server/exchange/exchange.c": '#include <microhttpd.h>\n'},
    {"server/net/daemon.c": "struct MHD_Connection *connection;\n"},
    {"tests/server/net/test_daemon.c": '#include <microhttpd.h>\n'},
    {"core/posenc.h": '#include "core/encoding.h"\n'},
    {"server/net/loop.c": '#include "server/handlers/routes.h"\n'},
    {"proto/text/buffer.c": '#include "proto/request/query.h"\n'},
]


def check(tree):
    findings = []
    for path, text in tree.under(["core", "proto", "server"]):
        for _, project, system, advice in [r for r in RULES if re.match(r[0], path)][:1]:
            for match in INCLUDE.finditer(code_only(text, keep_strings=True)):
                kind, name = match.groups()
                if kind == '"':
                    allowed = re.match(project, name)
                elif system is None:
                    allowed = name not in NOT_IN_SERVER
                else:
                    allowed = name in system
                if not allowed and (path, name) not in EXCEPTIONS:
                    findings.append("%s:%d: may not include %s: %s" % (
                        path, line_of(text, match.start()), name, advice))
    findings += upward(tree)
    findings += transport_known(tree)
    if tree.build:
        findings += undescribed(tree)
        findings += link_alone(tree.build)
    return findings


def rank(path):
    """(part, number of the folder in its order) of a source or header; None where no order
    rules."""
    part, _, rest = path.partition("/")
    folder = os.path.dirname(rest)
    order = ORDER.get(part, [])
    return (part, order.index(folder)) if folder in order else None


def upward(tree):
    """Includes of a header from a folder that comes later in the order."""
    findings = []
    for path, text in tree.under(sorted(ORDER)):
        if path.startswith("server/") and path.count("/") == 1 and path.endswith(".c"):
            continue  # the root's sources join all folders
        for match in INCLUDE.finditer(code_only(text, keep_strings=True)):
            name = match.group(2)
            here, there = rank(path), rank(name)
            if not here or not there or here[0] != there[0] or there[1] <= here[1] or \
                    name in SHARED or (os.path.dirname(path), name) in FACES:
                continue
            findings.append("%s:%d: includes %s, whose folder comes after its own: move what it "
                            "needs down" % (path, line_of(text, match.start()), name))
    return findings


def transport_known(tree):
    """Uses of libmicrohttpd past the face that server/http/transport.h is."""
    return ["%s:%d: %s is known to server/mhd only: server/http/transport.h is its face" % (
        path, line_of(text, match.start()), match.group(0))
        for path, text in tree.under(["core", "proto", "server", "tests"])
        if not KNOWS_TRANSPORT.match(path)
        for match in TRANSPORT.finditer(code_only(text))]


DESCRIPTION = "docs/architecture.md"
TABLES_OF_MODULES = "proto/local/wasm/"  # as in the tree: the row of proto/local names the folder


def undescribed(tree):
    """Folders of sources without a row in the description of the tree, and rows without a folder."""
    folders = {os.path.dirname(path) + "/" for path, _ in tree.under(["core", "proto", "server"],
                                                                    (".c", ".h", ".def"))
               if not path.startswith(TABLES_OF_MODULES)}
    with open(DESCRIPTION, encoding="utf-8") as file:
        rows = set(re.findall(r"^\| `((?:core|proto|server)/[\w/]*)` \|", file.read(), re.MULTILINE))
    return ["%s: %s has no row in the tree" % (DESCRIPTION, folder)
            for folder in sorted(folders - rows)] + \
           ["%s: %s is no folder" % (DESCRIPTION, row)
            for row in sorted(rows) if not os.path.isdir(row)]


def symbols(archive, *options):
    """The names of functions and objects of an archive that nm prints with these options."""
    text = subprocess.run(["nm", "--format=posix", "--extern-only", *options, archive],
                          capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^(\w+) [A-Z] ?", text, re.MULTILINE))


def beyond_the_headers(build):
    """What proto takes from core though no header that proto may include declares it."""
    core, proto = (os.path.join(build, name) for name in ("libposenc.a", "libproto.a"))
    taken = symbols(proto, "--undefined-only") & symbols(core, "--defined-only")
    declared = set()
    for header in ["core/posenc.h", "core/posenc_verify.h", "core/args/args_at.h",
                   "core/args/args_parse.h", "core/args/when_clause.h",
                   "core/plan/plan_size.h",
                   *glob.glob("core/text/*.h")]:
        with open(header, encoding="utf-8") as text:
            declared |= set(re.findall(r"\w+", code_only(text.read())))
    return ["proto calls %s, which core declares for itself only" % name
            for name in sorted(taken - declared)]


def link_alone(build):
    """Links shared objects without undefined symbols, of one layer and the libraries it may
    know."""
    trials = [
        ("core", ["libposenc.a"], ["-lm", "-lmpfr", "-lgmp"],
         "core may call libc, libm and MPFR only"),
        ("proto", ["libproto.a"],
         [os.path.join(build, "libposenc.a"), "-ljansson", "-lxxhash", "-ldeflate", "-lpng", "-lz",
          "-lmpfr", "-lgmp", "-lm"],
         "proto may call core, jansson, xxhash, libdeflate, libpng and zlib only"),
    ]
    findings = beyond_the_headers(build)
    with tempfile.TemporaryDirectory() as scratch:
        for layer, archives, libraries, advice in trials:
            inside = [os.path.join(build, archive) for archive in archives]
            run = subprocess.run(
                ["cc", "-shared", "-Wl,-z,defs", "-o", os.path.join(scratch, layer + ".so"),
                 "-Wl,--whole-archive", *inside, "-Wl,--no-whole-archive", *libraries],
                capture_output=True, text=True)
            if run.returncode != 0:
                lines = [line for line in run.stderr.split("\n") if "undefined" in line]
                findings.append("%s does not link alone: %s\n  %s" % (
                    layer, advice, "\n  ".join(lines[:10] or [run.stderr.strip()])))
    return findings
