# SPDX-License-Identifier: Apache-2.0
"""mutants.py - makes wrong copies of a Kubernetes object, one fault each."""

import copy

# Mappings whose keys are the operator's own.
FREE = ("labels", "annotations", "matchLabels", "data", "requests", "limits", "selector")


def fields(node, path=()):
    """The path of every field whose name Kubernetes knows."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield path + (key,)
            if key not in FREE or isinstance(value, dict) and "matchLabels" in value:
                yield from fields(value, path + (key,))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from fields(value, path + (i,))


def parent_of(document, path):
    for step in path[:-1]:
        document = document[step]
    return document


def misspelt(document, path):
    """The object with another name of the field at a path, in its place."""
    made = copy.deepcopy(document)
    parent = parent_of(made, path)
    items = [(key + "z" if key == path[-1] else key, value) for key, value in parent.items()]
    parent.clear()
    parent.update(items)
    return made


def changed(document, path, value):
    """The object with another value at a path."""
    made = copy.deepcopy(document)
    parent_of(made, path)[path[-1]] = value
    return made
