#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""models.py - every model against public code: one row a model, with 0 mismatches.

    tests/golden/models.py [--url URL] [ID ...]
    tests/golden/models.py --sources FOLDER          # compares model_sources.tsv with its files
    tests/golden/models.py --write-sources FOLDER    # writes it

`tables` counts the requests whose numbers are those of independent code: rotations, slopes and
temperatures by tests/ulp/models.py (mpmath), masks, buckets, scales and learned rows by
model_references.py; where neither has the encoding, the answer to model= must be that to the
model's parameters, which `make ulp` compares with the formula. `files` counts public
configurations of the model (configs.tsv, model_sources.tsv): the served inv_freq must be, bit for
bit, what transformers computes from them at the commit that the row names, and parameters, layers
and length must be those that the file gives; what resolve answers and what the page says are the
same encodings in the same layers, and the page has every part that the file names
(model_answers.py). The last line is "N passed, N failed"."""

import glob
import json
import os
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "ulp"),
                os.path.join(os.path.dirname(os.path.dirname(HERE)), "proto", "models")]

import importlib.util  # noqa: E402

import configs  # noqa: E402
import model_answers  # noqa: E402
import model_files  # noqa: E402
import model_mutants  # noqa: E402
import model_sources  # noqa: E402
from model_references import REFERENCES, differing  # noqa: E402
from service import Refused, Service, arguments, served  # noqa: E402
from support.posencd import Posencd  # noqa: E402

ROW = "%-44s %4s %6s %5s  %-58s %10s"

# Public copies whose facts are not those of the model whose name they have, by repository and path:
# what the file is instead. Each must still differ from the model.
OTHERWISE = {
    ("ByteDance-Seed/VeOmni", "configs/model_configs/llama/Llama3-8B.json"):
        "it has the rope_scaling of Llama 3.1 under the name of Llama 3",
    ("SafeAILab/EAGLE", "eagle/train/llama_2_chat_7B_config.json"): "a draft head of one layer",
    ("SafeAILab/EAGLE", "eagle/train/llama_2_chat_13B_config.json"): "a draft head of one layer",
    ("SafeAILab/EAGLE", "eagle/train/llama_2_chat_70B_config.json"): "a draft head of one layer",
    ("SafeAILab/EAGLE", "eagle/train/Mixtral_8x7B_config.json"): "a draft head of one layer",
    ("ai-dynamo/aiconfigurator", "aic-core/src/aiconfigurator_core/model_configs/"
                                 "stepfun-ai--Step-3.7-Flash_config.json"):
        "it names no theta, so that the model has no rotation, and transformers a default",
    ("ai-dynamo/aiconfigurator", "aic-core/src/aiconfigurator_core/model_configs/"
                                 "stepfun-ai--Step-3.7-Flash-FP8_config.json"):
        "it names no theta, so that the model has no rotation, and transformers a default",
    ("aliyun/SimAI", "vidur-alibabacloud/data/hf_configs/qwen3-235B-A22B_config.json"):
        "it has the theta and the length of Qwen3-235B-A22B-Instruct-2507",
    ("sgl-project/ome", "pkg/hfutil/modelconfig/testdata/command_r_35b.json"):
        "a shortened file without rope_theta, which the model's code has as 8000000",
    ("sgl-project/ome", "pkg/hfutil/modelconfig/testdata/llama4_scout_17b_16e.json"):
        "it has the rope_scaling of Llama 3.1, and an empty no_rope_layers",
    ("sgl-project/ome", "pkg/hfutil/modelconfig/testdata/qwen3_5_27b.json"):
        "a file made up for a test, without rope_parameters and with other layers",
    ("sgl-project/ome", "pkg/hfutil/modelconfig/testdata/qwen3_5_35b_a3b.json"):
        "a file made up for a test, without rope_parameters and with other layers",
    ("tenstorrent/tt-forge-models", "kimi_k2/pytorch/config.json"):
        "it has the factor and the length of Kimi-K2-Instruct-0905",
}


def load_ulp():
    """tests/ulp/models.py, which has this file's name."""
    spec = importlib.util.spec_from_file_location(
        "ulp_models", os.path.join(os.path.dirname(HERE), "ulp", "models.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_models():
    return model_files.read(sorted(glob.glob(os.path.join(model_sources.MODELS, "*.json"))))


# ---- tables ------------------------------------------------------------------------------------

def check_reference(service, model, use):
    """(requests, faults) of a use that model_references.py has code for."""
    count, faults = 0, []
    asked = {"model": model["id"], "layer_type": use["layer_type"] or "all_layers"}
    for output, params, exact in REFERENCES[use["encoding"]](use["parameters"]):
        dtype = "f64" if exact.dtype.kind == "f" else None
        ours = service.array(use["encoding"], dict(asked, **params, out=output), dtype)
        wrong, count = differing(ours, exact), count + 1
        if wrong:
            faults.append("%s of %s: %d of %d numbers differ" % (
                output, use["encoding"], wrong, exact.size))
    return count, faults


def check_use(service, ulp, model, use):
    try:
        if use["encoding"] in REFERENCES:
            count, faults = check_reference(service, model, use)
            if count:
                return count, faults
        return 1, ulp.check_use(service, model, use)
    except Refused as refused:
        return 1, [str(refused)]


# ---- public configurations -----------------------------------------------------------------------

def published():
    """{folded name: rows} of both tables; those of a program's configurations by the model's id."""
    found = {}
    for row in configs.read_table() + model_sources.read_table():
        found.setdefault(model_sources.folded(row["name"]), []).append(row)
    return found


def by_group(service, uses):
    """{(encoding, layers): parameters}; what is a parameter's default is left out."""
    found = {}
    for use in uses:
        name = use.get("encoding")
        rows = service.encodings[name]["params"] if name else []
        usual = {row["name"]: row.get("default") for row in rows}
        found[name, use.get("layer_type")] = {
            key: value for key, value in with_width(use.get("parameters") or {}).items()
            if value != usual.get(key)}
    return found


def with_width(parameters):
    """The parameters with the width that turns, however it is said."""
    share = parameters.get("partial_rotary_factor", 1)
    known = {name: value for name, value in parameters.items()
             if name not in ("partial_rotary_factor", "rotary_dim")}
    if "dim" in known and known.get("scaling") != "proportional":
        known["rotary_dim"] = parameters.get("rotary_dim", int(known["dim"] * share))
    return known


def pairs(service, told, answer):
    """(key, our parameters, the file's) of the uses that both sides have: of the same encoding and
    layers, or of the only use of an encoding that the file says of no layers."""
    ours = by_group(service, told["uses"] + told.get("besides", []))
    theirs = by_group(service, answer["uses"] + answer.get("besides", []))
    for key, there in sorted(theirs.items(), key=str):
        same = [known for known in ours if known[0] == key[0]]
        if key in ours:
            yield key, ours[key], there
        elif key[0] and key[1] is None and len(same) == 1:
            yield same[0], ours[same[0]], there


def differences(service, told, answer):
    """Sentences on parameters."""
    for key, here, there in pairs(service, told, answer):
        for name in sorted(set(here) | set(there)):
            if here.get(name) != there.get(name):
                yield "%s of %s (%s) is %s, the file has %s" % (
                    name, key[0], key[1], here.get(name), there.get(name))


def scale_facts(text):
    """(encoding, parameter, value) of what is multiplied or bent: the width of a head that scores are
    divided by, Gemma's number in its place, the caps."""
    heads = text.get("num_attention_heads") or text.get("n_head")
    width = text.get("head_dim") or (text["hidden_size"] / heads
                                     if heads and text.get("hidden_size") else None)
    if text.get("qk_nope_head_dim") and text.get("qk_rope_head_dim"):  # latent attention
        width = text["qk_nope_head_dim"] + text["qk_rope_head_dim"]
    yield "softmax-scale", "dim", width
    yield "softmax-scale", "query_pre_attn_scalar", text.get("query_pre_attn_scalar")


def scale_faults(told, text):
    for encoding, name, value in scale_facts(text):
        for use in told["uses"]:
            here = (use.get("parameters") or {}).get(name)
            if (use.get("encoding"), use.get("layer_type")) == (encoding, None) and \
                    None not in (here, value) and here != value:
                yield "%s of %s is %s, the file has %s" % (name, encoding, here, value)


def text_of(row):
    """The facts of the language model of a configuration."""
    facts = json.loads(row["facts"])
    return next((facts[name] for name in configs.TEXTS if isinstance(facts.get(name), dict)), facts)


def facts_of(model, row):
    """(member, value that the file has): the number of layers; the length of the context where the
    model's own is from this file, since copies are often given the length of a run."""
    text = text_of(row)
    layers = [text[key] for key in ("num_hidden_layers", "n_layer", "num_layers") if key in text]
    if layers:
        yield "layers", layers[0]
    place = dict(model["sources"]).get("max_position_embeddings", model["source"])
    if place and "max_position_embeddings" in text and tuple(place[1:]) == (row["path"], row["commit"]):
        yield "max_position_embeddings", text["max_position_embeddings"]


def check_row(service, model, told, row):
    """Sentences on what a public configuration says otherwise; None if resolve refuses it."""
    try:
        answer = json.loads(service._ask("POST", "/v1/models/resolve", row["facts"])[1])
    except Refused:
        return None
    faults = list(differences(service, told, answer)) + list(scale_faults(told, text_of(row)))
    faults += model_answers.faults(told, answer, row["facts"])
    if row["digests"] != "-":
        theirs = dict(pair.split("=") for pair in row["digests"].split(" "))
        faults += configs.faults_of(configs.found(service, told), theirs)
    for name, value in facts_of(model, row):
        if told.get(name) not in (None, value):
            faults.append("%s is %s, the file has %s" % (name, told[name], value))
    return ["%s (%s %s)" % (fault, row["repository"], row["path"]) for fault in faults]


def check_files(service, model, told, rows):
    """(configurations, faults)"""
    count, faults = 0, []
    for row in rows:
        found = check_row(service, model, told, row)
        if found is None:
            continue
        count += 1
        reason = OTHERWISE.get((row["repository"], row["path"]))
        if reason is None:
            faults += found
        elif not found:
            faults.append("%s %s agrees, and has a reason not to: %s" % (
                row["repository"], row["path"], reason))
    return count, faults


# ---- rows --------------------------------------------------------------------------------------

def source_of(model):
    """REPOSITORY@COMMIT of the model's facts, else of its first use's."""
    place = model["source"] or next((use["source"] for use in model["uses"] if use["source"]), None)
    return "%s@%s" % (place[0].split("/", 3)[3], place[2][:12]) if place else "-"


def check(service, ulp, model, rows):
    """(requests, configurations, faults) of one model."""
    told = service.model(urllib.parse.quote(model["id"]))
    tables, faults = 0, []
    for use in model["uses"]:
        if use["encoding"]:
            count, found = check_use(service, ulp, model, use)
            tables, faults = tables + count, faults + found
    files, found = check_files(service, model, told, rows)
    return tables, files, faults + found


def run(url, chosen):
    service, ulp, known = Service(url), load_ulp(), published()
    passed = failed = anchored = 0
    print(ROW % ("model", "uses", "tables", "files", "source", "mismatches"))
    for model in read_models():
        if chosen and model["id"] not in chosen:
            continue
        rows = [row for name in sorted(model_sources.names_of(model)) for row in known.get(name, [])]
        tables, files, faults = check(service, ulp, model, rows)
        print(ROW % (model["id"], len(model["uses"]), tables, files, source_of(model),
                     len(faults)))
        for fault in faults:
            print("FAIL %s: %s" % (model["id"], fault))
        passed, failed = passed + (not faults), failed + bool(faults)
        anchored += files > 0
    print("%d models, %d of them with public configurations" % (passed + failed, anchored))
    if not chosen:
        found, missed = run_mutants(known)
        print("%d wrong facts found, %d not" % (found, missed))
        passed, failed = passed + found, failed + missed
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


def run_mutants(rows):
    """(found, not found) of wrong facts."""
    with tempfile.TemporaryDirectory() as folder:
        cases = model_mutants.mounted(rows, folder)
        with Posencd("--models-dir", folder) as server:
            service = Service(server.url)
            found, faults = model_mutants.check_facts(service, cases, check_row)
            more, others = model_mutants.check_tables(service, read_models())
    for fault in faults + others:
        print("FAIL " + fault)
    return found + more, len(faults + others)


def check_sources(folder):
    count, faults = model_sources.check(folder, read_models())
    for fault in faults:
        print("FAIL " + fault)
    print("%d passed, %d failed" % (count, len(faults)))
    return 1 if faults or not count else 0


def main():
    folder = {"metavar": "FOLDER"}
    options = arguments(__doc__, ("id", {"nargs": "*"}), ("--sources", folder),
                        ("--write-sources", folder))
    if options.sources:
        return check_sources(options.sources)
    if options.write_sources:
        return model_sources.write(options.write_sources, read_models())
    return served(options, lambda url: run(url, options.id))


if __name__ == "__main__":
    sys.exit(main())
