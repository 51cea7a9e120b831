# SPDX-License-Identifier: Apache-2.0
"""script.py - requests that use every path of the service: the example of each encoding, each
format, dtype, kind of body and page, streamed answers, answers planned on the pool, refusals. A
request is (method, target, body, headers)."""

import gzip
import json
import zlib

import numpy

from support.tensor_file import npy, safetensors

JSON = ("Content-Type", "application/json")
NPY = ("Content-Type", "application/x-npy")
SAFETENSORS = ("Content-Type", "application/x-safetensors")
FORMATS = ("json", "npy", "safetensors", "raw", "csv", "png", "svg", "card")

# Answers that depend on the time of the request: their bytes are not compared.
VOLATILE = ("/metrics", "/version", "/livez", "/readyz", "/healthz")

# Streamed, and so expensive that the pool computes it block by block; EXPENSIVE_PART is two blocks
# of it.
EXPENSIVE = "/v1/sandwich?dim=64&heads=8&score_form=paper&format=raw&k=0:199,300&q=0:200"
EXPENSIVE_PART = ("GET", EXPENSIVE, None, (("Range", "bytes=200001-270000"),))

CONFIG = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 8,
          "num_hidden_layers": 2, "max_position_embeddings": 4096, "rope_theta": 10000.0,
          "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
                           "original_max_position_embeddings": 1024}}


def get(target, *headers):
    return ("GET", target, None, headers)


def vectors(rows=4):
    """q of 2 heads and 8 columns, whole numbers."""
    return (numpy.arange(rows * 16, dtype="<f4") % 7 - 3).reshape(2, rows, 8)


def expensive_of_table(table):
    """An expensive answer whose numbers come from this stored table of 64 x 100: a megabyte."""
    x = (numpy.arange(4200 * 64, dtype="<f4") % 7 - 3).reshape(4200, 64)
    return ("POST", "/v1/conv-position?activation=none&format=raw&weight=" + table, npy(x),
            (NPY,))


def chunked(body, size):
    pieces = [body[i:i + size] for i in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in pieces) + b"0\r\n\r\n"


# A chunked body that is sent only after the server says 100; until then the server waits for it.
PAUSING = ("POST", "/v1/rope", chunked(b'{"dim": 8, "pos": [0, 1]}', 3),
           (JSON, ("Expect", "100-continue"), ("Transfer-Encoding", "chunked")))


def tables():
    """Each format, dtype, and way of computing: inline, on the pool, streamed."""
    small = "/v1/sinusoidal?dim=4&pos=0:4"
    yield from (get(small + "&format=" + one) for one in FORMATS)
    yield from (get("/v1/rope?dim=8&pos=0:3&dtype=" + one) for one in ("f64", "f16", "bf16"))
    yield get(small + "&pretty=1")
    yield get(small + "&format=png&cmap=grey&range=-0.5,0.5&cell=3")
    yield get("/v1/causal-mask?len=40&format=png")
    yield get("/v1/rope?dim=128&pos=0:64&profile=f32-pow&scaling=ntk-by-parts&factor=4&"
              "original_max_position_embeddings=2048&out=cos&format=raw")  # planned on the pool
    yield get("/v1/rope?dim=64&pos=0:9000&out=cos&format=raw")  # streamed
    yield get("/v1/rope?dim=64&pos=0:3000&out=cos&format=csv")
    yield EXPENSIVE_PART
    yield ("HEAD", small, None, ())
    yield ("GET", "http://localhost" + small, None, ())


def bodies():
    rope = {"dim": 8, "pos": [0, 1, 5], "base": 5e5}
    text = json.dumps(rope).encode()
    yield ("POST", "/v1/rope", text, (JSON,))
    yield ("QUERY", "/v1/rope?format=npy&out=sin", text, (JSON,))
    yield ("POST", "/v1/rope", chunked(text, 3), (JSON, ("Transfer-Encoding", "chunked")))
    long_list = json.dumps({"dim": 2, "pos": list(range(3000))}).encode()
    yield ("POST", "/v1/sinusoidal?format=raw", long_list, (JSON,))
    apply = "/v1/rope/apply?pos=0:4&seq_axis=1&format=raw"
    yield ("POST", apply, npy(vectors()), (NPY,))
    yield ("POST", apply, chunked(npy(vectors()), 50), (NPY, ("Transfer-Encoding", "chunked")))
    yield ("POST", "/v1/rope/apply?pos=0:4&seq_axis=1&format=png", npy(vectors()), (NPY,))
    yield ("POST", apply, safetensors({"x": vectors()}), (SAFETENSORS,))
    yield ("POST", "/v1/rope/apply?seq_axis=1&format=npy", json.dumps(
        {"pos": "0:4", "x": vectors().tolist()}).encode(), (JSON,))
    yield ("POST", "/v1/rope/apply?seq_axis=1&format=npy", json.dumps(
        {"pos": "0:4", "x": {"shape": [2, 4, 8], "data": vectors().ravel().tolist()}}).encode(), (JSON,))
    yield ("POST", "/v1/models/resolve", json.dumps(CONFIG).encode(), (JSON,))
    batch = json.dumps({"requests": [
        {"path": "/v1/rope?dim=8&pos=0:3"}, {"id": "q", "path": "/v1/causal-mask?len=40"},
        {"encoding": "rope/apply", "params": {"pos": "0:4", "seq_axis": 1, "x": vectors().tolist()}},
        {"path": "/v1/rope?dim=64&pos=0:9000&out=cos"}]}).encode()  # the last is no entry of the cache
    # As a file: JSON would have the 503 of a part in an answer of 200.
    yield ("POST", "/v1/batch?format=safetensors", batch, (JSON,))
    yield ("QUERY", "/v1/batch?format=safetensors", json.dumps({"requests": [
        {"path": "/v1/rope?dim=8&pos=0:3"}]}).encode(), (JSON, ("If-None-Match", "*")))
    verify = "/v1/verify?encoding=rope&dim=4&pos=0:3&tensor=cos&base="
    cosines = numpy.cos(numpy.arange(3)[:, None] * [1, 1e-2]).astype("<f4")
    yield ("POST", verify + "10000", npy(cosines), (NPY,))
    yield ("POST", verify + "500000", npy(cosines), (NPY,))


def pages():
    for target in ("/", "/v1/encodings", "/v1/encodings/rope", "/v1/models", "/openapi.json",
                   "/v1/models/llama-3.1-8b", "/problems/invalid-parameter", "/version",
                   "/livez", "/readyz?verbose", "/metrics"):
        yield get(target)
    yield get("/v1/rope?model=phi-2&pos=1:2&out=cos")
    yield ("OPTIONS", "/v1/rope", None, ())
    yield ("OPTIONS", "*", None, ())


def refusals():
    for target in ("/nothing", "/v1/rope?dim=7&pos=0", "/v1/rope?dim=8&pso=0&dim=8", "/%zz",
                   "/v1/rope?dim=8&pos=0:99999999999999&out=cos&format=raw", "/v1/rope?" + "a=1&" * 300,
                   "/v1/rope?model=nobody&pos=0:4", "/" + "a" * 9000):
        yield get(target)
    yield get("/v1/rope?dim=8&pos=0:4", ("Accept", "image/jpeg"))
    yield get("/v1/rope?dim=8&pos=0:4", ("If-None-Match", "*"))
    yield ("DELETE", "/v1/rope", None, ())
    yield ("POST", "/v1/rope", b"{\"dim\": 8, ", (JSON,))
    yield ("POST", "/v1/rope", b"x", (("Content-Type", "text/x"),))
    yield ("POST", "/v1/rope/apply?pos=0:4", npy(vectors())[:100], (NPY,))
    yield ("POST", "/v1/rope/apply?pos=0:4", b"\xff" * 90, (SAFETENSORS,))
    yield ("POST", "/v1/models/resolve", b"[]", (JSON,))
    yield ("POST", "/v1/rope", b"", (JSON, ("Transfer-Encoding", "gzip")))


def coded():
    """Compressed answers and compressed bodies: cached, computed, broken."""
    text = json.dumps({"dim": 8, "pos": [0, 1, 5], "base": 5e5}).encode()
    for target in ("/v1/sinusoidal?dim=64&pos=0:64", "/v1/alibi?heads=4&len=64&format=npy",
                   "/v1/sinusoidal?dim=64&pos=0:700&format=csv", "/v1/encodings/rope",
                   "/v1/models/llama-3.1-8b"):
        yield get(target, ("Accept-Encoding", "gzip"))
    packed = gzip.compress(text)
    yield ("POST", "/v1/rope", packed, (JSON, ("Content-Encoding", "gzip")))
    yield ("POST", "/v1/rope", packed[:-2], (JSON, ("Content-Encoding", "gzip")))
    yield ("POST", "/v1/rope/apply?pos=0:4&seq_axis=1&format=raw",
           zlib.compress(npy(vectors())), (NPY, ("Content-Encoding", "deflate")))


def examples(server):
    """The first example of each encoding, or all if they are few."""
    rows = server.get("/v1/encodings").json()["encodings"]
    return [get(row["example"]) for row in rows]


def script(server):
    """Every request of the script."""
    return [*tables(), *bodies(), *pages(), *refusals(), *examples(server)]
