# SPDX-License-Identifier: Apache-2.0
"""files.py - tensors as the files that users have: npy, npz, safetensors, JSON, CSV."""

import io
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from support import tensor_file  # noqa: E402

TEXT_MOST = 6000  # elements of a file in text


class Bits(np.ndarray):
    """uint16 of the bits of bfloat16, which safetensors writes as BF16 and npz as uint16."""


def bf16(values):
    return tensor_file.bf16(np.asarray(values, np.float32)).view(Bits)


def npz(tensors):
    out = io.BytesIO()
    np.savez(out, **{name: np.asarray(tensor) for name, tensor in tensors.items()})
    return out.getvalue()


def npz_compressed(tensors):
    out = io.BytesIO()
    np.savez_compressed(out, **{name: np.asarray(tensor) for name, tensor in tensors.items()})
    return out.getvalue()


def npy(tensors):
    tensor, = tensors.values()
    out = io.BytesIO()
    np.save(out, np.asarray(tensor))
    return out.getvalue()


def safetensors(tensors):
    return tensor_file.safetensors({
        name: ("BF16", np.asarray(t)) if isinstance(t, Bits) else np.ascontiguousarray(t)
        for name, t in tensors.items()})


def listed(tensor):
    if tensor.dtype.kind in "biu":
        return tensor.astype(np.int64).tolist()
    return np.array([float(str(x)) for x in tensor.reshape(-1)]).reshape(tensor.shape).tolist()


def as_json(tensors):
    """What json.dump writes of a dict of lists, or of a list."""
    if list(tensors) == ["arr_0"]:
        return json.dumps(listed(tensors["arr_0"])).encode()
    return json.dumps({name: listed(tensor) for name, tensor in tensors.items()}).encode()


def csv(tensors):
    """What numpy.savetxt writes, a row a line."""
    tensor, = tensors.values()
    out = io.StringIO()
    np.savetxt(out, tensor, delimiter=",", fmt="%d" if tensor.dtype.kind in "biu" else "%.9g")
    return out.getvalue().encode()


WRITERS = {"npz": (npz, "npz"), "npz-compressed": (npz_compressed, "npz"), "npy": (npy, "npy"),
           "safetensors": (safetensors, "safetensors"), "json": (as_json, "json"),
           "csv": (csv, "csv")}


def able(tensors):
    """Names of the writers that can hold these tensors, the usual ones more often."""
    arrays = list(tensors.values())
    names = ["npz"] * 4 + ["npz-compressed"]
    if not any(t.dtype.kind == "c" for t in arrays):
        names += ["safetensors"] * 4
    if len(arrays) == 1:
        names += ["npy"] * 6
    is_text = all(t.dtype.kind in "biuf" and not isinstance(t, Bits) and np.isfinite(t).all()
                  for t in arrays) and sum(t.size for t in arrays) <= TEXT_MOST
    if is_text:
        names += ["json"]
        if len(arrays) == 1 and arrays[0].ndim == 2:
            names += ["csv"]
    return names


def written(draw, tensors, form):
    """The suffix and the bytes of a file."""
    tensors = {name: t if isinstance(t, Bits) else np.asarray(t) for name, t in tensors.items()}
    write, suffix = WRITERS[form or ("npz" if draw.is_plain else draw.choice(able(tensors)))]
    return suffix, write(tensors)
