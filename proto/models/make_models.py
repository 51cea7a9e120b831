#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes core/models/*.json as C, for proto/models/models.c: make_models.py FILE... >models.h

A file that breaks a rule fails the build; the message names the file and the member."""

import json
import os
import re
import sys

MEMBERS = {"id", "name", "organisation", "family", "aliases", "max_position_embeddings",
           "layers", "layer_types", "uses", "source", "length_source", "pairing_source", "notes"}
USE_MEMBERS = {"encoding", "layer_type", "parameters"}
SOURCE_MEMBERS = {"repository", "path", "commit"}
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
WORD = re.compile(r"[a-z][a-z0-9_]{0,40}")
COMMIT = re.compile(r"[0-9a-f]{40}")


class Wrong(Exception):
    pass


def need(condition, sentence):
    if not condition:
        raise Wrong(sentence)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_words(value):
    return isinstance(value, list) and value and all(isinstance(v, str) and v for v in value)


def unique(pairs):
    """Makes the object of its pairs; refuses repeated names."""
    need(len({name for name, _ in pairs}) == len(pairs), "a name stands twice in an object")
    return dict(pairs)


def check_source(model, name):
    source = model[name]
    need(isinstance(source, dict) and set(source) == SOURCE_MEMBERS,
         f"{name} must have repository, path and commit, and nothing else")
    need(source["repository"].startswith("https://"), f"{name}.repository must be a https URL")
    need(source["path"] and not source["path"].startswith("/"), f"{name}.path is no path")
    need(COMMIT.fullmatch(source["commit"]), f"{name}.commit must be 40 hexadecimal digits")


def check_parameter(name, value):
    need(WORD.fullmatch(name), f"{name} is no name of a parameter")
    numbers = isinstance(value, list) and value and all(map(is_number, value))
    need(isinstance(value, (str, bool)) or is_number(value) or numbers,
         f"{name} must be a number, a word, a boolean or a list of numbers")
    if isinstance(value, str):
        need(re.fullmatch(r"[!-~]+", value), f"{name} must be one word")


def check_use(use, types):
    need(isinstance(use, dict), "uses must hold objects")
    need(not set(use) - USE_MEMBERS, f"unknown members {sorted(set(use) - USE_MEMBERS)} in uses")
    need(("encoding" in use) == ("parameters" in use),
         "encoding and parameters stand together, or neither where there is no encoding")
    need("encoding" in use or "layer_type" in use, "a use without encoding needs a layer_type")
    if "layer_type" in use:
        need(use["layer_type"] in types, f"layer_type {use['layer_type']} is not in layer_types")
    for name, value in use.get("parameters", {}).items():
        check_parameter(name, value)


def check(model, path):
    need(isinstance(model, dict), "must be an object")
    need(not set(model) - MEMBERS, f"unknown members {sorted(set(model) - MEMBERS)}")
    for name in ("id", "name", "organisation", "family", "uses", "source"):
        need(name in model, f"{name} is missing")
    for name in ("id", "name", "organisation", "family", "notes"):
        need(isinstance(model.get(name, "-"), str) and model.get(name, "-"),
             f"{name} must be text")
    need(NAME.fullmatch(model["id"]), "id must be lower case letters, digits, dots and dashes")
    need(os.path.basename(path) == model["id"] + ".json", "the file must be called <id>.json")
    for name in ("layers", "max_position_embeddings"):
        value = model.get(name, 1)
        need(is_number(value) and value == int(value) and 0 < value < 2**53,
             f"{name} must be a whole number")
    for name in ("aliases", "layer_types"):
        need(is_words(model.get(name, ["-"])), f"{name} must be a list of words")
    check_source(model, "source")
    for name in ("length_source", "pairing_source"):
        if name in model:
            check_source(model, name)
    need("length_source" not in model or "max_position_embeddings" in model,
         "length_source is that of max_position_embeddings")
    need(isinstance(model["uses"], list) and model["uses"], "uses must hold something")
    for use in model["uses"]:
        check_use(use, model.get("layer_types", []))
    pairs = [(use.get("encoding"), use.get("layer_type")) for use in model["uses"]]
    need(len(set(pairs)) == len(pairs), "an encoding stands twice for one layer_type")


def quote(text):
    if text is None:
        return "NULL"
    plain = "".join(c if " " <= c <= "~" and c not in '"\\?' else
                    "".join(f"\\{b:03o}" for b in c.encode()) for c in text)
    return f'"{plain}"'


def spell(value):
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return ",".join(map(spell, value))
    return value if isinstance(value, str) else repr(value)


def write_words(name, words):
    if not words:
        return "NULL"
    print(f"static const char *const {name}[] = {{{', '.join(map(quote, words))}, NULL}};")
    return name


def write_source(source):
    return "{" + ", ".join(quote(source.get(name)) for name in ("repository", "path", "commit")) + "}"


def write_parts(number, model):
    """Prints the arrays that the model's row points to; returns the row."""
    for i, use in enumerate(model["uses"]):
        pairs = use.get("parameters", {}).items()
        rows = ", ".join(f"{{{quote(name)}, {quote(spell(value))}}}" for name, value in pairs)
        if rows:
            print(f"static const struct model_setting settings_{number}_{i}[] = {{{rows}}};")
    uses = ", ".join(
        f"{{{quote(use.get('encoding'))}, {quote(use.get('layer_type'))}, "
        + (f"settings_{number}_{i}, {len(use['parameters'])}}}" if use.get("parameters")
           else "NULL, 0}") for i, use in enumerate(model["uses"]))
    print(f"static const struct model_use uses_{number}[] = {{{uses}}};")
    types = model.get("layer_types", [])
    names = write_words(f"aliases_{number}", model.get("aliases"))
    pattern = write_words(f"pattern_{number}", types)
    texts = ", ".join(quote(model.get(n)) for n in ("id", "name", "organisation", "family", "notes"))
    return (f"    {{{texts}, {names}, {model.get('max_position_embeddings', 0)}, "
            f"{model.get('layers', 0)}, {pattern}, {len(types)}, uses_{number}, "
            f"{len(model['uses'])}, {write_source(model['source'])}, "
            f"{write_source(model.get('length_source', {}))}, "
            f"{write_source(model.get('pairing_source', {}))}, NULL, 0}},")


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            model = json.load(file, object_pairs_hook=unique)
        check(model, path)
    except (Wrong, ValueError, KeyError, TypeError, AttributeError) as error:
        sys.exit(f"{path}: {error}")
    return model


def main(paths):
    models = sorted((read(path) for path in paths), key=lambda model: model["id"])
    seen = {}
    for model in models:
        for name in [model["id"]] + model.get("aliases", []):
            if name.lower() in seen:
                sys.exit(f"{model['id']}.json: {name} is {seen[name.lower()]} already")
            seen[name.lower()] = model["id"]
    print("/* Made by proto/models/make_models.py from core/models. */")
    rows = [write_parts(number, model) for number, model in enumerate(models)]
    print("static const struct model embedded[] = {")
    print("\n".join(rows))
    print("};")


if __name__ == "__main__":
    main(sys.argv[1:])
