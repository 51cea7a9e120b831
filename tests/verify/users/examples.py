# SPDX-License-Identifier: Apache-2.0
"""examples.py - every encoding of the catalogue with its examples, and with random claims, without
a claim. The numbers are the service's own: what is scored is whether the encoding is found, or one
of the same numbers."""

import concurrent.futures
import json
import os
import sys
import urllib.parse

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]

import claims  # noqa: E402
from case import FOUND  # noqa: E402
from support.posencd import run  # noqa: E402

KIND = "catalogue"
FIRST_DRAWN = 4  # the number of the first random claim: 0, 1 and 2 are examples
SEED = 20261201


def arguments(example):
    path, _, query = example.partition("?")
    return [path[len("/v1/"):]] + [urllib.parse.unquote(word) for word in query.split("&") if word]


def made(out, prefix="", count=1, drawn=0, seed=SEED):
    """Pairs of a folder and its truth: the first examples of each encoding that is no /apply, and
    so many random claims of it. Every second one comes as npy, which has no name, where it is one
    tensor."""
    listed = run("encodings", "--json").stdout
    wanted = []
    for entry in json.loads(listed)["encodings"]:
        name = "%s/%s" % (KIND, entry["name"])
        if "/" in entry["name"] or not entry.get("examples") or not name.startswith(prefix):
            continue
        examples = [arguments(example) for example in entry["examples"]]
        wanted += [(name, number, [words]) for number, words in enumerate(examples[:count])]
        wanted += [(name, FIRST_DRAWN + number, [
            [words[0], *claim] for words in examples[:1]
            for claim in claims.claims(entry, [one[1:] for one in examples], seed, number)])
            for number in range(drawn)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda one: written(out, *one), wanted))


def written(out, name, number, requests):
    """The folder of the first request that is not refused, and its truth."""
    folder = os.path.join(out, "%s.%d" % (name.replace("/", "-"), number))
    os.makedirs(folder, exist_ok=True)
    for words in requests:
        file = computed(folder, words, number % 2)
        if file:
            break
    assert file, "%s is refused" % requests[-1]
    return folder, {"name": "%s.%d" % (name, number), "kind": KIND, "arguments": [file],
                    "want": FOUND, "say": [], "numbers": [], "made": " ".join(words)}


def computed(folder, words, is_nameless):
    """The name of the file in the folder with the numbers of a request; None: it is refused."""
    for file in ["dump.npy"] * is_nameless + ["dump.safetensors"]:
        done = run("compute", *words, "-o", os.path.join(folder, file))
        if not done.returncode:
            return file
    return None
