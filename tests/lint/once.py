# SPDX-License-Identifier: Apache-2.0
"""once.py - the name of an encoding or of a format is written in its own file and in its table, and
nowhere else in the product, so that no other file needs to know a new one."""

import re

from tree import code_only, line_of, stem

# The name of an encoding may also be part of a path; the name of a format has other uses (media
# types, choices).
IN_PATH, ALONE = r'"(?:[^"\n]*/)?(%s)(?:[?&/][^"\n]*)?"', r'"(%s)"'
TABLES = [
    # table, macro, folder of the files of the rows, pattern of a name, folders where the name may
    # not stand
    ("core/encodings.def", "ENCODING", "core/encodings/", IN_PATH, ["core", "proto", "server"]),
    ("proto/http/formats.def", "FORMAT", "proto/output/", ALONE, ["proto", "server"]),
]

# (path, name): reason.
EXCEPTIONS = {
    ("core/encodings/absolute/sinusoidal_choices.c", "transformer-xl"): "whose table it is",
    ("core/encodings/bias/softmax_scale.c", "deberta"): "whose scale it is",
    ("core/encodings/bias/softmax_scale.c", "swinv2"): "the same",
    ("core/encodings/bias/t5.c", "tupe"): "whose rule for position 0",
    ("core/encodings/bias/swinv2.c", "swin"): "its coordinates, not timm's",
    ("core/encodings/absolute/learned.c", "hierarchical"): "a rule for positions beyond it",
    ("proto/request/option.c", "json"): "rows of options that only JSON has",
    ("proto/models/hf/hf_no_rope.c", "alibi"): "a key of configurations, and what it says",
    ("proto/models/hf/hf_no_rope.c", "rope"): "a word of configurations",
    ("proto/models/hf/hf_config.c", "rope2d-chatglm"): "what one key of theirs says",
    ("proto/models/hf/hf_rope.c", "logn"): "what one key of theirs says",
    ("proto/models/hf/hf_unknown_keys.c", "rope"): "a part of their keys",
    ("proto/models/hf/hf_unknown_keys.c", "nope"): "a part of their keys",
    ("proto/models/hf/hf_unknown_keys.c", "alibi"): "a part of their keys",
    ("proto/models/hf/hf_unknown_keys.c", "logn"): "a part of their keys",
    ("proto/models/hf/hf_rope.c", "rope"): "what their dictionaries are about",
    ("proto/models/hf/hf_rope.c", "mrope"): "the same, with sections",
    ("proto/models/hf/hf_sections.c", "mrope"): "what their sections are about",
    ("proto/tensors/gguf/gguf_in.c", "rope"): "what the metadata of its files is about",
    ("proto/describe/schema.c", "integer"): "a type of JSON Schema",
    ("proto/describe/schema.c", "string"): "the same",
    ("core/encodings/absolute/radix.c", "convert"): "to another base",
    ("proto/request/request.c", "npy"): "a hint which format to take instead",
    ("proto/request/request.c", "safetensors"): "the same, for several tensors",
}

wrong = [
    {"core/encodings.def": "ENCODING(rope)\n", "proto/request/query.c": 'x = "rope";\n'},
    {"core/encodings.def": "ENCODING(rope)\n", "server/handlers/pages.c": 'x = "/v1/rope?pos=0:4";\n'},
    {"core/encodings.def": "ENCODING(rope)\n",
     "core/encodings/bias/alibi.c": 'strcmp(x, "rope");\n'},
    {"core/encodings.def": "ENCODING(rope_axes)\n", "proto/request/query.c": 'x = "rope-axes";\n'},
    {"proto/http/formats.def": "FORMAT(npy)\n", "server/exchange/response.c": 'strcmp(x, "npy");\n'},
]


def check(tree):
    findings = []
    for table, macro, home, look, folders in TABLES:
        names = re.findall(r"^%s\((\w+)\)" % macro, tree.files.get(table, ""), re.MULTILINE)
        if not names:
            continue
        # Ids are written with dashes where symbols have underscores.
        names = {name if home != "core/encodings/" else name.replace("_", "-"): name
                 for name in names}
        quoted = re.compile(look % "|".join(names))
        for path, text in tree.under(folders):
            for match in quoted.finditer(code_only(text, keep_strings=True)):
                own = names[match.group(1)]
                if path.startswith(home) and (stem(path) in (own, own + "_apply") or
                                              "pe_encoding_%s = {" % own in text):
                    continue
                if (path, match.group(1)) in EXCEPTIONS:
                    continue
                findings.append("%s:%d: names %s: read it from the registry (%s); only %s.c "
                                "may say it" % (path, line_of(text, match.start()),
                                                match.group(1), table, names[match.group(1)]))
    return findings
