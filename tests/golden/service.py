# SPDX-License-Identifier: Apache-2.0
"""service.py - a running posencd as the golden runner sees it: schemas, arrays, facts."""

import argparse
import http.client
import json
import os
import urllib.parse

import numpy as np

from support.posencd import Posencd
from support.tensor_file import bf16, npy, read_npy, widened

GET_LIMIT = 8000  # bytes of a request target; longer requests travel as a JSON body


class Refused(Exception):
    """The service answered with another status than 200."""


def text_of(value):
    """A parameter as a query spells it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple)):
        separator = ";" if value and isinstance(value[0], (list, tuple)) else ","
        return separator.join(text_of(item) for item in value) if value else "0:0"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2 ** 53 else repr(value)
    return str(value)


def depth(value):
    """The number of axes of a nested list."""
    return 1 + depth(value[0]) if isinstance(value, (list, tuple)) and value else 0


class Service:
    def __init__(self, url):
        self.at = urllib.parse.urlsplit(url)
        self.connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=60)
        catalog = json.loads(self._ask("GET", "/v1/encodings")[1])
        self.encodings = {entry["name"]: entry for entry in catalog["encodings"]}
        self.paths = json.loads(self._ask("GET", "/openapi.json")[1])["paths"]

    def _ask(self, method, target, body=None, content_type="application/json"):
        headers = {"Content-Type": content_type} if body is not None else {}
        self.connection.request(method, self.at.path.rstrip("/") + target, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise Refused("%s %s: %d %s" % (method, target[:300], answer.status,
                                            content.decode("utf-8", "replace")[:600].strip()))
        return answer, content

    def ask(self, encoding, params):
        """GET, or POST of the same names when the target would be too long, or cannot hold tensors
        of three axes."""
        target = "/v1/%s?%s" % (encoding, query_of(params))
        if len(target) <= GET_LIMIT and all(depth(value) < 3 for value in params.values()):
            return self._ask("GET", target)
        return self._ask("POST", "/v1/" + encoding, json.dumps(params))

    def model(self, name):
        """What the service says of a model."""
        return json.loads(self._ask("GET", "/v1/models/" + name)[1])

    def array(self, encoding, params, dtype):
        """The only tensor that params ask for; dtype None means its natural dtype."""
        params = dict(params, **({"dtype": dtype} if dtype else {}))
        if dtype == "bf16":
            return from_bf16(*self.ask(encoding, dict(params, format="raw")))
        return read_npy(self.ask(encoding, dict(params, format="npy"))[1])

    def apply(self, encoding, params, vectors, dtype):
        """The vectors as the encoding transforms them, sent and answered in dtype."""
        target = "/v1/%s/apply?%s" % (encoding, query_of(dict(
            params, **({"format": "raw", "shape": list(vectors.shape), "in_dtype": "bf16"}
                       if dtype == "bf16" else {"format": "npy"}))))
        if dtype == "bf16":
            return from_bf16(*self._ask("POST", target, bf16(vectors).tobytes(),
                                        "application/octet-stream"))
        body = npy(vectors.astype({"f32": "<f4", "f64": "<f8", "f16": "<f2"}[dtype]))
        return read_npy(self._ask("POST", target, body, "application/x-npy")[1])

    def post(self, encoding, params, dtype):
        """The only tensor that params ask for, where some are tensors of more than two axes."""
        target = "/v1/%s?%s" % (encoding, query_of({"format": "npy"}))
        body = json.dumps(dict(params, dtype=dtype)).encode()
        return read_npy(self._ask("POST", target, body, "application/json")[1])

    def fact(self, encoding, params, name):
        facts = json.loads(self.ask(encoding, dict(params, format="json"))[1]).get("facts", {})
        if name not in facts:
            raise Refused("no fact %s in the answer, only %s" % (name, sorted(facts)))
        return facts[name]

    def has_output(self, encoding, name):
        return any(output["name"] == name for output in self.encodings[encoding]["outputs"])

    def has_choice(self, encoding, param, word):
        """Whether the encoding's parameter accepts this word (or exists, for word None)."""
        for row in self.encodings.get(encoding, {}).get("params", []):
            if row["name"] == param:
                return word is None or word in words_of(row)
        return False

    def has_apply(self, encoding):
        return encoding + "/apply" in self.encodings


def from_bf16(answer, content):
    """An answer of raw bfloat16 as float32."""
    shape = [int(part) for part in answer.getheader("Posenc-Shape").split(",") if part]
    return widened(np.frombuffer(content, "<u2")).reshape(shape)


def query_of(params):
    return "&".join("%s=%s" % (name, urllib.parse.quote(text_of(value), safe=",:;+"))
                    for name, value in params.items())


def words_of(row):
    """Every spelling a choice accepts."""
    words = set()
    for key in ("choices", "enum", "aliases"):
        for choice in row.get(key) or []:
            if isinstance(choice, dict):
                words.add(choice["name"])
                words.update(choice.get("aliases") or [])
            else:
                words.add(choice)
    return words


def arguments(description, *named):
    """The arguments of a script: pairs of names and what argparse is told of them, and --url."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, told in (*named, ("--url", {"default": os.environ.get("POSENCD_URL")})):
        parser.add_argument(*name.split(), **told)
    return parser.parse_args()


def served(options, run):
    """run(url) with the service of --url, or with one that is started for it."""
    if options.url:
        return run(options.url)
    with Posencd() as server:
        return run(server.url)
