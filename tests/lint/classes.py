# SPDX-License-Identifier: Apache-2.0
"""classes.py - what differs between the classes of models is a row of proto/models/hf/classes/, with
its source; no other file of the reader names a class."""

import re

from tree import code_only, line_of

FOLDER = "proto/models/hf/classes/"
SOURCES = FOLDER + "sources.def"
ROW = re.compile(r'^HF_CLASS\("([^"]+)",\s*(\w+),\s*"([^"]+)"', re.MULTILINE)
SOURCE = re.compile(r'^HF_SOURCE\((\w+),\s*"([^"/]+/[^"]+)",\s*"([0-9a-f]{40})",\s*"([^"]+)"\)',
                    re.MULTILINE)
QUOTED = re.compile(r'"([^"\n\\]+)"')

# (path, name): reason.
EXCEPTIONS = {
    ("proto/models/hf/hf_no_rope.c", "mpt"): "a value of a parameter of alibi",
    ("proto/models/hf/hf_layer_type.c", "mamba"): "a type of layers",
    ("proto/models/hf/hf_layer_type.c", "mamba2"): "the same",
    ("proto/models/hf/hf_layer_type.c", "rwkv"): "the same",
    ("proto/models/hf/hf_layers_listed.c", "mamba"): "the same",
    ("proto/models/hf/hf_rope.c", "qwen"): "a value of a parameter of rope",
}

GOOD = {SOURCES: 'HF_SOURCE(CODE, "a/b", "%s", "models")\n' % ("0" * 40)}
wrong = [
    {**GOOD, FOLDER + "a.def": 'HF_CLASS("gemma", CODE, "gemma", .period = 2)\n',
     "proto/models/hf/hf_layers.c": 'strcmp(type, "gemma");\n'},
    {**GOOD, FOLDER + "a.def": 'HF_CLASS("gemma", CODE, "gemma", .period = 2)\n',
     "proto/models/hf/hf_labels.def": 'HF_LABEL("gemma", "main")\n'},
    {**GOOD, FOLDER + "a.def": 'HF_CLASS("gemma", ELSEWHERE, "gemma", .period = 2)\n'},
    {**GOOD, FOLDER + "a.def": 'HF_CLASS("glm", CODE, "glm", .period = 2)\n'
                               'HF_CLASS("gemma", CODE, "gemma", .period = 2)\n'},
    {**GOOD, FOLDER + "a.def": 'HF_CLASS("glm", CODE, "glm", .period = 2)\n',
     FOLDER + "b.def": 'HF_CLASS("glm", CODE, "glm", .period = 2)\n'},
    {**GOOD, FOLDER + "a.def": 'HF_CLASS("glm", .period = 2)\n'},
    {SOURCES: 'HF_SOURCE(CODE, "a/b", "main", "models")\n'},
]


def rows(tree):
    """(path, offset, name, source) of the rows, and findings of their form and order."""
    found, findings = [], []
    for path, text in tree.under([FOLDER.rstrip("/")], (".def",)):
        if path == SOURCES:
            continue
        here = [(path, match.start(), match.group(1), match.group(2))
                for match in ROW.finditer(text)]
        if len(here) != len(re.findall(r"^HF_CLASS\(", text, re.MULTILINE)):
            findings.append('%s: a row is HF_CLASS("name", SOURCE, "path", .field = value, ...)'
                            % path)
        for (_, _, before, _), (_, at, name, _) in zip(here, here[1:]):
            if not before < name:
                findings.append("%s:%d: %s stands after %s: rows are sorted by name"
                                % (path, line_of(text, at), name, before))
        found += here
    return found, findings


def check(tree):
    text = tree.files.get(SOURCES, "")
    sources = {match.group(1) for match in SOURCE.finditer(text)}
    findings = []
    if len(sources) != len(re.findall(r"^HF_SOURCE\(", text, re.MULTILINE)):
        findings.append('%s: a row is HF_SOURCE(NAME, "owner/repository", "commit of 40 digits", '
                        '"folder")' % SOURCES)
    found, wrong_rows = rows(tree)
    findings += wrong_rows
    names = set()
    for path, at, name, source in found:
        if source not in sources:
            findings.append("%s:%d: %s is no source of %s" % (
                path, line_of(tree.files[path], at), source, SOURCES))
        if name in names:
            findings.append("%s:%d: %s has a row already" % (
                path, line_of(tree.files[path], at), name))
        names.add(name)
    for source in sorted(sources - {source for _, _, _, source in found}):
        if found:
            findings.append("%s: no row is from %s" % (SOURCES, source))
    for path, text in tree.under(["proto/models/hf"], (".c", ".h", ".def")):
        if path.startswith(FOLDER):
            continue
        for match in QUOTED.finditer(code_only(text, keep_strings=True)):
            if match.group(1) in names and (path, match.group(1)) not in EXCEPTIONS:
                findings.append("%s:%d: names the class %s: what it does is a row of %s" % (
                    path, line_of(text, match.start()), match.group(1), FOLDER))
    return findings
