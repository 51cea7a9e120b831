# SPDX-License-Identifier: Apache-2.0
"""emit.py - writes a tree (tree.py) as a template of the chart."""

import itertools
import json
import re

import yaml

from tree import Leaf, Loop, Mapping, Sequence, Text

PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*")


def scalar(value):
    """A value in one line of YAML."""
    if isinstance(value, str) and PLAIN.fullmatch(value) and yaml.safe_load(value) == value:
        return value
    assert "{{" not in str(value), value
    return json.dumps(value, ensure_ascii=False)


def block(text, indent):
    """The lines of a text of several lines, as they are."""
    assert "{{" not in text and "}}" not in text and text.endswith("\n") and not text.endswith("\n\n")
    assert not text.startswith(" ")
    return [" " * indent + line if line else "" for line in text[:-1].split("\n")]


def under(key, node, indent):
    """The lines of a key and what stands under it."""
    head = "%s%s:" % (" " * indent, scalar(key))
    if isinstance(node, Text):
        return ["%s %s" % (head, node.text)]
    if isinstance(node, Leaf) and isinstance(node.value, str) and "\n" in node.value:
        return [head + " |", *block(node.value, indent + 2)]
    if isinstance(node, Leaf):
        return ["%s %s" % (head, scalar(node.value))]
    return [head, *lines_of(node, indent + 2)]


def guarded(when, lines):
    return lines if when is None else ["{{- if %s }}" % when, *lines, "{{- end }}"]


def chosen(entry, write):
    """The lines of an entry: of the alternative that holds."""
    *first, (_, last) = entry.alternatives
    lines = write(last)
    if first:
        assert len(first) == 1, "more than two alternatives"
        when, node = first[0]
        lines = ["{{- if %s }}" % when, *write(node), "{{- else }}", *lines, "{{- end }}"]
    return lines


def item(node, indent):
    """The lines of an item of a list."""
    if isinstance(node, (Leaf, Text)):
        return ["%s- %s" % (" " * indent, node.text if isinstance(node, Text) else scalar(node.value))]
    first, *rest = lines_of(node, indent + 2)
    assert first.startswith(" " * (indent + 2)), "the first key of an item must always be there: " + first
    return ["%s- %s" % (" " * indent, first[indent + 2:]), *rest]


def lines_of(node, indent):
    """The lines of a mapping's entries or of a list's items; neighbours with one condition share it."""
    parts = []
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            parts.append((None, repeated(key, indent)) if isinstance(key, Loop) else
                         (entry.when, chosen(entry, lambda one, key=key: under(key, one, indent))))
    else:
        assert isinstance(node, Sequence), node
        for entry in node.items:
            parts.append((None, repeated(entry, indent)) if isinstance(entry, Loop) else
                         (entry.when, chosen(entry, lambda one: item(one, indent))))
    lines = []
    for when, group in itertools.groupby(parts, lambda part: part[0]):
        lines += guarded(when, [line for _, inner in group for line in inner])
    return lines


def repeated(loop, indent):
    return [line if line.startswith("{{-") else " " * indent + line for line in loop.lines]
