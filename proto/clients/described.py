# SPDX-License-Identifier: Apache-2.0
"""described.py - what the program says of its encodings, for the makers of packages."""

import json
import subprocess

OPTIONS = ("dtype", "in_dtype", "model", "layer", "layer_type", "rev")  # of the common parameters


class Encoding:
    """An encoding: `needed` are names that every request gives; params are those first."""

    def __init__(self, entry, common, operation):
        self.name, self.entry = entry["name"], entry
        offered, self.needed = set(), set()
        for parameter in operation["parameters"]:
            name = parameter.get("name") or parameter["$ref"].rsplit("/", 1)[1]
            offered.add(name)
            if parameter.get("required"):
                self.needed.add(name)
        self.params = sorted(entry["params"], key=lambda one: one["name"] not in self.needed)
        self.options = [common[name] for name in OPTIONS if name in offered]
        self.outputs = [output["name"] for output in entry["outputs"]]

    def kinds(self):
        """{parameter: type}, in the order of the library."""
        return {param["name"]: param["type"] for param in self.entry["params"]}


def read(program, kind=Encoding):
    """(version, encodings of a class) of a posencd."""
    def said(command):
        return json.loads(subprocess.run([program, command], capture_output=True, check=True).stdout)

    catalogue, document = said("encodings"), said("openapi")
    common = {param["name"]: param for param in catalogue["common"]}
    return document["info"]["version"], [
        kind(entry, common, document["paths"]["/v1/" + entry["name"]]["get"])
        for entry in catalogue["encodings"]]
