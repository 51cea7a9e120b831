# SPDX-License-Identifier: Apache-2.0
"""tensor_file.py - tensors as the bytes of a file: safetensors, npy and GGUF, and numbers as bfloat16,
which NumPy does not have."""

import io
import json
import struct

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4",
         "I16": "<i2", "I8": "|i1", "U8": "|u1", "BOOL": "|b1"}
CODES = {kind: code for code, kind in TYPES.items() if code != "BF16"}


def safetensors(tensors, align=8, metadata=None):
    """A file of {name: array or (dtype, array of the bytes' type)}, with texts as metadata; the length
    of its header is a multiple of `align`."""
    head, parts, at = {"__metadata__": metadata} if metadata else {}, [], 0
    for name, tensor in tensors.items():
        if not isinstance(tensor, tuple):
            tensor = CODES[tensor.dtype.str], tensor
        dtype, array = tensor
        parts.append(array.tobytes())
        head[name] = {"dtype": dtype, "shape": list(array.shape),
                      "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % align)
    return struct.pack("<Q", len(text)) + text + b"".join(parts)


def read_safetensors(body):
    """(metadata, {name: (dtype, array)}); every rule of the format is checked."""
    size, = struct.unpack("<Q", body[:8])
    assert size % 8 == 0, "header length %d" % size
    head = json.loads(body[8:8 + size])
    metadata = head.pop("__metadata__", {})
    assert all(isinstance(value, str) for value in metadata.values()), metadata
    data, at, tensors = body[8 + size:], 0, {}
    for name, entry in sorted(head.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        assert begin == at, "%s starts at %d, not %d" % (name, begin, at)
        kind = np.dtype(TYPES[entry["dtype"]])
        assert end - begin == kind.itemsize * int(np.prod(entry["shape"], dtype=np.int64))
        tensors[name] = (entry["dtype"],
                         np.frombuffer(data[begin:end], kind).reshape(entry["shape"]))
        at = end
    assert at == len(data), "%d bytes after the last tensor" % (len(data) - at)
    return metadata, tensors


def npy(array, version=None):
    body = io.BytesIO()
    np.lib.format.write_array(body, array, version=version)
    return body.getvalue()


def npy_of(header, data=b""):
    """An npy file with this header, whatever it says."""
    text = header.encode() if isinstance(header, str) else header
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def read_npy(body):
    return np.load(io.BytesIO(body), allow_pickle=False)


def bf16(numbers):
    """The nearest bfloat16 of float32, ties to even, as bits."""
    bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
    return ((bits + (0x7FFF + (bits >> 16 & 1))) >> 16).astype("<u2")


def widened(bits):
    """The float32 of bits of bfloat16."""
    return (bits.astype("<u4") << 16).view("<f4")


def gguf_text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


GGUF_KINDS = {int: (4, "<I"), float: (6, "<f")}


def gguf(metadata, tensors):
    """A GGUF file of version 3: numbers and words as metadata, float32 tensors."""
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        if isinstance(value, str):
            out += gguf_text(key) + struct.pack("<I", 8) + gguf_text(value)
        else:
            kind, form = GGUF_KINDS[type(value)]
            out += gguf_text(key) + struct.pack("<I", kind) + struct.pack(form, value)
    at, data = 0, b""
    for name, array in tensors.items():
        out += gguf_text(name) + struct.pack("<I", array.ndim)
        out += b"".join(struct.pack("<Q", n) for n in reversed(array.shape))
        out += struct.pack("<IQ", 0, at)
        data += array.astype("<f4").tobytes() + b"\0" * (-array.nbytes % 32)
        at = len(data)
    return out + b"\0" * (-len(out) % 32) + data
