# SPDX-License-Identifier: Apache-2.0
"""parameters.py - some names mean one thing in every request: no encoding declares them for
anything else."""

import re

from tree import code_only, line_of

# Parameters of the request itself, never of an encoding.
RESERVED = {"format", "dtype", "out", "data", "pretty", "rev", "model", "layer", "layer_type",
            "cell", "cmap", "range", "in_dtype", "shape", "tensor"}
# Parameters that an encoding may declare, with this type.
TYPED = {"pos": "PE_POSITIONS", "q": "PE_(POSITIONS|TENSOR)",
         "k": "PE_(POSITIONS|TENSOR)", "seq_axis": "PE_INT", "len": "PE_INT",
         "grid": "PE_GRID", "x": "PE_TENSOR", "preset": "PE_CHOICE"}
ROW = re.compile(r"PE_FIELD\(\s*struct \w+\s*,\s*(\w+)\s*\)(.*?)\}", re.DOTALL)

wrong = [
    {"core/encodings/bias/a.c": "{PE_FIELD(struct a, format), .type = PE_INT},\n"},
    {"core/encodings/bias/a.c": "{PE_FIELD(struct a, cell), .type = PE_INT},\n"},
    {"core/encodings/bias/a.c": "{PE_FIELD(struct a, tensor), .type = PE_TENSOR},\n"},
    {"core/encodings/bias/a.c": "{PE_FIELD(struct a, q), .type = PE_REAL},\n"},
    {"core/encodings/bias/a.c": "{PE_FIELD(struct a, len), .summary = 0,\n .type = PE_REAL},\n"},
]


def check(tree):
    findings = []
    for path, text in tree.under(["core/encodings"]):
        for match in ROW.finditer(code_only(text)):
            name, row = match.groups()
            where = "%s:%d: parameter %s" % (path, line_of(text, match.start()), name)
            if name in RESERVED:
                findings.append("%s: the name belongs to the request: choose another" % where)
            elif name in TYPED and not re.search(
                    r"\.type = %s\b|\b%sS\(" % (TYPED[name], TYPED[name]), row):
                findings.append("%s: is a %s in every encoding" % (where, TYPED[name]))
    return findings
