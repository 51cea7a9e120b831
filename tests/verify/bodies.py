# SPDX-License-Identifier: Apache-2.0
"""bodies.py - tensors as the bodies of requests, in every format that verify reads."""

import gzip
import io
import json
import urllib.parse

import numpy as np

from support import tensor_file
from support.tensor_file import CODES

TYPES = {"npz": "application/x-npz", "npy": "application/x-npy", "json": "application/json",
         "safetensors": "application/x-safetensors", "bin": "application/octet-stream"}
FLOATS = {"F64": "f64", "F32": "f32", "F16": "f16", "BF16": "bf16"}
JSON_MOST = 20000  # elements of a body in JSON


class Bf16(np.ndarray):
    """Numbers in float32 that bfloat16 has, which are written as bfloat16."""


def is_bf16(tensor):
    return (isinstance(tensor, Bf16) and tensor.dtype == np.float32 and
            not np.ascontiguousarray(tensor).view(np.uint32).__and__(0xFFFF).any())


def code(tensor):
    return "BF16" if is_bf16(tensor) else CODES.get(np.dtype(tensor.dtype).newbyteorder("<").str)


def little(tensor):
    """The elements in little-endian order, as safetensors and raw bodies have them."""
    if is_bf16(tensor):
        return tensor_file.bf16(tensor)
    return np.asarray(tensor, tensor.dtype.newbyteorder("<"))


class Body:
    """Bytes, what headers say about them, and what the query must add. has_claim: whether the claim
    stands in the body, not in the query."""

    def __init__(self, data, suffix, query="", has_claim=False, content_type=None,
                 content_encoding=None):
        self.data, self.suffix, self.query, self.has_claim = data, suffix, query, has_claim
        self.content_type = content_type or TYPES[suffix]
        self.content_encoding = content_encoding

    def gzipped(self):
        return Body(gzip.compress(self.data, mtime=0), self.suffix + ".gz", self.query,
                    self.has_claim, self.content_type, "gzip")


def npz(tensors, claim=None, save=np.savez):
    out = io.BytesIO()
    save(out, **{name: np.asarray(tensor) for name, tensor in tensors.items()})
    return Body(out.getvalue(), "npz")


def npz_deflated(tensors, claim=None):
    return npz(tensors, save=np.savez_compressed)


def one_of(tensors):
    (name, tensor), = tensors.items()
    return name, np.asarray(tensor) if not isinstance(tensor, Bf16) else tensor


def npy(tensors, claim=None, change=lambda tensor: tensor):
    name, tensor = one_of(tensors)
    return Body(tensor_file.npy(change(np.asarray(tensor))), "npy", "tensor=" + name)


def npy_fortran(tensors, claim=None):
    return npy(tensors, change=np.asfortranarray)


def npy_big(tensors, claim=None):
    return npy(tensors, change=lambda tensor: tensor.astype(tensor.dtype.newbyteorder(">")))


def safetensors(tensors, claim=None):
    return Body(tensor_file.safetensors({name: (code(tensor), little(tensor))
                                         for name, tensor in tensors.items()}), "safetensors")


def raw(tensors, claim=None):
    name, tensor = one_of(tensors)
    said = "tensor=%s&shape=%s" % (name, ",".join(map(str, tensor.shape)) or "1")
    return Body(little(tensor).tobytes(), "bin", "%s&in_dtype=%s" % (said, FLOATS[code(tensor)]))


def query(claim):
    return "&".join("%s=%s" % (name, urllib.parse.quote(str(value), safe=",;:.-_/"))
                    for name, value in claim.items())


def as_json(tensors, claim):
    """The claim as a query string where that has an even length, else as an object."""
    text = query(claim)
    tree = {"tensors": [{"name": name, "data": plain(tensor)} for name, tensor in tensors.items()],
            "claim": text if len(text) % 2 == 0 else claim}
    kinds = {FLOATS[code(t)] for t in tensors.values() if code(t) in FLOATS} or {"f32"}
    said = "" if kinds == {"f32"} else "in_dtype=" + kinds.pop()
    return Body(json.dumps(tree).encode(), "json", said, has_claim=True)


def plain(tensor):
    """A tensor as nested lists, in as many digits as its dtype needs."""
    tensor = np.asarray(tensor)
    if tensor.dtype.kind in "biu":
        return tensor.astype(np.int64).tolist()
    words = [float(str(x)) for x in tensor.reshape(-1)]
    return np.array(words, np.float64).reshape(tensor.shape).tolist()


WRITERS = {"npz": npz, "npz-deflated": npz_deflated, "npy": npy, "npy-fortran": npy_fortran,
           "npy-big": npy_big, "safetensors": safetensors, "raw": raw, "json": as_json}


def able(tensors, claim):
    """Names of the writers that can hold these tensors as they are, the usual ones more often."""
    codes = [code(tensor) for tensor in tensors.values()]
    one = len(codes) == 1
    if "BF16" in codes:
        return ["safetensors"] * 2 + ["raw"] * (one and codes == ["BF16"])
    names = ["npz"] * 3 + ["npz-deflated"] * 2
    if None not in codes:
        names += ["safetensors"] * 2
    if one:
        names += ["npy"] * 3 + ["npy-fortran", "npy-big"]
        names += ["raw"] * (codes[0] in FLOATS)
    numbers = [tensor for tensor in tensors.values() if tensor.dtype.kind == "f"]
    if (claim and None not in codes and len(set(codes) & set(FLOATS)) <= 1 and
            sum(tensor.size for tensor in tensors.values()) <= JSON_MOST and
            all(np.isfinite(tensor).all() for tensor in numbers)):
        names += ["json"]
    return names


def drawn(tensors, claim, wanted, random):
    tensors = {name: t if isinstance(t, Bf16) else np.asarray(t) for name, t in tensors.items()}
    body = WRITERS[wanted or random.choice(able(tensors, claim))](tensors, claim)
    return body.gzipped() if random.choice(range(6)) == 0 else body
