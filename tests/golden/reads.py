#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""reads.py - every key of a configuration that speaks of attention, positions, windows or directions
is read, or named in a warning.

    tests/golden/reads.py [--url URL] [-v]

Takes the configurations of configs.tsv, of model_sources.tsv and of the rows of
tests/proto/models/hf. Each such key, each object and each list with an entry a layer is changed,
one at a time, and the configuration is resolved again: another answer (or a refusal) shows that
it was read. What changes nothing must be named in a warning, in what is left out of its part, or
be a key of proto/models/hf/hf_ignored.def. The last line is "N passed, N failed"."""

import copy
import glob
import json
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import configs  # noqa: E402
import model_sources  # noqa: E402
from service import Refused, Service, arguments, served  # noqa: E402

SPEAKING = re.compile(r"attention|attn|position|rope|rotary|theta|window|causal|direction|alibi|nope"
                      r"|layer_type|block_type|relative|sink|index_topk")
DICTIONARIES = ("rope_scaling", "rope_parameters")  # whose every key speaks of positions
INTERVALS = ("no_rope_layer_interval", "nope_layer_interval")
PARTS = os.path.join(ROOT, "proto", "models", "hf", "hf_part_names.def")
IGNORED = os.path.join(ROOT, "proto", "models", "hf", "hf_ignored.def")


def ignored():
    """(patterns of keys that say nothing of positions, {key: switch that it counts with})"""
    with open(IGNORED, encoding="utf-8") as file:
        text = file.read()
    with open(PARTS, encoding="utf-8") as file:
        names = re.findall(r'HF_PART_NAME\("(.+?)", NULL', file.read())
    patterns = [re.compile(re.escape(key).replace(r"\*", ".*"))
                for key in re.findall(r'HF_IGNORED\("(.+?)"\)', text) + names]
    return patterns, dict(re.findall(r'HF_MOOT\("(.+?)", "(.+?)"\)', text))


def rows_of_tests():
    """Configurations of the rows of tests/proto/models/hf."""
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "proto", "models", "hf", "*.txt"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for row in re.findall(r"^config (\{.*?)(?=^    [a-z ]+: |\Z)", text, re.S | re.M):
            try:
                yield os.path.basename(path), json.loads(" ".join(row.split()))
            except ValueError:
                continue  # a row that is no JSON on purpose


def configurations():
    for row in configs.read_table() + model_sources.read_table():
        yield row["name"], json.loads(row["facts"])
    yield from rows_of_tests()


def layers_of(config):
    text = next((config[name] for name in configs.TEXTS if isinstance(config.get(name), dict)), config)
    return text.get("num_hidden_layers") or text.get("num_layers")


def says_something(value):
    return value not in (None, False, "", 0, [], {}) and not (
        isinstance(value, list) and not any(value))


def places(config, path=()):
    """Paths of what must be read or named."""
    layers = layers_of(config) if not path else None
    for key, value in config.items():
        if not says_something(value):
            continue
        if isinstance(value, dict):
            if key not in DICTIONARIES or set(value) - {"rope_type", "type", "rope_theta"} or \
                    value.get("rope_theta"):
                yield path + (key,)
            yield from places(value, path + (key,))
        elif SPEAKING.search(key) or set(path) & set(DICTIONARIES):
            yield path + (key,)
        elif isinstance(value, list) and layers and layers > 3 and len(value) == layers:
            yield path + (key,)


def others(value):
    """Values in its place, of the same kind and of others: what is read is of one kind."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value * 2 + 3
    elif isinstance(value, list) and value and all(isinstance(item, (int, float)) for item in value):
        yield [item * 2 + 3 for item in value]
    elif isinstance(value, list):
        yield ["another"] * len(value)
    yield from ("another", "rotary", "relative_key", None, 1.5, {"a": 1})


def changed(config, path, value):
    config = copy.deepcopy(config)
    at = config
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return config


def value_at(config, path):
    for key in path:
        config = config[key]
    return config


def is_read(service, config, path, answer):
    return any(resolve(service, changed(config, path, value)) != answer
               for value in others(value_at(config, path)))


def resolve(service, config):
    """The answer; the problem of one that is refused."""
    try:
        return json.loads(service._ask("POST", "/v1/models/resolve", json.dumps(config))[1])
    except Refused as refused:
        return str(refused).partition("errors")[2]


def moot(config, path, moots):
    text = next((config[name] for name in configs.TEXTS if isinstance(config.get(name), dict)), {})
    switch = moots.get(path[-1])
    if path[-1] in INTERVALS:  # of a list that counts in its place
        return bool(text.get("no_rope_layers") or config.get("no_rope_layers"))
    return switch and not (text.get(switch) or config.get(switch))


def is_told(answer, path, moots):
    """Whether a warning names the key, its object or what it switches on, or one says that its part
    is left out, or what is left out of it."""
    pointer = "#/" + "/".join(path)
    names = [path[-1]] + [key for key, switch in moots.items() if switch == path[-1]]
    words = [re.search(r"(^|\W)(%s)(\W|$)" % "|".join(map(re.escape, names)), warning) or
             re.match(r"(%s)( of \w+)? is not read" % "|".join(map(re.escape, path)), warning)
             for warning in answer.get("warnings", [])]
    still = any(re.search("does not rotate, whatever|no layer of an? .* rotates", warning) for warning in answer.get("warnings", []))
    parts = [part for part in answer.get("parts", []) if part.get("left_out") and
             (pointer + "/").startswith(part["from"] + "/") and
             (not part.get("encodings") or path[-1] in part["left_out"])]
    return any(words) or bool(parts) or still and re.search("rope|rotary|theta", path[-1])


def faults_of(service, name, config, patterns, moots):
    """(keys, sentences)"""
    answer, count, faults = resolve(service, config), 0, []
    if not isinstance(answer, dict):
        return 0, []
    for path in places(config):
        if any(pattern.fullmatch(path[-1]) for pattern in patterns) or moot(config, path, moots) \
                or path[-1] in moots.values():
            continue
        count += 1
        if not is_told(answer, path, moots) and not is_read(service, config, path, answer):
            faults.append("%s: %s changes nothing, and no warning names it" % (name, "/".join(path)))
    return count, faults


def run(url, verbose):
    service = Service(url)
    patterns, moots = ignored()
    passed = failed = keys = 0
    for name, config in configurations():
        count, faults = faults_of(service, name, config, patterns, moots)
        for fault in faults:
            print("FAIL " + fault)
        if verbose:
            print("%-40s %d" % (name, count))
        keys += count
        passed, failed = passed + (not faults), failed + bool(faults)
    print("%d keys of %d configurations" % (keys, passed + failed))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or keys < 1000 else 0


def main():
    options = arguments(__doc__, ("-v --verbose", {"action": "store_true"}))
    return served(options, lambda url: run(url, options.verbose))


if __name__ == "__main__":
    sys.exit(main())
