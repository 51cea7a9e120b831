# SPDX-License-Identifier: Apache-2.0
"""described.py - what the program says of its encodings, and what the repository says of a package, for the
makers of packages."""

import json
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GUIDE = os.path.join(ROOT, "docs", "clients.md")
# Where the sources are, as those say who publish packages; the images' label has the same.
SOURCE_URL = os.environ.get("SOURCE_URL", "").rstrip("/")
PLACES = {"Homepage": "", "Documentation": "/blob/main/docs/clients.md", "Issues": "/issues",
          "Changelog": "/blob/main/CHANGELOG.md"}
ABOUT = """# posenc

**Positional encodings and attention biases as %(of)s**, from a posencd: RoPE with all its context
extensions, sinusoids, ALiBi, T5, masks, learned tables. A value is the real number rounded once, with the
same bytes in every language.

    %(install)s

The service is a program of its own, `posencd`, at `http://localhost:8080` where nothing else is said.

"""

OPTIONS = ("dtype", "in_dtype", "model", "layer", "layer_type", "rev")  # of the common parameters


def is_truth(param):
    """Whether a choice is a truth value that may be absent."""
    return [choice["name"] for choice in param.get("choices", ())] == ["0", "1"]


class Encoding:
    """An encoding: `needed` are names that every request gives; params are those first."""

    def __init__(self, entry, common, path):
        self.name, self.entry = entry["name"], entry
        offered = {parameter.get("name") or parameter["$ref"].rsplit("/", 1)[1]
                   for parameter in path["parameters"]}
        self.needed = {parameter["name"] for parameter in path["get"].get("parameters", ())
                       if parameter.get("required")}
        self.params = sorted(entry["params"], key=lambda one: one["name"] not in self.needed)
        self.options = [common[name] for name in OPTIONS if name in offered]
        self.outputs = [output["name"] for output in entry["outputs"]]

    def kinds(self):
        """{parameter: type}, in the order of the library."""
        return {param["name"]: param["type"] for param in self.entry["params"]}


def urls():
    """{name: URL} of the package's places; empty where nobody said where the sources are."""
    return {name: SOURCE_URL + path for name, path in PLACES.items()} if SOURCE_URL else {}


def write_texts(folder, section, of, install):
    """Writes README.md, which is a section of the guide to clients after a head of its own, and LICENSE."""
    with open(GUIDE, encoding="utf-8") as file:
        text = file.read().split("\n## %s\n" % section, 1)[1].split("\n## ", 1)[0]
    text = text[text.index("```"):]  # what is before tells how the package is made here
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as file:
        file.write(ABOUT % {"of": of, "install": install} + text.rstrip() + "\n")
    shutil.copyfile(os.path.join(ROOT, "LICENSE"), os.path.join(folder, "LICENSE"))


def read(program, kind=Encoding):
    """(version, encodings of a class) of a posencd."""
    def said(*command):
        return json.loads(subprocess.run([program, *command], capture_output=True, check=True).stdout)

    catalogue, document = said("encodings", "--json"), said("openapi")
    common = {param["name"]: param for param in catalogue["common"]}
    return document["info"]["version"], [
        kind(entry, common, document["paths"]["/v1/" + entry["name"]])
        for entry in catalogue["encodings"]]
