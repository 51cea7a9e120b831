# SPDX-License-Identifier: Apache-2.0
"""case.py - one case of the corpus: tensors, the claim about them, and what must be found."""

import json
import os

import numpy as np

import bodies

RIGHT = "right"              # exact, or a profile: no mistake may be named
UNEXPLAINED = "unexplained"  # no mistake may be named either
REFUSED = "refused"          # an error of the client: 4xx, or exit 65


def f32(values):
    return np.asarray(values, np.float64).astype(np.float32)


def bf16_bits(values):
    """The bits of values rounded to bfloat16, ties to even."""
    bits = np.ascontiguousarray(f32(values)).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def narrowed(values, dtype):
    """Values rounded once to a dtype; bfloat16 as float32 numbers that bfloat16 has, which a body
    writes as bfloat16."""
    if dtype == "f64":
        return np.asarray(values, np.float64)
    if dtype == "f16":
        return np.asarray(values, np.float64).astype(np.float16)
    if dtype == "bf16":
        return (bf16_bits(values).astype(np.uint32) << 16).view(np.float32).view(bodies.Bf16)
    return f32(values)


def listed(numbers):
    return ",".join(map(str, numbers))


def sets(found):
    return sorted({found} if isinstance(found, str) else found or ())


class Case:
    """found: RIGHT, UNEXPLAINED, REFUSED, one slug, or the slugs each of which explains the
    numbers.
    found_both: for two mistakes at once, two such sets, each of which must be hit.
    repair: a parameter's value in the data and in the claim, by the parameter's name.
    body: a writer's name of bodies.py, a Body, or None for one that is drawn."""

    def __init__(self, name, claim, tensors, found, repair=None, found_both=None, body=None):
        self.name, self.tensors = name, tensors
        self.claim = {key: listed(value) if isinstance(value, (list, tuple, np.ndarray)) else value
                      for key, value in (claim or {}).items()}
        self.found = sets(found)
        self.found_both = [sets(one) for one in found_both or ()]
        self.repair, self.body = repair or {}, body

    def write(self, folder, number, random):
        """Writes the body and returns the case's line of cases.jsonl."""
        body = self.body
        if not isinstance(body, bodies.Body):
            body = bodies.drawn(self.tensors, self.claim, body, random)
        file = "%05d.%s" % (number, body.suffix)
        with open(os.path.join(folder, file), "wb") as out:
            out.write(body.data)
        said = [] if body.has_claim else [bodies.query(self.claim)]
        return json.dumps({
            "id": number, "name": self.name, "family": self.name.split("/")[0], "file": file,
            "content_type": body.content_type, "content_encoding": body.content_encoding,
            "query": "&".join(part for part in said + [body.query] if part),
            "claim": bodies.query(self.claim), "found": self.found, "found_both": self.found_both,
            "repair": self.repair, "tensors": sorted(self.tensors)}, sort_keys=True)
