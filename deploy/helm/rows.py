# SPDX-License-Identifier: Apache-2.0
"""rows.py - the rows of table.yaml: where values stand in the manifests, what they are by default, and what
may be given, as values.yaml and values.schema.json say it."""

import json
import os
import re
import subprocess

import yaml

import conditions
from tree import Loop, Text

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = {"name", "help", "at", "default", "schema", "form", "component"}
BOOLEAN = {"type": "boolean"}
# Each of these needs the other one.
NEEDS = {"autoscaling.load.enabled": "autoscaling.enabled"}


def read():
    with open(os.path.join(HERE, "table.yaml"), encoding="utf-8") as file:
        table = yaml.safe_load(file)
    for row in table["values"]:
        assert set(row) <= COLUMNS and {"name", "help"} <= set(row), row
        if "component" in row:
            assert conditions.SWITCHES[row["component"]] == row["name"], row
            row.update(default=False, schema=BOOLEAN)
    return table


def place(text):
    """(kind and name of an object, path) of a place."""
    document, *path = text.split()
    return document, tuple(path)


# ---- in templates ------------------------------------------------------------------------------

def reference(row):
    return ".Values." + row["name"]


def loop(row):
    """The loop that writes entries or items of a value; `values` are all those of a release inside of it."""
    head = "{{- range $%s := %s }}" % ("name, $value" if row["form"] != "items" else "item", reference(row))
    lines = {"entries": ["{{ toJson $name }}: {{ toJson $value }}"],
             "items": ["- {{ toJson $item }}"],
             "flags": ['- name: POSENCD_{{ $name | upper | replace "-" "_" }}',
                       "  value: {{ if kindIs \"bool\" $value }}{{ ternary \"on\" \"off\" $value | toJson }}"
                       "{{ else if kindIs \"string\" $value }}{{ toJson $value }}"
                       "{{ else }}{{ toJson $value | toJson }}{{ end }}"]}[row["form"]]
    return Loop(reference(row), [head, *lines, "{{- end }}"])


def places(table):
    """{object: (fields, loops, additions)}, as tree.Maker takes them."""
    found = {}

    def of(at):
        document, path = place(at)
        return (*found.setdefault(document, ({}, {}, {})), path)

    for row in table["values"]:
        for at in row.get("at", []):
            fields, loops, additions, path = of(at)
            form = row.get("form", "value")
            text = Text("{{ toJson %s }}" % reference(row))
            if form == "value":
                fields[path] = text
            elif form == "key":
                additions.setdefault(path[:-1], {})[path[-1]] = (reference(row), text)
            else:
                loops.setdefault(path, []).append(loop(row))
    for row in table["fields"]:
        fields, _, _, path = of(row["at"])
        fields[path] = Text(row["template"])
    return found


# ---- defaults ----------------------------------------------------------------------------------

def at_path(document, path):
    for step in path:
        if isinstance(document, dict):
            document = document[step]
        else:
            names = [one.get("name") for one in document if isinstance(one, dict)]
            document = document[names.index(step) if step in names else int(step)]
    return document


def first(forms, path):
    """What stands at a path in the first form of an object that has it."""
    for document in forms:
        try:
            return at_path(document, path)
        except (KeyError, ValueError, IndexError):
            continue
    raise KeyError("no form of the object has %s" % (path,))


def default(row, documents):
    """The default of a row; `documents` are {kind and name: forms of the object, the one with the most
    components first}."""
    if "default" in row:
        return row["default"]
    values = [first(documents[document], path) for document, path in map(place, row["at"])]
    assert all(value == values[0] for value in values), "%s has several defaults" % row["name"]
    return values[0]


def nested(pairs):
    """{a: {b: value}} of (a.b, value)."""
    made = {}
    for name, value in pairs:
        *above, last = name.split(".")
        inner = made
        for step in above:
            inner = inner.setdefault(step, {})
        inner[last] = value
    return made


def values_text(table, documents):
    """values.yaml: what each value is for, above it."""
    lines, open_steps = [], []
    for row in table["values"]:
        *above, last = row["name"].split(".")
        shared = 0
        while shared < len(above) and above[:shared + 1] == open_steps[:shared + 1]:
            shared += 1
        for depth in range(shared, len(above)):
            lines.append("%s%s:" % ("  " * depth, above[depth]))
        open_steps, pad = above, "  " * len(above)
        lines += ["%s# %s" % (pad, row["help"]),
                  "%s%s: %s" % (pad, last, json.dumps(default(row, documents)))]
    return "\n".join(lines) + "\n"


# ---- what may be given -------------------------------------------------------------------------

def flags_schema(program, documents):
    """A schema of the program's flags, without those that the pods are given by the manifests."""
    pod = documents["Deployment/posencd"][0]["spec"]["template"]["spec"]["containers"][0]
    taken = {word.removeprefix("--") for word in pod["args"] if word.startswith("--")}
    taken |= {one["name"].removeprefix("POSENCD_").lower().replace("_", "-") for one in pod["env"]}
    said = subprocess.run([program, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    properties = {}
    for name, text, last in re.findall(r"^  --(\S+)\n((?:      .*\n)*?)      (.*POSENCD_\w+)$", said, re.M):
        choices = re.match(r"([a-z0-9|-]+); ", last)
        words = choices.group(1).split("|") if choices and "|" in choices.group(1) else None
        kind = ({"enum": words + ([True, False] if "on" in words else [])} if words else
                {"type": ["string", "integer"]})
        if name not in taken:
            properties[name] = {"description": " ".join(text.split()), **kind}
    assert len(properties) > 20, said
    return {"type": "object", "properties": properties, "additionalProperties": False}


def schema(table, program, documents):
    """values.schema.json; every value is required, since the defaults are filled in before it judges."""
    def closed(inner):
        if "\0" in inner:
            return inner["\0"]
        return {"type": "object", "additionalProperties": False, "required": list(inner),
                "properties": {name: closed(value) for name, value in inner.items()}}

    def of(row):
        kind = flags_schema(program, documents) if row["schema"] == "flags" else row["schema"]
        return {"\0": {"description": row["help"], **kind}}

    made = closed(nested((row["name"], of(row)) for row in table["values"]))
    made["properties"]["global"] = {"type": "object"}  # of a chart that this one is a part of
    true = [{name: nested([(name, {"const": True})]) for name in pair} for pair in NEEDS.items()]
    made["allOf"] = [{"if": required(one), "then": required(other)}
                     for pair in true for one, other in [list(pair.values())]]
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Values of posencd", **made}


def required(inner):
    """The schema of an object that has the inner values."""
    if "const" in inner:
        return inner
    return {"required": list(inner), "properties": {name: required(value) for name, value in inner.items()}}


def readme_rows(table, documents):
    """The rows of the table of values in the chart's README."""
    lines = ["| value | default | what it is |", "|---|---|---|"]
    for row in table["values"]:
        value = json.dumps(default(row, documents))
        lines.append("| `%s` | `%s` | %s |" % (row["name"], value, row["help"].replace("|", "\\|")))
    return "\n".join(lines)
