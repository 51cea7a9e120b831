#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""class_configs.py - configurations of each class of transformers that rotates: its defaults, and three
with seeded values. They go through /v1/models/resolve, and the frequencies that its URLs give are those
of the class's own code.

    tests/golden/class_configs.py [--url URL] [-v]   resolves the rows and compares
    tests/golden/class_configs.py --check SOURCE     recomputes the rows from a fetched source
    tests/golden/class_configs.py --write SOURCE     writes them

A row has: model_type; which configuration of it (`defaults`, or the number of the seed); digests as in
configs.tsv; the function that computed them, with the commit; and the configuration. `-` in place of
digests says why nothing was computed. SOURCE is a folder of git directories that has a clone of
transformers with the commit COMMIT. The last line is "N passed, N failed"."""

import ast
import glob
import json
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import configs

TABLE = os.path.join(HERE, "class_configs.tsv")
COMMIT = "c7e57f79348480f73d3ef0ad8c47f807ef1378c8"  # huggingface/transformers, 2026-08-10
COLUMNS = ("model_type", "which", "digests", "function", "config")
SEEDS = (1, 2, 3)
WIDTHS = (32, 48, 64, 80, 96, 128)

# Keys without which a class does not rotate, though its code makes the frequencies.
SWITCHES = {
    "esm": {"position_embedding_type": "rotary"},
    "granitemoehybrid": {"position_embedding_type": "rope"},
    "zamba2": {"use_mem_rope": True},
}
# Classes that have one factor, whatever their file says.
FIXED = {"bamba"}
# Classes that are not compared, and why.
SKIPPED = {
    "cosmos3_edge_text": "its frequencies are stored by axes, with zeros between them",
    "ernie4_5_vl_moe_text": "its frequencies are stored in the order of the axes",
    "clvp_encoder": "the width that it turns is that of its projection_dim, and values turn, too",
    "efficientloftr": "it turns by two axes",
    "eomt_dinov3": "it turns by two axes",
    "gemma4_vision": "it turns by two axes",
    "kimi_k25_vision": "it turns by two axes",
    "minimax_m3_vl_text": "its code leaves rotary_dim unread, which the published files have",
    "muse_glimmer_vision": "it turns by two axes",
    "pixtral": "it turns by two axes",
    "recurrent_gemma": "its code leaves the factor 0.5 unread, by which the published model was trained",
}
# Defaults that are not compared: the published files were written for another release, the class does
# not rotate by its defaults, or no file leaves its layers to the class.
OLDER = {"cohere", "falcon_h1", "kyutai_speech_to_text", "mimo_v2_flash", "modernbert-decoder",
         "olmo_hybrid", "persimmon"}


def read_table(path=TABLE):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [dict(zip(COLUMNS, line)) for line in lines]


# ---- which rotary embedding a configuration class has --------------------------------------------

def annotation_of(node):
    """The name of the configuration class that a class of a modeling file takes, or None."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            for argument in item.args.args:
                if argument.arg == "config" and argument.annotation is not None:
                    return ast.unparse(argument.annotation).split("|")[0].strip()
        if isinstance(item, ast.AnnAssign) and ast.unparse(item.target) == "config":
            return ast.unparse(item.annotation)
    return None


def made_in(node, names):
    """The names of `names` that a class makes from its own config."""
    return [call.func.id for call in ast.walk(node)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in names
            and "config" in [ast.unparse(value) for value in
                             call.args + [keyword.value for keyword in call.keywords]]]


def embedding_of(source, config):
    """(path, name, class): the rotary embedding of a configuration's own model; NoDigest."""
    folder = type(config).__module__.split(".")[2]
    path, classes = source.rotary_classes(folder)
    text = source.text(path)
    if not classes:
        raise configs.NoDigest("its code has no rotary embedding")
    wanted = type(config).__name__
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    makers = [name for node in nodes if annotation_of(node) == wanted
              for name in made_in(node, classes)]
    named = [node.name for node in nodes if node.name in classes and annotation_of(node) == wanted]
    found = list(dict.fromkeys(makers + named))
    if not found:
        raise configs.NoDigest("no rotary embedding of its code is made from its configuration")
    return path, found[0], classes[found[0]]


# ---- configurations ------------------------------------------------------------------------------

def value_of(made, key):
    """A configuration's value; None where it has none, or one a layer."""
    try:
        return getattr(made, key, None)
    except Exception:  # transformers refuses to give one value where layers differ
        return None


def path_of(made):
    folder = type(made).__module__.split(".")[2]
    return "src/transformers/models/%s/modeling_%s.py" % (folder, folder)


def has_sections(source, made):
    """Whether the code of a configuration's model divides pairs among axes."""
    return re.search("mrope_section|xdrope_section", source.text(path_of(made)) or "")


def widths_of(made, chance):
    """Keys with another width of a head."""
    width, heads = chance.choice(WIDTHS), chance.choice((2, 4, 8, 16))
    keys = {}
    if value_of(made, "qk_rope_head_dim"):
        keys["qk_rope_head_dim"] = width
        if value_of(made, "head_dim") == value_of(made, "qk_rope_head_dim"):
            keys["head_dim"] = width
    elif isinstance(value_of(made, "head_dim"), int) and "head_dim" not in made.attribute_map:
        keys["head_dim"] = width
    if value_of(made, "hidden_size") and value_of(made, "num_attention_heads"):
        keys.update(hidden_size=width * heads, num_attention_heads=heads)
    return keys


def scaling_of(seed, chance):
    """The dictionary of a seed: none, one of several rules, dynamic scaling."""
    return {1: {"rope_type": "default"},
            2: chance.choice((
                {"rope_type": "linear", "factor": 4.0},
                {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 4096},
                {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                 "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})),
            3: {"rope_type": "dynamic", "factor": 2.0}}[seed]


def kept(source, model_type, keys):
    """The keys whose values a class does not replace by its own."""
    try:
        made = source.config_class(model_type)(**json.loads(json.dumps(keys)))
    except Exception:  # the class refuses a width that it computes
        keys = {key: value for key, value in keys.items() if key != "head_dim"}
        made = source.config_class(model_type)(**json.loads(json.dumps(keys)))
    keys = {key: value for key, value in keys.items() if isinstance(value, (dict, str))
            or value_of(made, key) == value}
    rope, own = keys.get("rope_parameters"), value_of(made, "rope_parameters") or {}
    factor = "partial_rotary_factor"
    if rope and factor in rope and rope[factor] != own.get(factor):
        keys.pop(factor, None)
        keys["rope_parameters"] = {key: value for key, value in rope.items() if key != factor}
    return keys


def seeded(source, model_type, seed):
    """Keys of a config.json with values by the seed, for a class whose defaults are known."""
    made = source.config_class(model_type)(**SWITCHES.get(model_type, {}))
    chance = random.Random("%s %d" % (model_type, seed))
    rope = value_of(made, "rope_parameters") or {}
    keys = dict(SWITCHES.get(model_type, {}), **widths_of(made, chance))
    if any(isinstance(value, dict) for value in rope.values()):
        keys["rope_parameters"] = {
            name: dict(value, rope_theta=float(chance.randrange(1000, 2000000)))
            for name, value in rope.items()}
        keys["layer_types"] = value_of(made, "layer_types")
        keys["num_hidden_layers"] = len(keys["layer_types"] or [])
        return keys
    if not rope:  # the class has a theta alone
        return dict(keys, rope_theta=float(chance.randrange(1000, 2000000)))
    scaling = dict(scaling_of(seed, chance), rope_theta=float(chance.randrange(1000, 2000000)))
    partial = 1
    if rope.get("partial_rotary_factor", 1) != 1 and model_type not in FIXED:
        # A file of transformers has the factor beside the dictionary, too.
        partial = keys["partial_rotary_factor"] = scaling["partial_rotary_factor"] = \
            chance.choice((0.25, 0.5, 0.75))
    if has_sections(source, made):
        width = next((keys[key] for key in ("qk_rope_head_dim", "head_dim") if key in keys),
                     keys["hidden_size"] // keys["num_attention_heads"])
        pairs = int(width * partial) // 2
        axes = 4 if "xdrope" in source.text(path_of(made)) else 3
        scaling["mrope_section"] = [pairs - (axes - 1) * (pairs // axes)] + (axes - 1) * [pairs // axes]
    if "original_max_position_embeddings" in scaling and value_of(
            made, "original_max_position_embeddings"):
        keys["original_max_position_embeddings"] = scaling["original_max_position_embeddings"]
    keys.update(rope_parameters=scaling, max_position_embeddings=2048 if seed == 3 else 32768)
    while kept(source, model_type, keys) != keys:
        keys = kept(source, model_type, keys)
    return keys


def row_of(source, model_type, which, keys):
    """A row, whose digests the code of the class computes."""
    config = dict({"model_type": model_type}, **keys)
    try:
        made = source.config_class(model_type)(**json.loads(json.dumps(keys)))
        path, name, embedding = embedding_of(source, made)
        digests, function = configs.expected_of(source, made, path, name, embedding(made))
        cells = (" ".join("%s=%s" % pair for pair in sorted(digests.items())),
                 "%s:%s" % (COMMIT, function))
    except configs.NoDigest as reason:
        cells = ("-", str(reason))
    except Exception as fault:  # whatever its code raises is why nothing is computed
        cells = ("-", "its code raises %s: %s" % (
            type(fault).__name__, re.sub(r"\s+", " ", str(fault))[:120]))
    return dict(zip(COLUMNS, (model_type, which) + cells + (configs.compact(config),)))


def rows_of(source, model_type):
    """The rows of a model_type: none where nothing of its code rotates by its configuration."""
    first = row_of(source, model_type, "defaults", SWITCHES.get(model_type, {}))
    if first["digests"] == "-" or model_type in SKIPPED:
        return []
    rows = [row_of(source, model_type, str(seed), seeded(source, model_type, seed))
            for seed in SEEDS]
    return [row for row in [first] * (model_type not in OLDER) + rows if row["digests"] != "-"]


def open_source(folder):
    from transformers_source import Source
    for git in sorted(glob.glob(os.path.join(folder, "*transformers*/repo"))
                      + glob.glob(os.path.join(folder, "*transformers*"))):
        if subprocess.run(["git", "-C", git, "cat-file", "-e", COMMIT],
                          capture_output=True).returncode == 0:
            return Source(git, COMMIT)
    sys.exit("%s has no clone of transformers with commit %s" % (folder, COMMIT))


def computed(folder):
    source = open_source(folder)
    return [row for model_type in sorted(source.classes) for row in rows_of(source, model_type)]


def write(folder):
    rows = computed(folder)
    with open(TABLE, "w", encoding="utf-8") as table:
        table.write("# " + "\t".join(COLUMNS) + "\n")
        for row in rows:
            table.write("\t".join(row[name] for name in COLUMNS) + "\n")
    print("%d rows of %d classes" % (len(rows), len({row["model_type"] for row in rows})))
    return 0


def check(folder):
    ours = {(row["model_type"], row["which"]): row for row in read_table()}
    theirs = {(row["model_type"], row["which"]): row for row in computed(folder)}
    wrong = [key for key in sorted(set(ours) | set(theirs)) if ours.get(key) != theirs.get(key)]
    for model_type, which in wrong:
        print("FAIL %s %s: the row is not what the source gives" % (model_type, which))
    passed = len(set(ours) & set(theirs)) - len([key for key in wrong if key in ours and key in theirs])
    print("%d passed, %d failed" % (passed, len(wrong)))
    return 1 if wrong or not passed else 0


# ---- what resolve answers ------------------------------------------------------------------------

def outcome_of(service, row):
    """(outcome, sentence): equal, refused or wrong."""
    from service import Refused
    try:
        answer = json.loads(service._ask("POST", "/v1/models/resolve", row["config"])[1])
    except Refused as fault:
        return "refused", str(fault)
    theirs = dict(pair.split("=") for pair in row["digests"].split(" "))
    faults = configs.faults_of(configs.found(service, answer), theirs)
    return ("wrong", "; ".join(faults)) if faults else ("equal", "")


def run(url, verbose):
    from service import Service
    service = Service(url)
    outcomes = {}
    for row in read_table():
        outcome, sentence = outcome_of(service, row)
        outcomes.setdefault(outcome, []).append(row["model_type"])
        if outcome == "wrong" or (verbose and outcome == "refused"):
            print("%s %s %s: %s" % ("FAIL" if outcome == "wrong" else "refused", row["model_type"],
                                    row["which"], sentence))
    for outcome, names in sorted(outcomes.items()):
        print("%s: %d configurations of %d classes" % (outcome, len(names), len(set(names))))
    passed, failed = len(outcomes.get("equal", [])), len(outcomes.get("wrong", []))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


def main():
    from service import arguments, served
    options = arguments(__doc__, ("--check", {"metavar": "SOURCE"}),
                        ("--write", {"metavar": "SOURCE"}), ("-v --verbose", {"action": "store_true"}))
    if options.check:
        return check(options.check)
    if options.write:
        return write(options.write)
    return served(options, lambda url: run(url, options.verbose))


if __name__ == "__main__":
    sys.exit(main())
