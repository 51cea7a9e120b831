#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""oip_client.py - runs Triton's own Python client, from a copy of its repository, against a posencd
that it starts: every call that posencd serves, and refusals, by the plain and the asyncio client.

Usage: oip_client.py FOLDER. FOLDER is a checkout of triton-inference-server/client, or its git
directory. Debian's python3-geventhttpclient, python3-rapidjson and python3-aiohttp must be there.
The last line is "N passed, N failed"."""

import asyncio
import inspect
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

import numpy

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

from support.posencd import Posencd  # noqa: E402, found by the line above

LIBRARY = "src/python/library"
POSITIONS = numpy.arange(4, dtype=numpy.int64)


def library_of(folder, scratch):
    """The folder that has the package tritonclient."""
    if not os.path.isfile(os.path.join(folder, "HEAD")):
        return os.path.join(folder, LIBRARY)
    packed = subprocess.run(["git", "-C", folder, "archive", "HEAD", LIBRARY + "/tritonclient"],
                            check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(scratch)
    return os.path.join(scratch, LIBRARY)


class Calls:
    """The calls; a subclass says which client makes them."""

    async def call(self, name, *arguments, **named):
        result = getattr(self.client, name)(*arguments, **named)
        return await result if inspect.isawaitable(result) else result

    def positions(self, binary=True):
        tensor = self.module.InferInput("pos", [4], "INT64")
        tensor.set_data_from_numpy(POSITIONS, binary_data=binary)
        return tensor

    def vectors(self, dtype, name):
        tensor = self.module.InferInput("x", [4, 64], name)
        array = numpy.random.default_rng(1).standard_normal((4, 64)).astype(dtype)
        tensor.set_data_from_numpy(array)
        return tensor, array

    def wanted(self, query, dtype="<f4", shape=(4, 64)):
        answer = self.server.get(query + "&format=raw")
        self.assertEqual(answer.status, 200, answer)
        return numpy.frombuffer(answer.body, dtype).reshape(shape)

    async def refused(self, status, words, *arguments, **named):
        with self.assertRaises(self.error) as caught:
            await self.call("infer", *arguments, **named)
        self.assertEqual(caught.exception.status(), status)
        self.assertIn(words, caught.exception.message())

    async def test_health(self):
        self.assertTrue(await self.call("is_server_live"))
        self.assertTrue(await self.call("is_server_ready"))
        self.assertTrue(await self.call("is_model_ready", "rope.apply"))
        self.assertFalse(await self.call("is_model_ready", "roep"))
        self.assertFalse(await self.call("is_model_ready", "rope", "99"))

    async def test_metadata(self):
        service = await self.call("get_server_metadata")
        self.assertIn("binary_tensor_data", service["extensions"])
        model = await self.call("get_model_metadata", "rope.llama-3.1-8b")
        self.assertEqual(model["outputs"][0],
                         {"name": "cos", "datatype": "FP32", "shape": [-1, 64]})
        version = model["versions"][0]
        self.assertTrue(await self.call("is_model_ready", "rope.llama-3.1-8b", version))
        config = await self.call("get_model_config", "rope.llama-3.1-8b", version)
        self.assertEqual(config["input"][0]["data_type"], "TYPE_INT64")
        index = await self.call("get_model_repository_index")
        self.assertIn({"name": "rope.llama-3.1-8b", "version": version, "state": "READY",
                       "reason": ""}, index)

    async def test_binary(self):
        result = await self.call("infer", "rope.llama-3.1-8b", [self.positions()])
        for name in ("cos", "sin"):
            numpy.testing.assert_array_equal(
                result.as_numpy(name),
                self.wanted("/v1/rope?model=llama-3.1-8b&pos=0:4&out=" + name))

    async def test_json(self):
        output = self.module.InferRequestedOutput("sin", binary_data=False)
        result = await self.call("infer", "rope", [self.positions(False)], outputs=[output],
                                 parameters={"dim": 128, "base": 500000.0},
                                 request_id="a \u00e9 \"b\"")
        self.assertEqual(result.get_response()["id"], "a \u00e9 \"b\"")
        numpy.testing.assert_array_equal(
            result.as_numpy("sin"), self.wanted("/v1/rope?dim=128&base=500000&pos=0:4&out=sin"))

    async def test_mixed_forms(self):
        outputs = [self.module.InferRequestedOutput("sin", binary_data=False),
                   self.module.InferRequestedOutput("cos", binary_data=True)]
        result = await self.call("infer", "rope.llama-3.1-8b", [self.positions()], outputs=outputs)
        for name in ("cos", "sin"):
            numpy.testing.assert_array_equal(
                result.as_numpy(name),
                self.wanted("/v1/rope?model=llama-3.1-8b&pos=0:4&out=" + name))

    async def test_every_type_of_vectors(self):
        for dtype, name in (("<f4", "FP32"), ("<f2", "FP16"), ("<f8", "FP64")):
            tensor, array = self.vectors(dtype, name)
            result = await self.call("infer", "rope.apply", [self.positions(), tensor])
            answer = self.server.ask("POST", "/v1/rope/apply?pos=0:4&format=raw&shape=4,64&in_dtype="
                                     + name.lower(), array.tobytes(),
                                     [("Content-Type", "application/octet-stream")])
            self.assertEqual(result.as_numpy("x").tobytes(), answer.body)

    async def test_bfloat16(self):
        tensor = self.module.InferInput("x", [4, 64], "BF16")
        tensor.set_data_from_numpy(numpy.ones((4, 64), numpy.float32))
        result = await self.call("infer", "rope.apply", [self.positions(), tensor])
        self.assertEqual(result.as_numpy("x").shape, (4, 64))
        self.assertEqual(result.as_numpy("x")[0].tolist(), [1.0] * 64)

    async def test_truth_values(self):
        for binary in (False, True):
            output = self.module.InferRequestedOutput("mask", binary_data=binary)
            result = await self.call("infer", "causal-mask", [], outputs=[output],
                                     query_params={"len": 3})
            numpy.testing.assert_array_equal(result.as_numpy("mask"),
                                             numpy.tril(numpy.ones((3, 3), bool)))

    async def test_codings(self):
        for coding in ("gzip", "deflate"):
            result = await self.call("infer", "rope.llama-3.1-8b", [self.positions()],
                                     request_compression_algorithm=coding,
                                     response_compression_algorithm=coding)
            self.assertEqual(result.as_numpy("cos").shape, (4, 64))

    async def test_words_without_effect(self):
        result = await self.call("infer", "rope.llama-3.1-8b", [self.positions()], sequence_id=7,
                                 sequence_start=True, sequence_end=True, priority=3, timeout=1000)
        self.assertEqual(result.as_numpy("cos").shape, (4, 64))

    async def test_an_empty_answer(self):
        result = await self.call("infer", "rope.llama-3.1-8b", [], parameters={"pos": "0:0"})
        self.assertEqual(result.as_numpy("cos").shape, (0, 64))

    async def test_a_large_answer(self):
        result = await self.call("infer", "rope.llama-3.1-8b", [], parameters={"pos": "0:20000"})
        numpy.testing.assert_array_equal(
            result.as_numpy("cos"),
            self.wanted("/v1/rope?model=llama-3.1-8b&pos=0:20000&out=cos", shape=(20000, 64)))

    async def test_refusals(self):
        await self.refused("400", "dim: must be an even number", "rope", [self.positions()],
                           parameters={"dim": 7})
        await self.refused("400", "did you mean", "rope", [self.positions()],
                           parameters={"dims": 8})
        await self.refused("404", "did you mean rope?", "roep", [self.positions()])
        await self.refused("404", "version", "rope", [self.positions()], model_version="99")
        bad = self.module.InferRequestedOutput("cos", class_count=3)
        await self.refused("400", "classification", "rope.llama-3.1-8b", [self.positions()],
                           outputs=[bad])
        text = self.module.InferInput("pos", [1], "BYTES")
        text.set_data_from_numpy(numpy.array([b"0:4"], object))
        await self.refused("400", "datatype", "rope.llama-3.1-8b", [text])

    async def test_what_is_not_served(self):
        for name, arguments in (("load_model", ["rope"]), ("unload_model", ["rope"]),
                                ("get_inference_statistics", []), ("get_log_settings", []),
                                ("get_system_shared_memory_status", [])):
            with self.assertRaises(self.error) as caught:
                await self.call(name, *arguments)
            self.assertEqual(caught.exception.status(), "404", name)


def cases():
    import tritonclient.http
    import tritonclient.http.aio
    from tritonclient.utils import InferenceServerException

    class Plain(Calls, unittest.IsolatedAsyncioTestCase):
        module, error = tritonclient.http, InferenceServerException

        async def asyncSetUp(self):
            self.client = tritonclient.http.InferenceServerClient("%s:%d" % self.server.address)

        async def asyncTearDown(self):
            self.client.close()

        async def test_many_at_once(self):
            with tritonclient.http.InferenceServerClient("%s:%d" % self.server.address,
                                                         concurrency=4) as client:
                waiting = [client.async_infer("rope.llama-3.1-8b", [self.positions()])
                           for _ in range(20)]
                shapes = {one.get_result().as_numpy("cos").shape for one in waiting}
            self.assertEqual(shapes, {(4, 64)})

    class Asyncio(Calls, unittest.IsolatedAsyncioTestCase):
        module, error = tritonclient.http, InferenceServerException

        async def asyncSetUp(self):
            self.client = tritonclient.http.aio.InferenceServerClient("%s:%d" % self.server.address)

        async def asyncTearDown(self):
            await self.client.close()

        async def test_many_at_once(self):
            results = await asyncio.gather(*[
                self.client.infer("rope.llama-3.1-8b", [self.positions()]) for _ in range(20)])
            self.assertEqual({one.as_numpy("cos").shape for one in results}, {(4, 64)})

    return Plain, Asyncio


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        sys.path.insert(0, library_of(os.path.abspath(sys.argv[1]), scratch))
        suite = unittest.TestSuite()
        with Posencd() as server:
            Calls.server = server
            for case in cases():
                suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
            result = unittest.TextTestRunner(verbosity=1, descriptions=False).run(suite)
    failed = len(result.failures) + len(result.errors)
    sys.stderr.flush()
    print("%d passed, %d failed" % (result.testsRun - failed, failed))
    return 0 if failed == 0 and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
