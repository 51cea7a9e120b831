# SPDX-License-Identifier: Apache-2.0
"""described.py - what the program says of its encodings, for the makers of packages."""

import json
import subprocess

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


def read(program, kind=Encoding):
    """(version, encodings of a class) of a posencd."""
    def said(*command):
        return json.loads(subprocess.run([program, *command], capture_output=True, check=True).stdout)

    catalogue, document = said("encodings", "--json"), said("openapi")
    common = {param["name"]: param for param in catalogue["common"]}
    return document["info"]["version"], [
        kind(entry, common, document["paths"]["/v1/" + entry["name"]])
        for entry in catalogue["encodings"]]
