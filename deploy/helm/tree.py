# SPDX-License-Identifier: Apache-2.0
"""tree.py - makes one object with conditions of an object as it stands in several renderings, each of a set of
components. Values of the chart take the places that the table names."""

import json

from conditions import condition, either

INSTANCE = "app.kubernetes.io/instance"
# The last steps of paths at which the name of an object of ours stands.
REFERENCES = (("metadata", "name"), ("scaleTargetRef", "name"), ("configMap", "name"), ("claimName",),
              ("priorityClassName",), ("SERVICE", "value"))


class Leaf:
    """A value without parts: a scalar or an empty container."""

    def __init__(self, value):
        self.value = value


class Text:
    """What a template writes in the place of a value."""

    def __init__(self, text):
        self.text = text


class Entry:
    """What stands under a key, or an item of a list: alternatives [(condition, node)], of which one holds
    whenever `when` does."""

    def __init__(self, when, alternatives):
        self.when, self.alternatives = when, alternatives


class Mapping:
    def __init__(self, entries):
        self.entries = entries  # {key: Entry}; a key that is a Loop stands for the keys that it writes


class Sequence:
    def __init__(self, items):
        self.items = items  # [Entry]


class Loop:
    """Lines of a template that write entries or items, none where `when` does not hold."""

    def __init__(self, when, lines):
        self.when, self.lines = when, lines


def is_under(path, endings):
    return any(path[-len(ending):] == ending for ending in endings)


def identity(item):
    """By what an item of a list is known in another rendering."""
    return item["name"] if isinstance(item, dict) and "name" in item else json.dumps(item, sort_keys=True)


def in_order(lists):
    """The members of several lists, each once, in the order of the longest."""
    found = []
    for one in sorted(lists, key=len, reverse=True):
        found += [member for member in one if member not in found]
    return found


class Maker:
    """Makes the tree of one object. `names` are those of all objects, `fields` {path: Text} and `loops`
    {path: [Loop]} what the table says of this object, and `additions` {path: {key: (when, Text)}}."""

    def __init__(self, names, fields, loops, additions):
        self.names, self.fields, self.loops, self.additions = names, fields, loops, additions
        self.used = set()

    def named(self, path, value):
        """The template of a value that differs from release to release, or None."""
        if path[-1] == INSTANCE:
            return Text("{{ toJson .Release.Name }}")
        if is_under(path, REFERENCES) and value in self.names:
            assert value.startswith("posencd"), value
            return Text('{{ template "posencd.name" . }}' + value.removeprefix("posencd"))
        return None

    def alternatives(self, path, found):
        """[(condition, node)] of a place; `found` is {set of components: its value there}."""
        if path in self.fields:
            self.used.add(path)
            return [(None, self.fields[path])]
        groups = {}
        for components, value in found.items():
            kind = ("mapping" if isinstance(value, dict) and value else
                    "sequence" if isinstance(value, list) and value else json.dumps(value))
            groups.setdefault(kind, {})[components] = value
        made = []
        for kind in sorted(groups, key=lambda kind: kind not in ("mapping", "sequence")):
            when = condition(groups[kind], found)
            if kind == "mapping":
                loops = self.loops_at(path)
                for loop in loops:
                    when = either(when, loop.when)
                node = self.mapping(path, found if loops else groups[kind], loops)
            elif kind == "sequence":
                node = self.sequence(path, groups[kind])
            else:
                value = next(iter(groups[kind].values()))
                node = self.named(path, value) or Leaf(value)
            made.append((when, node))
        return made

    def loops_at(self, path):
        self.used |= {path} & set(self.loops)
        return self.loops.get(path, [])

    def mapping(self, path, found, loops):
        entries = {}
        for key in in_order([list(value) for value in found.values()]):
            there = {components: value[key] for components, value in found.items() if key in value}
            when = condition(there, found)
            for loop in self.loops.get(path + (key,), []) if isinstance(next(iter(there.values())), list) else []:
                when = either(when, loop.when)
            entries[key] = Entry(when, self.alternatives(path + (key,), there))
        for key, (when, node) in self.additions.get(path, {}).items():
            assert key not in entries, path + (key,)
            self.used.add(path + (key,))
            entries[key] = Entry(when, [(None, node)])
        for loop in loops:
            entries[loop] = None
        return Mapping(entries)

    def sequence(self, path, found):
        order = in_order([[identity(item) for item in value] for value in found.values()])
        items = []
        for number, one in enumerate(order):
            there = {components: item for components, value in found.items() for item in value
                     if identity(item) == one}
            name = one if isinstance(next(iter(there.values())), dict) and "name" in next(
                iter(there.values())) else str(number)
            items.append(Entry(condition(there, found), self.alternatives(path + (name,), there)))
        return Sequence(items + self.loops_at(path))
