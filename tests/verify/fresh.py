# SPDX-License-Identifier: Apache-2.0
"""fresh.py - tables of the service itself, of any encoding, dtype, profile and format, verified
against their own claims: none may be called a mistake."""

import json
import urllib.parse

import numpy as np

import bodies
import make
from results import BROKEN, FALSE, MISSED, OK
from urls import NO_CLAIM, SAFETENSORS

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2",
          "I8": "i1", "U8": "u1", "BOOL": "?"}
RENAMED = {"x": "y", "q": "q_rot", "k": "k_rot"}  # vectors before and after a rotation


def tensors_of(data):
    """The tensors of a safetensors file, bfloat16 as Bf16."""
    length = int.from_bytes(data[:8], "little")
    header, tensors = json.loads(data[8:8 + length]), {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = (8 + length + at for at in entry["data_offsets"])
        if entry["dtype"] == "BF16":
            bits = np.frombuffer(data[start:end], "<u2").astype(np.uint32) << 16
            tensors[name] = bits.view(np.float32).reshape(entry["shape"]).view(bodies.Bf16)
        else:
            tensors[name] = np.frombuffer(data[start:end], DTYPES[entry["dtype"]]).reshape(
                entry["shape"])
    return tensors


def moved(random, params):
    """Parameters with another slice of positions, where they have one."""
    first, colon, rest = params.get("pos", "").partition(":")
    if not colon or ":" in rest or not first.isdigit():
        return params
    start = random.choice([0, 1, 17, 1000, 100000])
    return {**params, "pos": "%d:%d" % (start, start + random.choice([1, 8, 50]))}


def table_of(service, random, entry):
    """The claim and the tensors of an example of an encoding, changed where that is possible."""
    path, _, query = random.choice(entry["examples"]).partition("?")
    plain = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
    tries = [{**moved(random, plain), "dtype": random.choice(["f64", "f32", "f16", "bf16"])}, plain]
    for param in entry["params"]:
        if param["name"] == "profile" and random.choice([False, True]):
            one = random.choice(param["choices"])["name"]
            tries.insert(0, {**tries[0], "profile": one})
    for params in tries:
        target = path + "?" + bodies.query(params)
        answer, _ = service.ask("GET", target, None, [("Accept", SAFETENSORS)])
        if answer.status == 200 and answer.header("content-type") == SAFETENSORS:
            claim = {name: value for name, value in params.items() if name not in NO_CLAIM}
            return {"encoding": entry["name"], **claim}, tensors_of(answer.body), target
    return None


def with_inputs(claim, tensors, entry):
    """The tensors with the vectors that the claim has inline, each before and after, by the names
    of verify. The claim loses those vectors."""
    inputs = [p["name"] for p in entry["params"] if p["type"] == "tensor"]
    if not any(name in inputs for name in tensors):
        return tensors
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    after = {RENAMED.get(name, name): tensor for name, tensor in tensors.items()}
    before = {name: np.array([[float(word) for word in row.split(",")]
                              for row in claim.pop(name).split(";")], np.float32)
              for name in RENAMED if name in inputs and name in claim}
    for name, rows in before.items():  # one row of text is a vector, or a matrix of one row
        if rows.size == np.prod(shapes.get(name, ())):
            before[name] = rows.reshape(shapes[name])
    return {**before, **after}


def score(service, results, seed, count):
    catalogue, _ = service.ask("GET", "/v1/encodings")
    entries = [entry for entry in catalogue.json()["encodings"] if entry.get("examples")]
    for number in range(count):
        random = make.Draw(seed, number)
        entry = entries[number % len(entries)]
        made = table_of(service, random, entry)
        if made is None:
            continue
        claim, tensors, target = made
        tensors = with_inputs(claim, tensors, entry)
        if any(tensor.size == 0 for tensor in tensors.values()):
            continue
        body = bodies.drawn(tensors, claim, None, random)
        said = ["" if body.has_claim else bodies.query(claim), body.query]
        query = "&".join(part for part in said if part)
        answer, took = service.verify(query, body.data, body.content_type, body.content_encoding)
        add(results, answer, took, "%s as %s: " % (target, body.suffix))


def add(results, answer, took, line):
    """Only an accusation is false; a table that is not recognised is a miss."""
    if answer.status != 200:
        results.add("fresh", "right", BROKEN, took, line + "%d %s" % (answer.status,
                                                                      answer.body[:200]))
        return
    tree = answer.json()
    result = {"exact": OK, "profile": OK, "mistake": FALSE}.get(tree.get("verdict"), MISSED)
    results.add("fresh", "right", result, took, line + str(tree.get("says")))
