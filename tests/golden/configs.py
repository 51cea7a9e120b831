#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""configs.py - the config.json files of configs.tsv go through /v1/models/resolve, and the
frequencies that its URLs give are those of transformers' own code.

    tests/golden/configs.py [--url URL] [-v]     resolves the rows and compares
    tests/golden/configs.py --check SOURCE       recomputes the rows from fetched sources
    tests/golden/configs.py --write SOURCE LIST  writes the rows of a list of files

A row has: repository, path and commit of a published file; the model's name on the hub; digests;
what computed them; and the file's keys about positions, which are what is resolved. A digest is
the first 16 hexadecimal digits of the SHA-256 of inv_freq as little-endian float32, with the
layers that have it (`all`, a layer type, `short` and `long` of LongRoPE, `4x` of dynamic scaling
at four times the trained length), or `-` with the reason why there is none.

SOURCE is a folder of git directories: OWNER+NAME/repo or OWNER+NAME, one a repository, with the
commits of the rows; transformers may be any clone that has its commit. A line of LIST has
repository, path, commit and name. The last line is "N passed, N failed"."""

import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

TABLE = os.path.join(HERE, "configs.tsv")
TRANSFORMERS = "decba1d2ea4ed3cbf0495d1828abad4b2dba1846"  # huggingface/transformers, 2026-08-19
COLUMNS = ("repository", "path", "commit", "name", "digests", "function", "facts")
DYNAMIC = 4  # times the trained length

# The keys of a configuration that say something of positions or masks, or that decide which code
# reads them.
KEYS = re.compile(
    r"rope|rotary|rotat|theta|head|hidden_size|hidden_dim|n_embd|n_positions|n_ctx|layers?$|depth"
    r"|max_(source_|target_)?position|seq_?len|window|chunk|layer_types|pattern|block_types"
    r"|temperature|attn_scale|floor_scale|alibi|position|relative|bucket|rel_pos|partial|cap(ping)?$"
    r"|query_pre|nope|interval|model_type|architectures|_class_name|d_model|d_kv|embed_dim|^dim$"
    r"|pad_token_id|patch|image_size|spatial|merge_size|axes|conv_pos|scale$|multiplier|mscale"
    r"|compress|kv_channels|logn|ntk|sink|freq_dim|sample_size|use_cls|is_causal|is_decoder"
    r"|use_mla|num_embeddings|backbone|tokens_per_second|abs_pos|factor|beta|^type$|^alpha$|truncate"
    r"|attn_idxs|attn_type_list|layer_ids")
PARTS = re.compile(r"(_config|_cfg)$|^rope_|^attn_")
SKIPPED = re.compile(r"quantization|compression|generation|token_type|_token_index|loss|router|expert"
                     r"|dropout|init|intermediate|projector|label|unet|(image|video|audio)_token")


def facts(config):
    """The keys of a configuration about positions, at every depth."""
    kept = {}
    for key, value in config.items():
        if SKIPPED.search(key) or value is None and not re.search("sliding|rope|head_dim", key):
            continue
        if isinstance(value, dict):
            inner = value if key.startswith("rope_") else facts(value)
            if PARTS.search(key) and inner:
                kept[key] = inner
        elif KEYS.search(key):
            kept[key] = value
    return kept


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def read_table(path=TABLE):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [dict(zip(COLUMNS, line)) for line in lines]


def digest(array):
    import numpy as np
    return hashlib.sha256(np.ascontiguousarray(array, dtype="<f4").tobytes()).hexdigest()[:16]


# ---- what transformers computes ----------------------------------------------------------------

TEXTS = ("thinker_config", "text_config", "llm_config", "language_config", "llm_cfg")


class NoDigest(Exception):
    """transformers computes no inv_freq for this configuration; the reason."""


# Keys that the published code reads, and transformers does not at this commit: model_type, and a
# function from the file to what transformers would have to be given.
CORRECTIONS = {
    # Release 4.55 (commit c962f1515e40521c0b336877a64dc512da4f486d) has 10000 in
    # src/transformers/models/cohere/configuration_cohere.py, for which the files were written.
    "cohere": lambda config: {"rope_theta": config.get("rope_theta", 10000)},
    # The same release reads it in src/transformers/models/dbrx/modeling_dbrx.py.
    "dbrx": lambda config: {"rope_theta": config["attn_config"]["rope_theta"]},
    # mlx_lm/models/minimax.py of ml-explore/mlx-lm (d78bf58e217c904ec282ed8da9b947491f78c022)
    # rotates rotary_dim of head_dim.
    "minimax_m2": lambda config: {"partial_rotary_factor":
                                  config["rotary_dim"] / config["head_dim"]},
}


def class_of(source, config):
    """The configuration class for a config.json: by model_type, else by the architecture."""
    kind = config.get("model_type")
    try:
        return source.config_class(kind)
    except (KeyError, AttributeError):
        pass
    names = source.text("src/transformers/models/auto/modeling_auto.py")
    for architecture in config.get("architectures") or []:
        row = re.search(r'\("([\w-]+)", "%s"\)' % re.escape(architecture), names)
        if row:
            return source.config_class(row.group(1))
    return None


def language_model(source, config):
    """The configuration object of the language model of a config.json."""
    import copy
    kind = config.get("model_type") or config.get("_class_name") or "no model_type"
    made = class_of(source, config)
    try:
        corrections = CORRECTIONS.get(kind, lambda _: {})(config)
        here = made(**dict(copy.deepcopy(config), **corrections)) if made is not None else None
    except KeyError:  # a part has a model_type that transformers does not know
        here = None
    if here is not None:
        inner = [here]
        while inner:
            here = inner[0]
            parts = [getattr(here, name, None) for name in TEXTS]
            read = not any(isinstance(part, dict) for part in parts)
            inner = [part for part in parts if hasattr(part, "model_type")] if read else []
        if read:
            return here
    for name in TEXTS:
        if isinstance(config.get(name), dict):
            return language_model(source, config[name])
    raise NoDigest("transformers has no code for %s" % kind)


def embedding_of(source, config):
    """(path, class name, embedding): the rotary embedding of the language model."""
    folder = type(config).__module__.split(".")[2]
    path, classes = source.rotary_classes(folder)
    classes = {name: made for name, made in classes.items()
               if not re.search("Vision|Audio|DiT|Conformer|2D|3D|Talker|Code2Wav", name)}
    if not classes:
        raise NoDigest("%s has no rotary embedding" % config.model_type)
    name = next(iter(classes))
    return path, name, classes[name](config)


def of_dynamic(source, config):
    rope = source.load("transformers.modeling_rope_utils")
    length = source.torch.tensor(DYNAMIC * config.max_position_embeddings)
    return rope.ROPE_INIT_FUNCTIONS["dynamic"](config, None, seq_len=length)[0]


def of_longrope(source, config):
    rope = source.load("transformers.modeling_rope_utils")
    length = config.rope_parameters["original_max_position_embeddings"] + 1
    return rope.ROPE_INIT_FUNCTIONS["longrope"](config, None, seq_len=length)[0]


def function_of(source, path, name, rule):
    if rule in ("default", None):
        return "%s:%s" % (path, name)
    rope = source.load("transformers.modeling_rope_utils")
    return "src/transformers/modeling_rope_utils.py:" + rope.ROPE_INIT_FUNCTIONS[rule].__name__


def expected(source, config):
    """({label: digest}, function): what transformers computes; NoDigest."""
    text = language_model(source, config)
    return expected_of(source, text, *embedding_of(source, text))


def expected_of(source, text, path, name, made):
    """The same, of a configuration object and its rotary embedding."""
    found = {key: value for key, value in vars(made).items()
             if key.endswith("inv_freq") and "original" not in key and value is not None}
    if not found:
        raise NoDigest("%s makes no inv_freq" % name)
    if "inv_freq" not in found:
        rules = {made.rope_type[key[:-len("_inv_freq")]] for key in found}
        rule = sorted(rules - {"default"})[0] if rules - {"default"} else None
        return ({key[:-len("_inv_freq")]: digest(value) for key, value in sorted(found.items())},
                function_of(source, path, name, rule))
    rule = getattr(made, "rope_type", None)
    if isinstance(rule, dict):  # by layer type; empty in ESM, which does not scale
        rule = "default" if set(rule.values()) <= {"default"} else next(iter(rule.values()))
    digests = {"all": digest(found["inv_freq"])}
    if rule == "longrope":
        digests = {"short": digests["all"], "long": digest(of_longrope(source, text))}
    elif rule == "dynamic":
        digests = {"%dx" % DYNAMIC: digest(of_dynamic(source, text))}
    return digests, function_of(source, path, name, rule)


def open_source(folder):
    from transformers_source import Source
    for git in sorted(glob.glob(os.path.join(folder, "*transformers*/repo"))
                      + glob.glob(os.path.join(folder, "*transformers*"))):
        if subprocess.run(["git", "-C", git, "cat-file", "-e", TRANSFORMERS],
                          capture_output=True).returncode == 0:
            return Source(git, TRANSFORMERS)
    sys.exit("%s has no clone of transformers with commit %s" % (folder, TRANSFORMERS))


def published(folder, row):
    """The config.json of a row; None if the folder has no such commit."""
    for git in (os.path.join(folder, row["repository"].replace("/", "+"), "repo"),
                os.path.join(folder, row["repository"].replace("/", "+"))):
        answer = subprocess.run(["git", "-C", git, "show", "%s:%s" % (row["commit"], row["path"])],
                                capture_output=True) if os.path.isdir(git) else None
        if answer and answer.returncode == 0:
            return json.loads(answer.stdout)
    return None


def computed(source, config):
    """The digests and the function of a row, as its cells."""
    try:
        digests, function = expected(source, config)
    except NoDigest as reason:
        return "-", str(reason)
    return (" ".join("%s=%s" % pair for pair in digests.items()),
            "%s:%s" % (TRANSFORMERS, function))


def check(folder):
    source = open_source(folder)
    passed = failed = absent = 0
    for row in read_table():
        config = published(folder, row)
        if config is None:
            absent += 1
            print("not fetched: %(repository)s %(commit)s %(path)s" % row)
            continue
        cells = dict(zip(("digests", "function"), computed(source, config)),
                     facts=compact(facts(config)))
        wrong = [name for name, cell in cells.items() if row[name] != cell]
        for name in wrong:
            print("FAIL %s: %s is %s, the file gives %s" % (row["name"], name, row[name][:300],
                                                           cells[name][:300]))
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print("%d rows not fetched" % absent)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


def write(folder, listed):
    source = open_source(folder)
    with open(listed, encoding="utf-8") as file:
        rows = [dict(zip(COLUMNS, line.rstrip("\n").split("\t"))) for line in file]
    with open(TABLE, "w", encoding="utf-8") as table:
        table.write("# " + "\t".join(COLUMNS) + "\n")
        for row in sorted(rows, key=lambda row: (row["repository"], row["path"])):
            config = published(folder, row)
            row["digests"], row["function"] = computed(source, config)
            row["facts"] = compact(facts(config))
            table.write("\t".join(row[name] for name in COLUMNS) + "\n")
    return 0


# ---- what resolve answers ----------------------------------------------------------------------

def asked(use):
    """The requests for the frequencies of a use, by label: those of its URL."""
    url = next(url for url in use["urls"] if "out=inv_freq" in url)
    request = dict(urllib.parse.parse_qsl(url.partition("?")[2]), profile="f32-pow")
    rule = request.get("scaling")
    if rule == "dynamic":
        trained = int(request["max_position_embeddings"])
        return {"%dx" % DYNAMIC: dict(request, seq_len=DYNAMIC * trained)}
    if rule == "longrope":
        request.pop("seq_len", None)
        return {which: dict(request, longrope_list=which) for which in ("short", "long")}
    return {use.get("layer_type") or "all": request}


def found(service, answer):
    """{label: digest} of the rotations of an answer."""
    digests = {}
    for use in answer["uses"]:
        if use.get("encoding") == "rope":
            for label, request in asked(use).items():
                digests[label] = digest(service.array("rope", request, "f32"))
    return digests


def faults_of(ours, theirs):
    """Sentences on digests that differ. Where the labels of layers differ (transformers names
    the layers of DeepSeek-V4 by their theta, and has both thetas where no layer uses one), each of
    ours must be one of theirs."""
    if not ours:
        return ["no use rotates"]
    if set(ours) == set(theirs):
        return ["%s: %s, transformers has %s" % (label, ours[label], theirs[label])
                for label in ours if ours[label] != theirs[label]]
    faults = ["%s: %s is none of transformers'" % (label, value) for label, value in ours.items()
              if value not in theirs.values()]
    faults += ["%s of transformers: %s is none of ours" % (label, value)
               for label, value in theirs.items()
               if value not in ours.values() and len(set(ours.values())) > 1]
    return faults


def resolve(service, row):
    """(outcome, sentence): agreed, resolved (no digest is known), refused or wrong."""
    from service import Refused
    try:
        answer = json.loads(service._ask("POST", "/v1/models/resolve", row["facts"])[1])
    except Refused as fault:
        return "refused", str(fault)
    if not answer["uses"] and not answer.get("besides") and not answer.get("notes"):
        return "wrong", "the answer is silent"
    if row["digests"] == "-":
        return "resolved", ""
    theirs = dict(pair.split("=") for pair in row["digests"].split(" "))
    faults = faults_of(found(service, answer), theirs)
    return ("wrong", "; ".join(faults)) if faults else ("agreed", "")


def run(url, verbose):
    from service import Service
    service = Service(url)
    outcomes = {}
    for row in read_table():
        outcome, sentence = resolve(service, row)
        outcomes.setdefault(outcome, []).append(row["name"])
        if verbose or outcome == "wrong" or outcome == "refused":
            print("%-9s %-44s %s" % (outcome, row["name"], sentence))
    counts = {name: len(rows) for name, rows in sorted(outcomes.items())}
    total = sum(counts.values())
    wrong = counts.get("wrong", 0)
    print("%d configurations: %d resolved, %d of them with transformers' inv_freq; %d refused; "
          "%d wrong or silent" % (total, total - counts.get("refused", 0) - wrong,
                                  counts.get("agreed", 0), counts.get("refused", 0), wrong))
    print("%d passed, %d failed" % (total - wrong, wrong))
    return 1 if wrong or not total else 0


def main():
    from service import arguments, served
    options = arguments(__doc__, ("--check", {"metavar": "SOURCE"}),
                        ("--write", {"nargs": 2, "metavar": ("SOURCE", "LIST")}),
                        ("-v --verbose", {"action": "store_true"}))
    if options.check:
        return check(options.check)
    if options.write:
        return write(*options.write)
    return served(options, lambda url: run(url, options.verbose))


if __name__ == "__main__":
    sys.exit(main())
