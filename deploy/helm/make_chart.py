#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_chart.py PROGRAM VERSION [FOLDER] - writes the Helm chart of posencd into FOLDER (deploy/helm/posencd) from
the manifests of deploy/kustomize, whose components become switches, and from table.yaml, which says which
of their fields are values. PROGRAM tells its flags. Names and notes (templates/_names.tpl, NOTES.txt) are
written by hand."""

import itertools
import json
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[1:1] = [os.path.join(ROOT, "tests", "deploy"), os.path.join(ROOT, "tests")]
import kustomization  # noqa: E402, found by the line above
import renderings  # noqa: E402
import rows  # noqa: E402
from conditions import SWITCHES, condition  # noqa: E402
from emit import guarded, lines_of  # noqa: E402
from tree import Maker  # noqa: E402

HEAD = "# Made by `make chart` of deploy/kustomize and deploy/helm/table.yaml: change these.\n"
CHART = """apiVersion: v2
name: posencd
description: A service of positional encodings, with its cache, limits, metrics and autoscaling.
type: application
version: %s
appVersion: "%s"
keywords: [positional-encoding, rope, alibi, transformers]
"""


def combinations():
    """Sets of components: none, each, each two, all."""
    chosen = itertools.chain(*(itertools.combinations(renderings.COMPONENTS, size) for size in range(3)))
    sets = [*chosen, renderings.COMPONENTS]
    return {frozenset(os.path.basename(one) for one in renderings.folders_of(names)) for names in sets}


def rendered():
    """{kind and name: {set of components: object}}."""
    found = {}
    for components in sorted(combinations(), key=sorted):
        for document in renderings.base_with(components):
            found.setdefault(kustomization.name_of(document), {})[components] = document
    return found


def file_name(key):
    """deployment.yaml of Deployment/posencd, cache-deployment.yaml of Deployment/posencd-cache; a hash in
    the name of a ConfigMap is left out."""
    kind, name = key.split("/")
    words = name.removeprefix("posencd").strip("-").split("-")
    if kind == "ConfigMap":
        words.pop()
    return "-".join([*filter(None, words), kind.lower()]) + ".yaml"


def templates(found, table):
    """{path: text} of the templates."""
    names = {key.split("/")[1] for key in found}
    places, made = rows.places(table), {}
    for key, per_set in found.items():
        fields, loops, additions = places.pop(key, ({}, {}, {}))
        maker = Maker(names, fields, loops, additions)
        (_, node), = maker.alternatives((), per_set)
        wanted = {*fields, *loops, *((*path, last) for path, more in additions.items() for last in more)}
        assert maker.used == wanted, "%s has no place %s" % (key, sorted(wanted - maker.used))
        lines = guarded(condition(per_set, combinations()), lines_of(node, 0))
        made["templates/" + file_name(key)] = HEAD + "\n".join(lines) + "\n"
    assert not places, "there is no object %s" % sorted(places)
    return made


def of_overlay(name):
    """The values that choose what an overlay of kustomize names."""
    chosen = kustomization.read(os.path.join(renderings.FOLDER, "overlays", name, "kustomization.yaml"))[0]
    names = [os.path.basename(one) for one in chosen["components"]]
    values = rows.nested((SWITCHES[one], True) for one in names)
    return HEAD + "".join("%s: %s\n" % (key, json.dumps(value)) for key, value in values.items())


def chart(program, version):
    """{path: text} of the files of the chart that are made."""
    found, table = rendered(), rows.read()
    documents = {key: [per_set[one] for one in sorted(per_set, key=len, reverse=True)]
                 for key, per_set in found.items()}
    with open(os.path.join(HERE, "README.in.md"), encoding="utf-8") as file:
        readme = file.read()
    return {"Chart.yaml": CHART % (version, version),
            "values.yaml": HEAD + rows.values_text(table, documents),
            "values.schema.json": json.dumps(rows.schema(table, program, documents), indent=1) + "\n",
            "production.yaml": of_overlay("production"),
            "README.md": readme.replace("@VALUES@", rows.readme_rows(table, documents)),
            **templates(found, table)}


def main():
    program, version, *folder = sys.argv[1:]
    folder = folder[0] if folder else os.path.join(HERE, "posencd")
    for path, text in chart(program, version).items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
