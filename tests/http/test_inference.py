# SPDX-License-Identifier: Apache-2.0
"""test_inference.py - the Open Inference Protocol (/v2): what real clients send is answered with the
numbers of /v1, and every error is {"error": "..."}."""

import gzip
import json
import re
import struct
import tempfile
import unittest

import numpy

from inference_streams import LENGTH, Infer, pointed, streams
from support.posencd import Posencd
from support.suite import ServerCase

ONES = numpy.ones((4, 8), "<f4")
INT64 = struct.Struct("<4q").pack(0, 1, 2, 3)


def infer(server, model, message, tail=b"", headers=(), query="", head=None):
    text = json.dumps(message).encode()
    head = len(text) if head is None else head
    length = [(LENGTH, str(head))] if tail or head != len(text) else []
    return server.ask("POST", "/v2/models/%s/infer%s" % (model, query), text + tail,
                      [*length, *headers])


class Streams(ServerCase):
    """Every stream of inference.streams."""

    def numbers(self, wanted):
        method, target = "GET", wanted
        body, headers = None, []
        if wanted.startswith("POST x "):
            method, target = "POST", wanted[len("POST x "):] + "&in_dtype=f32&shape=4,8"
            body, headers = ONES.tobytes(), [("Content-Type", "application/octet-stream")]
        answer = self.server.ask(method, target + "&format=raw", body, headers)
        self.assertEqual(answer.status, 200, answer)
        return answer

    def check_output(self, infer, name, wanted):
        answer = self.numbers(wanted)
        array = infer.outputs[name]
        self.assertEqual(",".join(str(length) for length in array.shape),
                         answer.header("posenc-shape"))
        self.assertEqual(array.tobytes(), answer.body)

    def check(self, stream, answer):
        expected = dict(stream.expected)
        status, _, form = expected.pop("answer").partition(" ")
        self.assertEqual(answer.status, int(status), answer)
        infer = Infer(answer) if form else None
        document = infer.message if infer else json.loads(answer.body)
        if form:
            self.assertEqual(infer.form(), form)
        if status != "200":
            self.assertEqual((list(document), answer.header("content-type")),
                             (["error"], "application/json"))
        for name, value in expected.items():
            if name == "has":
                self.assertIn(value, document["error"])
            elif name.startswith("json "):
                self.assertEqual(pointed(document, name[len("json "):]), json.loads(value))
            else:
                self.check_output(infer, name, value)


def add_stream(stream):
    def test(self):
        def version(match):
            model = match.group(1).decode()
            return b"/v2/models/%s/versions/%s" % (match.group(1), self.get(
                "/v2/models/" + model).json()["versions"][0].encode())

        sent = re.sub(rb"/v2/models/([\w.-]+)/versions/\d+", version, stream.bytes)
        with self.server.client() as client:
            for _ in range(2):  # the connection lives on
                client.send(sent)
                self.check(stream, client.reply(sent.split(b" ", 1)[0].decode()))

    setattr(Streams, "test_" + re.sub(r"\W+", "_", stream.name.lower()).strip("_"), test)


for _stream in streams():
    add_stream(_stream)


class Models(ServerCase):
    def test_every_model_has_metadata_a_configuration_and_is_ready(self):
        index = self.server.ask("POST", "/v2/repository/index").json()
        names = self.get("/v2/models").json()["models"]
        self.assertEqual([one["name"] for one in index], names)
        self.assertGreater(len(names), 400)
        for one in index:
            path = "/v2/models/" + one["name"]
            metadata = self.get(path).json()
            config = self.get(path + "/config").json()
            self.assertEqual((metadata["name"], metadata["versions"]),
                             (one["name"], [one["version"]]))
            self.assertEqual(self.get(path + "/versions/%s/ready" % one["version"]).json(),
                             {"name": one["name"], "ready": True})
            for meta, conf in (("inputs", "input"), ("outputs", "output")):
                self.assertEqual(
                    [(row["name"], "TYPE_" + row["datatype"], row["shape"])
                     for row in metadata[meta]],
                    [(row["name"], row["data_type"], row["dims"]) for row in config[conf]])

    def test_outputs_are_those_of_an_example_without_outputs(self):
        encodings = {one["name"]: one for one in self.get("/v1/encodings").json()["encodings"]}
        checked = 0
        for name, encoding in encodings.items():
            query = encoding["example"].partition("?")[2]
            if re.search(r"(^|&)(out|x|in_dtype|shape|format|dtype)=", query):
                continue
            model = name.replace("/", ".")
            answer = self.server.ask("POST", "/v2/models/%s/infer?%s" % (model, query))
            if answer.status == 400 and b"model" in answer.body:
                continue
            self.assertEqual(answer.status, 200, (name, query, answer))
            metadata = self.get("/v2/models/" + model).json()
            came = Infer(answer).message["outputs"]
            self.assertEqual([(row["name"], row["datatype"]) for row in came],
                             [(row["name"], row["datatype"]) for row in metadata["outputs"]], name)
            for row, stated in zip(came, metadata["outputs"]):
                self.assertEqual(len(row["shape"]), len(stated["shape"]), name)
            checked += 1
        self.assertGreater(checked, 100)

    def test_a_length_that_metadata_states_is_that_of_an_answer(self):
        for model, query in (("rope.llama-3.1-8b", "pos=0:3"), ("rope.gemma-3-1b",
                             "pos=0:3&layer_type=full_attention"), ("alibi.bloom-176b", "len=3")):
            stated = self.get("/v2/models/" + model).json()["outputs"]
            came = self.server.ask("POST", "/v2/models/%s/infer?%s" % (model, query)).json()
            for row, output in zip(stated, came["outputs"]):
                for length, real in zip(row["shape"], output["shape"]):
                    self.assertIn(length, (-1, real))
            self.assertTrue(any(length > 0 for row in stated for length in row["shape"]), stated)


class Infers(ServerCase):
    flags = ("--max-body", "2000000")

    def ok(self, answer):
        self.assertEqual(answer.status, 200, answer)
        return Infer(answer)

    def error(self, answer, status, words):
        self.assertEqual((answer.status, answer.header("content-type")),
                         (status, "application/json"), answer)
        self.assertEqual(list(answer.json()), ["error"])
        self.assertIn(words, answer.json()["error"])

    def test_outputs_come_in_the_order_asked(self):
        came = self.ok(infer(self.server, "rope", {
            "parameters": {"dim": 4, "pos": "0:2", "binary_data_output": True},
            "outputs": [{"name": "sin"}, {"name": "inv_freq", "parameters": {"binary_data": False}},
                        {"name": "cos"}]}))
        self.assertEqual(list(came.outputs), ["sin", "inv_freq", "cos"])
        self.assertEqual(came.form(), "mixed")

    def test_numbers_that_are_not_finite_are_words(self):
        came = self.ok(self.server.ask(
            "POST", "/v2/models/alibi/infer?heads=1&len=2&causal=1&mask_value=-inf"))
        self.assertIn("-Infinity", came.message["outputs"][0]["data"])

    def test_an_empty_binary_output_is_json(self):
        came = infer(self.server, "rope", {"parameters": {"dim": 4, "pos": "0:0",
                                                          "binary_data_output": True}})
        self.assertEqual(came.header("content-type"), "application/json")
        self.assertEqual([row.shape for row in self.ok(came).outputs.values()], [(0, 2)] * 2)

    def test_scores_come_back_in_their_own_type(self):
        for datatype, dtype in (("FP32", "<f4"), ("FP16", "<f2"), ("FP64", "<f8"), ("BF16", "<u2")):
            x = numpy.zeros((4, 8), dtype)
            message = {"parameters": {"binary_data_output": datatype in ("FP16", "BF16")}, "inputs": [
                {"name": "pos", "shape": [4, 1], "datatype": "INT32", "data": [[0], [1], [2], [3]]},
                {"name": "x", "shape": [4, 8], "datatype": datatype,
                 "parameters": {"binary_data_size": x.nbytes}}]}
            came = self.ok(infer(self.server, "rope.apply", message, x.tobytes()))
            self.assertEqual(came.message["outputs"][0]["datatype"], datatype)
            self.assertEqual(came.outputs["x"].shape, (4, 8))

    def test_a_large_answer_streams_as_json_and_as_binary(self):
        message = {"parameters": {"dim": 64, "pos": "0:20000", "binary_data_output": True}}
        binary = self.ok(infer(self.server, "rope", message))
        del message["parameters"]["binary_data_output"]
        text = self.ok(infer(self.server, "rope", message))
        for name in ("cos", "sin"):
            self.assertEqual(binary.outputs[name].tobytes(), text.outputs[name].tobytes())

    def test_a_long_body_of_json_is_the_same_as_in_binary(self):
        rows = numpy.random.default_rng(1).standard_normal((1000, 64)).astype("<f4")
        message = {"inputs": [{"name": "pos", "shape": [1000], "datatype": "INT64",
                               "data": list(range(1000))},
                              {"name": "x", "shape": [1000, 64], "datatype": "FP32",
                               "data": rows.tolist()}],
                   "outputs": [{"name": "x", "parameters": {"binary_data": True}}]}
        text = self.ok(infer(self.server, "rope.apply", message)).outputs["x"]
        del message["inputs"][1]["data"]
        message["inputs"][1]["parameters"] = {"binary_data_size": rows.nbytes}
        binary = self.ok(infer(self.server, "rope.apply", message, rows.tobytes())).outputs["x"]
        self.assertEqual(text.tobytes(), binary.tobytes())

    def test_chunks_are_a_body_too(self):
        text = json.dumps({"inputs": [{"name": "pos", "shape": [4], "datatype": "INT64",
                                       "parameters": {"binary_data_size": 32}}]}).encode()
        body = text + INT64
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part)
                          for part in (body[:7], body[7:len(text) + 3], body[len(text) + 3:]))
        with self.server.client() as client:
            client.send(b"POST /v2/models/rope.llama-3.1-8b/infer HTTP/1.1\r\nHost: a\r\n"
                        b"Transfer-Encoding: chunked\r\n%s: %d\r\n\r\n%s0\r\n\r\n"
                        % (LENGTH.encode(), len(text), chunks))
            came = self.ok(client.reply())
        self.assertEqual(came.outputs["cos"].shape, (4, 64))

    def test_two_content_types_are_no_error(self):
        answer = infer(self.server, "causal-mask", {"parameters": {"len": 2}},
                       headers=[("Content-Type", "application/json"), ("Content-Type", "text/plain"),
                                ("Accept", "image/png")])
        self.assertEqual(self.ok(answer).outputs["mask"].tolist(), [[True, False], [True, True]])

    def test_the_connection_lives_on_after_a_refusal(self):
        with self.server.client() as client:
            for _ in range(2):
                self.error(client.ask("POST", "/v2/models/rope/infer", b'{"inputs":7}'), 400,
                           "inputs must be an array")

    def test_the_answer_says_nothing_of_caches(self):
        answer = infer(self.server, "rope", {"parameters": {"dim": 4, "pos": "0:2"}})
        self.assertEqual((answer.header("cache-control"), answer.header("etag"),
                          answer.header("content-location"), answer.header("vary")),
                         ("no-store", None, None, None))
        self.assertEqual(int(answer.header("content-length")), len(answer.body))

    def test_warnings_are_a_header(self):
        answer = infer(self.server, "rope", {"parameters": {"dim": 4, "pos": "0:2",
                                                            "scaling": "linear", "factor": 0.5}})
        self.ok(answer)
        self.assertIn("factor", answer.header("posenc-warning"))


class Errors(unittest.TestCase):
    """Every status below /v2, from checks before the path is known too, has the one form."""

    def error(self, answer, status, words=""):
        self.assertEqual((answer.status, answer.header("content-type")),
                         (status, "application/json"), answer)
        self.assertEqual(list(answer.json()), ["error"])
        self.assertIn(words, answer.json()["error"])
        return answer

    def raw(self, server, sent):
        with server.client() as client:
            client.send(sent)
            return client.reply()

    def test_of_the_head(self):
        path = b" /v2/models/rope/infer HTTP/1.1\r\n"
        with Posencd("--max-body", "1024", "--allowed-host", "localhost") as server:
            host = b"Host: localhost\r\n"
            for sent, status, words in (
                    (b"GET" + path + b"\r\n", 400, "Host"),
                    (b"BREW" + path + host + b"\r\n", 405, "method"),
                    (b"GET" + path + host + b"\r\n", 405, "method"),
                    (b"POST" + path + host + b"Content-Length: 1025\r\n\r\n", 413, "1024 bytes"),
                    (b"POST" + path + host + b"Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}",
                     415, "gzip, deflate"),
                    (b"POST" + path + host + b"Expect: a\r\n\r\n", 417, "100-continue"),
                    (b"GET" + path + b"Host: other\r\n\r\n", 421, "other"),
                    (b"GET" + path + host + b"X: " + b"x" * 9000 + b"\r\n\r\n", 431, ""),
                    (b"POST" + path + host + b"Transfer-Encoding: br\r\n\r\n", 501, "chunked"),
                    (b"GET /v2/models/rope/infer HTTP/1.2\r\n" + host + b"\r\n", 505, "HTTP/1.1"),
                    (b"POST /v2/models/rope/infer?dim=4&pos=0:2 HTTP/1.1\r\n" + host +
                     b"Accept-Encoding: identity;q=0, gzip;q=0\r\n\r\n", 406, "identity"),
                    (b"GET /v2/nothing HTTP/1.1\r\n" + host + b"\r\n", 404, "/v2/nothing")):
                answer = self.error(self.raw(server, sent), status, words)
                if status == 405 and sent.startswith(b"GET"):
                    self.assertEqual(answer.header("allow"), "POST, OPTIONS")

    def test_of_keys(self):
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("secret-key-of-thirty-two-letters\n")
            keys.flush()
            with Posencd("--api-keys-file", keys.name) as server:
                refused = self.error(server.get("/v2/models"), 401, "key")
                self.assertIn("Bearer", refused.header("www-authenticate"))
                for path in ("/v2/health/live", "/v2/health/ready"):
                    self.assertEqual(server.get(path).json(), {"live": True, "ready": True})
                self.assertEqual(server.get("/v2", [("Authorization", "Bearer secret-key-of-thirty-"
                                                     "two-letters")]).status, 200)

    def test_below_a_prefix(self):
        with Posencd("--path-prefix", "/x") as server:
            self.error(server.get("/x/v2/nothing"), 404)
            self.error(self.raw(server, b"GET /x/v2 HTTP/1.1\r\n\r\n"), 400, "Host")
            self.assertEqual(server.get("/x/v2/models/rope/ready").json()["name"], "rope")

    def test_of_a_body_that_grows_too_long(self):
        with Posencd("--max-body", "100000") as server, server.client() as client:
            client.send(b"POST /v2/models/rope/infer HTTP/1.1\r\nHost: a\r\n"
                        b"Transfer-Encoding: chunked\r\n\r\n")
            client.send((b"1000\r\n" + b" " * 4096 + b"\r\n") * 30)
            self.error(client.reply(), 413, "100000 bytes")

    def test_of_a_binary_tensor_that_is_too_long_before_it_comes(self):
        text = json.dumps({"inputs": [{"name": "pos", "shape": [99999], "datatype": "INT64",
                                       "parameters": {"binary_data_size": 799992}}]}).encode()
        with Posencd("--max-body", "100000") as server:
            answer = self.raw(server, b"POST /v2/models/integer/infer HTTP/1.1\r\nHost: a\r\n%s: %d"
                              b"\r\nContent-Length: 90000\r\n\r\n%s"
                              % (LENGTH.encode(), len(text), text))
        self.error(answer, 413, "799992")
        self.assertEqual(answer.header("connection"), "close")

    def test_requests_are_counted_by_their_route(self):
        with Posencd() as server, server.client() as client:
            answer = client.ask("POST", "/v2/models/rope/infer?dim=4&pos=0:2")
            self.assertEqual(answer.status, 200)
            self.assertIn('posencd_http_requests_total{route="/v2/models/{name}/infer",method="POST",'
                          'code="200"} 1\n', client.get("/metrics").text())

    def test_of_a_service_without_memory(self):
        with Posencd("--max-inflight", "4MiB", "--max-body", "4MiB") as server:
            bomb = gzip.compress(b'{"parameters": {"pos": [' + b"1," * 1000000 + b"1]}}")
            answer = server.ask("POST", "/v2/models/rope/infer", bomb,
                                [("Content-Encoding", "gzip")])
            self.assertIn(answer.status, (413, 503))
            self.error(answer, answer.status)

    def test_of_binary_lists_that_take_more_memory_than_bodies_have(self):
        """A list in binary becomes float64 twice: 24 bytes a number of the 4 MiB."""
        def ask(server, count):
            text = json.dumps({"inputs": [{"name": "pos", "shape": [count], "datatype": "INT64",
                                           "parameters": {"binary_data_size": 8 * count}}]}).encode()
            return server.ask("POST", "/v2/models/integer/infer", text + bytes(8 * count),
                              [(LENGTH, str(len(text)))])
        with Posencd("--max-inflight", "4MiB", "--max-body", "4MiB") as server:
            self.error(ask(server, 200000), 413, "take more memory than bodies have here")
            self.assertEqual(ask(server, 40000).status, 200)

    def test_of_lists_in_json_that_take_more_memory_than_bodies_have(self):
        """Numbers of JSON are float64 in the body and in the list of the request."""
        def ask(server, count):
            return server.ask("POST", "/v2/models/integer/infer", json.dumps({"inputs": [
                {"name": "pos", "shape": [count], "datatype": "INT64", "data": [7] * count}]}).encode(), [])
        with Posencd("--max-inflight", "4MiB", "--max-body", "4MiB") as server:
            self.assertEqual(ask(server, 60000).status, 200)
            answer = ask(server, 250000)
            self.assertIn(answer.status, (413, 503))
            self.error(answer, answer.status)

    def test_health_while_draining(self):
        with Posencd(delay=30) as server, server.client() as client:
            self.assertEqual(client.get("/v2/health/ready").status, 200)
            server.signal(15)
            server.wait_line(lambda line: line.get("event") == "draining", "drain")
            with server.client() as other:
                ready = other.get("/v2/health/ready")
                live = client.get("/v2/health/live")
            self.assertEqual((ready.status, ready.json()), (503, {"live": True, "ready": False}))
            self.assertEqual((live.status, live.json()), (200, {"live": True, "ready": False}))
            server.signal(15)
            server.wait()

    def test_without_a_place(self):
        with Posencd("--max-connections", "1") as server, server.client() as first:
            self.assertEqual(first.get("/v2").status, 200)
            with server.client() as other:
                other.request("GET", "/v2/models")
                self.assertIn("too many connections", other.reply().json()["error"])
            with server.client() as health:
                self.assertEqual(health.get("/v2/health/ready").status, 200)

    def test_of_pages_elsewhere_stay_problems(self):
        with Posencd() as server:
            self.assertEqual(server.get("/v2x").header("content-type"), "application/problem+json")


if __name__ == "__main__":
    unittest.main()
