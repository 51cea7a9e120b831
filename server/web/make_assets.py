#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_assets.py - bundles the pages' script and stylesheet by esbuild, compresses them, and
writes them as C: one row WEB_ASSET(NAME, TYPE, PLAIN, GZIP) a file. A name has the hash of the
content, so that browsers may keep the file for ever. Usage: make_assets.py ESBUILD FOLDER"""

import gzip
import hashlib
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import tables  # noqa: E402, the line above keeps the folder clean

ENTRIES = [("SCRIPT", "page.js", "text/javascript; charset=utf-8", ["--format=esm"]),
           ("STYLE", "page.css", "text/css; charset=utf-8", [])]
BUDGET = 60 * 1000  # bytes of all assets, compressed


def bundle(esbuild, path, options):
    return subprocess.run([esbuild, path, "--bundle", "--minify", "--target=es2022",
                           "--charset=utf8", "--log-level=warning"] + options + tables.defined(),
                          check=True, stdout=subprocess.PIPE).stdout


def array(name, data):
    """An array of the bytes: a string of C may have 4095 at most."""
    lines = [",".join(map(str, data[start:start + 24])) for start in range(0, len(data), 24)]
    return "static const unsigned char %s[] = {\n%s};" % (name, ",\n".join(lines))


def main(esbuild, folder):
    rows, total = [], 0
    print("/* Written by server/web/make_assets.py. */")
    for macro, name, media_type, options in ENTRIES:
        plain = bundle(esbuild, os.path.join(folder, name), options)
        small = gzip.compress(plain, 9, mtime=0)
        stem, suffix = os.path.splitext(name)
        name = "%s-%s%s" % (stem, hashlib.sha256(plain).hexdigest()[:12], suffix)
        arrays = ["web_%s_%s" % (macro.lower(), coding) for coding in ("plain", "gzip")]
        total += len(small)
        print('#define WEB_ASSETS_%s "%s"' % (macro, name))
        print("\n".join(map(array, arrays, (plain, small))))
        rows.append('WEB_ASSET("%s", "%s", %s, %s)' % (name, media_type, *arrays))
    print("#define WEB_ASSETS %s" % " ".join(rows))
    if total > BUDGET:
        sys.exit("the assets have %d bytes compressed, at most %d" % (total, BUDGET))


if __name__ == "__main__":
    main(*sys.argv[1:])
