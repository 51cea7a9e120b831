# SPDX-License-Identifier: Apache-2.0
"""examples.py - every encoding of the catalogue with its example, without a claim. The numbers are
the service's own: what is scored is whether the encoding is found, or one of the same numbers."""

import json
import os
import subprocess
import sys
import urllib.parse

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]

from case import FOUND  # noqa: E402
from support.posencd import run  # noqa: E402

KIND = "catalogue"


def arguments(example):
    path, _, query = example.partition("?")
    return [path[len("/v1/"):]] + [urllib.parse.unquote(word) for word in query.split("&") if word]


def made(out, prefix="", count=1):
    """Pairs of a folder and its truth: the first examples of each encoding that is no /apply. Every
    second example comes as npy, which has no name, where it is one tensor."""
    listed = run("encodings", "--json").stdout
    pairs = []
    for entry in json.loads(listed)["encodings"]:
        name = "%s/%s" % (KIND, entry["name"])
        if "/" in entry["name"] or not entry.get("examples") or not name.startswith(prefix):
            continue
        for number, example in enumerate(entry["examples"][:count]):
            folder = os.path.join(out, "%s-%s.%d" % (KIND, entry["name"], number))
            os.makedirs(folder, exist_ok=True)
            file = computed(folder, arguments(example), number % 2)
            pairs.append((folder, {"name": "%s.%d" % (name, number), "kind": KIND,
                                   "arguments": [file], "want": FOUND, "say": [], "numbers": []}))
    return pairs


def computed(folder, words, is_nameless):
    """The name of the file in the folder with the numbers of a request."""
    for file in ["dump.npy"] * is_nameless + ["dump.safetensors"]:
        done = run("compute", *words, "-o", os.path.join(folder, file))
        if not done.returncode:
            return file
    raise subprocess.SubprocessError(done.stderr)
