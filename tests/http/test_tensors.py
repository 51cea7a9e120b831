# SPDX-License-Identifier: Apache-2.0
"""test_tensors.py - tensors in bodies: every type they come in, every format they leave in,
what is refused and when, what memory they take and give back."""

import io
import json
import time
import unittest

import numpy as np

from support import tensor_file
from support.posencd import is_sanitized
from support.suite import ServerCase
from support.tensor_file import bf16, npy, read_npy, read_safetensors, widened
from support.wire import PATIENCE

APPLY = "/v1/rope/apply?"
NPY, NPZ, SAFETENSORS = "application/x-npy", "application/x-npz", "application/x-safetensors"
RAW, JSON = "application/octet-stream", "application/json"
X = np.random.default_rng(7).standard_normal((12, 3, 16)).astype("<f4")
AT = "pos=5:17&seq_axis=0"


def typed(kind, *more):
    return [("Content-Type", kind), *more]


class Pipe(io.RawIOBase):
    """A file that cannot be rewound: sizes of members come after their data."""

    def __init__(self):
        self.written = b""

    def writable(self):
        return True

    def write(self, data):
        self.written += bytes(data)
        return len(data)


def npz(save, **tensors):
    """The same archive as a file and as a pipe gets it."""
    file, pipe = io.BytesIO(), Pipe()
    save(file, **tensors)
    save(pipe, **tensors)
    return file.getvalue(), pipe.written


def safetensors(**tensors):
    """A header that ends where its text does."""
    return tensor_file.safetensors(tensors, align=1)


def rotated(x, positions, inverse=False):
    """The half pairing, in float64."""
    half = x.shape[-1] // 2
    angle = np.multiply.outer(np.asarray(positions, float), 1e4 ** (-np.arange(half) / half))
    angle = -angle if inverse else angle
    angle = angle.reshape(angle.shape[:1] + (1,) * (x.ndim - 2) + angle.shape[1:])
    a, b = x[..., :half].astype(float), x[..., half:].astype(float)
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle),
                           a * np.sin(angle) + b * np.cos(angle)], -1)


class TensorCase(ServerCase):
    def ask(self, query, body, kind, status=200, method="POST", more=()):
        answer = self.server.ask(method, APPLY + query, body, typed(kind, *more))
        self.assertEqual(answer.status, status, "%s: %r %r" % (query, answer, answer.body[:400]))
        return answer

    def near(self, got, expected, bound):
        self.assertEqual(got.shape, expected.shape)
        self.assertLess(np.abs(got.astype(float) - expected).max(), bound)


class Roads(TensorCase):
    """Every way in, every way out."""

    def test_npy_of_each_version_and_type_keeps_its_type(self):
        for version in ((1, 0), (2, 0), (3, 0)):
            for kind, bound in (("<f2", 4e-3), ("<f4", 4e-7), ("<f8", 1e-14)):
                x = X.astype(kind)
                got = read_npy(self.ask(AT + "&format=npy", npy(x, version), NPY).body)
                self.assertEqual(got.dtype, np.dtype(kind))
                self.near(got, rotated(x, range(5, 17)), bound)

    def test_npy_in_any_order_of_bytes_and_axes_is_the_same_tensor(self):
        expected = self.ask(AT + "&format=npy", npy(X), NPY).body
        for x in (np.asfortranarray(X), X.astype(">f4"), np.asfortranarray(X.astype(">f4"))):
            self.assertEqual(self.ask(AT + "&format=npy", npy(x), NPY).body, expected)

    def test_q_and_k_of_one_body_are_answered_under_their_names(self):
        q, k = X.astype("<f2"), bf16(X[:, :1])
        body = safetensors(k=("BF16", k), q=("F16", q))
        metadata, tensors = read_safetensors(
            self.ask(AT + "&format=safetensors", body, SAFETENSORS).body)
        self.assertEqual(sorted(tensors), ["k", "q"])
        self.assertEqual((tensors["q"][0], tensors["k"][0]), ("F16", "BF16"))
        self.near(tensors["q"][1], rotated(q, range(5, 17)), 4e-3)
        self.near(widened(tensors["k"][1]), rotated(widened(k), range(5, 17)), 4e-2)
        self.assertEqual(json.loads(metadata["params"])["k"], "bf16[12,1,16]")
        only = read_npy(self.ask(AT + "&format=npy&out=q", body, SAFETENSORS).body)
        np.testing.assert_array_equal(only, tensors["q"][1])

    def test_an_archive_of_numpy_is_answered_as_safetensors_are(self):
        q, k = X.astype("<f2"), X[:, :1]
        expected = self.ask(AT + "&format=safetensors", safetensors(q=("F16", q), k=("F32", k)),
                            SAFETENSORS).body
        for save in (np.savez, np.savez_compressed):
            for body in npz(save, q=q, k=np.asfortranarray(k)):
                self.assertEqual(self.ask(AT + "&format=safetensors", body, NPZ).body, expected)

    def test_every_format_of_the_answer_has_the_same_numbers(self):
        raw = self.ask(AT + "&format=raw&in_dtype=f32&shape=12,3,16", X.tobytes(), RAW)
        expected = np.frombuffer(raw.body, "<f4").reshape(X.shape)
        self.assertEqual(raw.header("posenc-shape"), "12,3,16")
        np.testing.assert_array_equal(
            read_npy(self.ask(AT + "&format=npy", npy(X), NPY).body), expected)
        answer = self.ask(AT + "&format=json", npy(X), NPY).json()
        self.assertEqual(answer["params"]["x"], "f32[12,3,16]")
        np.testing.assert_array_equal(np.array(answer["tensors"][0]["data"], "<f4"), expected)
        lines = self.ask(AT + "&format=csv", npy(X), NPY).text().splitlines()
        self.assertTrue(lines[0].startswith("axis_0_index,axis_1_index,x_0,"))
        self.assertEqual(len(lines), 37)
        np.testing.assert_array_equal(
            np.array([line.split(",")[2:] for line in lines[1:]], "<f4"),
            expected.reshape(36, 16))

    def test_the_answer_has_the_format_of_the_body_unless_another_is_asked_for(self):
        raw = AT + "&in_dtype=f32&shape=12,3,16"
        bodies = ((AT, npy(X), NPY), (AT, safetensors(x=("F32", X)), SAFETENSORS),
                  (raw, X.tobytes(), RAW),
                  ("", json.dumps({"x": X.tolist(), "pos": "5:17", "seq_axis": 0}).encode(), JSON))
        for query, body, kind in bodies:
            for accept in ([], [("Accept", "*/*")], [("Accept", "text/html, */*;q=0.8")]):
                answer = self.ask(query, body, kind, more=accept)
                self.assertEqual(answer.header("content-type"), kind)
                self.assertEqual(answer.header("cache-control"), "no-store")
                self.assertIn("Accept", answer.header("vary"))
            for accept, wanted in ((JSON, JSON), ("text/csv, */*;q=0.1", "text/csv"),
                                   ("application/x-npy;q=0.9, */*;q=0.8", NPY)):
                answer = self.ask(query, body, kind, more=[("Accept", accept)])
                self.assertEqual(answer.header("content-type").split(";")[0], wanted)
            answer = self.ask((query + "&" if query else "") + "format=json", body, kind)
            self.assertEqual(answer.header("content-type"), JSON)
        answer = self.ask(AT, npz(np.savez, x=X)[0], NPZ)
        self.assertEqual(answer.header("content-type"), JSON)

    def test_json_in_all_its_forms_is_one_tensor(self):
        forms = ({"x": X.tolist()}, {"x": {"shape": X.shape, "data": X.ravel().tolist()}})
        expected = read_npy(self.ask(AT + "&format=npy", npy(X), NPY).body)
        for form in forms:
            body = json.dumps(dict(form, pos="5:17", seq_axis=0)).encode()
            got = read_npy(self.ask("format=npy", body, JSON).body)
            np.testing.assert_array_equal(got, expected)
        half = json.dumps({"x": X.tolist(), "in_dtype": "f16"}).encode()
        self.assertEqual(read_npy(self.ask(AT + "&format=npy", half, JSON).body).dtype,
                         np.dtype("<f2"))

    def test_another_dtype_is_rounded_once(self):
        got = read_npy(self.ask(AT + "&format=npy&dtype=f64", npy(X), NPY).body)
        self.assertEqual(got.dtype, np.dtype("<f8"))
        self.near(got, rotated(X, range(5, 17)), 1e-14)
        narrow = read_npy(self.ask(AT + "&format=npy&dtype=f16", npy(X), NPY).body)
        np.testing.assert_array_equal(narrow, got.astype("<f2"))

    def test_a_body_in_pieces_of_any_size_is_the_same(self):
        body = npy(X[:2, :1])
        expected = self.ask("pos=0:2&seq_axis=0&format=npy", body, NPY).body
        for piece in (1, 7, 127, 129):
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[at:at + piece]), body[at:at + piece])
                              for at in range(0, len(body), piece)) + b"0\r\n\r\n"
            answer = self.ask("pos=0:2&seq_axis=0&format=npy", chunks, NPY,
                              more=[("Transfer-Encoding", "chunked")])
            self.assertEqual(answer.body, expected)

    def test_long_answers_are_streamed_whole(self):
        x = np.random.default_rng(3).standard_normal((4096, 4, 64)).astype("<f4")
        got = read_npy(self.ask("pos=0:4096&seq_axis=0&format=npy", npy(x), NPY).body)
        self.near(got, rotated(x, range(4096)), 1e-6)
        back = read_npy(self.ask("pos=0:4096&seq_axis=0&format=npy&inverse=1", npy(got), NPY).body)
        self.near(back, x.astype(float), 2e-6)

    def test_100_continue_is_met(self):
        body = npy(X)
        client = self.server.client()
        client.request("POST", APPLY + AT + "&format=npy", None,
                       typed(NPY, ("Expect", "100-continue"), ("Content-Length", len(body))))
        self.assertEqual(client.head().status, 100)
        client.send(body)
        self.assertEqual(client.reply("POST").status, 200)
        self.assertEqual(client.ask("GET", "/livez").status, 200)


class Terms(TensorCase):
    """What is said of an answer, and whether it is kept."""

    def test_what_depends_on_a_body_is_nobody_elses(self):
        for method in ("POST", "QUERY"):
            answer = self.ask(AT, npy(X), NPY, method=method, more=[("If-None-Match", "*")])
            self.assertEqual(answer.header("cache-control"), "no-store")
            self.assertIsNone(answer.header("etag"))
            self.assertIsNone(answer.header("content-location"))
        first = self.ask("pos=3&format=raw", b'{"x":[1,0]}', JSON, method="QUERY").body
        second = self.ask("pos=3&format=raw", b'{"x":[0,1]}', JSON, method="QUERY").body
        self.assertNotEqual(first, second)

    def test_x_in_the_url_is_cached_by_its_canonical_form(self):
        answer = self.get(APPLY + "pos=3&x=1,0,0,1")
        data = answer.json()["tensors"][0]["data"]
        expected = rotated(np.array([[1., 0., 0., 1.]]), [3])[0]
        self.assertLess(np.abs(np.array(data) - expected).max(), 1e-7)
        again = self.get(APPLY + "x=1.0,0,0,1e0&pos=3")
        self.assertEqual(again.header("etag"), answer.header("etag"))
        self.assertTrue(again.header("server-timing").startswith("cache;desc=hit"))
        self.get(answer.header("content-location"))
        self.get(APPLY + "pos=3&x=1,0,0,1", [("If-None-Match", answer.header("etag"))], 304)
        other = self.get(APPLY + "pos=3&x=1,0,0,2")
        self.assertNotEqual(other.header("etag"), answer.header("etag"))
        self.assertEqual(self.server.ask("HEAD", APPLY + "pos=3&x=1,0,0,1").status, 200)

    def test_the_types_that_are_taken_are_told(self):
        kinds = ", ".join([JSON, NPY, NPZ, SAFETENSORS, RAW])
        options = self.server.ask("OPTIONS", "/v1/rope/apply")
        self.assertEqual(options.header("accept-query"), kinds)
        answer = self.ask(AT, b"1", "text/plain", 415)
        self.problem(answer, 415, "unsupported-media-type")
        self.assertEqual(answer.header("accept"), kinds)
        for path, kinds_of_path in (("loftr-sine?dim=8", [JSON]),
                                    ("sinusoidal?dim=8&pos=1", [JSON, NPZ, SAFETENSORS]),
                                    ("rope?dim=8&pos=1", [JSON, NPZ, SAFETENSORS])):
            refused = self.server.ask("POST", "/v1/" + path, npy(X), typed(NPY))
            self.assertEqual(refused.header("accept"), ", ".join(kinds_of_path))
        paths = self.get("/openapi.json").json()["paths"]
        content = paths["/v1/rope/apply"]["post"]["requestBody"]["content"]
        self.assertEqual(", ".join(content), kinds)
        schema = self.get("/v1/encodings/rope/apply").json()
        self.assertEqual(", ".join(schema["bodies"]), kinds)


class ListCase(ServerCase):
    def ask(self, target, body, kind, status=200, method="QUERY"):
        answer = self.server.ask(method, target, body, typed(kind))
        self.assertEqual(answer.status, status, "%s: %r" % (target, answer.body[:400]))
        return answer


class Lists(ListCase):
    """Lists and matrices of parameters, which come as tensors too."""

    flags = ("--max-body", "16MiB", "--max-inflight", "32MiB", "--threads", "1")
    ANGLES = np.multiply.outer(np.arange(4), 1e4 ** (-np.arange(4) / 4))
    COS, SIN = np.tile(np.cos(ANGLES), 2), np.tile(np.sin(ANGLES), 2)
    LINT = "/v1/pairing-lint?pos=0:4&rotation=%s&tolerance=.01&format=json"

    def lint(self, cos, sin, rotation="half"):
        return self.ask(self.LINT % rotation, safetensors(cos=cos, sin=sin), SAFETENSORS)

    def test_a_table_is_judged_in_every_type(self):
        tables = (lambda x: ("F64", x), lambda x: ("F32", x.astype("<f4")),
                  lambda x: ("F16", x.astype("<f2")), lambda x: ("BF16", bf16(x)))
        for typed_as in tables:
            for rotation, says in (("half", "consistent"), ("adjacent", "mismatch: half table")):
                facts = self.lint(typed_as(self.COS), typed_as(self.SIN), rotation).json()["facts"]
                self.assertTrue(facts["says"].startswith(says), facts)
        alone = self.lint(("F64", self.COS[None, None]), ("F64", self.SIN[None])).json()
        self.assertEqual(alone["facts"]["table"], "half-duplicated")

    def test_equal_numbers_are_one_request_in_every_format(self):
        cos, sin = self.COS.astype("<f4"), self.SIN.astype("<f4")
        lint = self.LINT % "half"
        first = self.lint(("F32", cos), ("F32", sin))
        rest = "&sin=" + ";".join(",".join("%.17g" % x for x in row) for row in sin)
        body = {"cos": cos.tolist(), "sin": sin.tolist()}
        for answer in (self.lint(("F64", cos.astype("<f8")), ("F32", sin)),
                       self.ask(lint, json.dumps(body).encode(), JSON),
                       self.ask(lint + rest, npy(cos), NPY),
                       self.ask(lint + rest, npy(np.asfortranarray(cos)), NPY),
                       self.ask(lint + rest, npy(cos.astype(">f4")), NPY),
                       self.ask(lint, npz(np.savez, cos=cos, sin=sin)[0], NPZ),
                       self.ask(lint, npz(np.savez_compressed, cos=cos, sin=sin)[0], NPZ),
                       self.ask(lint + rest + "&in_dtype=f32&shape=4,8", cos.tobytes(), RAW)):
            self.assertEqual(answer.body, first.body)
            self.assertEqual(answer.header("etag"), first.header("etag"))
            self.assertEqual(answer.header("content-location"), first.header("content-location"))
            self.assertTrue(answer.header("server-timing").startswith("cache;desc=hit"))
        self.assertEqual(self.get(first.header("content-location")).body, first.body)

    def test_whole_numbers_may_come_in_every_type_of_integers(self):
        axes = "/v1/rope-axes?axes_dim=4,4&format=json"
        ids = np.array([[0, 1], [1, 2], [3, 40]])
        first = self.ask(axes, json.dumps({"ids": ids.tolist()}).encode(), JSON)
        for kind, name in (("<i8", "I64"), ("<i4", "I32"), ("<i2", "I16"), ("i1", "I8"),
                           ("<u8", "U64"), ("<u4", "U32"), ("<u2", "U16"), ("u1", "U8"),
                           ("<f4", "F32")):
            typed_ids = ids.astype(kind)
            for body, media in ((npz(np.savez, ids=typed_ids)[0], NPZ),
                                (safetensors(ids=(name, typed_ids)), SAFETENSORS)):
                answer = self.ask(axes, body, media)
                self.assertEqual((answer.body, answer.header("etag")),
                                 (first.body, first.header("etag")), (kind, media))
        self.ask("/v1/rope-axes/apply?axes_dim=4,4", npz(np.savez, ids=ids, x=np.ones((3, 8)))[0],
                 NPZ)
        far = self.ask(axes, npz(np.savez, ids=ids + (1 << 54))[0], NPZ, 400)
        self.assertIn("must be whole numbers, -2^53..2^53; got 18014398509481984",
                      self.problem(far, 400, "invalid-parameter")["detail"])
        wrong = self.ask("/v1/rope/apply?pos=0:3", npz(np.savez, x=np.ones((3, 8), int))[0], NPZ, 400)
        self.assertIn("(float32, float16, float64); got '<i8'",
                      self.problem(wrong, 400, "invalid-body")["detail"])

    def test_positions_may_come_in_every_type_of_integers(self):
        rope = "/v1/rope?dim=4&format=raw&out=cos"
        pos = np.array([5, 120, 7, 7, 0])
        first = self.ask(rope, json.dumps({"pos": pos.tolist()}).encode(), JSON)
        for kind, name in (("<i8", "I64"), ("<i4", "I32"), ("<i2", "I16"), ("i1", "I8"),
                           ("<u8", "U64"), ("<u4", "U32"), ("<u2", "U16"), ("u1", "U8"),
                           ("<f4", "F32"), ("<f8", "F64")):
            typed_pos = pos.astype(kind)
            for body, media in ((npz(np.savez, pos=typed_pos)[0], NPZ),
                                (npz(np.savez_compressed, pos=typed_pos[None])[0], NPZ),
                                (safetensors(pos=(name, typed_pos)), SAFETENSORS)):
                answer = self.ask(rope, body, media)
                self.assertEqual((answer.body, answer.header("etag"), answer.header("content-location")),
                                 (first.body, first.header("etag"), first.header("content-location")))
                self.assertTrue(answer.header("server-timing").startswith("cache;desc=hit"))
        alone = self.ask(rope, safetensors(pos=("I64", np.array(5))), SAFETENSORS)
        self.assertEqual(alone.body, first.body[:8])
        x = np.ones((5, 4), "<f4")
        turned = self.ask("/v1/rope/apply?format=raw", safetensors(x=("F32", x), pos=("I64", pos)),
                          SAFETENSORS)
        same = self.ask("/v1/rope/apply?format=raw&pos=5,120,7,7,0", safetensors(x=("F32", x)), SAFETENSORS)
        self.assertEqual(turned.body, same.body)

    def test_what_is_wrong_with_positions_is_told(self):
        for path, pos, words in (
                ("rope?dim=4", ("I64", np.ones((2, 2), "<i8")), "pos: must be a tensor of one axis"),
                ("rope?dim=4", ("F16", np.ones(2, "<f2")),
                 "pos: must have a dtype of integers, as int64, or float32 or float64; got f16"),
                ("alibi?heads=2&len=2", ("F32", np.ones(2, "<f4")),
                 "must have a dtype of integers, as int64; got f32"),
                ("rope?dim=4", ("I64", np.array([1, 1 << 60])), "must be whole numbers, -2^53..2^53"),
                ("rope?dim=4", ("BOOL", np.ones(2, "?")), "an integer type from I8 to U64; got BOOL"),
                ("rope?dim=4&pos=3", ("I64", np.ones(2, "<i8")),
                 "pos: is given in the query and in the body")):
            name = "q" if path.startswith("alibi") else "pos"
            answer = self.ask("/v1/" + path, safetensors(**{name: pos}), SAFETENSORS, 400)
            self.assertIn(words, answer.text())
        answer = self.ask("/v1/rope?dim=4", safetensors(position=("I64", np.ones(2, "<i8"))), SAFETENSORS, 400)
        self.assertIn("unknown tensor position; rope takes", answer.json()["detail"])
        answer = self.ask("/v1/rope?dim=4", npy(np.ones(2, "<i8")), NPY, 415)
        self.assertIn("send application/json, application/x-npz, application/x-safetensors",
                      answer.json()["detail"])

    def test_long_lists_are_read_beside_other_requests(self):
        scores = np.random.default_rng(5).standard_normal((4, 50000)).astype("<f4")
        softcap = "/v1/softcap?cap=30&format=npy"
        one = self.ask(softcap, npy(scores), NPY)
        other = self.ask(softcap, json.dumps({"scores": scores.tolist()}).encode(), JSON)
        self.assertEqual(one.body, other.body)
        self.assertEqual(one.header("etag"), other.header("etag"))
        refused = self.ask(softcap + "&in_dtype=f32", npy(scores), NPY, 400)
        self.assertEqual(self.problem(refused, 400, "invalid-parameter")["errors"][0]["parameter"],
                         "in_dtype")
        self.assertEqual(self.server.metrics()['posencd_inflight_bytes{use="bodies"}'], 0)

    def test_what_is_wrong_with_a_list_is_told(self):
        lint, cos = self.LINT % "half", self.COS
        for body, word in ((safetensors(table=("F64", cos)), "takes cos, sin"),
                           (npy(cos.astype("?")), "or of integers, '<i8' and the like; got '|b1'"),
                           (safetensors(cos=("BOOL", cos.astype("?"))),
                            "or an integer type from I8 to U64; got BOOL")):
            kind = NPY if body[:1] == b"\x93" else SAFETENSORS
            answer = self.ask(lint, body, kind, 400)
            self.assertIn(word, self.problem(answer, 400, "invalid-body")["detail"])
        answer = self.ask(lint, npy(np.stack([cos, cos])), NPY, 400)
        self.assertEqual(answer.json()["errors"][0]["parameter"], "cos")

    def test_lists_that_grow_beyond_the_budget_are_413(self):
        answer = self.ask("/v1/softcap?format=npy", npy(np.zeros((1, 3 << 20), "<f2")), NPY, 413)
        self.assertIn("float64", self.problem(answer, 413, "body-too-large")["detail"])

    def test_a_list_of_bytes_takes_17_bytes_a_number(self):
        """The body, a copy as float64 and the list of the request: of 16 MiB, which bodies may hold."""
        softcap = "/v1/softcap?format=npy"
        self.ask(softcap, npy(np.zeros((1, 900000), "u1")), NPY)
        answer = self.ask(softcap, npy(np.zeros((1, 1400000), "u1")), NPY, 413)
        self.assertIn("float64", self.problem(answer, 413, "body-too-large")["detail"])


class ManyPositions(ListCase):
    """More positions than a query has space for."""

    def test_a_million_positions_in_any_order_are_one_request_in_every_format(self):
        pos = np.random.default_rng(7).integers(0, 1 << 31, 1000000)
        rope = "/v1/rope?dim=2&out=cos&format=raw"
        first = self.ask(rope, safetensors(pos=("I64", pos)), SAFETENSORS)
        self.assertEqual(len(first.body), 4 * len(pos))
        for body, media in ((npz(np.savez, pos=pos)[0], NPZ),
                            (json.dumps({"pos": pos.tolist()}).encode(), JSON)):
            answer = self.ask(rope, body, media)
            self.assertEqual((answer.body, answer.header("etag")), (first.body, first.header("etag")))
        one = self.get("/v1/rope?dim=2&out=cos&format=raw&pos=%d" % pos[-1])
        self.assertEqual(one.body, first.body[-4:])
        self.nothing_is_held()


class Refusals(TensorCase):
    flags = ("--max-body", "1MiB")

    def test_what_is_no_tensor_is_told_and_the_connection_lives_on(self):
        client = self.server.client()
        for body, kind, word in ((b"hello, world", NPY, "numpy.save"),
                                 (npy(X)[:-1], NPY, "bytes"),
                                 (npy(X.astype("<i4")), NPY, "'<i4'"),
                                 (safetensors(v=("F32", X)), SAFETENSORS, "takes x, q, k"),
                                 (b"\0" * 8, SAFETENSORS, "header")):
            answer = client.ask("POST", APPLY + AT, body, typed(kind))
            self.assertIn(word, self.problem(answer, 400, "invalid-body")["detail"])
        self.assertEqual(client.ask("POST", APPLY + AT, npy(X), typed(NPY)).status, 200)

    def test_octets_without_shape_are_told_what_is_missing(self):
        answer = self.problem(self.ask(AT, X.tobytes(), RAW, 400), 400, "missing-parameter")
        self.assertEqual([error["parameter"] for error in answer["errors"]],
                         ["in_dtype", "shape"])

    def test_a_name_in_the_query_and_in_the_body_is_refused(self):
        answer = self.ask(AT + "&x=1,2", npy(X), NPY, 400)
        self.assertIn("in the query and in the body", self.problem(
            answer, 400, "invalid-parameter")["detail"])

    def test_a_length_above_the_limit_is_413_at_once(self):
        client = self.server.client()
        client.request("POST", APPLY + AT, None,
                       typed(NPY, ("Content-Length", str((1 << 20) + 1))))
        self.problem(client.reply("POST"), 413, "body-too-large")
        self.assertTrue(client.at_end())

    def test_a_head_that_promises_too_much_is_413_before_it_comes(self):
        head = npy(np.zeros((0, 4), "<f4")).replace(b"(0, 4), }      ", b"(99999, 4), }  ")
        client = self.server.client()
        client.request("POST", APPLY + AT, b"%x\r\n%s\r\n" % (len(head), head),
                       typed(NPY, ("Transfer-Encoding", "chunked")))
        self.problem(client.reply("POST"), 413, "body-too-large")


class Memory(TensorCase):
    flags = ("--max-body", "32MiB", "--max-inflight", "64MiB", "--threads", "1")

    def test_bodies_that_do_not_fit_together_are_503_and_room_comes_back(self):
        """Bodies may hold half of --max-inflight. That is far below the level of overload at which
        the first would have to give way, so the second is refused however long its bytes take."""
        x = np.zeros((5 << 16, 16), "<f4")  # 20 MiB
        body, query = npy(x), APPLY + "pos=0:327680&format=npy"
        first = self.server.client()
        first.request("POST", query, None, typed(NPY, ("Content-Length", str(len(body)))))
        first.send(body[:-1])  # what is announced takes nothing
        self.wait_until(lambda held: held >= len(body) - (1 << 16))  # its bytes were read
        second = self.refused_or_not(query, body)
        self.problem(second, 503, "overloaded")
        self.assertGreaterEqual(self.bodies_held(), len(body) - (1 << 16))
        first.close()
        self.wait_until(lambda held: held == 0)
        self.assertEqual(self.refused_or_not(query, body).status, 200)

    def wait_until(self, holds):
        deadline = time.monotonic() + PATIENCE
        while not holds(self.bodies_held()):
            self.assertLess(time.monotonic(), deadline)

    def bodies_held(self):
        return self.server.metrics()['posencd_inflight_bytes{use="bodies"}']

    def refused_or_not(self, query, body):
        """The answer, though the server may stop reading midway."""
        with self.server.client() as client:
            try:
                client.request("POST", query, body, typed(NPY))
            except (BrokenPipeError, ConnectionResetError):
                pass
            return client.reply("POST")

    def test_an_answer_takes_no_second_copy(self):
        if is_sanitized():
            return  # its memory is not ours alone
        x = np.zeros((7 << 16, 16), "<f4")  # 28 MiB
        self.ask("pos=0:65536&format=npy", npy(x[:65536]), NPY)  # code, arenas and buffers once
        before = self.server.status("VmHWM") - (4 << 10)  # of which that body had 4 MiB
        self.ask("pos=0:458752&format=npy", npy(x), NPY)
        grown = self.server.status("VmHWM") - before
        self.assertLess(grown, (28 << 10) + 1024)


if __name__ == "__main__":
    unittest.main()
