# SPDX-License-Identifier: Apache-2.0
"""test_model_tables.py - all tables of a model as a client sees them: one file, in parts, again
with its tag, and within bounded memory."""

import json
import struct
import unittest

from support.posencd import Posencd, is_sanitized
from support.suite import ServerCase

GEMMA = "/v1/models/google/gemma-3-4b-pt/tables?pos=0:4096"
NAMES = {"sliding_attention.rope.cos", "sliding_attention.rope.sin", "full_attention.rope.cos",
         "full_attention.rope.sin", "sliding_attention.sliding-window-mask.runs",
         "full_attention.causal-mask.runs", "all_layers.softmax-scale.scale"}


def read(body):
    """{name: (dtype, shape, bytes)} of a safetensors, and its metadata."""
    length = struct.unpack("<Q", body[:8])[0]
    head = json.loads(body[8:8 + length])
    metadata = head.pop("__metadata__")
    return {name: (entry["dtype"], entry["shape"],
                   body[8 + length + entry["data_offsets"][0]:
                        8 + length + entry["data_offsets"][1]])
            for name, entry in head.items()}, metadata


class Whole(ServerCase):
    def test_the_model_lists_what_the_file_has(self):
        tensors, metadata = read(self.get(GEMMA).body)
        model = json.loads(self.get("/v1/models/gemma-3-4b").body)
        listed = {name for use in model["uses"] for name in use.get("tables", [])}
        self.assertEqual(set(tensors), NAMES)
        self.assertEqual(listed, NAMES)
        self.assertEqual(metadata["model"], "gemma-3-4b")

    def test_each_table_is_that_of_its_own_url(self):
        tensors, _ = read(self.get(GEMMA).body)
        for name, (_, shape, data) in tensors.items():
            group, encoding, output = name.split(".")
            asked = "pos=0:4096" if encoding == "rope" else "len=4096"
            asked = "" if encoding == "softmax-scale" else "&" + asked
            own = self.get("/v1/%s?model=gemma-3-4b&layer_type=%s&out=%s&format=raw%s" % (
                encoding, group, output, asked))
            self.assertEqual(own.body, data, name)
            told = own.header("posenc-shape")
            self.assertEqual(told, ",".join(map(str, shape)) or "scalar")

    def test_quarters_make_the_whole(self):
        whole = self.get(GEMMA).body
        edges = [len(whole) * i // 4 for i in range(5)]
        parts = [self.get(GEMMA, [("Range", "bytes=%d-%d" % (first, end - 1))], 206).body
                 for first, end in zip(edges, edges[1:])]
        self.assertEqual(b"".join(parts), whole)
        self.problem(self.server.get(GEMMA, [("Range", "bytes=%d-" % len(whole))]), 416,
                     "range-not-satisfiable")

    def test_a_client_that_has_the_file_is_told_so(self):
        tag = self.get(GEMMA).header("etag")
        self.assertEqual(self.get(GEMMA, [("If-None-Match", tag)], 304).body, b"")
        self.assertEqual(self.get(GEMMA, [("If-None-Match", '"x"')]).header("etag"), tag)

    def test_the_head_says_how_long_the_file_is(self):
        length = len(self.get(GEMMA).body)
        answer = self.server.ask("HEAD", GEMMA)
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertEqual(answer.header("content-length"), str(length))

    def test_a_client_that_takes_gzip_alone_is_refused(self):
        answer = self.server.get(GEMMA, [("Accept-Encoding", "gzip, identity;q=0")])
        self.problem(answer, 406, "not-acceptable")

    def test_models_are_read_side_by_side(self):
        targets = ["/v1/models/%s/tables?pos=0:2000&masks=%s" % (model, masks)
                   for model in ("gemma-3-4b", "t5-small", "deepseek-v3", "llama-4-scout")
                   for masks in ("runs", "dense")]
        alone = [self.get(target).body for target in targets]
        for first, second in zip(targets, reversed(targets)):
            self.assertEqual(self.get(first).body, alone[targets.index(first)])
            self.assertEqual(self.get(second).body, alone[targets.index(second)])


class Memory(unittest.TestCase):
    """The service keeps plans and one block, however long the file is."""

    def test_a_long_file_takes_little_memory(self):
        with Posencd() as server:
            server.get("/v1/models/gemma-3-4b/tables?pos=0:64&masks=dense")
            before = server.status("VmRSS")
            length = len(server.get("/v1/models/gemma-3-4b/tables?pos=0:8192&masks=dense").body)
            self.assertGreater(length, 140 << 20)
            grown = server.status("VmHWM") - before
            self.assertLess(grown, (200 if is_sanitized() else 30) << 10)


if __name__ == "__main__":
    unittest.main()
