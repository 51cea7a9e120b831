#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""class_rows.py - drafts of rows for proto/models/hf/classes/transformers.def, made from the code of each
class of transformers that has none. A draft is for a person to read beside the code.

    tests/golden/class_rows.py SOURCE [model_type ...]

SOURCE is a folder of git directories that has a clone of transformers with the commit of
class_configs.py. A class rotates where its code makes a rotary embedding from its configuration: the
values are those of its configuration class, and the pairing is what its function does to a unit vector.
It has no positions where no name in its code speaks of them, a learned table where its embeddings make
one of max_position_embeddings rows and nothing else does, and is not read otherwise."""

import ast
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import class_configs
import configs

ROWS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "proto", "models", "hf", "classes")
ROW = re.compile(r'^HF_CLASS\("([^"]+)"', re.MULTILINE)
# Members of a configuration that are its language model, as find_inner of hf_config.c reads them.
TEXTS = ("text_config", "llm_config", "language_config", "thinker_config", "llm_cfg", "decoder_config",
         "encoder_config")
SPEAKING = re.compile(r"posit|pos_?e|rotary|rope|relative|rel_pos|alibi|sinus|sine|shift|window|bias_table",
                      re.IGNORECASE)


def known():
    found = set()
    for name in os.listdir(ROWS):
        with open(os.path.join(ROWS, name), encoding="utf-8") as file:
            found |= set(ROW.findall(file.read()))
    return found


def words(text):
    """The names in code that speak of positions, without comments and texts."""
    tree = ast.parse(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {node.name for node in ast.walk(tree)
              if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return sorted(name for name in names if SPEAKING.search(name))


def pairing_of(source, path):
    """HF_HALF or HF_ADJACENT: which column a function turns the first one into; None if unknown."""
    torch = source.torch
    functions = [node for node in ast.parse(source.text(path)).body if isinstance(node, ast.FunctionDef)
                 and re.search("rotate_half|rotary|rope", node.name)]
    for node in functions:
        node.decorator_list = []
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
    world = {"torch": torch}
    try:
        exec(compile(ast.Module(functions, []), path, "exec"), world)
        vector = torch.zeros(1, 1, 1, 8)
        vector[..., 0] = 1
        turned = world["apply_rotary_pos_emb"](vector, vector, torch.zeros(1, 1, 8),
                                               torch.ones(1, 1, 8))[0]
    except Exception:  # the function has another form
        return None
    at = turned.flatten().nonzero().flatten().tolist()
    return {(4,): "HF_HALF", (1,): "HF_ADJACENT"}.get(tuple(at))


def rotation(source, made, model_type):
    """The fields of a class that rotates, or None."""
    try:
        path, name, embedding = class_configs.embedding_of(source, made)
        digests, _ = configs.expected_of(source, made, path, name, embedding(made))
    except Exception:  # its code makes no frequencies from the configuration alone
        return None
    value = lambda key: class_configs.value_of(made, key)
    rope = value("rope_parameters") or {}
    first = rope if "rope_theta" in rope else rope.get("full_attention", {})
    pairing = pairing_of(source, path)
    fields = [".pairing = %s" % (pairing or "HF_UNKNOWN")]
    for field, number in (("hidden_size", value("hidden_size")),
                          ("heads", value("num_attention_heads")),
                          ("head_dim", value("qk_rope_head_dim") or value("head_dim")),
                          ("rope_theta", first.get("rope_theta") or value("rope_theta"))):
        if isinstance(number, (int, float)):
            fields.append(".%s = %.12g" % (field, number))
    numbers = {"partial_rotary_factor": first.get("partial_rotary_factor"),
               "rope_local_base_freq": rope.get("sliding_attention", {}).get("rope_theta"),
               "sliding_window": value("sliding_window")}
    numbers = ", ".join('{"%s", %.12g}' % pair for pair in numbers.items()
                        if isinstance(pair[1], (int, float)) and pair[1] not in (1, 0, True))
    if numbers:
        fields.append(".numbers = HF_NUMBERS(%s)" % numbers)
    types = value("layer_types") or value("layers_block_type")
    if types and len(set(types)) > 1:
        fields.append("/* layers: %s */" % " ".join(types[:12]))
    if len(digests) > 1:
        fields.append("/* %s */" % " ".join(sorted(digests)))
    return fields


def draft(source, model_type):
    """The fields of a row, as text, and how they were found."""
    try:
        made = source.config_class(model_type)()
    except Exception as fault:  # a class that has no defaults
        return [".not_yet = true"], "its class has no defaults: %s" % type(fault).__name__
    folder = source.folder(model_type)
    text = source.text("src/transformers/models/%s/modeling_%s.py" % (folder, folder))
    parts = {name: getattr(value, "model_type", "") for name, value in vars(made).items()
             if hasattr(value, "model_type") and not isinstance(value, type)}
    inner = next((parts[name] for name in TEXTS if parts.get(name)), None)
    if inner:
        return ['.part = "%s"' % inner], "wraps %s" % parts
    if text is None:
        return [".not_yet = true"], "its folder has no code"
    fields = rotation(source, made, model_type)
    if fields:
        return fields, "rotates"
    if not words(text):
        return [".encodings = HF_NOTHING"], "no name speaks of positions"
    return [".not_yet = true"], " ".join(words(text))[:160]


def main():
    source = class_configs.open_source(sys.argv[1])
    have = known()
    for model_type in sys.argv[2:] or sorted(set(source.classes) - have):
        fields, how = draft(source, model_type)
        print("/* %s */" % how)
        print('HF_CLASS("%s", TRANSFORMERS, "%s", %s)' % (model_type, source.folder(model_type),
                                                         ", ".join(fields)))


if __name__ == "__main__":
    main()
