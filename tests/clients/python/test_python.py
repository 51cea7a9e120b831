# SPDX-License-Identifier: Apache-2.0
"""test_python.py - the package posenc against a running service, against stubs of one, and in process:
the same calls, and the same bytes."""

import inspect
import json
import os
import re
import signal
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import unittest
import urllib.parse

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))]
sys.dont_write_bytecode = True

from python.stub import BUSY, CHUNKED, CLOSES, CUT, OK, SILENT, Stub  # noqa: E402, found by the lines above
from support.posencd import ROOT, Posencd, run as posencd  # noqa: E402

PACKAGE = os.path.join(ROOT, "build", "clients", "python")
sys.path.insert(0, PACKAGE)
os.environ["POSENC_LIBRARY"] = os.path.join(
    os.environ.get("POSENC_BUILD", os.path.join(ROOT, "build")), "libposenc.so.0")

import posenc  # noqa: E402, made by `make clients`
import posenc.local  # noqa: E402
from posenc import arrays, library, values  # noqa: E402
from posenc.library import Library  # noqa: E402


def python_name(name):
    name = name.replace(".", "_").replace("-", "_").replace("/", "_")
    return "from_" if name == "from" else name


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
            with self.assertRaises(ValueError):
                side.batch([("roep", {"dim": 8})])
            self.assertEqual(side.batch([]), [])

    def test_more_than_a_thousand_requests_are_several_batches(self):
        found = self.client.batch([("rope", {"dim": 4, "pos": pos}) for pos in range(2001)])
        cos = self.client.rope(dim=4, pos=range(2001)).cos
        self.assertEqual(b"".join(one.cos.tobytes() for one in found), cos.tobytes())

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


class Connections(Served):
    def test_a_connection_is_kept_and_threads_share_a_client(self):
        before = self.accepted()
        for _ in range(9):
            self.client.rope(dim=8, pos=1)
        self.assertLessEqual(self.accepted() - before, 2)  # of this client and of the metrics
        found = []
        threads = [threading.Thread(target=lambda pos=pos: found.append(
            (pos, self.client.rope(dim=8, pos=pos).cos.tobytes()))) for pos in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(sorted(found), [(pos, posenc.local.rope(dim=8, pos=pos).cos.tobytes())
                                         for pos in range(20)])

    def accepted(self):
        text = self.server.get("/metrics").text()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if re.match(r"posencd_connections_accepted_total", line))

    def test_a_unix_socket_serves(self):
        with posenc.Client("unix:" + self.server.unix) as client:
            self.assertEqual(client.rope(dim=8, pos=1).cos.shape, (1, 4))

    def test_a_certificate_of_ones_own_is_trusted_by_a_context(self):
        with tempfile.TemporaryDirectory() as folder:
            cert, key = os.path.join(folder, "cert"), os.path.join(folder, "key")
            subprocess.run(["openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "rsa:2048", "-subj",
                            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                            "-keyout", key, "-out", cert], check=True, capture_output=True)
            with Posencd("--tls-cert", cert, "--tls-key", key, unix=True) as server:
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
            if name in ("batch", "version"):
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
