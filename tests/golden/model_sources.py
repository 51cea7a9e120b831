# SPDX-License-Identifier: Apache-2.0
"""model_sources.py - what the public files that models cite say of them, as a config.json would say
it: model_sources.tsv, in the columns of configs.tsv, with a model's id as the name.

The readers turn the configurations of a program (litgpt, MLC LLM) into Hugging Face's keys;
`models.py --sources FOLDER` reads the files from git directories and compares the table,
`--write-sources FOLDER` writes it."""

import json
import os
import re
import subprocess
import sys
import types

import configs

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "model_sources.tsv")
MODELS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "core", "models")


def folded(name):
    """A name without its organisation, case and separators."""
    return re.sub(r"[^a-z0-9]", "", name.rpartition("/")[2].lower())


def names_of(model):
    return {folded(name) for name in [model["id"], model["name"], *model["aliases"]]}


# ---- readers: {folded name: configuration} of a file --------------------------------------------

LLAMA3 = {"factor": "factor", "low_freq_factor": "low_freq_factor",
          "high_freq_factor": "high_freq_factor",
          "original_max_seq_len": "original_max_position_embeddings"}


def of_litgpt(entry):
    """The keys of a litgpt configuration; None where it has two thetas, which one key cannot say."""
    width = entry.get("head_size") or entry["n_embd"] // entry["n_head"]
    if entry.get("rope_local_base_freq") is not None:
        return None
    config = {"model_type": "stablelm", "architectures": ["StableLmForCausalLM"],
              "hidden_size": entry["n_embd"], "num_attention_heads": entry["n_head"],
              "head_dim": width, "num_hidden_layers": entry["n_layer"],
              "max_position_embeddings": entry["block_size"], "rope_theta": entry["rope_base"],
              "partial_rotary_factor": entry["rotary_percentage"]}
    if entry["rotary_percentage"] == 1:
        del config["partial_rotary_factor"]
        config.update(model_type="llama", architectures=["LlamaForCausalLM"])
    if entry.get("rope_condense_ratio", 1) != 1:
        config["rope_scaling"] = {"rope_type": "linear", "factor": entry["rope_condense_ratio"]}
    adjusted = entry.get("rope_adjustments")
    if adjusted:
        if set(adjusted) != set(LLAMA3):
            return None
        config["rope_scaling"] = dict({LLAMA3[key]: value for key, value in adjusted.items()},
                                      rope_type="llama3")
    return config


def read_litgpt(text):
    """Runs litgpt/config.py, whose imports compute nothing here."""
    space = {"__name__": "litgpt_config"}
    sys.modules["litgpt_config"] = types.ModuleType("litgpt_config")
    for name, stands in (("typing_extensions", {"Self": object}), ("yaml", {})):
        sys.modules.setdefault(name, types.SimpleNamespace(**stands))
    exec(compile(text, "litgpt/config.py", "exec"), space)  # the file of a pinned commit
    found = {}
    for given in space["configs"]:
        made = vars(space["Config"](**given))
        config = of_litgpt(made)
        if config:
            found[folded(made["name"])] = found[folded(made["hf_config"].get("name", ""))] = config
    return found


# The names of MLC LLM's presets whose models are called otherwise.
PRESETS = {"aya-23": "aya-23-8b", "deepseek": "deepseek-moe-16b", "gpt_j": "gpt-j-6b",
           "internlm": "internlm-7b", "internlm2_5_7b": "internlm2.5-7b",
           "minicpm_2b_sft_bf16": "minicpm-2b", "ministral3_3b_2512": "ministral-3-3b",
           "phi-3_5": "phi-3.5-mini", "phi-3_5-vision": "phi-3.5-vision",
           "redpajama_3b_v1": "redpajama-incite-3b", "stablelm-2-zephyr-1_6b": "stablelm-2-1.6b",
           "starcoder2": "starcoder2-7b"}


def read_mlc(text):
    space = {}
    exec(compile(text, "model_preset.py", "exec"), space)  # a dictionary, of a pinned commit
    return {folded(PRESETS.get(name, name)): config
            for name, config in space["MODEL_PRESETS"].items()}


READERS = {"litgpt/config.py": read_litgpt, "python/mlc_llm/model/model_preset.py": read_mlc}


# ---- the table ----------------------------------------------------------------------------------

def read_table():
    return configs.read_table(TABLE)


def cited(models):
    """(model, repository, path, commit) of every model whose own facts are from such a file."""
    for model in models:
        if model["source"] and model["source"][1] in READERS:
            place, path, commit = model["source"]
            yield model, place.split("/", 3)[3], path, commit


def text_of(folder, repository, path, commit):
    name = repository.replace("/", "+")
    for git in (os.path.join(folder, name, "repo"), os.path.join(folder, name)):
        if os.path.isdir(git):
            shown = subprocess.run(["git", "-C", git, "show", "%s:%s" % (commit, path)],
                                   capture_output=True, text=True)
            if shown.returncode == 0:
                return shown.stdout
    return None


def rows(folder, models):
    """(rows of the table as the files give them, names of the files that were not fetched)"""
    source, read, made, absent = configs.open_source(folder), {}, [], set()
    for model, repository, path, commit in cited(models):
        place = repository, path, commit
        if place not in read:
            text = text_of(folder, *place)
            read[place] = None if text is None else READERS[path](text)
        if read[place] is None:
            absent.add("%s %s %s" % place)
            continue
        known = [read[place][name] for name in sorted(names_of(model)) if name in read[place]]
        if not known:
            continue
        digests, function = configs.computed(source, known[0])
        made.append({"repository": repository, "path": path, "commit": commit,
                     "name": model["id"], "digests": digests, "function": function,
                     "facts": configs.compact(configs.facts(known[0]))})
    return made, absent


def write(folder, models):
    made, absent = rows(folder, models)
    for place in sorted(absent):
        print("not fetched: " + place)
    with open(TABLE, "w", encoding="utf-8") as table:
        table.write("# " + "\t".join(configs.COLUMNS) + "\n")
        for row in sorted(made, key=lambda row: row["name"]):
            table.write("\t".join(row[name] for name in configs.COLUMNS) + "\n")
    return 0


def check(folder, models):
    """Compares the table with the files; the number of rows that agree, and sentences."""
    made, absent = rows(folder, models)
    found = {row["name"]: row for row in made}
    known = {row["name"] for row in read_table()}
    faults = ["not fetched: " + place for place in sorted(absent)]
    faults += ["%s has no row; write the table anew" % name for name in sorted(set(found) - known)]
    for row in read_table():
        now = found.get(row["name"])
        if now is None:
            faults.append("%s: its file says nothing of it" % row["name"])
            continue
        faults += ["%s: %s is %s, the file gives %s" % (row["name"], name, row[name], now[name])
                   for name in configs.COLUMNS if row[name] != now[name]]
    return len(made), faults
