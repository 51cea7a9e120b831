# SPDX-License-Identifier: Apache-2.0
"""test_verify.py - POST /v1/verify: bodies in every format, claims, and what is refused."""

import gzip
import io
import json
import pathlib
import select
import tempfile
import unittest

import numpy as np

from support.posencd import run, samples_of
from support.suite import ServerCase
from support.wire import PATIENCE, Client
from test_formats import read_npy
from test_tensors import JSON, NPY, NPZ, RAW, SAFETENSORS, npy, safetensors, typed

CLAIM = "encoding=rope&dim=64&pos=0:64"
VERIFY = "/v1/verify?" + CLAIM


def npz(**tensors):
    file = io.BytesIO()
    np.savez_compressed(file, **tensors)
    return file.getvalue()


def in_json(cos, sin, **members):
    tensors = [{"name": name, "dtype": "f32", "data": numbers.astype("f8").tolist()}
               for name, numbers in (("cos", cos), ("sin", sin))]
    return json.dumps({"tensors": tensors, **members}).encode()


class Verify(ServerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tables = {name: read_npy(cls.server.get(
            "/v1/rope?dim=64&pos=0:64&format=npy&out=" + name)) for name in ("cos", "sin")}
        cls.wrong = np.random.default_rng(3).standard_normal((64, 32)).astype("<f4")

    def verify(self, body, kind, target=VERIFY, *headers):
        answer = self.server.ask("POST", target, body, typed(kind, *headers))
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(answer.header("cache-control"), "no-store")
        self.assertEqual(answer.header("content-type"), "application/json")
        self.assertIsNone(answer.header("etag"))
        return answer.json()

    def bodies(self):
        """A right table in every format: body, media type, and what the query says of it."""
        cos, sin = self.tables["cos"], self.tables["sin"]
        yield npz(cos=cos, sin=sin), NPZ, ""
        yield npy(cos), NPY, "&tensor=cos"
        yield npy(np.asfortranarray(cos)), NPY, "&tensor=cos"
        yield npy(cos.astype(">f4")), NPY, "&tensor=cos"
        yield safetensors(cos=("F32", cos), sin=("F32", sin)), SAFETENSORS, ""
        yield in_json(cos, sin), JSON, ""
        yield cos.tobytes(), RAW, "&tensor=cos&in_dtype=f32&shape=64,32"

    def test_right_numbers_are_exact_in_every_format(self):
        for body, kind, more in self.bodies():
            answer = self.verify(body, kind, VERIFY + more)
            self.assertEqual(answer["verdict"], "exact", (kind, answer["says"]))
            self.assertEqual(answer["claim"]["encoding"], "rope")
            self.assertEqual([tensor["differs"] for tensor in answer["tensors"]],
                             [0] * len(answer["tensors"]))
            self.assertIn("dim=64", answer["url"])

    def test_a_compressed_body_has_the_same_verdict(self):
        for body, kind, more in self.bodies():
            answer = self.verify(gzip.compress(body), kind, VERIFY + more,
                                 ("Content-Encoding", "gzip"))
            self.assertEqual(answer["verdict"], "exact")

    def test_json_has_the_claim_beside_its_tensors(self):
        for claim in (CLAIM, {"encoding": "rope", "dim": 64, "pos": {"start": 0, "stop": 64}}):
            body = in_json(self.tables["cos"], self.tables["sin"], claim=claim)
            self.assertEqual(self.verify(body, JSON, "/v1/verify")["verdict"], "exact")
        body = in_json(self.tables["cos"], self.tables["sin"], claim={"dim": 64, "dmi": 1})
        detail = self.refused("/v1/verify?encoding=rope&dim=64&pos=0:64", body, JSON, 400,
                              "invalid-parameter")
        self.assertEqual(detail, "2 parameters are invalid")

    def test_random_numbers_are_unexplained(self):
        answer = self.verify(npz(cos=self.wrong), NPZ)
        self.assertEqual(answer["verdict"], "unexplained")
        self.assertEqual((answer["mistakes"], answer["found_url"]), ([], None))
        self.assertGreater(answer["tensors"][0]["differs"], 2000)

    def test_the_model_is_a_claim(self):
        query = "model=llama-3-8b&pos=0:4"
        cos = read_npy(self.get("/v1/rope?%s&out=cos&format=npy" % query))
        answer = self.verify(npz(cos=cos), NPZ, "/v1/verify?" + query)
        self.assertEqual((answer["verdict"], answer["claim"]["model"]), ("exact", "llama-3-8b"))

    def test_without_a_claim_it_is_identified(self):
        numbers = read_npy(self.get("/v1/rope?model=llama-3.1-8b&out=inv_freq&format=npy"))
        answer = self.verify(npz(inv_freq=numbers), NPZ, "/v1/verify")
        self.assertIsNone(answer["claim"])
        self.assertEqual(answer["identified"]["encoding"], "rope")
        self.assertEqual(self.get(answer["identified"]["url"]).status, 200)
        answer = self.verify(npz(inv_freq=self.wrong[0]), NPZ, "/v1/verify")
        self.assertEqual((answer["verdict"], answer["identified"]), ("unexplained", None))

    def test_query_asks_the_same(self):
        answer = self.server.ask("QUERY", VERIFY, npz(cos=self.tables["cos"]), typed(NPZ))
        self.assertEqual((answer.status, answer.header("cache-control")), (200, "no-store"))
        self.assertEqual(answer.json()["verdict"], "exact")

    def test_the_command_prints_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cos.npz"
            for numbers, code in ((self.tables["cos"], 0), (self.wrong, 1)):
                body = npz(cos=numbers)
                path.write_bytes(body)
                done = run("verify", str(path), *CLAIM.split("&"), "--json")
                self.assertEqual(done.returncode, code, done.stderr)
                answer = self.server.ask("POST", VERIFY, body, typed(NPZ))
                self.assertEqual(done.stdout, answer.body)

    def test_old_names_of_a_claim_are_accepted_with_a_warning(self):
        answer = self.server.ask("POST", "/v1/verify?encoding=integer&length=4",
                                 npz(rows=np.arange(4)), typed(NPZ))
        self.assertEqual((answer.status, answer.json()["verdict"]), (200, "exact"))
        self.assertIn("length is the old name of len", answer.header("posenc-warning"))

    def test_the_same_question_has_the_same_answer(self):
        body = npz(cos=self.wrong)
        answers = {self.server.ask("POST", VERIFY, body, typed(NPZ)).body for _ in range(4)}
        self.assertEqual(len(answers), 1)

    def test_its_requests_and_its_memory_are_counted(self):
        self.verify(npz(cos=self.tables["cos"]), NPZ)
        samples = samples_of(self.get("/metrics"))
        self.assertTrue(any("/v1/verify" in name and value > 0
                            for name, value in samples.items()))
        self.nothing_is_held()

    def refused(self, target, body, kind, status, slug):
        answer = self.server.ask("POST", target, body, typed(kind) if kind else ())
        return self.problem(answer, status, slug)["detail"]

    def test_wrong_claims_are_problems(self):
        body = npz(cos=self.tables["cos"])
        for query, slug in (("encoding=roep&dim=64&pos=0:64", "invalid-parameter"),
                            ("dim=64", "missing-parameter"),
                            ("encoding=rope&dim=64", "missing-parameter"),
                            ("model=lama-3-8b", "unknown-model"),
                            (CLAIM + "&dmi=4", "unknown-parameter"),
                            (CLAIM + "&dim=64", "invalid-parameter"),
                            (CLAIM + "&out=cos", "invalid-parameter"),
                            (CLAIM + "&tensor=cos", "invalid-parameter"),
                            (CLAIM + "&shape=64,32", "invalid-parameter"),
                            (CLAIM + "&&", "invalid-parameter")):
            self.refused("/v1/verify?" + query, body, NPZ, 400, slug)

    def test_wrong_bodies_are_problems(self):
        cos = self.tables["cos"]
        for body, kind, more, slug in (
                (b"", NPZ, "", "invalid-body"),
                (npz(cos=cos)[:400], NPZ, "", "invalid-body"),
                (npy(cos)[:200], NPY, "&tensor=cos", "invalid-body"),
                (npy(cos), NPZ, "", "invalid-body"),
                (npz(cos=cos[:, :5]), NPZ, "", "invalid-body"),
                (npz(cosine=cos, other=cos, third=cos), NPZ, "", "invalid-body"),
                (cos.tobytes(), RAW, "&tensor=cos", "missing-parameter"),
                (cos.tobytes(), RAW, "&tensor=cos&in_dtype=f32&shape=64,33", "invalid-body")):
            self.refused(VERIFY + more, body, kind, 400, slug)
        for body, slug in ((b"{", "malformed-json"), (b"{}", "invalid-body"),
                           (b'{"tensors":[{"name":"cos","data":[[1],[1,2]]}]}', "malformed-json"),
                           (b'{"tensors":[{"name":"cos","data":[1]}],"claim":1}',
                            "invalid-parameter")):
            self.refused(VERIFY, body, JSON, 400, slug)
        self.refused(VERIFY, None, None, 400, "invalid-body")

    def test_a_vector_without_its_source_is_a_missing_parameter(self):
        self.refused("/v1/verify?encoding=rope/apply&pos=0:64", npz(y=self.tables["cos"]), NPZ,
                     400, "missing-parameter")

    def test_other_types_and_methods_are_refused(self):
        detail = self.refused(VERIFY, b"1,2", "text/csv", 415, "unsupported-media-type")
        self.assertIn("application/x-npz", detail)
        for method in ("GET", "PUT", "DELETE"):
            answer = self.server.ask(method, VERIFY)
            self.problem(answer, 405, "method-not-allowed")
            self.assertEqual(answer.header("allow"), "POST, QUERY, OPTIONS")
        self.assertEqual(self.server.ask("HEAD", VERIFY).status, 405)


class VerifyLimits(ServerCase):
    flags = ("--max-body", "8KiB")

    def test_a_body_over_the_limit_is_413(self):
        for body, kind, more in ((npy(np.zeros((64, 64), "<f4")), NPY, "&tensor=cos"),
                                 (npz(cos=np.zeros((64, 64), "<f4")), NPZ, ""),
                                 (gzip.compress(npy(np.zeros((64, 64), "<f4"))), NPY, "")):
            coding = [("Content-Encoding", "gzip")] if body[:2] == b"\x1f\x8b" else []
            answer = self.server.ask("POST", VERIFY + more, body, typed(kind, *coding))
            self.problem(answer, 413, "body-too-large")


class VerifyDeadline(ServerCase):
    flags = ("--work-timeout", "500ms")

    def test_a_search_that_takes_too_long_is_unexplained_and_says_so(self):
        random = np.random.default_rng(5)
        body = npz(cos=random.standard_normal((4096, 64)).astype("<f4"),
                   sin=random.standard_normal((4096, 64)).astype("<f4"))
        answer = self.ask_until_in_time("POST", "/v1/verify?encoding=rope&dim=128&pos=0:4096", body,
                                        typed(NPZ))
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual((answer.json()["verdict"], answer.json()["budget"]),
                         ("unexplained", "spent"))
        self.nothing_is_held()


class VerifyBesideSearches(ServerCase):
    flags = ("--workers", "1", "--threads", "1", "--work-timeout", "60s")

    def test_quick_verdicts_and_misses_do_not_wait_for_the_searches_of_another_client(self):
        """A client at another address has a search running and as many waiting as it may have:
        its next is refused, and neither a right table nor a miss waits for a search."""
        random = np.random.default_rng(5)
        body = npz(cos=random.standard_normal((4096, 64)).astype("<f4"),
                   sin=random.standard_normal((4096, 64)).astype("<f4"))
        right = npz(cos=read_npy(self.server.get(
            "/v1/rope?dim=64&pos=0:64&format=npy&out=cos")))
        searches = [Client(self.server.address, source="127.0.0.2") for _ in range(20)]
        for client in searches:
            self.addCleanup(client.close)
            client.request("POST", "/v1/verify?encoding=rope&dim=128&pos=0:4096", body, typed(NPZ))
        refused, _, _ = select.select([client.socket for client in searches], [], [], PATIENCE)
        first = next(client for client in searches if client.socket in refused)
        problem = self.problem(first.reply("POST"), 503, "overloaded")
        self.assertIn("too many long computations of this client", problem["detail"])
        answer = self.server.ask("POST", VERIFY, right, typed(NPZ))
        self.assertEqual((answer.status, answer.json()["verdict"]), (200, "exact"))
        for i in range(10):
            self.assertEqual(self.server.get("/v1/rope?dim=8&pos=%d" % (1000 + i)).status, 200)
        answered, _, _ = select.select([client.socket for client in searches], [], [], 0)
        self.assertLess(len(answered), 10, "the searches ended, so nothing was beside them")


if __name__ == "__main__":
    unittest.main()
