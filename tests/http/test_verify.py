# SPDX-License-Identifier: Apache-2.0
"""test_verify.py - POST /v1/verify: bodies in every format, claims, and what is refused."""

import gzip
import io
import json
import pathlib
import select
import tempfile
import unittest
import urllib.parse
import zipfile

import numpy as np

from support.posencd import run, samples_of
from support.suite import ServerCase
from support import tensor_file
from support.tensor_file import npy, read_npy
from support.wire import PATIENCE, Client
from test_tensors import JSON, NPY, NPZ, RAW, SAFETENSORS, safetensors, typed

CLAIM = "encoding=rope&dim=64&pos=0:64"
VERIFY = "/v1/verify?" + CLAIM


def npz(**tensors):
    file = io.BytesIO()
    np.savez_compressed(file, **tensors)
    return file.getvalue()


class Pipe:
    """A file that is written from its beginning to its end: the sizes of an archive's member follow it, as
    PyTorch's writer has them."""

    def __init__(self, file):
        self.write, self.flush = file.write, file.flush


def in_json(cos, sin, **members):
    tensors = [{"name": name, "dtype": "f32", "data": numbers.astype("f8").tolist()}
               for name, numbers in (("cos", cos), ("sin", sin))]
    return json.dumps({"tensors": tensors, **members}).encode()


def multimodal_config():
    """A configuration whose language model has the tables' rotation, with what else stands in one."""
    return {"model_type": "llava", "architectures": ["LlavaForConditionalGeneration"],
            "text_config": {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 64,
                            "rope_theta": 10000.0},
            "vision_config": {"model_type": "clip_vision_model", "image_size": 336, "patch_size": 14},
            "image_grid_pinpoints": [[336 * i, 336 * j] for i in range(1, 37) for j in range(1, 37)],
            "id2label": {str(i): "LABEL_%d" % i for i in range(200)}}


class Verify(ServerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tables = {name: read_npy(cls.server.get(
            "/v1/rope?dim=64&pos=0:64&format=npy&out=" + name).body) for name in ("cos", "sin")}
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

    def test_names_are_those_of_the_program_that_made_the_tensors(self):
        cos, sin = self.tables["cos"], self.tables["sin"]
        for first, second in (("model.rotary_emb.cos_cached", "model.rotary_emb.sin_cached"),
                              ("position_embeddings.0", "position_embeddings.1"),
                              ("arr_0", "arr_1"), ("a/b/cos", "a/b/sin")):
            answer = self.verify(npz(**{first: cos[None], second: sin[None]}), NPZ)
            self.assertEqual(answer["verdict"], "exact", (first, answer["says"]))
            self.assertEqual([(tensor["name"], tensor["role"]) for tensor in answer["tensors"]],
                             [(first, "cos"), (second, "sin")])

    def test_cosines_and_sines_in_one_tensor_are_found_in_it(self):
        cos, sin = self.tables["cos"], self.tables["sin"]
        for name, table in (("freqs_cis", cos + 1j * sin), ("freqs", np.stack([cos, sin], -1)),
                            ("cos_sin_cache", np.concatenate([cos, sin], -1)),
                            ("embed_positions.weight", np.concatenate([sin, cos], -1)),
                            ("cache", np.stack([cos, sin], 1)), ("arr_0", np.stack([cos, sin])),
                            ("arr_0", np.concatenate([cos, sin]))):
            table = table.astype("c8" if table.dtype.kind == "c" else "f4")
            answer = self.verify(npz(**{name: table}), NPZ)
            self.assertEqual(answer["verdict"], "exact", (name, table.shape, answer["says"]))

    def test_positions_that_are_not_given_are_those_of_the_rows(self):
        cos, sin = self.tables["cos"], self.tables["sin"]
        ids = np.array([[3, 4, 5, 0, 1]])
        for body, pos in ((npz(cos=cos, sin=sin), "0:64"),
                          (npz(cos=cos[7:20], sin=sin[7:20]), "7:20"),
                          (npz(cos=cos[9::-2], sin=sin[9::-2]), "9:0:-2"),
                          (npz(cos=cos[ids], sin=sin[ids], position_ids=ids), "3:6,0,1")):
            answer = self.verify(body, NPZ, "/v1/verify?encoding=rope&dim=64")
            self.assertEqual(answer["verdict"], "exact", answer["says"])
            self.assertEqual(answer["claim"]["params"]["pos"], pos)
        answer = self.verify(npz(cos=cos, sin=sin), NPZ, "/v1/verify?encoding=rope")
        self.assertEqual((answer["verdict"], answer["claim"]["params"]["dim"]), ("exact", 64))

    def test_files_of_torch_save_are_read_and_never_run(self):
        cos = self.tables["cos"]
        storage = b"((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0000X\3\0\0\0cpuM\0\10tQ"
        tensor = b"ctorch._utils\n_rebuild_tensor_v2\n" + storage + \
            b"K\0K\x40K\x20\x86K\x20K\1\x86\x89ccollections\nOrderedDict\n)RtR"
        for pickle, verdict in ((b"\x80\2}X\3\0\0\0cos" + tensor + b"s.", "exact"),
                                (b"\x80\2cos\nsystem\nX\4\0\0\0true\x85R.", None)):
            file = io.BytesIO()
            with zipfile.ZipFile(Pipe(file), "w") as archive:
                archive.writestr("tables/data.pkl", pickle)
                archive.writestr("tables/data/0", cos.tobytes())
                archive.writestr("tables/version", "3\n")
            if verdict:
                self.assertEqual(self.verify(file.getvalue(), NPZ)["verdict"], verdict)
            else:
                detail = self.refused(VERIFY, file.getvalue(), NPZ, 400, "invalid-body")
                self.assertIn("os.system", detail)

    def test_bits_of_bfloat16_are_told_as_such(self):
        cos = self.tables["cos"]
        bits = (cos.view("<u4") + 0x7fff + (cos.view("<u4") >> 16 & 1) >> 16).astype("<u2")
        answer = self.verify(npz(cos=bits), NPZ)
        self.assertEqual((answer["verdict"], answer["tensors"][0]["dtype"]),
                         ("exact", "bf16 as u16"), answer["says"])

    def test_integers_in_the_place_of_fractions_are_told(self):
        cos = self.tables["cos"]
        levels = np.rint(cos * 127).astype("i1")
        for query in (CLAIM, ""):
            answer = self.verify(npz(cos=levels), NPZ, "/v1/verify?" + query)
            self.assertEqual(answer["verdict"], "unexplained")
            self.assertIn("cos has integers (i8), but its numbers are fractions: multiply the levels of a "
                          "quantised table by their scale", answer["warnings"][0])
        answer = self.verify(npz(cos=(levels / 127).astype("f4")), NPZ)
        self.assertNotIn("fractions", str(answer.get("warnings")))
        answer = self.verify(npz(mask=np.tril(np.ones((8, 8), "i4")) * 2), NPZ, "/v1/verify?encoding=causal-mask&len=8")
        self.assertNotIn("warnings", answer)

    def test_a_config_is_a_claim(self):
        config = json.dumps({"model_type": "llama", "hidden_size": 4096, "rope_theta": 10000.0,
                             "num_attention_heads": 64})
        body = npz(cos=self.tables["cos"])
        answer = self.verify(body, NPZ, "/v1/verify?config=" + urllib.parse.quote(config))
        self.assertEqual((answer["verdict"], answer["claim"].get("model")), ("exact", None))
        self.assertEqual(answer["claim"]["params"]["dim"], 64)

    def test_a_config_of_any_length_is_a_part_of_the_body(self):
        cos, sin = self.tables["cos"], self.tables["sin"]
        config = multimodal_config()
        for body in (in_json(cos, sin, config=config), in_json(cos, sin, claim={"config": config}),
                     json.dumps({"cos": cos.tolist(), "config": config}).encode()):
            self.assertGreater(len(json.dumps(config)), 20000)
            answer = self.verify(body, JSON, "/v1/verify")
            self.assertEqual((answer["verdict"], answer["claim"]["params"]["dim"]),
                             ("exact", 64), answer["says"])
        answer = self.verify(in_json(cos, self.wrong, config=config), JSON, "/v1/verify")
        self.assertEqual(answer["verdict"], "unexplained")

    def test_the_config_of_a_safetensors_file_is_the_claim_where_nothing_else_is(self):
        cos = self.tables["cos"]

        def verified(config, target="/v1/verify", cos=cos):
            body = tensor_file.safetensors({"cos": cos}, metadata={"config": config})
            return self.verify(body, SAFETENSORS, target)
        halves = json.dumps({**multimodal_config(), "text_config": {
            "model_type": "llama", "head_dim": 64, "rope_theta": 5e5}})
        self.assertEqual(verified(json.dumps(multimodal_config()))["verdict"], "exact")
        answer = verified(halves)
        self.assertEqual(answer["verdict"], "mistake", answer["says"])
        self.assertEqual(answer["mistakes"][0]["repair"][0]["parameter"], "base")
        self.assertEqual(verified(halves, VERIFY)["verdict"], "exact")
        for other in ('{"model_type": "resnet"}', "{", "a text", ""):
            self.assertEqual(verified(other, "/v1/verify?pos=0:64&" + CLAIM.replace(
                "&pos=0:64", ""))["verdict"], "exact", other)
            self.assertEqual(verified(other)["verdict"], "exact", other)

    def test_a_claim_of_any_length_is_beside_the_tensors_of_a_file(self):
        cos, config = self.tables["cos"], json.dumps(multimodal_config())
        table = ",".join("1.%d" % i for i in range(5000))

        def verified(kind, query="", **texts):
            body = (tensor_file.safetensors({"cos": cos}, metadata=texts) if kind == SAFETENSORS else
                    npz(cos=cos, **{name: np.frombuffer(text.encode(), "u1") for name, text in texts.items()}))
            return body, "/v1/verify?" + query
        for kind in (SAFETENSORS, NPZ):
            for texts in ({"claim": CLAIM}, {"claim": "encoding=rope&pos=0:64", "config": config},
                          {"claim": json.dumps({"encoding": "rope", "pos": "0:64", "config": config})}):
                body, target = verified(kind, **texts)
                self.assertEqual(self.verify(body, kind, target)["verdict"], "exact", texts)
            body, target = verified(kind, "pos=0:64", claim="encoding=rope&dim=64&base=500000")
            self.assertEqual(self.verify(body, kind, target)["verdict"], "mistake")
            body, target = verified(kind, claim=CLAIM + "&freq_factors=" + table)
            self.assertIn("freq_factors", str(self.refused(target, body, kind, 400, "invalid-parameter")))
            body, target = verified(kind, CLAIM, claim=CLAIM)
            self.assertIn("given twice", str(self.server.ask("POST", target, body, typed(kind)).json()))

    def test_json_and_csv_are_what_a_program_prints(self):
        cos, sin = self.tables["cos"], self.tables["sin"]
        plain = {"rotary": {"cos": [[float(str(x)) for x in row] for row in cos]},
                 "sin_cached": [[float(str(x)) for x in row] for row in sin], "dim": 64}
        answer = self.verify(json.dumps(plain).encode(), JSON)
        self.assertEqual(answer["verdict"], "exact", answer["says"])
        self.assertEqual([tensor["name"] for tensor in answer["tensors"]],
                         ["rotary.cos", "sin_cached"])
        answer = self.verify(json.dumps(plain["rotary"]["cos"]).encode(), JSON)
        self.assertEqual((answer["verdict"], answer["tensors"][0]["role"]), ("exact", "cos"))
        text = io.StringIO()
        np.savetxt(text, sin, delimiter=",", fmt="%.9g", header="angles")
        answer = self.verify(text.getvalue().encode(), "text/csv", VERIFY + "&tensor=sin")
        self.assertEqual((answer["verdict"], answer["tensors"][0]["name"]), ("exact", "sin"))

    def test_a_role_is_said_where_nothing_else_says_it(self):
        body = npz(buffer=self.tables["cos"], scores=self.wrong)
        answer = self.verify(body, NPZ, VERIFY + "&role.buffer=cos")
        self.assertEqual(answer["verdict"], "exact", answer["says"])
        self.assertEqual([(tensor["role"], tensor["verdict"]) for tensor in answer["tensors"]],
                         [("cos", "exact"), (None, None)])
        self.refused(VERIFY + "&role.table=cos", body, NPZ, 400, "unknown-parameter")

    def test_a_tolerance_that_holds_is_told(self):
        cos = self.tables["cos"]
        noise = np.random.default_rng(5).uniform(-1e-4, 1e-4, cos.shape)
        body = npz(cos=(cos + noise).astype("<f4"))
        answer = self.verify(body, NPZ)
        self.assertEqual((answer["verdict"], answer["digits"]), ("close", 3))
        self.assertNotIn("tolerance_holds", answer)
        for words, holds in (("&atol=2e-4", True), ("&atol=5e-5", False)):
            answer = self.verify(body, NPZ, VERIFY + words)
            self.assertEqual((answer["verdict"], answer["tolerance_holds"]), ("close", holds))
        self.assertTrue(self.verify(npz(cos=cos), NPZ, VERIFY + "&rtol=0")["tolerance_holds"])
        self.refused(VERIFY + "&atol=-1", body, NPZ, 400, "invalid-parameter")

    def test_random_numbers_are_unexplained(self):
        answer = self.verify(npz(cos=self.wrong), NPZ)
        self.assertEqual(answer["verdict"], "unexplained")
        self.assertEqual((answer["mistakes"], answer["found_url"]), ([], None))
        self.assertGreater(answer["tensors"][0]["differs"], 2000)

    def test_the_model_is_a_claim(self):
        query = "model=llama-3-8b&pos=0:4"
        cos = read_npy(self.get("/v1/rope?%s&out=cos&format=npy" % query).body)
        answer = self.verify(npz(cos=cos), NPZ, "/v1/verify?" + query)
        self.assertEqual((answer["verdict"], answer["claim"]["model"]), ("exact", "llama-3-8b"))

    def test_tables_of_a_model_are_right_as_a_library_lays_them_out(self):
        query = "model=deepseek-v3&pos=0:8"
        layouts = self.get("/v1/models/deepseek-v3").json()["uses"][0]["layouts"]
        self.assertEqual(layouts["transformers"]["parameters"], {"pairing": "half"})
        self.assertIn("modeling_deepseek_v3", layouts["transformers"]["source"]["path"])
        for pairing, other in (("half", "adjacent"), ("adjacent", "half")):
            tables = {name: read_npy(self.get("/v1/rope?%s&pairing=%s&width=full&out=%s&format=npy" % (
                query, pairing, name)).body) for name in ("cos", "sin")}
            answer = self.verify(npz(**tables), NPZ, "/v1/verify?" + query)
            self.assertEqual((answer["verdict"], answer["claim"]["params"]["pairing"]),
                             ("exact", pairing))
            answer = self.verify(npz(**tables), NPZ, "/v1/verify?%s&pairing=%s" % (query, other))
            self.assertEqual([mistake["mistake"] for mistake in answer["mistakes"]], ["pairing"])

    def test_without_a_claim_it_is_identified(self):
        numbers = read_npy(self.get("/v1/rope?model=llama-3.1-8b&out=inv_freq&format=npy").body)
        answer = self.verify(npz(inv_freq=numbers), NPZ, "/v1/verify")
        self.assertIsNone(answer["claim"])
        self.assertEqual(answer["identified"]["encoding"], "rope")
        self.assertEqual(self.get(answer["identified"]["url"]).status, 200)
        models = answer["identified"]["models"]
        self.assertEqual(models[0], "llama-3.1-8b")  # it is downloaded most
        self.assertEqual(len(models), min(answer["identified"]["model_count"], 16))
        answer = self.verify(npz(inv_freq=self.wrong[0]), NPZ, "/v1/verify")
        self.assertEqual((answer["verdict"], answer["identified"]), ("unexplained", None))

    def test_query_asks_the_same(self):
        answer = self.server.ask("QUERY", VERIFY, npz(cos=self.tables["cos"]), typed(NPZ))
        self.assertEqual((answer.status, answer.header("cache-control")), (200, "no-store"))
        self.assertEqual(answer.json()["verdict"], "exact")

    def test_the_command_prints_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cos.npz"
            for numbers, code in ((self.tables["cos"], 0), (self.wrong, 2)):
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
                            ("encoding=rope&scaling=linear", "missing-parameter"),
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
                (npz(other=cos, third=cos, fourth=cos), NPZ, "", "invalid-body"),
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
        detail = self.refused(VERIFY, b"1,2", "text/html", 415, "unsupported-media-type")
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
    flags = ("--work-timeout", "100ms")

    def test_a_search_that_takes_too_long_is_503(self):
        random = np.random.default_rng(5)
        body = npz(cos=random.standard_normal((4096, 64)).astype("<f4"),
                   sin=random.standard_normal((4096, 64)).astype("<f4"))
        answer = self.server.ask("POST", "/v1/verify?encoding=rope&dim=128&pos=0:4096", body,
                                 typed(NPZ))
        self.problem(answer, 503, "overloaded")
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
            "/v1/rope?dim=64&pos=0:64&format=npy&out=cos").body))
        searches = [Client(self.server.address, source="127.0.0.2") for _ in range(20)]
        for client in searches:
            self.addCleanup(client.close)
            client.request("POST", "/v1/verify?encoding=rope&dim=128&pos=0:4096", body, typed(NPZ))
        status = 200
        while status == 200:  # a search that ended meanwhile
            ready, _, _ = select.select([client.socket for client in searches], [], [], PATIENCE)
            first = next(client for client in searches if client.socket in ready)
            searches.remove(first)
            reply = first.reply("POST")
            status = reply.status
        problem = self.problem(reply, 503, "overloaded")
        self.assertIn("too many long computations of this client", problem["detail"])
        answer = self.server.ask("POST", VERIFY, right, typed(NPZ))
        self.assertEqual((answer.status, answer.json()["verdict"]), (200, "exact"))
        for i in range(10):
            self.assertEqual(self.server.get("/v1/rope?dim=8&pos=%d" % (1000 + i)).status, 200)
        answered, _, _ = select.select([client.socket for client in searches], [], [], 0)
        self.assertLess(len(answered), len(searches),
                        "the searches ended, so nothing was beside them")


if __name__ == "__main__":
    unittest.main()
