# SPDX-License-Identifier: Apache-2.0
"""model_mutants.py - wrong facts must be found: the comparisons of models.py with one fact changed.

A public configuration with one other number is mounted as a model (--models-dir) and compared with
the true configuration; the tables of a model are compared with independent code for facts of
which one is another. What is not found is a failure, and so is an unchanged fact that is."""

import copy
import json
import os

import model_sources
from model_references import REFERENCES, differing

# (name of a configuration, path of a fact in it, wrong value)
FACTS = (
    ("google/gemma-3-4b-it", ("text_config", "sliding_window"), 1023),
    ("Qwen/Qwen2.5-7B", ("rope_theta",), 1000001.0),
    ("Qwen/Qwen2.5-7B", ("num_hidden_layers",), 29),
    ("meta-llama/Llama-3.1-8B", ("rope_scaling", "factor"), 16.0),
    ("meta-llama/Llama-3.1-8B", ("rope_scaling", "low_freq_factor"), 2.0),
    ("deepseek-ai/DeepSeek-V3", ("rope_scaling", "beta_fast"), 31),
    ("deepseek-ai/DeepSeek-V3", ("qk_rope_head_dim",), 32),
    ("mistralai/Mistral-7B-v0.1", ("sliding_window",), 4095),
    ("pythia-1b", ("partial_rotary_factor",), 0.5),
    ("google/gemma-3-4b-it", ("text_config", "sliding_window"), None),
    ("google/gemma-3-27b-it", ("vision_config",), None),
    ("MiniMaxAI/MiniMax-M1", ("attn_type_list",), [1] * 80),
)
# (model, encoding, parameter, wrong value) of tables
TABLES = (
    ("gemma-3-4b", "sliding-window-mask", "window", 1025),
    ("llama-4-scout", "chunked-mask", "chunk", 8191),
    ("gemma-2-2b", "softmax-scale", "query_pre_attn_scalar", 224),
    ("deepseek-v3", "softmax-scale", "mscale_all_dim", 0),
    ("gemma-2-2b", "softcap", "cap", 49),
    ("qwen-7b", "logn", "train_len", 8191),
    ("t5-small", "t5", "num_buckets", 30),
    ("deberta-v3-base", "deberta", "position_buckets", 254),
    ("swin-tiny", "swin", "window_size", "7x8"),
    ("roberta-large", "learned", "padding_idx", 0),
)


def changed(facts, path, value):
    """The facts with one other value; None where they have no such fact, or this very value."""
    facts = copy.deepcopy(facts)
    inner = facts
    for key in path[:-1]:
        inner = inner.get(key) or {}
    if inner.get(path[-1], value) == value:
        return None
    inner[path[-1]] = value
    return facts


def row_of(rows, name, path, value):
    """The first configuration of the name that has the fact."""
    for row in rows.get(model_sources.folded(name), []):
        if changed(json.loads(row["facts"]), path, value) is not None:
            return row
    return None


def mounted(rows, folder):
    """Writes each configuration, true and with its wrong fact; [(sentence, row, true id, wrong
    id)]."""
    cases = []
    for i, (name, path, value) in enumerate(FACTS):
        row = row_of(rows, name, path, value)
        sentence = "%s with %s %s" % (name, ".".join(path), value)
        cases.append((sentence, row, "true-%d" % i, "wrong-%d" % i))
        if row:
            facts = json.loads(row["facts"])
            for which, text in (("true", facts), ("wrong", changed(facts, path, value))):
                with open(os.path.join(folder, "%s-%d.json" % (which, i)), "w",
                          encoding="utf-8") as file:
                    json.dump(text, file)
    return cases


def check_facts(service, cases, check_row):
    """(passed, sentences)"""
    passed, faults = 0, []
    model = {"source": None, "sources": []}
    for sentence, row, true, wrong in cases:
        if row is None:
            faults.append("no configuration: " + sentence)
        elif check_row(service, model, service.model(true), row):
            faults.append("without the wrong fact: %s: %s" % (
                sentence, check_row(service, model, service.model(true), row)))
        elif not check_row(service, model, service.model(wrong), row):
            faults.append("not found: " + sentence)
        else:
            passed += 1
    return passed, faults


def check_tables(service, models):
    """(passed, sentences)"""
    passed, faults = 0, []
    for name, encoding, parameter, value in TABLES:
        use = next((use for model in models if model["id"] == name for use in model["uses"]
                    if use["encoding"] == encoding and parameter in use["parameters"]), None)
        sentence = "%s of %s with %s %s" % (encoding, name, parameter, value)
        if use is None:
            faults.append("no such fact: " + sentence)
            continue
        asked = {"model": name, "layer_type": use["layer_type"] or "all_layers"}
        wrong = sum(differing(service.array(encoding, dict(asked, **params, out=output),
                                            "f64" if exact.dtype.kind == "f" else None), exact)
                    for output, params, exact in
                    REFERENCES[encoding](dict(use["parameters"], **{parameter: value})))
        passed += wrong > 0
        faults += [] if wrong else ["not found: " + sentence]
    return passed, faults
