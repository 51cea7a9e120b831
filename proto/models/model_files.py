# SPDX-License-Identifier: Apache-2.0
"""model_files.py - reads core/models/*.json: every model of every file with all of its facts, as
docs/models.md says, or Wrong with the file, the model and what would be right."""

import json
import re

FILE_MEMBERS = {"family", "organisation", "files", "source", "sources", "layers", "layer_types",
                "stacks", "max_position_embeddings", "values", "uses", "notes", "left_out",
                "members"}
MODEL_MEMBERS = {"id", "name", "aliases", "organisation", "family", "layers", "layer_types",
                 "stacks", "max_position_embeddings", "values", "uses", "source", "sources",
                 "notes", "left_out"}
USE_MEMBERS = {"encoding", "layer_type", "parameters", "layouts", "tensors", "note",
               "left_out", "source", "sources"}
LAYOUT_MEMBERS = {"parameters", "source"}
TENSOR_MEMBERS = {"name", "shape", "layout"}
FACTS = ("max_position_embeddings", "layers", "layer_types", "stacks")
PARTS = ("vision", "audio", "draft", "action")
NO_LAYERS = re.compile(r"([a-z0-9]+_)?embeddings|logits")
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
WORD = re.compile(r"[a-z][a-z0-9_.]{0,40}")
ALIAS = re.compile(r"([A-Za-z0-9._-]+/)?[A-Za-z0-9._-]+")
PERMALINK = re.compile(r"(https://[^/]+/.+?)/(?:-/)?blob/([0-9a-f]{40})/(.+)")
COUNTED = re.compile(r"([a-z][a-z0-9_]*)(?:\*([1-9][0-9]{0,3}))?")
DOWNLOADS = re.compile(r"(\S+) ([1-9][0-9]{0,11})")
ALL_LAYERS = "all_layers"


class Wrong(Exception):
    pass


def need(condition, sentence):
    if not condition:
        raise Wrong(sentence)


def need_members(thing, allowed, what):
    need(isinstance(thing, dict), f"{what} must be an object")
    extra = sorted(set(thing) - allowed)
    need(not extra, f"{what} has unknown members: {', '.join(extra)}")


def unique(pairs):
    """Makes the object of its pairs; refuses repeated names."""
    names = [name for name, _ in pairs]
    need(len(set(names)) == len(names), f"a name stands twice in an object: {names}")
    return dict(pairs)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def need_whole(value, what):
    need(is_number(value) and value == int(value) and 0 < value < 2**53,
         f"{what} must be a whole number")


def need_text(value, what):
    need(isinstance(value, str) and value, f"{what} must be text")


def is_numbers(value):
    return isinstance(value, list) and value and all(map(is_number, value))


# ---- layers ---------------------------------------------------------------------------------

def types(words, what):
    """The names of a pattern, "name*5" written out."""
    need(isinstance(words, list) and words, f"{what} must be a list of names")
    found = []
    for word in words:
        match = COUNTED.fullmatch(word) if isinstance(word, str) else None
        need(match, f"{what} must hold names as sliding_attention or sliding_attention*5")
        found += [match[1]] * int(match[2] or 1)
    return found


def stacks(given):
    need(isinstance(given, dict), "stacks must be an object")
    found = {}
    for name, stack in given.items():
        need(WORD.fullmatch(name) and name != ALL_LAYERS, f"stacks: {name} is no name of a stack")
        stack = {"layers": stack} if is_number(stack) else stack
        need_members(stack, {"layers", "layer_types"}, f"the stack {name}")
        need_whole(stack.get("layers"), f"layers of the stack {name}")
        pattern = stack.get("layer_types")
        found[name] = {"layers": stack["layers"],
                       "layer_types": types(pattern, f"layer_types of {name}") if pattern else []}
    return found


def groups(model):
    """Names of all groups of layers that a use of the model may be about."""
    names = list(dict.fromkeys(model["layer_types"]))
    for name, stack in model["stacks"].items():
        names += [name] + stack["layer_types"]
    return names


# ---- sources --------------------------------------------------------------------------------

def permalink(text, files, what):
    """(repository, path, commit) of a permalink, or of a name in `files`."""
    need(isinstance(text, str), f"{what} must be a permalink or a name in files")
    link = files.get(text, text) if "/" not in text else text
    match = PERMALINK.fullmatch(link)
    need(match, f"{what} must be REPOSITORY/blob/COMMIT/PATH or a name in files; got {text}")
    return match[1], match[3], match[2]


class Sources:
    """`source` and `sources` of a file, a member or a use."""

    def __init__(self, thing, files, what):
        self.one = thing.get("source") and permalink(thing["source"], files, f"source of {what}")
        given = thing.get("sources", {})
        need(isinstance(given, dict), f"sources of {what} must be an object")
        self.by_fact = {name: permalink(link, files, f"sources.{name} of {what}")
                        for name, link in given.items()}


def nearest(fact, names, levels, ones):
    """The source of a fact: the first of `levels` that names it, else the first of `ones`."""
    for level in levels:
        for name in names:
            if name in level.by_fact:
                return level.by_fact[name]
    found = next((level.one for level in ones if level.one), None)
    need(found, f"{fact} has no source")
    return found


# ---- uses -----------------------------------------------------------------------------------

def check_value(name, value):
    rows = isinstance(value, list) and value and all(map(is_numbers, value))
    need(isinstance(value, (str, bool)) or is_number(value) or is_numbers(value) or rows,
         f"{name} must be a number, a word, a boolean, or a list of numbers or of such lists")
    if isinstance(value, str):
        need(re.fullmatch(r"[!-~]+", value), f"{name} must be one word")


class Values:
    """The values of a member and of its file, by which "$name" is replaced; notes which were used."""

    def __init__(self, model, used):
        facts = {name: model[name] for name in FACTS[:2] if model[name]}
        self.member = dict(facts, **model["values"])
        self.all = dict(model["defaults"], **self.member)
        self.used = used

    def get(self, value):
        """(the value; its name, or None for a literal; whether it is the member's own)"""
        if not isinstance(value, str) or not value.startswith("$"):
            return value, None, False
        name = value[1:]
        need(name in self.all, f"values has no {name}, which a use takes as {value}")
        self.used.add(name)
        return self.all[name], name, name in self.member


def tensors(given, values):
    need(isinstance(given, dict), "tensors must be an object")
    found = {}
    for name, tensor in given.items():
        need_members(tensor, TENSOR_MEMBERS, f"tensors.{name}")
        need_text(tensor.get("name"), f"tensors.{name}.name")
        shape = [values.get(side)[0] for side in tensor.get("shape", [])]
        for side in shape:
            need_whole(side, f"a side of tensors.{name}.shape")
        found[name] = dict(tensor, shape=shape)
    return found


def layouts(given, parameters, files, what):
    need(isinstance(given, dict), f"layouts of {what} must be an object")
    found = {}
    for library, layout in given.items():
        need(WORD.fullmatch(library), f"layouts of {what}: {library} is no name of a library")
        need_members(layout, LAYOUT_MEMBERS, f"the layout of {library}")
        changed = layout.get("parameters")
        need(isinstance(changed, dict) and changed,
             f"the layout of {library} must have parameters of {what}")
        for name, value in changed.items():
            check_value(f"{name} of the layout of {library}", value)
            need(name in parameters and parameters[name] != value,
                 f"{name} of the layout of {library} must be another value of {what}")
        found[library] = {"parameters": changed,
                          "source": permalink(layout.get("source"), files,
                                              f"source of the layout of {library}")}
    return found


def expand_use(given, model, values, levels):
    """The uses that a use of a file stands for: one for each group of layers. levels: the sources of
    the member and of the file."""
    need_members(given, USE_MEMBERS, "a use")
    what = f"the use of {given.get('encoding', 'no encoding')}"
    member, file = levels
    own = Sources(given, model["files"], what)
    need(given.get("encoding") or given.get("layer_type"),
         "a use without encoding needs a layer_type")
    need(given.get("encoding") or not (given.get("parameters") or given.get("tensors")),
         "a use without encoding has no parameters and no tensors")
    parameters, origin = {}, {}
    for name, value in given.get("parameters", {}).items():
        need(WORD.fullmatch(name), f"{name} is no name of a parameter")
        value, named, of_member = values.get(value)
        check_value(f"{name} of {what}", value)
        parameters[name] = value
        origin[name] = nearest(f"{name} of {what}", [name] + ([named] if named else []),
                               [own, member, file],
                               [member, file] if of_member else [own, member, file])
    source = own.one or member.one or file.one
    need(source, f"{what} has no source")
    layer_types = given.get("layer_type")
    layer_types = layer_types if isinstance(layer_types, list) else [layer_types]
    for name in layer_types:
        need(name is None or name in groups(model) or NO_LAYERS.fullmatch(str(name)),
             f"{what}: {name} is no type in layer_types and no stack")
    unknown = set(own.by_fact) - set(parameters)
    need(not unknown, f"sources of {what} names no parameter of it: {', '.join(sorted(unknown))}")
    for name in ("note", "left_out"):
        if name in given:
            need_text(given[name], f"{name} of {what}")
    return [{"encoding": given.get("encoding"), "layer_type": layer_type,
             "parameters": parameters, "tensors": tensors(given.get("tensors", {}), values),
             "layouts": layouts(given.get("layouts", {}), parameters, model["files"], what),
             "note": given.get("note"), "left_out": given.get("left_out"), "source": source,
             "sources": [(name, link) for name, link in origin.items() if link != source]}
            for layer_type in layer_types]


def key(use):
    return use["encoding"], use["layer_type"]


def check_uses(model):
    keys = [key(use) for use in model["uses"]]
    need(len(set(keys)) == len(keys), "an encoding stands twice for one group of layers: " + str(
        next((k for k in keys if keys.count(k) > 1), "")))
    main = set(model["layer_types"])
    for encoding, layer_type in keys:
        need(layer_type not in main or (encoding, None) not in keys or encoding is None,
             f"{encoding} stands for {layer_type} and for all layers")
    for name in main:
        need(any(use["layer_type"] in (name, None) for use in model["uses"]),
             f"no use is about the layers of {name}")


# ---- models ---------------------------------------------------------------------------------

def check_facts(model):
    for name in ("id", "name", "organisation", "family"):
        need_text(model.get(name), name)
    need(model["notes"] is None or isinstance(model["notes"], str), "notes must be text")
    need(NAME.fullmatch(model["id"]), "id must be lower case letters, digits, dots and dashes")
    for name in FACTS[:2]:
        if model[name]:
            need_whole(model[name], name)
    aliases = model["aliases"]
    need(isinstance(aliases, list) and all(isinstance(a, str) and ALIAS.fullmatch(a)
                                           for a in aliases),
         "aliases must be a list of names as organisation/name")
    need(isinstance(model["values"], dict), "values must be an object")


def member_model(file, given):
    need_members(given, MODEL_MEMBERS, "a member")
    model = {name: given.get(name, file.get(name)) for name in
             ("id", "name", "organisation", "family")}
    notes = [part["notes"] for part in (file, given) if part.get("notes")]
    model["notes"] = " ".join(notes) or None
    model["aliases"] = given.get("aliases", [])
    model["values"] = given.get("values", {})
    model["defaults"] = file.get("values", {})
    model["files"] = file.get("files", {})
    for name in FACTS[:2]:
        model[name] = given.get(name, file.get(name, 0))
    pattern = given.get("layer_types", file.get("layer_types"))
    model["layer_types"] = types(pattern, "layer_types") if pattern else []
    model["stacks"] = stacks(given.get("stacks", file.get("stacks", {})))
    check_facts(model)
    model["downloads"] = 0  # unknown
    model["aliases"] = [*own_name(model), *model["aliases"]]
    return model


def own_name(model):
    """The repository of the checkpoint, organisation/name, where no alias has it."""
    full = f"{model['organisation']}/{model['name']}"
    known = {alias.lower() for alias in model["aliases"]}
    return [full] if ALIAS.fullmatch(full) and full.lower() not in known else []


def add_uses(model, file, given, levels):
    """Replaces uses of the file by the member's of the same encoding and layers; returns the names
    of the values that uses take."""
    used = set()
    values = Values(model, used)
    uses = [use for one in file.get("uses", []) for use in expand_use(one, model, values, levels)]
    for one in given.get("uses", []):
        for use in expand_use(one, model, values, levels):
            places = [i for i, other in enumerate(uses) if key(other) == key(use)]
            uses[places[0] if places else len(uses):places[0] + 1 if places else len(uses)] = [use]
    need(uses, "uses must hold something")
    unused = set(model["values"]) - used
    need(not unused, f"values that no use takes: {', '.join(sorted(unused))}")
    model["uses"] = uses
    check_uses(model)
    return used


def add_sources(model, given, file, levels):
    """The sources of the facts that stand at the model itself."""
    member, whole = levels
    model["source"] = member.one or whole.one or model["uses"][0]["source"]
    model["sources"] = []
    for name in FACTS:
        if model[name]:
            own = name in given or name not in file
            source = nearest(name, [name], [member, whole], [member, whole] if own
                             else [whole, member])
            if source != model["source"]:
                model["sources"].append((name, source))


def check_named(model, levels):
    """Refuses sources of what the model does not have."""
    known = set(FACTS) | set(model["values"]) | {n for use in model["uses"] for n in use["parameters"]}
    unknown = set(levels[0].by_fact) - known
    need(not unknown, f"sources names no fact of it: {', '.join(sorted(unknown))}")


def left_out(file, given):
    """What is left out of parts of a member, {part: why}: the member's own and the file's."""
    found = {}
    for thing in (file, given):
        parts = thing.get("left_out", {})
        need(isinstance(parts, dict), "left_out must be an object")
        for name, text in parts.items():
            need(name in PARTS, f"left_out: {name} is none of {', '.join(PARTS)}")
            need_text(text, f"left_out.{name}")
        found.update(parts)
    return found


def components(model, left_out):
    """The parts of a model, (name, what is left out of it or None): the main one, which is text, and
    those that groups of layers are named after or of which something is left out."""
    groups_of_uses = [use["layer_type"] or "" for use in model["uses"]] + list(model["stacks"])
    found = [(name, left_out.get(name)) for name in PARTS
             if name in left_out or any(re.match(name + "(_|$)", group) for group in groups_of_uses)]
    return [("text", None)] + found if found else []


def read_file(path):
    with open(path, encoding="utf-8") as text:
        file = json.load(text, object_pairs_hook=unique)
    need_members(file, FILE_MEMBERS, "the file")
    files = file.get("files", {})
    need(isinstance(files, dict), "files must be an object")
    for name, link in files.items():
        need("/" not in name and isinstance(link, str) and PERMALINK.fullmatch(link),
             f"files.{name} must be REPOSITORY/blob/COMMIT/PATH")
    need(isinstance(file.get("members"), list) and file["members"], "members must be a list")
    whole = Sources(file, files, "the file")
    models, named, used = [], set(), set()
    for given in file["members"]:
        try:
            model = member_model(file, given)
            levels = Sources(given, files, "the member"), whole
            used |= add_uses(model, file, given, levels)
            add_sources(model, given, file, levels)
            check_named(model, levels)
            model["components"] = components(model, left_out(file, given))
        except (Wrong, KeyError, TypeError, AttributeError, ValueError) as error:
            name = given.get("id", "a member") if isinstance(given, dict) else "a member"
            raise Wrong(f"{name}: {error}") from error
        models.append(model)
        named |= set(FACTS) | {n for use in model["uses"] for n in use["parameters"]}
    unused = sorted(set(file.get("values", {})) - used)
    need(not unused, f"values that no use takes: {', '.join(unused)}")
    unknown = set(whole.by_fact) - named - used
    need(not unknown, f"sources names no fact of a member: {', '.join(sorted(unknown))}")
    return models


def names_of(model):
    """The names by which a model is found, in lower case."""
    names = [model["id"]] + model["aliases"]
    return dict.fromkeys(name.lower() for full in names for name in (full, full.split("/")[-1]))


def read(paths):
    """All models of the files, sorted by id."""
    models, seen = [], {}
    for path in paths:
        try:
            found = read_file(path)
        except (Wrong, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Wrong(f"{path}: {error}") from error
        for model in found:
            for name in names_of(model):
                if name in seen:
                    raise Wrong(f"{path}: {model['id']}: the name {name} is {seen[name]}'s already")
                seen[name] = model["id"]
        models += found
    return sorted(models, key=lambda model: model["id"])


def add_downloads(models, path):
    """Gives models the numbers of a file of lines "ID NUMBER", the largest first."""
    by_id = {model["id"]: model for model in models}
    last = None
    with open(path, encoding="utf-8") as text:
        for line in text:
            if line.startswith("#"):
                continue
            match = DOWNLOADS.fullmatch(line.rstrip("\n"))
            need(match, f"{path}: a line must be the id of a model and its downloads; got {line!r}")
            name, count = match[1], int(match[2])
            need(name in by_id, f"{path}: {name} is the id of no model")
            need(not by_id[name]["downloads"], f"{path}: {name} stands twice")
            need(last is None or count <= last, f"{path}: {name} has more than the line before it")
            by_id[name]["downloads"] = last = count
