# SPDX-License-Identifier: Apache-2.0
"""flood_rows.py - what floods ask for: a row for each endpoint of proto/http/endpoints.def and for
each form of a request that costs posencd something of its own. A row whose endpoints are several
asks for them in turn."""

import gzip
import json
import os
import re

import numpy
from support.posencd import ROOT
from support.tensor_file import gguf

import script

ENDPOINT = re.compile(r'^ENDPOINT\((\w+), "([^"]+)", ([A-Z |]+),', re.MULTILINE)
MODEL_SEGMENTS = {"{model}": "[^/]+(/[^/]+)?", "{encoding}": "[^/]+", "{id}": "[^/]+(/[^/]+)?"}
GZIP = ("Accept-Encoding", "gzip")
PACKED = (script.JSON, ("Content-Encoding", "gzip"))
VARIANTS = 12  # of a request whose body or list makes it another one
POOLED = ("/v1/rope?dim=128&pos={n}:{n+64}&profile=f32-pow&scaling=ntk-by-parts&factor=4&"
          "original_max_position_embeddings=2048&out=cos&format=raw")
HIT = "/v1/sinusoidal?dim=64&pos=0:64&format=raw"
MISS = "/v1/sinusoidal?dim=64&pos={n}:{n+8}&format=raw"
LONG = "/v1/rope?dim=64&pos={n}:{n+9000}&out=cos&format=raw"
WIDE = "/v1/sinusoidal?dim=256&pos={n}:{n+1000}&format=raw"
FEW = "/v1/sinusoidal?dim=64&format=raw"
BATCH = "/v1/batch"


class Row:
    """A request, or some in turn, of which "{n}" makes each another one; `depth` of them are sent
    before an answer is awaited. `kept` says that posencd holds an answer as a whole until it is
    sent, and for each request another one. The lengths of `stable` answers do not change."""

    def __init__(self, name, endpoints, requests, depth=1, kept=False, stable=True):
        self.name, self.endpoints = name, endpoints.split()
        self.requests, self.depth, self.kept, self.stable = requests, depth, kept, stable

    @property
    def is_head(self):
        return self.requests[0][0] == "HEAD"


def endpoints():
    """{id: pattern of its paths} of every row of endpoints.def."""
    with open(os.path.join(ROOT, "proto", "http", "endpoints.def"), encoding="utf-8") as file:
        rows = ENDPOINT.findall(file.read())
    assert rows, "no row in endpoints.def"
    return {name: re.compile("".join(
        MODEL_SEGMENTS.get(part, "[^/]+") if part.startswith("{") else re.escape(part)
        for part in re.split(r"(\{\w+\})", path)) + r"(\?.*)?") for name, path, _ in rows}


def check(rows):
    """What is wrong with the rows: an endpoint without one, a row without a request for one of its
    endpoints."""
    patterns = endpoints()
    named = {one for row in rows for one in row.endpoints}
    wrong = ["proto/http/endpoints.def: %s has no row in tests/campaign/flood_rows.py" % one
             for one in sorted(set(patterns) - named)]
    for row in rows:
        wrong += ["%s: %s is no endpoint" % (row.name, one)
                  for one in row.endpoints if one not in patterns]
        wrong += ["%s: no request for %s" % (row.name, one)
                  for one in row.endpoints if one in patterns and not any(
                      patterns[one].fullmatch(request[1]) for request in row.requests)]
    return wrong


def get(target, *headers):
    return [("GET", target, None, headers)]


def forms(name, ids, requests, kept=False, stable=True):
    """Rows for GETs, and for the same as HEAD, with gzip, and as pipelined HEAD."""
    heads = [("HEAD", target, None, headers) for _, target, _, headers in requests]
    yield Row(name, ids, requests, kept=kept, stable=stable)
    yield Row(name + ", HEAD", ids, heads, stable=stable)
    yield Row(name + ", gzip", ids, [("GET", target, None, (*headers, GZIP))
                                     for _, target, _, headers in requests],
              kept=kept, stable=False)
    yield Row(name + ", pipelined HEAD", ids, heads, depth=64, stable=stable)


def batches(count, answer):
    """Bodies with `count` requests each, all different."""
    for i in range(VARIANTS):
        yield json.dumps({"requests": [
            {"path": answer % (1000 * i + k, 1000 * i + k + 64)} for k in range(count)]}).encode()


def blanks():
    """Bodies of a kilobyte that inflate to 1 MB, which takes a loop a millisecond."""
    for i in range(VARIANTS):
        numbers = ",".join(map(str, range(i, i + 100))).encode()  # a list may have blanks
        yield gzip.compress(b'{"pos":[%s%s]}' % (numbers, b" " * 1000000))


def tables():
    yield from forms("cached", "ENCODING", get(HIT))
    yield Row("cached, of 512 KB", "ENCODING", get("/v1/rope?dim=64&pos=0:4000&out=cos&format=raw"))
    yield Row("miss", "ENCODING", get(MISS), kept=True)
    yield from forms("miss of 1 MB", "ENCODING", get(WIDE), kept=True)
    yield Row("miss of the pool", "ENCODING", get(POOLED), kept=True)
    yield Row("stream", "ENCODING", get(LONG))
    yield Row("stream, chunked", "ENCODING", get("/v1/rope?dim=64&pos=0:9000&out=cos"))
    yield Row("csv", "ENCODING", get("/v1/sinusoidal?dim=64&pos={n}:{n+700}&format=csv"),
              stable=False)
    yield Row("picture, png", "ENCODING", get(
        "/v1/sinusoidal?dim=64&pos={n}:{n+200}&format=png"), kept=True, stable=False)
    yield Row("picture, svg", "ENCODING", get(
        "/v1/sinusoidal?dim=64&pos={n}:{n+200}&format=svg"), kept=True, stable=False)
    yield Row("picture, png of cells of 64 pixels", "ENCODING", get(
        "/v1/sinusoidal?dim=64&pos={n}:{n+64}&cell=64&format=png"), kept=True, stable=False)
    yield Row("picture, svg of a table whose frequencies take long", "ENCODING", get(
        "/v1/sinusoidal?dim=2500&pos=0:2000&base={n+2}&format=svg"), kept=True, stable=False)
    yield Row("picture, card", "ENCODING", get(
        "/v1/sinusoidal?dim=64&pos={n}:{n+200}&format=card"), kept=True, stable=False)
    yield Row("picture, card of a curve", "ENCODING", get(
        "/v1/rope?dim=128&pos={n}:{n+1}&base={n+2}&out=inv_freq&format=card"), kept=True, stable=False)
    yield Row("JSON body", "ENCODING", [
        ("POST", "/v1/sinusoidal?format=raw", json.dumps(
            {"dim": 8, "pos": [k + i / VARIANTS for k in range(20000)]}).encode(), (script.JSON,))
        for i in range(VARIANTS)], kept=True)


def of_bodies():
    vectors = numpy.arange(256 * 256, dtype="<f4").reshape(1, 256, 256) % 7
    yield Row("apply", "APPLY", [("POST", "/v1/rope/apply?pos=%d:%d&seq_axis=1&format=raw" % (
        i, i + 256), script.npy(vectors + i), (script.NPY,)) for i in range(VARIANTS)], kept=True)
    # A request of a batch may be refused within an answer of 200, which is shorter then.
    target = "/v1/sinusoidal?dim=64&pos=%d:%d"
    few, many = list(batches(100, target)), [gzip.compress(one) for one in batches(620, target)]
    yield Row("batch", "BATCH", [("POST", BATCH, one, (script.JSON,)) for one in few], kept=True,
              stable=False)
    yield Row("batch, gzip", "BATCH", [("POST", BATCH, one, PACKED) for one in many], kept=True,
              stable=False)
    yield Row("batch, gzip both ways", "BATCH", [("POST", BATCH, one, (*PACKED, GZIP))
                                                 for one in many], kept=True, stable=False)
    yield Row("JSON body, gzip", "ENCODING", [("POST", FEW, one, PACKED) for one in blanks()])
    yield Row("JSON body, gzip in chunks", "ENCODING", [
        ("POST", FEW, b"%x\r\n%s\r\n0\r\n\r\n" % (len(one), one),
         (*PACKED, ("Transfer-Encoding", "chunked"))) for one in blanks()])
    random = numpy.random.default_rng(1)
    yield Row("verify", "VERIFY", [
        ("POST", "/v1/verify?encoding=rope&dim=4&pos=0:4&tensor=cos",
         script.npy(random.random((4, 4), dtype="<f4")), (script.NPY,))
        for _ in range(1000)], stable=False)
    yield Row("verify, CSV", "VERIFY", [
        ("POST", "/v1/verify?encoding=rope&dim=4&pos=0:4&tensor=cos",
         "".join("%.8g,%.8g,%.8g,%.8g\n" % (*row,) for row in random.random((4, 4))).encode(),
         (("Content-Type", "text/csv"),)) for _ in range(1000)], stable=False)
    rotation = {"llama.rope.dimension_count": 128, "llama.rope.freq_base": 1e4}
    yield Row("verify, GGUF", "VERIFY", [
        ("POST", "/v1/verify?encoding=rope&dim=128", gguf(
            {**{"note.%d" % i: "x" * 100 for i in range(200)}, **rotation},
            {"rope_freqs.weight": 1 + random.random(64)}),
         (("Content-Type", "application/x-gguf"),)) for _ in range(1000)], stable=False)
    yield Row("resolve", "MODELS_RESOLVE", [("POST", "/v1/models/resolve", json.dumps(
        {**script.CONFIG, "note": i}).encode(), (script.JSON,)) for i in range(VARIANTS)],
        stable=False)


def documents(server):
    listed = server.get("/v1/encodings").json()["encodings"]
    fields = list(listed[0])
    names = [one["name"] for one in listed if "/" not in one["name"]]
    yield Row("encodings", "ENCODINGS", get("/v1/encodings"))
    yield from forms("encodings of fields", "ENCODINGS", [
        get("/v1/encodings?fields=" + ",".join(fields[:i] + fields[i + 1:]))[0]
        for i in range(len(fields)) if fields[i] not in ("params", "outputs")], kept=True)
    yield Row("schema", "ENCODING_SCHEMA", get("/v1/encodings/rope"))
    yield Row("openapi", "OPENAPI", get("/openapi.json"))
    yield from forms("openapi of encodings", "OPENAPI", [
        get("/openapi.json?encoding=" + ",".join(names[:i] + names[i + 1:]))[0]
        for i in range(VARIANTS)], kept=True)
    yield Row("models", "MODELS MODEL", get("/v1/models") + get("/v1/models?fields=name") +
              get("/v1/models/llama-3.1-8b"))
    yield from forms("tables of a model", "MODEL_TABLES",
                     get("/v1/models/llama-3.1-8b/tables?pos={n}:{n+4096}"), stable=False)
    yield Row("learned tables", "TABLES TABLE", get("/v1/tables") + get("/v1/tables/seed.wpe"))
    yield Row("version", "VERSION", get("/version"), stable=False)


def people():
    yield Row("pages", "DOCS DOCS_PAGE DOCS_VERIFY MODEL_PAGE PROBLEM ROOT COMPARE VERIFY_PAGE LEARN LEARN_ZH LEARN_ZH_PAGE LEARN_PAGE EXPLORE",
              [get(target, ("Accept", "text/html"))[0] for target in (
                  "/docs", "/docs/rope", "/docs/limits", "/docs/disagreements", "/docs/verify/degrees",
                  "/models/llama-3.1-8b", "/problems/overloaded", "/", "/compare", "/verify", "/learn",
                  "/learn/zh", "/learn/zh/waves", "/learn/waves",
                  "/explore/rope")], stable=False)
    yield Row("page of a state", "EXPLORE", get("/explore/rope?dim=64&pos={n}%s" % (",0" * 1500)),
              kept=True, stable=False)
    yield Row("page of a comparison", "COMPARE",
              get("/compare?a=rope%%3Fdim=64%%26pos={n}%s&b=rope%%3Fdim=64%%26pos={n}" % (",0" * 1500)),
              kept=True, stable=False)
    yield Row("page of models", "MODELS_PAGE", get("/models"))


def operations():
    yield Row("health", "LIVEZ HEALTHZ READYZ INFERENCE_LIVE INFERENCE_READY",
              [get(target)[0] for target in ("/livez", "/healthz", "/readyz", "/v2/health/live",
                                             "/v2/health/ready")])
    yield Row("metrics", "METRICS", get("/metrics"), stable=False)


def assets(server):
    page = server.get("/explore/rope", (("Accept", "text/html"),)).text()
    yield Row("assets", "ASSET", [get(one)[0] for one in re.findall(r'"(/assets/[^"]+)"', page)])


def inference(server):
    revision = server.get("/v2/models/rope").json()["versions"][0]
    model, version = "/v2/models/rope", "/v2/models/rope/versions/" + revision
    yield Row("infer", "INFERENCE_INFER INFERENCE_VERSION_INFER", [
        ("POST", one + "/infer?dim=64&pos={n}:{n+256}", b"", ()) for one in (model, version)],
        stable=False)
    yield Row("infer, metadata", "INFERENCE INFERENCE_SLASH INFERENCE_MODEL INFERENCE_MODEL_READY "
              "INFERENCE_MODEL_CONFIG INFERENCE_VERSION INFERENCE_VERSION_READY "
              "INFERENCE_VERSION_CONFIG", [get(one)[0] for one in (
                  "/v2", "/v2/", model, model + "/ready", model + "/config", version,
                  version + "/ready", version + "/config")])
    yield from forms("infer, models", "INFERENCE_MODELS", get("/v2/models"))
    yield Row("infer, index", "INFERENCE_INDEX", [("POST", "/v2/repository/index", b"{}",
                                                   (script.JSON,))])


def rows(server):
    """Every row. The first one, a cached answer, is the control of the others."""
    return [*tables(), *of_bodies(), *documents(server), *people(), *operations(),
            *assets(server), *inference(server)]
