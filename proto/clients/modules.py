# SPDX-License-Identifier: Apache-2.0
"""modules.py - what the WebAssembly modules answer, read from the tables that they are built with
(proto/local/wasm)."""

import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VARIANTS = os.path.join(ROOT, "proto", "local", "wasm")
BEGUN = re.compile(r"^[A-Z_]+\(", re.MULTILINE)
ROW = re.compile(r"^[A-Z_]+\((.*)\)", re.MULTILINE)
MEDIA_TYPES = re.compile(r'media_types\[\] = \{\s*"([^"]+)"')


def rows(module, path):
    """The rows of a table of the module, or of the tree, as lists of words."""
    own = os.path.join(VARIANTS, module, path)
    table = own if os.path.exists(own) else os.path.join(ROOT, path)
    with open(table, encoding="utf-8") as file:
        text = file.read()
    found = ROW.findall(text)
    if not found or len(found) != len(BEGUN.findall(text)):
        raise SystemExit("%s: each row must be one line, NAME(word, ...)" % table)
    return [[word.strip().strip('"') for word in row.split(",")] for row in found]


def name_of(identifier):
    """The name of the encoding whose descriptor has that identifier."""
    for folder, _, files in os.walk(os.path.join(ROOT, "core", "encodings")):
        for name in files:
            if name.endswith(".c"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found = re.search(r"pe_encoding_%s = \{\s*\.name = \"([^\"]+)\"" % identifier, file.read())
                if found:
                    return found.group(1)
    raise SystemExit("core/encodings has no descriptor of %s" % identifier)


def types_of(format_name):
    """The first media type of a format of bodies."""
    tensors = os.path.join(ROOT, "proto", "tensors")
    [path] = glob.glob(os.path.join(tensors, "**", format_name + ".c"), recursive=True)
    with open(path, encoding="utf-8") as file:
        found = MEDIA_TYPES.search(file.read())
    if not found:
        raise SystemExit('%s: must have media_types[] = {"...' % path)
    return found.group(1)


def module(name):
    endpoints = rows(name, "proto/local/answers.def")
    paths = {row[0]: row[1] for row in rows(name, "proto/http/endpoints.def")}
    encodings = [name_of(row[0]) for row in rows(name, "core/encodings.def")]
    with_apply = any(row[0] == "APPLY" for row in endpoints)
    bodies = [types_of(row[0]) for row in rows(name, "proto/tensors/tensor_formats.def")]
    own_bodies = os.path.exists(os.path.join(VARIANTS, name, "proto/tensors/tensor_formats.def"))
    return {"file": "posenc-%s.wasm" % name,
            "paths": [paths[row[0]] for row in endpoints if row[0] not in ("ENCODING", "APPLY")],
            "encodings": [one for one in encodings if with_apply or not one.endswith("/apply")],
            "formats": [row[0] for row in rows(name, "proto/http/formats.def")],
            "models": not os.path.exists(os.path.join(VARIANTS, name, "models.txt")),
            "bodies": bodies if own_bodies else None}


def read():
    """The modules, the shortest first."""
    found = [module(name) for name in os.listdir(VARIANTS)
             if os.path.exists(os.path.join(VARIANTS, name, "proto", "local", "answers.def"))]
    return sorted(found, key=lambda one: len(one["encodings"]))
