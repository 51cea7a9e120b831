# SPDX-License-Identifier: Apache-2.0
"""test_python.py - the package posenc against a running service, against stubs of one, and in process:
the same calls, and the same bytes."""

import asyncio
import concurrent.futures
import contextlib
import copy
import email.utils
import inspect
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest
import urllib.parse
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))]
sys.dont_write_bytecode = True

from python.stub import BUSY, CHUNKED, CLOSES, CUT, GATEWAY, KEPT, OK, RESETS, SILENT, TAGGED, Dripping, Stub  # noqa: E402, found by the lines above
from support.posencd import ROOT, Posencd, run as posencd  # noqa: E402

sys.path.append(os.path.join(ROOT, "proto", "clients"))

import modules  # noqa: E402, found by the line above

PACKAGE = os.path.join(ROOT, "build", "clients", "python")
sys.path.insert(0, PACKAGE)
os.environ["POSENC_LIBRARY"] = os.path.join(
    os.environ.get("POSENC_BUILD", os.path.join(ROOT, "build")), "libposenc.so.0")

import posenc  # noqa: E402, made by `make clients`
import posenc.aio  # noqa: E402
import posenc.local  # noqa: E402
from posenc import arrays, async_client, library, messages, retry, streams, tags, values  # noqa: E402
from posenc.library import Library  # noqa: E402


CONNECTED = []  # the addresses that this process has connected to
sys.addaudithook(lambda event, given: event == "socket.connect" and CONNECTED.append(given[1]))


def python_name(name):
    name = name.replace(".", "_").replace("-", "_").replace("/", "_")
    return "from_" if name == "from" else name


def ask_row(pos):
    """What a process of a pool does: one row, of a service that it finds by $POSENC_URL."""
    return posenc.rope(dim=8, pos=pos).cos


def ask_wrong(dim):
    return posenc.rope(dim=dim, base=-1, pos=1)


def ask_by(client, pos):
    with client:
        return client.rope(dim=8, pos=pos)


@contextlib.contextmanager
def certified():
    """A service with a certificate that nobody trusts, and the certificate's file."""
    with tempfile.TemporaryDirectory() as folder:
        cert, key = os.path.join(folder, "cert"), os.path.join(folder, "key")
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "rsa:2048", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                        "-keyout", key, "-out", cert], check=True, capture_output=True)
        with Posencd("--tls-cert", cert, "--tls-key", key, unix=True) as server:
            yield server, cert


class Served(unittest.TestCase):
    """One service for the tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.server = Posencd("--threads", "2", unix=True)
        cls.url = "http://127.0.0.1:%d" % cls.server.port
        cls.client = posenc.Client(cls.url)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        if cls.server.stop() != 0:
            raise AssertionError(cls.server.log())

    def connections(self):
        """How many connections this process has opened to the service."""
        return sum(address[1] == self.server.port for address in CONNECTED if isinstance(address, tuple))


class Numbers(Served):
    def example(self, encoding, query):
        """Checks one example: the client, the library and a plain GET give the same bytes."""
        given = {python_name(name): value for name, value in urllib.parse.parse_qsl(
            query.replace("+", "%2B"), strict_parsing=True)}
        name = python_name(encoding)
        found = getattr(self.client, name)(**given)
        local = getattr(posenc.local, name)(**given)
        plain, _ = arrays.read_safetensors(self.server.get(
            "/v1/%s?%s&format=safetensors" % (encoding, query)).body)
        self.assertEqual(set(found.names), set(plain))
        self.assertEqual(local.names, found.names)
        for tensor in found.names:
            self.assertEqual(found[tensor].dtype, local[tensor].dtype, tensor)
            self.assertEqual(found[tensor].shape, local[tensor].shape, tensor)
            self.assertEqual(found[tensor].tobytes(), plain[tensor].tobytes(), tensor)
            self.assertEqual(found[tensor].tobytes(), local[tensor].tobytes(), tensor)
        answer = self.server.get("/v1/%s?%s" % (encoding, query)).json()
        self.assertEqual(dict(found.facts), answer["facts"])
        self.assertEqual(dict(local.facts), answer["facts"])
        self.assertEqual(list(found.warnings), answer.get("warnings", []))
        self.assertEqual(list(local.warnings), answer.get("warnings", []))

    def test_every_example_of_every_encoding_has_the_bytes_of_the_service_and_of_the_library(self):
        count = 0
        for entry in self.client.encodings():
            for example in entry["examples"]:
                query = example.split("?", 1)[1]
                if "model=" in query or "format=" in query:
                    continue  # what a service alone has
                with self.subTest(example):
                    self.example(entry["name"], query)
                    count += 1
        self.assertGreater(count, 177)

    def test_five_tasks(self):
        row = self.client.sinusoidal(dim=8, pos=3).only
        self.assertEqual(row.shape, (1, 8))
        cos, sin = self.client.rope(dim=8, pos=range(4))
        self.assertTrue(np.allclose(cos ** 2 + sin ** 2, 1))
        for vectors in (np.ones((4, 8), np.float32), np.ones((4, 8), np.float16), np.ones((4, 8))):
            turned = self.client.rope_apply(x=vectors, pos=range(4)).x
            self.assertEqual(turned.dtype, vectors.dtype)
            self.assertEqual(turned.tobytes(),
                             posenc.local.rope_apply(x=vectors, pos=range(4)).x.tobytes())
        picture = self.client.picture("alibi", heads=8, len=64)
        self.assertEqual(picture, self.server.get("/v1/alibi?heads=8&len=64&format=png").body)
        config = {"model_type": "llama", "head_dim": 8, "rope_theta": 500000}
        (table,) = self.client.tables(config, pos=range(16))
        self.assertEqual(table.cos.tobytes(),
                         self.client.rope(dim=8, base=500000, pos=range(16)).cos.tobytes())

    def test_queries_and_keys_are_rotated_at_once(self):
        q, k = np.full((2, 3, 8), 2, np.float32), np.full((1, 3, 8), 3, np.float32)
        found = self.client.rope_apply(q=q, k=k, pos=[5, 6, 7], seq_axis=1, out=["q", "k"])
        local = posenc.local.rope_apply(q=q, k=k, pos=[5, 6, 7], seq_axis=1, out=["q", "k"])
        self.assertEqual((found.q.shape, found.k.shape), (q.shape, k.shape))
        self.assertEqual(found.q.tobytes(), local.q.tobytes())
        self.assertEqual(found.k.tobytes(), local.k.tobytes())

    def test_positions_that_fill_no_query_are_posted(self):
        pos = np.random.default_rng(7).integers(0, 1 << 20, 9000)
        found = self.client.rope(dim=4, pos=pos)
        self.assertEqual(found.cos.tobytes(), posenc.local.rope(dim=4, pos=pos).cos.tobytes())
        vectors = np.ones((9000, 4), np.float16)
        turned = self.client.rope_apply(x=vectors, pos=pos).x
        self.assertEqual(turned.tobytes(),
                         posenc.local.rope_apply(x=vectors, pos=pos).x.tobytes())

    def test_a_million_positions_in_any_order_work_on_both_sides(self):
        pos = np.random.default_rng(7).integers(-(1 << 31), 1 << 31, 1000000)
        for given in (pos, pos.tolist()):
            found = self.client.rope(dim=2, pos=given, out="cos").cos
            self.assertEqual(found.shape, (1000000, 1))
            self.assertEqual(found.tobytes(), posenc.local.rope(dim=2, pos=given, out="cos").cos.tobytes())
        vectors = np.ones((len(pos), 2), np.float32)
        turned = self.client.rope_apply(x=vectors, pos=pos).x
        self.assertEqual(turned.tobytes(), posenc.local.rope_apply(x=vectors, pos=pos).x.tobytes())
        (one,) = self.client.batch([("rope", {"dim": 2, "pos": pos, "out": "cos"})])
        self.assertEqual(one.cos.tobytes(), found.tobytes())

    def test_many_numbers_of_any_kind_are_those_that_were_given(self):
        rng = np.random.default_rng(8)
        for given in (rng.random(300), rng.random(300).astype(np.float32), rng.integers(0, 99, 300, np.uint64),
                      rng.integers(0, 99, 300, np.int16)):
            found = self.client.rope(dim=4, pos=given).cos
            self.assertEqual(found.tobytes(), posenc.local.rope(dim=4, pos=given).cos.tobytes())
        mask = (rng.random((2, 400)) < .5).astype(np.int64)
        for given in (mask, mask.tolist(), mask.astype(bool)):
            found = self.client.alibi(heads=2, attention_mask=given, out="padded_bias").padded_bias
            self.assertEqual(found.tobytes(), posenc.local.alibi(
                heads=2, attention_mask=mask, out="padded_bias").padded_bias.tobytes())
        for side in (self.client, posenc.local):
            with self.assertRaises(posenc.RequestError) as caught:
                side.rope(dim=4, pos=rng.integers(1 << 54, 1 << 55, 300))
            self.assertIn("pos", {one.parameter for one in caught.exception.problems})

    def test_bfloat16_is_words_of_16_bits(self):
        found = self.client.rope(dim=8, pos=range(9), out="cos", dtype="bf16").cos
        words = found.view(np.uint16)
        exact = self.client.rope(dim=8, pos=range(9), out="cos", dtype="f64").cos
        self.assertTrue(np.allclose(posenc.bfloat16_to_float32(words), exact, rtol=2 ** -8))
        self.assertEqual(posenc.local.rope(dim=8, pos=range(9), out="cos", dtype="bf16").cos.tobytes(),
                         found.tobytes())
        x = posenc.float32_to_bfloat16(np.array([[1.5, -2, 3, 4]], np.float32))
        turned = self.client.rope_apply(x=x, pos=0, in_dtype="bf16").x
        self.assertEqual(turned.tobytes(), x.tobytes())
        self.assertEqual(posenc.local.rope_apply(x=x, pos=0, in_dtype="bf16").x.tobytes(), x.tobytes())

    def test_a_large_table_is_filled_in_parts(self):
        table = posenc.local.alibi(heads=2, len=1500).bias
        self.assertEqual(table.shape, (2, 1500, 1500))
        self.assertEqual(table.tobytes(), self.client.alibi(heads=2, len=1500).bias.tobytes())

    def test_large_answers_are_not_copied_and_can_be_written_to(self):
        vectors = np.ones((1 << 16, 128), np.float32)
        for side in (self.client, posenc.local):
            for call in (lambda: side.alibi(heads=1, len=2800).bias,
                         lambda: side.rope_apply(x=vectors, pos=range(1 << 16)).x):
                call()
                tracemalloc.start()
                found = call()
                most = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                self.assertLess(most, 1.2 * found.nbytes)
                found *= 2

    def test_vectors_of_any_order_are_sent_as_they_are_read(self):
        vectors = np.arange(64, dtype=">f4").reshape(8, 8).T[::2]
        plain = np.ascontiguousarray(vectors, np.float32)
        for side in (self.client, posenc.local):
            self.assertEqual(side.rope_apply(x=vectors, pos=range(4)).x.tobytes(),
                             side.rope_apply(x=plain, pos=range(4)).x.tobytes())

    def test_a_revision_is_that_of_the_encoding_on_both_sides(self):
        entry = next(one for one in self.client.encodings() if one["name"] == "rope")
        for side in (self.client, posenc.local):
            same = side.rope(dim=8, pos=3, rev=entry["rev"])
            self.assertEqual(same.cos.tobytes(), side.rope(dim=8, pos=3).cos.tobytes())
            with self.assertRaises(posenc.RequestError) as raised:
                side.rope(dim=8, pos=3, rev=99)
            self.assertEqual(raised.exception.status, 404)
            self.assertEqual(raised.exception.problems[0].parameter, "rev")
            self.assertRegex(raised.exception.problems[0].detail,
                             r"must be \d+, the revision of rope that this \w+ has; got 99")

    def test_a_batch_has_the_answers_of_its_requests_in_order(self):
        turned = posenc.float32_to_bfloat16(np.array([[1.5, -2, 3, 4]], np.float32))
        requests = [("rope", {"dim": 8, "pos": range(4)}), ("rope", {"dim": 7, "pos": 0, "base": -1}),
                    ("causal-mask", {"len": 3}), ("rope", {"dim": 8, "pos": [1], "dtype": "bf16"}),
                    ("rope/apply", {"x": np.ones((4, 8), np.float16), "pos": range(4)}),
                    ("rope/apply", {"x": turned, "pos": 3, "in_dtype": "bf16"}),
                    ("alibi", {"heads": 2, "len": 3})]
        for side in (self.client, posenc.local):
            found = side.batch(requests)
            self.assertEqual(len(found), len(requests))
            for (encoding, given), one in zip(requests, found):
                if given.get("dim") == 7:
                    self.assertIsInstance(one, posenc.RequestError)
                    self.assertEqual(one.status, 400)
                    self.assertEqual(len(one.problems), 2)
                    continue
                alone = getattr(self.client, python_name(encoding))(**given)
                self.assertEqual(type(one), type(alone))
                self.assertEqual(one.names, alone.names)
                self.assertEqual(one.facts, alone.facts)
                for name in alone.names:
                    self.assertEqual(one[name].dtype, alone[name].dtype)
                    self.assertEqual(one[name].shape, alone[name].shape)
                    self.assertEqual(one[name].tobytes(), alone[name].tobytes())
                    self.assertTrue(one[name].flags.writeable)
            with self.assertRaises(ValueError):
                side.batch([("roep", {"dim": 8})])
            self.assertEqual(side.batch([]), [])

    def test_more_than_a_thousand_requests_are_several_batches(self):
        found = self.client.batch([("rope", {"dim": 4, "pos": pos}) for pos in range(2001)])
        cos = self.client.rope(dim=4, pos=range(2001)).cos
        self.assertEqual(b"".join(one.cos.tobytes() for one in found), cos.tobytes())

    def test_an_answer_is_read_into_arrays_that_are_there(self):
        cos, sin = np.zeros((2, 1000, 4), np.float32)
        found = self.client.stream("rope", {"sin": sin, "cos": cos}, dim=8, pos=range(1000))
        expected = self.client.rope(dim=8, pos=range(1000))
        self.assertEqual((found.names, found.facts), (expected.names, expected.facts))
        self.assertIs(found.cos, cos)
        self.assertEqual((cos.tobytes(), sin.tobytes()), (expected.cos.tobytes(), expected.sin.tobytes()))
        words = np.zeros((9, 4), np.uint16)
        self.client.stream("rope", words, dim=8, pos="0:9", out="cos", dtype="bf16")
        self.assertEqual(words.tobytes(), self.client.rope(dim=8, pos="0:9", out="cos", dtype="bf16").cos.tobytes())
        for wrong, said in ((np.zeros((9, 5), np.float32), "the array has float32 and"),
                            (np.zeros((9, 4), np.float64), "the array has float64 and"),
                            (np.zeros((4, 9), np.float32).T, "must be in C order"),
                            ({"sin": words}, "there are arrays for sin")):
            with self.assertRaisesRegex(ValueError, said):
                self.client.stream("rope", wrong, dim=8, pos="0:9", out="cos")
        with self.assertRaisesRegex(ValueError, "the answer has 2 tensors, cos, sin"):
            self.client.stream("rope", cos, dim=8, pos=range(1000))
        with self.assertRaises(posenc.RequestError):
            self.client.stream("rope", cos, dim=7, pos=1)

    def test_an_answer_is_written_to_a_file_in_any_format(self):
        expected = self.server.get("/v1/rope?dim=8&pos=0:100000&format=safetensors").body
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rope.safetensors")
            for target in (path, pathlib.Path(path)):
                self.assertEqual(self.client.stream("rope", target, dim=8, pos=range(100000)), len(expected))
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), expected)
            with self.assertRaises(posenc.RequestError):
                self.client.stream("rope", path, dim=7)
            with Stub([CUT]) as stub, posenc.Client(stub.url) as client:
                with self.assertRaises(posenc.ServiceError):
                    client.stream("rope", path, dim=8)
            self.assertEqual(os.listdir(folder), ["rope.safetensors"])
            self.assertEqual(os.path.getsize(path), len(expected))
        file = io.BytesIO()
        self.client.stream("rope", file, dim=8, pos=3, out="cos", format="csv")
        self.assertEqual(file.getvalue(), self.server.get("/v1/rope?dim=8&pos=3&out=cos&format=csv").body)

    def test_two_writers_of_one_file_leave_the_whole_answer_of_the_last(self):
        class Pieces:
            """An answer in two pieces, between which something else happens."""

            def __init__(self, piece, between=lambda: None):
                self.piece, self.between = piece, between

            def pieces(self):
                yield self.piece
                self.between()
                yield self.piece

        with tempfile.TemporaryDirectory() as folder:
            write = streams.into_file(os.path.join(folder, "table"))
            self.assertEqual(write(Pieces(b"first", lambda: write(Pieces(b"second")))), 10)
            self.assertEqual(os.listdir(folder), ["table"])
            with open(os.path.join(folder, "table"), "rb") as file:
                self.assertEqual(file.read(), b"firstfirst")

    def test_a_stream_takes_the_memory_of_one_piece(self):
        bias = np.empty((1, 2800, 2800), np.float32)
        with open(os.devnull, "wb") as sink:
            for target in (bias, sink):
                self.client.stream("alibi", target, heads=1, len=2800)
                tracemalloc.start()
                self.client.stream("alibi", target, heads=1, len=2800)
                most = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                self.assertLess(most, 2 << 20)

    def test_arrays_are_handed_to_numpy_and_torch_without_a_copy(self):
        found = self.client.rope(dim=8, pos=range(9), dtype="bf16")
        self.assertIs(found.numpy()["cos"], found.cos)
        torch = TorchStub()
        sys.modules["torch"] = torch
        try:
            for answer, dtype in ((found, "bf16"), (self.client.rope(dim=8, pos=3), "float32")):
                tensors = answer.torch()
                self.assertEqual(list(tensors), ["cos", "sin"])
                self.assertTrue(np.shares_memory(tensors["cos"].array, answer.cos))
                self.assertEqual(tensors["cos"].dtype, "torch.bfloat16" if dtype == "bf16" else dtype)
            turned = self.client.rope_apply(x=TorchStub.Tensor(np.full((1, 4), 0x3f80, np.int16),
                                                               "torch.bfloat16"), pos=0).x
            self.assertEqual(turned.view(np.uint16).tolist(), [[0x3f80] * 4])
        finally:
            del sys.modules["torch"]

    def test_the_tables_of_a_model_are_those_of_its_name_its_config_and_its_file(self):
        config = {"model_type": "llama", "head_dim": 8, "rope_theta": 500000}
        (expected,) = self.client.tables(config, pos=range(16))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "config.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file)
            for given in (path, pathlib.Path(path), pathlib.Path(folder)):
                (table,) = self.client.tables(given, pos=range(16))
                self.assertEqual(table.cos.tobytes(), expected.cos.tobytes())
            self.assertEqual(self.client.resolve(pathlib.Path(path)), self.client.resolve(config))
        table, scale = self.client.tables("llama-3.1-8b", pos=range(16))
        self.assertEqual((table.names, scale.names), (("cos", "sin"), ("scale",)))
        self.assertEqual([type(one) for one in self.client.tables("llama-3.1-8b", pos="0:4", masks="dense")], [
            type(table), type(self.client.causal_mask(len=4)), type(scale)])
        self.assertEqual(table.cos.tobytes(), self.client.rope(model="llama-3.1-8b", pos=range(16)).cos.tobytes())
        with self.assertRaises(posenc.RequestError) as caught:
            self.client.tables("llama-9", pos=0)
        self.assertEqual(caught.exception.status, 404)
        with self.assertRaises(FileNotFoundError):
            self.client.tables("nowhere/config.json")

    def test_models_and_verify(self):
        self.assertIn("llama-3.1-8b", [model["id"] for model in self.client.models()])
        self.assertEqual(self.client.model("meta-llama/Meta-Llama-3.1-8B")["id"], "llama-3.1-8b")
        wrong = self.client.rope(dim=8, pos=range(16), pairing="adjacent", width="full").cos
        verdict = self.client.verify({"cos": wrong}, encoding="rope", dim=8, pos=range(16), width="full")
        self.assertEqual(verdict["verdict"], "mistake")
        self.assertTrue(self.client.figure("rope", dim=8, pos="0:4").startswith("<"))
        self.assertEqual(self.client.version()["version"], posenc.__version__)
        self.assertEqual(posenc.local.version(), posenc.__version__)


class Errors(Served):
    def test_all_that_is_wrong_is_said_with_what_would_be_right(self):
        for side in (self.client, posenc.local):
            with self.assertRaises(posenc.RequestError) as caught:
                side.rope(dim=7, base=-1, pos=1)
            self.assertEqual(caught.exception.status, 400)
            said = {one.parameter: str(one) for one in caught.exception.problems}
            self.assertEqual(sorted(said), ["base", "dim"])
            self.assertIn("must be an even number, 2..65536; got 7", said["dim"])

    def test_a_name_of_a_service_is_refused_in_process(self):
        with self.assertRaises(posenc.RequestError) as caught:
            posenc.local.rope(model="llama-3.1-8b", pos=0)
        self.assertIn("is known to a service alone", str(caught.exception))

    def test_a_tensor_that_is_not_there_is_named(self):
        with self.assertRaises(AttributeError) as caught:
            self.client.rope(dim=8, pos=1).bias
        self.assertIn("it has cos, sin", str(caught.exception))
        with self.assertRaises(ValueError):
            self.client.rope(dim=8, pos=1).only

    def test_values_that_mean_nothing_are_refused_before_a_request(self):
        for positions in (slice(1, None), [[1, 2]]):
            with self.assertRaises(ValueError):
                self.client.rope(dim=8, pos=positions)
        with self.assertRaises(TypeError):
            self.client.rope_apply(x=np.ones(4, np.complex64), pos=0)
        with self.assertRaises(ValueError):
            posenc.Client("localhost:8080")
        with self.assertRaises(ValueError):
            self.client.picture("roep", dim=8)

    def test_a_library_that_is_not_there_is_said(self):
        with self.assertRaises(posenc.PosencError) as caught:
            Library("/nowhere/libposenc.so").rope(dim=8, pos=1)
        self.assertIn("libposenc is not found", str(caught.exception))


class TorchStub:
    """As much of PyTorch as the package uses."""

    int16, bfloat16 = "torch.int16", "torch.bfloat16"

    class Tensor:
        def __init__(self, array, dtype):
            self.array, self.dtype = array, dtype

        def view(self, dtype):
            return TorchStub.Tensor(self.array, dtype)

        def numpy(self):
            return self.array

        def detach(self):
            return self

        cpu = contiguous = detach

    def from_numpy(self, array):
        if array.dtype == np.uint16 or not array.flags.writeable:
            raise TypeError("PyTorch has no such arrays")
        return self.Tensor(array, array.dtype.name)


class Processes(Served):
    def setUp(self):
        before = os.environ.get("POSENC_URL")
        os.environ["POSENC_URL"] = self.url
        self.addCleanup(lambda: os.environ.pop("POSENC_URL") and before and os.environ.update(POSENC_URL=before))

    def check(self, error):
        self.assertIsInstance(error, posenc.RequestError)
        self.assertEqual((error.status, error.kind), (400, "/problems/invalid-parameter"))
        self.assertEqual(sorted(one.parameter for one in error.problems), ["base", "dim"])
        self.assertRegex(error.request_id, "^[0-9a-f]{16}$")
        self.assertIn("must be an even number, 2..65536; got 7", str(error))

    def test_a_request_that_a_process_of_a_pool_is_refused_is_an_error_here(self):
        rows = [posenc.local.rope(dim=8, pos=pos).cos.tobytes() for pos in range(4)]
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            self.check(pool.submit(ask_wrong, 7).exception(60))
            self.assertEqual([row.tobytes() for row in pool.map(ask_row, range(4))], rows)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                with self.assertRaises(posenc.RequestError) as caught:
                    pool.apply_async(ask_wrong, (7,)).get(60)
                self.check(caught.exception)
                self.assertEqual([row.tobytes() for row in pool.map(ask_row, range(4))], rows)

    def test_a_client_an_answer_and_every_error_can_be_pickled_and_copied(self):
        with posenc.Client(self.url, key="secret", timeout=9, retries=1, cache=1 << 20) as client:
            answer = client.rope(dim=8, pos=3)
            with concurrent.futures.ProcessPoolExecutor(1) as pool:
                found = pool.submit(ask_by, client, 3).result(60)
            self.assertEqual(client.rope(dim=8, pos=3).cos.tobytes(), found.cos.tobytes())
            for again in (pickle.loads(pickle.dumps(client)), copy.copy(client), copy.deepcopy(client)):
                self.assertEqual(again._settings, client._settings)
                self.assertEqual(again.rope(dim=8, pos=3).cos.tobytes(), answer.cos.tobytes())
                again.close()
        self.assertEqual((type(found), found.names, found.facts), (type(answer), answer.names, answer.facts))
        with concurrent.futures.ProcessPoolExecutor(1) as pool:  # functions are methods of a client or the library
            for function in (posenc.rope, posenc.local.rope):
                self.assertEqual(pool.submit(function, dim=8, pos=3).result(60).cos.tobytes(), answer.cos.tobytes())
        with self.assertRaisesRegex(TypeError, "each process makes its own"):
            pickle.dumps(posenc.Client(self.url, tls=ssl.create_default_context()))
        error = pickle.loads(pickle.dumps(posenc.ServiceError("too slow")))
        self.assertEqual((type(error), str(error)), (posenc.ServiceError, "too slow"))


class Async(Served):
    """The same with httpx and with threads."""

    def both(self, program, *arguments, **options):
        """Runs a coroutine function with a client, by httpx and by threads."""
        async def run():
            async with posenc.aio.AsyncClient(*arguments, **options) as client:
                return await program(client)
        self.assertIsNotNone(async_client.httpx, "make deps-clients installs it")
        found = [asyncio.run(run())]
        httpx, async_client.httpx = async_client.httpx, None
        try:
            found.append(asyncio.run(run()))
        finally:
            async_client.httpx = httpx
        return found

    def test_every_call_awaits_what_the_client_that_waits_has(self):
        pos = np.random.default_rng(7).integers(0, 1 << 31, 9000)
        config = {"model_type": "llama", "head_dim": 8, "rope_theta": 500000}
        expected = [self.client.rope(dim=8, pos=7).cos, self.client.rope(dim=8, pos=pos).cos,
                    self.client.rope_apply(x=np.ones((4, 8), np.float32), pos=range(4)).x,
                    self.client.tables(config, pos=7)[0].cos, self.client.tables("llama-3.1-8b", pos=7)[0].cos]

        async def program(client):
            bias = np.empty((2, 9, 9), np.float32)
            await client.stream("alibi", bias, heads=2, len=9)
            self.assertEqual(bias.tobytes(), self.client.alibi(heads=2, len=9).bias.tobytes())
            found = await asyncio.gather(client.rope(dim=8, pos=7), client.rope(dim=8, pos=pos),
                                         client.rope_apply(x=np.ones((4, 8), np.float32), pos=range(4)))
            tables = await client.tables(config, pos=7) + await client.tables("llama-3.1-8b", pos=7)
            self.assertEqual([one[0].tobytes() for one in (*found, *tables[:2])], [one.tobytes() for one in expected])
            found[0].cos[:] = 1
            refused, row = await client.batch([("rope", {"dim": 7}), ("rope", {"dim": 8, "pos": 7})])
            self.assertEqual((refused.status, row.cos.tobytes()), (400, expected[0].tobytes()))
            self.assertEqual(await client.picture("alibi", heads=8, len=64),
                             self.client.picture("alibi", heads=8, len=64))
            self.assertTrue((await client.figure("rope", dim=8, pos="0:4")).startswith("<"))
            self.assertEqual((await client.version())["version"], posenc.__version__)
            self.assertEqual(len(await client.models()), len(self.client.models()))
            self.assertEqual(len(await client.encodings()), len(self.client.encodings()))
            verdict = await client.verify({"cos": expected[0]}, encoding="rope", dim=8, pos=7)
            self.assertEqual(verdict["verdict"], "exact")
            with self.assertRaises(posenc.RequestError) as caught:
                await client.rope(dim=7, pos=1)
            return caught.exception.problems[0].parameter
        for url in (self.url, "unix:" + self.server.unix):
            self.assertEqual(self.both(program, url), ["dim", "dim"])

    def test_what_can_go_wrong_is_said_and_tried_again(self):
        async def version(client):
            return await client.version()
        with Stub([BUSY, GATEWAY, OK] * 2) as stub:
            self.assertEqual(self.both(version, stub.url, key="secret"), [{}, {}])
            self.assertEqual(len(stub.asked), 6)
            for head in stub.asked:
                self.assertRegex(head, "(?i)authorization: Bearer secret\r\n")
        with self.assertRaisesRegex(posenc.ServiceError, "does not answer: .+"):
            self.both(version, "http://127.0.0.1:1", retries=1)
        for parts in ("httpx", "threads"):
            with Stub([SILENT]) as stub, self.assertRaisesRegex(posenc.ServiceError, "timed out"):
                httpx, async_client.httpx = async_client.httpx, parts == "httpx" and async_client.httpx or None
                try:
                    asyncio.run(posenc.aio.AsyncClient(stub.url, timeout=0.2).version())
                finally:
                    async_client.httpx = httpx

    def test_what_fails_again_is_not_sent_again(self):
        async def version(client):
            return await client.version()
        unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        with mock.patch.object(retry, "wait", side_effect=AssertionError("sent again")):
            with mock.patch.object(socket, "getaddrinfo", side_effect=unknown):
                for parts in (async_client.httpx, None):
                    with mock.patch.object(async_client, "httpx", parts):
                        with self.assertRaisesRegex(posenc.ServiceError, "Name or service not known"):
                            asyncio.run(version(posenc.aio.AsyncClient("http://nowhere.invalid")))
            with certified() as (server, _), self.assertRaisesRegex(posenc.ServiceError, "CERTIFICATE_VERIFY_FAILED"):
                self.both(version, "https://127.0.0.1:%d" % server.port)

    def test_each_event_loop_has_connections_of_its_own_and_keeps_them(self):
        client, before = posenc.aio.AsyncClient(self.url), self.connections()
        loops = [asyncio.new_event_loop(), asyncio.new_event_loop()]
        for loop in loops * 3:
            self.assertEqual(loop.run_until_complete(client.rope(dim=8, pos=1)).cos.shape, (1, 4))
        self.assertEqual(self.connections() - before, 2)
        for loop in loops:
            loop.run_until_complete(client.close())
            loop.close()
        self.assertEqual(client._of_loops, {})
        client._of_loops[loops[0]] = None

        async def loops_of():
            async with client:
                await client.rope(dim=8, pos=1)
                return list(client._of_loops), asyncio.get_running_loop()
        found, ours = asyncio.run(loops_of())
        self.assertEqual(found, [ours])  # that of a loop that was closed is forgotten

    def test_a_client_that_was_used_can_be_pickled(self):
        async def again(client):
            before = (await client.rope(dim=8, pos=3)).cos.tobytes()
            async with pickle.loads(pickle.dumps(client)) as other:
                return before == (await other.rope(dim=8, pos=3)).cos.tobytes()
        self.assertEqual(self.both(again, self.url), [True, True])

    def test_an_answer_without_content_that_nobody_asked_for_is_refused(self):
        async def version(client):
            return await client.version()
        for cache in (0, 1000):
            with Stub([KEPT, OK]) as stub, self.assertRaises(posenc.RequestError) as caught:
                self.both(version, stub.url, cache=cache)
            self.assertEqual((caught.exception.status, len(stub.asked)), (304, 1))

    def test_the_module_has_a_coroutine_for_every_encoding_with_its_text(self):
        for name in Library._kinds:
            coroutine = getattr(posenc.aio, python_name(name))
            self.assertTrue(inspect.iscoroutinefunction(coroutine), name)
            self.assertEqual(coroutine.__doc__, getattr(posenc, python_name(name)).__doc__)
        self.assertLessEqual(set(posenc.aio.__all__), set(dir(posenc.aio)))


class Connections(Served):
    def test_a_connection_is_kept_and_threads_share_a_client(self):
        before = self.connections()
        with posenc.Client(self.url) as client:
            for _ in range(9):
                client.rope(dim=8, pos=1)
        self.assertEqual(self.connections() - before, 1)
        found = []
        threads = [threading.Thread(target=lambda pos=pos: found.append(
            (pos, self.client.rope(dim=8, pos=pos).cos.tobytes()))) for pos in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(sorted(found), [(pos, posenc.local.rope(dim=8, pos=pos).cos.tobytes())
                                         for pos in range(20)])

    def test_a_unix_socket_serves(self):
        with posenc.Client("unix:" + self.server.unix) as client:
            self.assertEqual(client.rope(dim=8, pos=1).cos.shape, (1, 4))

    def test_a_certificate_of_ones_own_is_trusted_by_a_context(self):
        with certified() as (server, cert):
            url = "https://127.0.0.1:%d" % server.port
            with posenc.Client(url, tls=ssl.create_default_context(cafile=cert)) as client:
                self.assertEqual(client.rope(dim=8, pos=1).cos.shape, (1, 4))
            with posenc.Client(url) as client:
                with self.assertRaises(posenc.ServiceError) as caught:
                    client.version()
            self.assertIn("CERTIFICATE_VERIFY_FAILED", str(caught.exception))

    def test_a_key_is_sent(self):
        with Stub([OK]) as stub, posenc.Client(stub.url, key="secret") as client:
            client.version()
        self.assertIn("Authorization: Bearer secret\r\n", stub.asked[0])

    def test_an_overloaded_service_is_asked_again_when_it_says(self):
        with Stub([BUSY, BUSY, OK]) as stub, posenc.Client(stub.url) as client:
            self.assertEqual(client.version(), {})
            self.assertEqual(len(stub.asked), 3)
        with Stub([BUSY, BUSY]) as stub, posenc.Client(stub.url, retries=1) as client:
            with self.assertRaises(posenc.RequestError) as caught:
                client.version()
            self.assertEqual(caught.exception.status, 503)

    def test_a_request_is_sent_again_where_a_proxy_or_a_connection_fails(self):
        with Stub([GATEWAY, RESETS, OK]) as stub, posenc.Client(stub.url) as client:
            self.assertEqual(client.version(), {})
            self.assertEqual(len(stub.asked), 3)
        with Stub([GATEWAY, GATEWAY]) as stub, posenc.Client(stub.url, retries=1) as client:
            with self.assertRaises(posenc.RequestError) as caught:
                client.version()
        self.assertEqual(str(caught.exception), "%s answers with status 502: upstream is away" % stub.url)
        with posenc.Client("http://127.0.0.1:1", retries=2) as client:
            before = time.monotonic()
            with self.assertRaisesRegex(posenc.ServiceError, "Connection refused"):
                client.version()
            self.assertLess(time.monotonic() - before, 5)

    def test_the_waits_are_those_that_the_service_asks_for_and_a_random_part(self):
        for text, least in (("3", 3), ("99999", retry.LONGEST_WAIT), ("", 0), ("soon", 0), ("-1", 0),
                            (email.utils.formatdate(time.time() + 9, usegmt=True), 7)):
            waits = {retry.wait(1, {"retry-after": text}) for _ in range(9)}
            self.assertGreater(len(waits), 1)
            self.assertTrue(all(least <= one < least + 2.4 for one in waits), (text, waits))
        for tried in (9, 99, 9999):
            self.assertLess(retry.wait(tried, {}), retry.LONGEST_WAIT + 1)

    def test_an_answer_is_kept_by_its_tag_on_wish(self):
        with Stub([TAGGED, KEPT, OK]) as stub, posenc.Client(stub.url, cache=1000) as client:
            self.assertEqual([client.version(), client.version()], [{"a": 1}, {"a": 1}])
            self.assertEqual(client.version(), {})
        self.assertEqual(["If-None-Match: \"tag\"" in head for head in stub.asked], [False, True, True])
        with Stub([TAGGED, TAGGED]) as stub, posenc.Client(stub.url) as client:
            self.assertEqual(client.version(), client.version())
            self.assertNotIn("If-None-Match", stub.asked[1])
        with posenc.Client(self.url, cache=1 << 20) as client:
            first = client.rope(dim=8, pos=range(99)).cos
            first[:] = 0
            second = client.rope(dim=8, pos=range(99)).cos
            self.assertEqual(second.tobytes(), self.client.rope(dim=8, pos=range(99)).cos.tobytes())
            for pos in range(4):  # more than is kept together
                client.rope(dim=1024, pos=range(pos, pos + 100), dtype="f64")
            self.assertLessEqual(client._transport._tags._bytes, 1 << 20)

    def test_what_is_kept_is_bounded_with_its_names_and_headers(self):
        kept = tags.Tags(100000)
        for i in range(1000):
            sent = messages.Sent("GET", "/v1/rope?dim=8&pos=%d&out=%s" % (i, "x" * 300))
            kept.settle(sent, messages.Answer(200, {"etag": '"%d"' % i, "about": "y" * 300}, bytearray()), {})
        self.assertLessEqual(len(kept._kept), 100000 // 600)
        self.assertGreater(len(kept._kept), 50)
        self.assertTrue(kept.condition(sent))

    def test_an_answer_without_content_that_nobody_asked_for_is_refused(self):
        for cache in (0, 1000):
            with Stub([KEPT, OK]) as stub, posenc.Client(stub.url, cache=cache) as client:
                with self.assertRaises(posenc.RequestError) as caught:
                    client.version()
                self.assertEqual((caught.exception.status, len(stub.asked)), (304, 1))

    def test_a_problem_of_a_gateway_is_told_whatever_its_members_are(self):
        for errors in ({"dim": ["is odd"]}, [{"name": "dim"}, "dim", None], None, 7):
            body = json.dumps({"detail": "no such tenant", "errors": errors}).encode()
            head = ("HTTP/1.1 403 Forbidden\r\nContent-Type: application/problem+json\r\n"
                    "Content-Length: %d\r\n\r\n" % len(body))
            with Stub([head.encode() + body]) as stub, posenc.Client(stub.url) as client:
                with self.assertRaisesRegex(posenc.RequestError, "no such tenant"):
                    client.version()

    def test_the_service_of_the_environment_is_asked_without_a_proxy(self):
        before = dict(os.environ)
        os.environ.update(POSENC_URL=self.url, http_proxy="http://127.0.0.1:1", all_proxy="http://127.0.0.1:1")
        try:
            with posenc.Client() as client:
                self.assertEqual(client.rope(dim=8, pos=1).cos.shape, (1, 4))
        finally:
            os.environ.clear()
            os.environ.update(before)

    def test_a_process_that_is_forked_has_connections_of_its_own(self):
        expected = {pos: posenc.local.rope(dim=8, pos=pos).cos.tobytes() for pos in range(50)}
        self.client.rope(dim=8, pos=0)
        child = os.fork()
        same = all(self.client.rope(dim=8, pos=pos).cos.tobytes() == expected[pos] for pos in expected)
        if child == 0:
            os._exit(0 if same else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(same)

    def test_a_process_that_is_forked_while_a_thread_holds_a_lock_does_not_wait_for_it(self):
        with posenc.Client(self.url, cache=1000) as client:
            client.rope(dim=8, pos=1)
            with client._transport._lock, client._transport._tags._lock:
                child = os.fork()
                if child == 0:
                    signal.alarm(10)  # kills the process where it waits
                    client.close()
                    os._exit(0 if client.rope(dim=8, pos=1).cos.shape == (1, 4) else 1)
                self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_an_interrupted_request_leaves_no_half_answer(self):
        def interrupt(*_):
            raise KeyboardInterrupt
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            with Stub([CUT, SILENT, OK]) as stub, posenc.Client(stub.url) as client:
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                with self.assertRaises(KeyboardInterrupt):
                    client.version()
                stub.answers[:] = [OK]
                self.assertEqual(client.version(), {})
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_an_answer_in_chunks_is_read_and_one_that_ends_early_is_an_error(self):
        with Stub([CHUNKED, OK]) as stub, posenc.Client(stub.url) as client:
            self.assertEqual(client.version(), {"a": 1})
            self.assertEqual(client.version(), {})
        with Stub([CUT]) as stub, posenc.Client(stub.url) as client:
            with self.assertRaises(posenc.ServiceError):
                client.version()
        with Stub([CUT, OK]) as stub, posenc.Client(stub.url, timeout=0.2) as client:
            with self.assertRaises(posenc.ServiceError) as caught:
                client.version()
        self.assertIn("timed out", str(caught.exception))

    def test_a_connection_that_was_closed_while_idle_is_replaced(self):
        with Stub([OK, CLOSES, OK]) as stub, posenc.Client(stub.url) as client:
            client.version()
            self.assertEqual(client.version(), {})

    def test_a_service_that_does_not_answer_is_an_error_in_time(self):
        with Stub([SILENT]) as stub, posenc.Client(stub.url, timeout=0.2) as client:
            with self.assertRaises(posenc.ServiceError) as caught:
                client.version()
        self.assertIn("does not answer", str(caught.exception))
        with self.assertRaises(posenc.ServiceError):
            posenc.Client("http://127.0.0.1:1").version()

    def test_an_answer_that_drips_is_an_error_in_time(self):
        for answer in (OK, CHUNKED):
            with Stub([Dripping(answer)]) as stub, posenc.Client(stub.url, timeout=0.3) as client:
                with self.assertRaisesRegex(posenc.ServiceError, "timed out"):
                    client.version()

    def test_what_is_no_tensor_file_is_said(self):
        for content in (b"", b"\x09\0\0\0\0\0\0\0[]", struct.pack("<Q", 1 << 62)):
            with self.assertRaises(posenc.ServiceError):
                arrays.read_safetensors(content)
        with Stub([OK]) as stub, posenc.Client(stub.url) as client:
            with self.assertRaises(posenc.ServiceError):
                client.rope(dim=8, pos=1)


class Text(unittest.TestCase):
    def test_positions(self):
        for given, text in ((3, "3"), (0.5, "0.5"), ("0:4", "0:4"), (range(0, 9, 2), "0:9:2"),
                            (slice(4), "0:4"), (slice(2, 9, 3), "2:9:3"), ([], "0:0"), ([5, 9, 12], "5,9,12"),
                            ([4, 5, 6], "4:7"), (np.arange(6, 0, -2), "6:0:-2"), ([1, 1, 1], "1,1,1"),
                            ([0.5, 1.5, 2.5], "0.5,1.5,2.5")):
            self.assertEqual(values.positions(given), text)

    def test_numbers_rows_and_grids(self):
        for kind, given, text in (("numbers", [1, 2.5], "1.0,2.5"), ("numbers", [[0, 1], [1, 1]], "0,1;1,1"),
                                  ("grid", (14, 16), "14x16"), ("choice", ["cos", "sin"], "cos,sin"),
                                  ("boolean", True, "1"), ("integer", np.int64(7), "7"),
                                  ("number", 1e-5, "1e-05"), ("number", "min", "min")):
            self.assertEqual(values.text_of(kind, given), text)
        with self.assertRaises(ValueError):
            values.numbers([[[1]]])

    def test_a_blank_and_a_plus_sign_arrive_as_they_are(self):
        with Stub([OK]) as stub, posenc.Client(stub.url) as client:
            client.verify({}, encoding="rope", pos="0 1+2")
        self.assertIn("pos=0%201%2B2", stub.asked[0])


class Signatures(unittest.TestCase):
    def test_every_encoding_is_a_function_with_names_types_and_a_text(self):
        names = [name for name, _ in inspect.getmembers(posenc.local, inspect.ismethod)]
        self.assertGreater(len(names), 177)
        for name in names:
            if name in ("batch", "engine", "version"):
                continue
            function = getattr(posenc.local, name)
            self.assertTrue(hasattr(posenc, name), name)
            for parameter in inspect.signature(function).parameters.values():
                self.assertEqual(parameter.kind, parameter.KEYWORD_ONLY, name)
                self.assertIn("%s: " % parameter.name, function.__doc__, name)

    def test_the_module_begins_with_a_list_of_all_that_it_has(self):
        for module in (posenc, posenc.local):
            self.assertLessEqual(set(module.__all__), set(dir(module)))
            for entry in Library._kinds:
                self.assertRegex(module.__doc__, r"(?m)^    %s +\S" % python_name(entry))
                self.assertIn(python_name(entry), module.__all__)

    def test_a_parameter_that_no_model_gives_is_required(self):
        with self.assertRaises(TypeError):
            posenc.local.kerple(len=4)

    def check(self, name):
        return subprocess.run(["/usr/bin/python3", "-m", "mypy", "--strict", os.path.join(HERE, name)],
                              cwd=PACKAGE, capture_output=True, text=True, check=False,
                              env={**os.environ, "MYPYPATH": PACKAGE})

    def test_a_type_checker_accepts_the_package_and_right_calls(self):
        done = self.check("typed_right.py")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = subprocess.run(["/usr/bin/python3", "-m", "mypy", "--strict", "posenc"], cwd=PACKAGE,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_type_checker_refuses_every_wrong_call(self):
        said = self.check("typed_wrong.py").stdout
        with open(os.path.join(HERE, "typed_wrong.py"), encoding="utf-8") as file:
            lines = [i for i, line in enumerate(file, 1) if line.startswith("posenc.")]
        wrong = {int(at) for at in re.findall(r"typed_wrong\.py:(\d+): error", said)}
        self.assertEqual([i for i in lines if i not in wrong], [], said)


class Made(unittest.TestCase):
    """The makers write what a program says of itself, whatever it says."""

    def make(self, maker, folder):
        """What a maker writes for a program that has one encoding more, and one parameter more."""
        catalogue = json.loads(posencd("encodings", "--json").stdout)
        document = json.loads(posencd("openapi").stdout)
        rope = next(one for one in catalogue["encodings"] if one["name"] == "rope")
        rope["params"].append({"name": "colour", "type": "choice", "required": False,
                               "choices": [{"name": "red"}, {"name": "blue"}], "doc": "which colour"})
        catalogue["encodings"].append({**rope, "name": "new-kind", "title": "A new kind"})
        document["info"]["version"] = "9.8.7"
        document["paths"]["/v1/new-kind"] = document["paths"]["/v1/rope"]
        program = os.path.join(folder, "program")
        for name, said in (("encodings", catalogue), ("openapi", document)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                json.dump(said, file)
        with open(program, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nexec cat "%s/$1"\n' % folder)
        os.chmod(program, 0o755)
        subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "proto", "clients", maker), program,
                        os.path.join(folder, "made")], check=True)

    def test_a_new_encoding_and_a_new_parameter_are_in_both_packages_made_anew(self):
        for maker, path, version, texts in (
                ("make_python.py", "posenc/encodings.py", "posenc/version.py",
                 ("def new_kind(", 'colour: Optional[Literal["red", "blue"]] = None', "colour: which colour")),
                ("make_typescript.py", "src/encodings.ts", "package.json",
                 ("newKind(given: NewKindParameters", 'readonly colour?: "red" | "blue";', "which colour"))):
            with tempfile.TemporaryDirectory() as folder:
                self.make(maker, folder)
                with open(os.path.join(folder, "made", path), encoding="utf-8") as file:
                    made = file.read()
                for text in texts:
                    self.assertIn(text, made)
                with open(os.path.join(folder, "made", version), encoding="utf-8") as file:
                    self.assertIn('"9.8.7"', file.read())

    def test_a_table_of_a_module_whose_rows_cannot_be_read_is_refused(self):
        self.assertEqual([one["file"] for one in modules.read()], ["posenc-small.wasm", "posenc-core.wasm"])
        for rows in ("", "FORMAT(json, NULL)\nFORMAT(npy,\n       \"numpy\")\n"):
            with tempfile.TemporaryDirectory() as folder:
                os.makedirs(os.path.join(folder, "odd"))
                with open(os.path.join(folder, "odd", "formats.def"), "w", encoding="utf-8") as file:
                    file.write(rows)
                self.addCleanup(setattr, modules, "VARIANTS", modules.VARIANTS)
                modules.VARIANTS = folder
                with self.assertRaisesRegex(SystemExit, "formats.def: each row must be one line"):
                    modules.rows("odd", "formats.def")

    def test_the_structures_are_those_of_the_header(self):
        with open(os.path.join(ROOT, "core", "posenc.h"), encoding="utf-8") as file:
            header = file.read()
        for name, value in (("PE_MAX_RANK", library.RANK_MAX), ("PE_MAX_OUTPUTS", library.OUTPUTS_MAX),
                            ("PE_MAX_PROBLEMS", library.PROBLEMS_MAX)):
            self.assertIn("%s = %d" % (name, value), header)
        for field in ("parameter", "detail", "hint"):
            size = getattr(library._Problem, field).size
            self.assertIn("char %s[%d];" % (field, size), header)

    def test_the_package_is_of_the_program_beside_it(self):
        self.assertEqual(list(Library._kinds), [
            one["name"] for one in json.loads(posencd("encodings", "--json").stdout)["encodings"]])


class Wheel(unittest.TestCase):
    def test_the_wheel_has_the_package_and_its_types(self):
        listing = subprocess.run([sys.executable, "-m", "zipfile", "-l",
                                  self.wheel()], capture_output=True, text=True, check=True).stdout
        for name in ("posenc/__init__.py", "posenc/local.py", "posenc/encodings.py", "posenc/py.typed"):
            self.assertIn(name, listing)

    def test_the_wheel_is_installed_in_a_new_environment_and_works_there(self):
        with tempfile.TemporaryDirectory() as folder:
            python = os.path.join(folder, "bin", "python")
            self.run_program("/usr/bin/python3", "-m", "venv", "--without-pip", "--system-site-packages", folder)
            self.run_program("/usr/bin/python3", "-m", "pip", "--python", python, "install", "--quiet",
                             "--no-index", "--no-deps", "--disable-pip-version-check", self.wheel())
            said = self.run_program(
                python, "-I", "-c", "import json, posenc, posenc.local; print(json.dumps(["
                "posenc.__version__, posenc.__file__, posenc.local.rope(dim=2, pos=0).cos.tolist()]))")
            version, path, cos = json.loads(said)
            self.assertEqual((version, cos), (posenc.__version__, [[1]]))
            self.assertTrue(path.startswith(folder), path)

    def run_program(self, *arguments):
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd="/")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def wheel(self):
        folder = os.path.join(PACKAGE, "dist")
        (name,) = [name for name in os.listdir(folder) if name.endswith(".whl")]
        return os.path.join(folder, name)


if __name__ == "__main__":
    unittest.main()
