# SPDX-License-Identifier: Apache-2.0
"""questions.py - what the modules are asked: every example of the catalogue in two formats, what is
described, wrong requests, and bodies; each with the answer of a running service. And hostile questions,
from the seeds of the fuzz targets, which have no answer."""

import base64
import hashlib
import io
import json
import os
import urllib.parse

import golden
import numpy
from support.posencd import ROOT
from support.tensor_file import npy, safetensors

DESCRIBED = ("/v1/encodings", "/v1/encodings?fields=name,title", "/v1/encodings/rope", "/v1/encodings/roep",
             "/v1/models", "/v1/models?q=llama", "/v1/models/llama-3.1-8b", "/v1/models/no-such-model",
             "/v1/models/gpt-oss-20b/tables?pos=0:16", "/openapi.json?encoding=rope,alibi", "/openapi.json",
             "/v1/rope?pos=0:4&dim=8&format=png", "/v1/alibi?heads=8&len=16&format=svg",
             "/v1/rope?pos=0:4&dim=8&format=csv", "/v1/rope?pos=0:4&model=llama-3.1-8b")
WRONG = ("/v1/rope", "/v1/rope?pos=0:4&dim=7", "/v1/roep?pos=0:4", "/v1/rope?pos=0:4&dim=8&dimm=3",
         "/v1/rope?pos=abc&dim=8", "/v1/rope?pos=0:4&dim=8&model=no-such", "/v1/rope?pos=0:9999999999&dim=8",
         "/v1/alibi?heads=0&len=4", "/v1/t5?len=4&format=xyz", "/v1/rope/apply?pos=0:4&x=1,2,3", "/v1/nothing")
ACCEPTED = ("image/png", "text/csv", "application/x-safetensors", "application/json", "text/css")
BODIES = (("/v1/rope", {"pos": [0, 1, 2], "dim": 8}),
          *(("/v1/rope", {"pos": [0, 1, 2], "dim": 8, "out": "cos", "format": one})
            for one in ("png", "csv", "npy", "numpy", "xyz")), ("/v1/rope", {"pos": "zz", "dim": [8]}),
          ("/v1/rope/apply", {"pos": [0, 3], "x": [[1, 2, 3, 4], [5, 6, 7, 8]]}),
          ("/v1/batch", {"requests": [{"path": "/v1/rope?pos=0:2&dim=4"}, {"path": "/v1/rope?dim=3"},
                                      {"id": "q", "encoding": "alibi", "params": {"heads": 2, "len": 2}}]}),
          ("/v1/batch?format=safetensors", {"requests": [{"path": "/v1/rope?pos=0:2&dim=4"}]}),
          ("/v1/batch?format=safetensors", {"requests": [{"path": "/v1/rope?pos=0:2&dim=4"},
                                                         {"path": "/v1/rope?dim=3"}]}),
          ("/v1/batch", {"requests": 3}), ("/v1/batch?format=npy", {"requests": []}),
          ("/v1/models/resolve", {"model_type": "llama", "head_dim": 64, "rope_theta": 500000}),
          ("/v1/models/resolve", {"model_type": "no-such-class", "max_position_embeddings": 12}),
          ("/v1/verify?encoding=rope&dim=4&pos=0:2",
           {"tensors": [{"name": "cos", "data": [[1, 1], [0.5403, 0.99995]]},
                        {"name": "sin", "data": [[0, 0], [0.8415, 0.0099998]]}]}),
          ("/v1/verify", {"tensors": [{"name": "bias", "data": [[[0, -0.5], [-0.5, 0]]]}]}))


def examples(client):
    for one in client.get("/v1/encodings").json()["encodings"]:
        for target in one["examples"]:
            yield target
            if "format=" not in target:
                yield target + "&format=safetensors"


def digests():
    """The questions of tests/golden/digests: (target, body or None)."""
    for _, question in golden.questions():
        yield golden.request(question)


def files():
    """(target, body, type) of tensors in each format of bodies, right and wrong."""
    angles = numpy.multiply.outer(numpy.arange(4), [1.0, 0.01])
    cos, sin = numpy.cos(angles).astype("<f4"), numpy.sin(angles).astype("<f4")
    npz = io.BytesIO()
    numpy.savez(npz, cos=cos, sin=sin)
    claim = "/v1/verify?encoding=rope&dim=4&pos=0:4"
    yield claim, safetensors({"cos": cos, "sin": sin}), "application/x-safetensors"
    yield claim + "&base=500000", safetensors({"cos": cos, "sin": sin}), "application/x-safetensors"
    yield "/v1/verify", safetensors({"cos": cos, "sin": sin}), "application/x-safetensors"
    yield claim + "&tensor=cos", npy(cos), "application/x-npy"
    yield claim, npz.getvalue(), "application/x-npz"
    yield claim + "&tensor=cos&in_dtype=f32&shape=4,2", cos.tobytes(), "application/octet-stream"
    yield claim + "&tensor=cos", cos.tobytes(), "application/octet-stream"
    yield claim, npz.getvalue()[:90], "application/x-npz"
    yield claim, b"text", "text/plain"
    yield "/v1/rope?dim=4", safetensors({"pos": numpy.arange(3)}), "application/x-safetensors"
    yield "/v1/rope/apply?pos=0:4", npy(cos), "application/x-npy"
    yield "/v1/rope/apply?pos=0:4&in_dtype=f32&shape=4,2", cos.tobytes(), "application/octet-stream"


def asked(client, target, body=None, media_type=None, accept=None):
    headers = [(name, value) for name, value in (("Content-Type", media_type), ("Accept", accept)) if value]
    answer = client.ask("GET" if body is None else "POST", target, body, headers)
    content = answer.body
    if answer.status != 200:  # a problem of the service names its request
        content = without_id(content)
    found = {"target": target, "status": answer.status, "sha256": hashlib.sha256(content).hexdigest()}
    if accept:
        found["accept"] = accept
    if body is not None:
        found.update(type=media_type, body=base64.b64encode(body).decode())
    return found


def without_id(content):
    problem = json.loads(content)
    if "request_id" not in problem:
        return content
    member = b',"request_id":' + json.dumps(problem["request_id"]).encode()
    assert member in content, content
    return content.replace(member, b"")


def all_of(client):
    questions = [asked(client, target) for target in examples(client)]
    questions += [asked(client, target) for target in DESCRIBED + WRONG]
    questions += [asked(client, "/v1/rope?pos=0:4&dim=8&out=cos", accept=one) for one in ACCEPTED]
    questions += [asked(client, target, json.dumps(body).encode(), "application/json") for target, body in BODIES]
    questions += [asked(client, *one) for one in files()]
    questions += [asked(client, target, body, "application/x-safetensors" if body else None)
                  for target, body in digests()]
    return questions


def hostile():
    """Seeds as queries and bodies."""
    corpus = os.path.join(ROOT, "tests", "fuzz", "corpus")
    for folder, path, media_type in (
            ("query", "/v1/rope", None), ("position", "/v1/rope", None), ("request", "/v1/alibi", None),
            ("body", "/v1/rope/apply", "application/json"), ("hf_config", "/v1/models/resolve", "application/json"),
            ("batch", "/v1/batch", "application/json"), ("json_tensors", "/v1/verify", "application/json"),
            ("npy", "/v1/verify", "application/x-npy"), ("npz", "/v1/verify", "application/x-npz"),
            ("safetensors", "/v1/verify", "application/x-safetensors"), ("verify", "/v1/verify", "application/json")):
        for name in sorted(os.listdir(os.path.join(corpus, folder))):
            with open(os.path.join(corpus, folder, name), "rb") as file:
                seed = file.read()
            text = urllib.parse.quote(seed, safe="=&,:;.%") if media_type is None else ""
            yield {"path": path, "query": "pos=" + text if folder == "position" else text,
                   "type": media_type, "body": base64.b64encode(seed).decode()}
