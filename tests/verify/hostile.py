# SPDX-License-Identifier: Apache-2.0
"""hostile.py - bodies that are no tensors, or not what they say, or more than is read: each must be
refused with an error of the client."""

import io
import json
import zipfile

import numpy as np

from bodies import Body, npy, npz, npz_deflated, safetensors
from case import Case, REFUSED
from support.tensor_file import npy_of

CLAIM = {"encoding": "sinusoidal", "dim": 8, "pos": "0:16"}
ROWS_OF_CLAIM = np.zeros((16, 8), np.float32)
TENSORS = {"rows": ROWS_OF_CLAIM}


def refused(name, body, claim=None):
    return Case("hostile/" + name, CLAIM if claim is None else claim, {}, REFUSED, body=body)


def as_npy(header, data=b""):
    return Body(npy_of(header, data), "npy", "tensor=rows")


def described(shape, descr="<f4", fortran="False"):
    return "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)


def zipped(members, compression=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, compression)
    return Body(out.getvalue(), "npz")


def truncated_npy(random):
    data = npy(TENSORS).data
    cut = random.choice([0, 3, 9, 40, 100, len(data) - 1])
    return refused("npy-truncated", Body(data[:cut], "npy", "tensor=rows"))


def longer_npy(random):
    return refused("npy-longer", Body(npy(TENSORS).data + b"\0" * random.choice([1, 400]), "npy",
                                      "tensor=rows"))


def truncated_npz(random):
    data = random.choice([npz, npz_deflated])(TENSORS).data
    cut = random.choice([4, 30, 90, len(data) // 2, len(data) - 5])
    return refused("npz-truncated", Body(data[:cut], "npz"))


def header_npy(random):
    """Shapes that overflow, are negative or no tuple; dtypes of objects, text, records, times."""
    name, header = random.choice([
        ("overflow", described("(4294967296, 4294967296)")),
        ("overflow", described("(9223372036854775807, 16)")),
        ("overflow", described("(1000000000000,)")),
        ("negative", described("(-16, 8)")), ("negative", described("(16, -8)")),
        ("rank", described("(1, 1, 1, 1, 1, 1, 1, 16, 8)")),
        ("word", described("sixteen")), ("word", "{'descr': '<f4'}"), ("word", "[1, 2"),
        ("word", "{'descr': __import__('os'), 'fortran_order': False, 'shape': (1,)}"),
        ("object", described("(16, 8)", "|O")), ("text", described("(16, 8)", "<U8")),
        ("bytes", described("(16, 8)", "|S4")), ("void", described("(16, 8)", "|V4")),
        ("time", described("(16, 8)", "<M8[s]")), ("width", described("(16, 8)", "<f3"))])
    return refused("npy-" + name, as_npy(header, ROWS_OF_CLAIM.tobytes()))


def objects(random):
    """Python's objects, which only an unpickler reads."""
    out = io.BytesIO()
    kind = random.choice([np.save, np.savez])
    array = np.array([{"rows": 1}, None, "x"], dtype=object)
    kind(out, array, allow_pickle=True) if kind is np.save else kind(out, rows=array)
    suffix = "npy" if kind is np.save else "npz"
    return refused(suffix + "-objects", Body(out.getvalue(), suffix,
                                             "tensor=rows" if suffix == "npy" else ""))


def magic(random):
    """Bytes of another kind than the content type says."""
    wrong = random.choice([b"\x7fELF" + b"\0" * 200, b"<html></html>", b"\x80\x04\x95pickle.",
                           b"PK\x05\x06" + b"\0" * 18, b"", b"\x93NUMPY\x09\x00" + b"\0" * 100])
    suffix = random.choice(["npy", "npz", "safetensors", "json"])
    return refused("wrong-magic", Body(wrong, suffix, "tensor=rows" if suffix == "npy" else ""))


def bomb(random):
    """Zeros that deflate a thousandfold: eight gigabytes inflated, announced or not."""
    zeros = npy_of(described("(2147483648,)"), b"\0" * (1 << 26))
    body = zipped([("rows.npy", zeros)], zipfile.ZIP_DEFLATED)
    if random.choice([False, True]):
        return refused("npz-bomb", body)
    members = [("%d.npy" % at, npy_of(described("(16777216,)"), b"\0" * (1 << 26)))
               for at in range(3)]
    return refused("npz-bomb", zipped([("rows.npy", zeros)] + members, zipfile.ZIP_DEFLATED))


def central(random):
    """Sizes and offsets of a zip file that do not fit it."""
    data = bytearray(npz(TENSORS).data)
    at = data.rindex(b"PK\x01\x02")
    field = random.choice([20, 24, 42, 28, 10])  # sizes, offset of the member, its name, its method
    data[at + field:at + field + 2] = b"\xff\xff"
    return refused("npz-central", Body(bytes(data), "npz"))


def member(random):
    """Members that are no .npy files, have the same name, or the path of another folder."""
    good = npy(TENSORS).data
    name, members = random.choice([
        ("kind", [("rows.txt", b"hello")]), ("twice", [("rows.npy", good), ("rowz.npy", good)]),
        ("inside", [("rows.npy", npz(TENSORS).data)]), ("none", [])])
    data = zipped(members).data.replace(b"rowz.npy", b"rows.npy")
    return refused("npz-member-" + name, Body(data, "npz"))


def checksum(random):
    """One bit of a member's data is not what its checksum says."""
    data = bytearray(npz(TENSORS).data)
    at = data.index(b"\n", data.index(b"NUMPY")) + random.choice([5, 100])
    data[at] ^= 0x40
    return refused("npz-checksum", Body(bytes(data), "npz"))


def many(random):
    """Seventeen tensors, one more than are read."""
    tensors = {"t%d" % at: ROWS_OF_CLAIM for at in range(17)}
    return refused("seventeen", random.choice([npz, safetensors])(tensors))


def deep(random):
    """A tensor of nine axes."""
    tensor = {"rows": ROWS_OF_CLAIM.reshape(1, 1, 1, 1, 1, 1, 1, 16, 8)}
    return refused("rank-nine", random.choice([npz, safetensors, npy])(tensor))


def empty(random):
    """No tensors, or none with elements."""
    nothing = {"rows": np.zeros((0, 8), np.float32)}
    body = random.choice([
        Body(b"", "npy", "tensor=rows"), Body(b"", "npz"), Body(b"", "json"),
        Body(json.dumps({"tensors": []}).encode(), "json"), npz(nothing), npy(nothing),
        safetensors(nothing), Body((2).to_bytes(8, "little") + b"{}", "safetensors")])
    return refused("empty", body)


def safetensors_header(random):
    """Headers that overflow, overlap, or leave the file."""
    def body(header, data=ROWS_OF_CLAIM.tobytes(), length=None):
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        return Body((length or len(text)).to_bytes(8, "little") + text + data, "safetensors")

    def entry(**changes):
        return {"rows": {"dtype": "F32", "shape": [16, 8], "data_offsets": [0, 512], **changes}}
    return refused("safetensors-header", random.choice([
        body(entry(), length=2 ** 63 - 1), body(entry(), length=10 ** 9), body(b"{not json"),
        body(entry(shape=[2 ** 40, 2 ** 40])), body(entry(shape=[16, 9])),
        body(entry(shape=[-16, 8])), body(entry(data_offsets=[0, 10 ** 12])),
        body(entry(data_offsets=[512, 0])), body(entry(dtype="F33")), body(entry(), data=b"\0" * 9),
        body({**entry(), "again": entry()["rows"]})]))


def raw_shape(random):
    """A shape of other elements than the body has, or of too many."""
    shape = random.choice(["16,9", "16", "0,8", "4294967296,4294967296", "1,1,1,1,1,1,1,16,8", ""])
    said = "tensor=rows&in_dtype=f32&shape=" + shape
    return refused("raw-shape", Body(ROWS_OF_CLAIM.tobytes(), "bin", said))


def bad_json(random):
    text = random.choice([
        '{"tensors":[{"name":"rows","data":[[1,2],[3]]}]}', '{"tensors":[{"name":"rows"}]}',
        '{"tensors":{"rows":[1]}}', '{"tensors":[{"name":"rows","data":"AAAA="}]',
        '[' * 5000, '{"tensors":[{"name":"rows","data":[NaN]}]}', '{"data":[1,2,3]}', 'null',
        '{"tensors":[{"name":"rows","data":[1e999]}]}'])
    return refused("json", Body(text.encode(), "json"))


def bad_gzip(random):
    """A coding that the bytes are not in, or one cut short."""
    whole = npz(TENSORS).gzipped()
    data = random.choice([whole.data[:-9], whole.data[:12], npz(TENSORS).data,
                          whole.data[:40] + b"\xff" * 30 + whole.data[70:]])
    return refused("gzip", Body(data, "npz.gz", content_type=whole.content_type,
                                content_encoding="gzip"))


def other_claim(random):
    """Claims that there are not: names, values, parameters without effect, two outputs' names."""
    claim = random.choice([
        {"encoding": "sinusoidall", "dim": 8, "pos": "0:16"},
        {"encoding": "sinusoidal", "dim": 8, "pos": "0:16", "dimm": 8},
        {"encoding": "sinusoidal", "dim": "eight", "pos": "0:16"},
        {"encoding": "sinusoidal", "dim": 8, "pos": "0:16", "factor": 2},
        {"model": "no-such-model"},
        {"encoding": "sinusoidal", "dim": 8, "pos": "0:99999999999"}])
    return refused("claim", npz(TENSORS), claim)


def other_shape(random):
    """A shape that nothing near the claim has."""
    shape = random.choice([(3, 5, 7), (1000,), (16, 8, 2, 2), (17, 31)])
    return refused("shape", npz({"rows": np.ones(shape, np.float32)}))


ROWS = [truncated_npy, longer_npy, truncated_npz, header_npy, header_npy, objects, magic, bomb,
        central, member, checksum, many, deep, empty, safetensors_header, raw_shape, bad_json,
        bad_gzip, other_claim, other_shape]
