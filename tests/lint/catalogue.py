# SPDX-License-Identifier: Apache-2.0
"""catalogue.py - the rows of encodings tell people and programs all: every name is a shared one or
says whose word it is, nothing lacks words, axes come from the closed list, pictures answer 200."""

import json
import re
import subprocess

NAME = re.compile(r'^NAME\("([^"]+)", "([^"]+)"', re.MULTILINE)
AXIS = re.compile(r'^AXIS\("([^"]+)"', re.MULTILINE)
NAMES, AXES, CATALOGUE = "core/args/names.def", "core/axes.def", "catalogue.json"
TABLES = {NAMES: 'NAME("dim", "integer", SHAPE, BASIC, "width")\n', AXES: 'AXIS("pos", "", "")\n'}
PARAM = {"name": "dim", "type": "integer", "group": "shape", "level": "basic", "doc": "width"}
OUTPUT = {"name": "rows", "label": "Rows", "doc": "the rows", "axes": [{"name": "pos"}],
          "picture": "/v1/a?dim=2&out=rows", "required": ["dim"]}
ENCODING = {"name": "a", "family": "absolute", "title": "A", "summary": "rows", "source": "us",
            "formula": "a", "when_to_use": "a", "what_goes_wrong": "a", "params": [PARAM],
            "outputs": [OUTPUT]}


def tree_of(**changes):
    """A tree whose one encoding is complete but for the changes."""
    encoding = dict(ENCODING)
    for key, value in changes.items():
        if key in ("param", "output"):
            whole = {"param": PARAM, "output": OUTPUT}[key]
            encoding[key + "s"] = [{**whole, **value}]
        else:
            encoding[key] = value
    return {CATALOGUE: json.dumps({"encodings": [encoding]}), **TABLES}


CHOICE = {"name": "kind", "type": "choice", "origin": "us", "choices": [{"name": "x", "doc": "x"}]}
wrong = [
    tree_of(param={"name": "width"}),
    tree_of(param={"name": "width", "origin": "us", "group": None}),
    tree_of(param={"name": "width", "origin": "us", "level": None}),
    tree_of(param={"origin": "us"}),
    tree_of(param={"type": "number"}),
    tree_of(param={"doc": None}),
    tree_of(param={"doc": "whose numbers."}),
    tree_of(param={**CHOICE, "choices": [{"name": "x"}]}),
    tree_of(param={"when": "kind=x"}),
    tree_of(params=[PARAM, {**PARAM, **CHOICE}, {**PARAM, "when": "kind=y"}]),
    tree_of(output={"doc": None}),
    tree_of(output={"label": None}),
    tree_of(output={"picture": None}),
    tree_of(output={"picture": "/v1/a?refused"}),
    tree_of(output={"axes": [{"name": "rows"}]}),
    tree_of(output={"one_of": [["len", "q"]]}),
    tree_of(title=None),
    tree_of(what_goes_wrong=None),
]


def check(tree):
    if tree.build:
        made = subprocess.run(["%s/posencd" % tree.build, "encodings", "--json"],
                              check=True, capture_output=True, text=True).stdout
    elif CATALOGUE in tree.files:
        made = tree.files[CATALOGUE]
    else:
        return []
    shared = dict(NAME.findall(tree.files[NAMES]))
    axes = set(AXIS.findall(tree.files[AXES]))
    findings = []
    for encoding in json.loads(made)["encodings"]:
        where = encoding["name"]
        findings += words(encoding, where, "title", "summary", "source", "formula",
                          "when_to_use", "what_goes_wrong")
        params = {row["name"]: row for row in encoding["params"]}
        for row in encoding["params"]:
            findings += parameter(row, params, shared, "%s: %s" % (where, row["name"]))
        for row in encoding["outputs"]:
            findings += output(row, params, axes, "%s: output %s" % (where, row["name"]))
            if row.get("picture") and not answers(tree, encoding, row["picture"]):
                findings.append("%s: output %s: the picture %s is not a 200" % (
                    where, row["name"], row["picture"]))
    return findings + unused(tree, shared, made)


def words(row, where, *keys):
    findings = ["%s: %s is missing" % (where, key) for key in keys if not row.get(key)]
    for key in ("doc", "summary"):
        if (row.get(key) or "").endswith("."):
            findings.append("%s: %s is half a sentence, without a full stop" % (where, key))
    return findings


def parameter(row, params, shared, where):
    findings = words(row, where, "doc", "group", "level")
    types = shared.get(row["name"])
    if types and row["type"] not in types.split(" or "):
        findings.append("%s: is %s in every encoding, not %s: choose another name" % (
            where, types, row["type"]))
    if types and row.get("origin"):
        findings.append("%s: is a shared name of names.def: leave its origin out" % where)
    if not types and not row.get("origin"):
        findings.append("%s: is no shared name of names.def: use one, or say in .origin whose "
                        "word it is" % where)
    for choice in row.get("choices", []):
        findings += words(choice, "%s=%s" % (where, choice["name"]), "doc")
    for clause in re.split("[&,]", row.get("when", "")):
        findings += condition(clause, params, where)
    return findings


def condition(clause, params, where):
    name, equals, values = clause.lstrip("!").partition("=")
    if not clause:
        return []
    if name not in params:
        return ["%s: its condition names %s, which is no parameter" % (where, name)]
    choices = [choice["name"] for choice in params[name].get("choices", [])]
    return ["%s: its condition names %s=%s, which is no choice" % (where, name, value)
            for value in values.split("|") if equals and choices and value not in choices]


def output(row, params, axes, where):
    findings = words(row, where, "doc", "label", "picture")
    for axis in row["axes"]:
        if axis["name"] not in axes:
            findings.append("%s: the axis %s is not in axes.def" % (where, axis["name"]))
    for name in sum(row.get("one_of", []), row["required"]):
        if name not in params:
            findings.append("%s: needs %s, which is no parameter" % (where, name))
    return findings


def answers(tree, encoding, picture):
    """Whether the query of a picture is answered."""
    if not tree.build:
        return "refused" not in picture
    query = picture.partition("?")[2].split("&")
    return subprocess.run(["%s/posencd" % tree.build, "compute", encoding["name"], *query,
                           "format=npy", "-o", "/dev/null"], capture_output=True).returncode == 0


def unused(tree, shared, made):
    """Shared names that fewer than two encodings have."""
    if not tree.build:
        return []
    users = {}
    for encoding in json.loads(made)["encodings"]:
        for row in encoding["params"]:
            users.setdefault(row["name"], set()).add(encoding["name"].partition("/")[0])
    return ["%s: %s is the name of one encoding: its own row says what it means" % (NAMES, name)
            for name in shared if len(users.get(name, ())) < 2]
