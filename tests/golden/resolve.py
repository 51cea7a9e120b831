#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""resolve.py - resolves configurations of the golden cases; the URLs must give the goldens.

    tests/golden/resolve.py [--url URL] [DIR]

Rebuilds the config.json of each case that has one (its parameters are under Hugging Face's
names), POSTs it to /v1/models/resolve, fetches the URLs it answers and compares their
frequencies with truth and reference. The last line is "N passed, N failed"."""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from cases import TRUTHS, compare, read_index  # noqa: E402
from methods import METHODS  # noqa: E402
from service import Refused, Service, arguments, served  # noqa: E402
from support.tensor_file import read_npy  # noqa: E402

# Entries that a case adds to the configuration.
OURS = ("rotary_dim", "seq_len", "layer_type", "output_dtype")
FAMILIES = (("llama", "llama"), ("mistral", "mistral"), ("qwen2-vl", "qwen2_vl"),
            ("qwen3-vl", "qwen3_vl"), ("qwen", "qwen2"), ("phi3", "phi3"), ("phi2", "phi"),
            ("deepseek", "deepseek_v3"), ("gpt-oss", "gpt_oss"), ("pythia", "gpt_neox"),
            ("gemma3", "gemma3_text"), ("glm4", "glm4"), ("command-r", "cohere"),
            ("falcon", "falcon"), ("internlm2", "internlm2"), ("vicuna", "llama"),
            ("modernbert", "modernbert"))


# Published configurations that must be among the cases of this repository.
SHOWN = ("rope-llama3.1-8b", "rope-qwen2.5-7b-yarn4", "rope-phi3-mini-128k-short",
         "rope-phi3-mini-128k-long", "rope-deepseek-v3", "rope-gpt-oss-20b",
         "rope-gemma3-4b-global", "rope-gemma3-4b-local", "mrope-qwen2-vl-7b")


def config_of(case):
    """A config.json: the parameters of the case, and the model_type of its model."""
    params = case.entry["params"]
    config = {name: value for name, value in params.items() if name not in OURS}
    family = next((kind for word, kind in FAMILIES if word in case.id), None)
    if family is None or "hidden_size" not in params:
        return None
    names = {"modernbert": {"rope_theta": "global_rope_theta",
                            "rope_local_base_freq": "local_rope_theta"},
             "gpt_neox": {"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"}}
    if case.method == "mrope":
        sections = {name: config.pop(name) for name in ("mrope_section", "mrope_interleaved")}
        config["rope_scaling"] = dict(sections, rope_type="default")
    config = {names.get(family, {}).get(name, name): value for name, value in config.items()}
    return dict(config, model_type=family)


def frequencies(service, use, case):
    """inv_freq of a use, by dtype, from its URL that asks for it."""
    found = {}
    for url in use["urls"]:
        if "out=inv_freq" not in url:
            continue
        if case.variant in ("dynamic", "longrope"):  # the caller chooses the length
            url = re.sub("&(seq_len|longrope_list)=[^&]*", "", url)
            url += "&seq_len=%d" % case.entry["params"]["seq_len"]
        for dtype in ("f32", "f64"):
            answer = service._ask("GET", "%s&dtype=%s&format=npy" % (url, dtype))[1]
            found.setdefault(dtype, []).append(read_npy(answer))
    return found


def tables(service, use, case):
    """cos of a multimodal use at the case's positions, by dtype, from its parameters."""
    asked = METHODS["mrope"].questions(case)["cos"].params
    positions = {name: value for name, value in asked.items() if name.startswith("pos")}
    asked = dict(use["parameters"], **positions, out="cos")
    return {dtype: [service.array("mrope", asked, dtype)] for dtype in ("f32", "f64")}


def use_of(answer, case):
    """The use that belongs to the layers and the method of the case."""
    kind = case.entry["params"].get("layer_type")
    encoding = "mrope" if case.method == "mrope" else "rope"
    uses = [use for use in answer["uses"] if use["encoding"] == encoding]
    fitting = [use for use in uses if use.get("layer_type") in (None, kind)]
    if not fitting:
        raise Refused("no use of %s for layers %s, only %s" % (
            encoding, kind, [(use["encoding"], use.get("layer_type")) for use in answer["uses"]]))
    return fitting[0]


def check(service, case, config):
    """Every fault, as sentences."""
    measure, name = (tables, "cos") if case.method == "mrope" else (frequencies, "inv_freq")
    expected = case.output(name)
    try:
        answer = json.loads(service._ask("POST", "/v1/models/resolve", json.dumps(config))[1])
        found = measure(service, use_of(answer, case), case)
    except (Refused, KeyError) as fault:
        return ["%s: %s" % (type(fault).__name__, fault)]
    if not found:
        return ["no URL asks for inv_freq"]
    faults = []
    for name, tolerance in expected.tolerance.items():
        dtype = TRUTHS.get(name, "f32")
        array = expected.reference if name == "vs_reference" else expected.truth
        wrong = [compare(ours, array, tolerance, expected.position_axis) for ours in found[dtype]]
        if all(wrong):
            faults.append("%s: %s" % (name, wrong[0]))
    return faults


def run(url, folder):
    service = Service(url)
    passed = failed = 0
    seen = set()
    for case in read_index(folder):
        if case.method not in ("rope", "mrope"):
            continue
        config = config_of(case)
        case.open()
        if config is None or not any(output.name in ("inv_freq", "section_axis")
                                     for output in case.outputs):
            continue
        faults = check(service, case, config)
        seen.add(case.id)
        passed, failed = passed + (not faults), failed + bool(faults)
        print("%s %s" % ("FAIL" if faults else "ok  ", case.id))
        for fault in faults:
            print("     " + fault)
    if os.path.abspath(folder) == os.path.join(HERE, "cases"):
        for name in sorted(set(SHOWN) - seen):
            print("FAIL %s was not resolved" % name)
            failed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


def main():
    options = arguments(__doc__, ("folder", {"nargs": "?", "default": os.path.join(HERE, "cases")}))
    return served(options, lambda url: run(url, options.folder))


if __name__ == "__main__":
    sys.exit(main())
