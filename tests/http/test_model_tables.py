# SPDX-License-Identifier: Apache-2.0
"""test_model_tables.py - all tables of a model as a client sees them: one file, in parts, again
with its tag, and within bounded memory."""

import json
import os
import tempfile
import unittest
import urllib.parse

from support.posencd import Posencd, is_sanitized, run
from support.suite import ServerCase
from support.tensor_file import read_safetensors

GEMMA = "/v1/models/google/gemma-3-4b-pt/tables?pos=0:4096"
NAMES = {"sliding_attention.rope.cos", "sliding_attention.rope.sin", "full_attention.rope.cos",
         "full_attention.rope.sin", "sliding_attention.sliding-window-mask.runs",
         "full_attention.causal-mask.runs", "all_layers.softmax-scale.scale",
         "vision.bidirectional-mask.runs", "vision_embeddings.learned.index",
         "vision.softmax-scale.scale"}


class Whole(ServerCase):
    def test_the_model_lists_what_the_file_has(self):
        metadata, tensors = read_safetensors(self.get(GEMMA).body)
        model = json.loads(self.get("/v1/models/gemma-3-4b").body)
        listed = {name for use in model["uses"] for name in use.get("tables", [])}
        self.assertEqual(set(tensors), NAMES)
        self.assertEqual(listed, NAMES)
        self.assertEqual(metadata["model"], "gemma-3-4b")

    def test_each_table_is_that_of_its_own_url(self):
        _, tensors = read_safetensors(self.get(GEMMA).body)
        for name, (_, array) in tensors.items():
            group, encoding, output = name.split(".")
            asked = "pos=0:4096" if encoding in ("rope", "learned") else "len=4096"
            asked = "" if encoding == "softmax-scale" else "&" + asked
            own = self.get("/v1/%s?model=gemma-3-4b&layer_type=%s&out=%s&format=raw%s" % (
                encoding, group, output, asked))
            self.assertEqual(own.body, array.tobytes(), name)
            told = own.header("posenc-shape")
            self.assertEqual(told, ",".join(map(str, array.shape)) or "scalar")

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

    def test_any_file_is_one_that_there_is(self):
        anything = [("If-None-Match", "*")]
        self.assertEqual(self.get(GEMMA, anything, 304).header("etag"),
                         self.get(GEMMA).header("etag"))
        for query in ("pos=0:4096&masks=some", "", "pos=0:4096&dtype=f8", "pos=0:99999999999"):
            target = "/v1/models/gemma-3-4b/tables?" + query
            without = self.server.get(target)
            self.assertEqual(without.status, 400, target)
            self.assertEqual(self.server.get(target, anything).status, 400, target)

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


class CommandLine(ServerCase):
    """`posencd models NAME ... -o FILE` writes the bytes of the endpoint."""

    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.path = os.path.join(self.kept.name, "tables.safetensors")

    def test_the_file_has_the_bytes_of_the_get(self):
        for target in (GEMMA, "/v1/models/DeepSeek-V3/tables?pos=5,9&masks=dense&dtype=f64",
                       "/v1/models/t5-small/tables?pos=0:64&masks=none",
                       "/v1/models/qwen2-vl-7b/tables?pos=0:4&grid_thw=1,8,8"):
            path, _, query = target.partition("?")
            name = path[len("/v1/models/"):-len("/tables")]
            words = [urllib.parse.unquote(word) for word in query.split("&")]
            done = run("models", name, *words, "-o", self.path)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""), target)
            with open(self.path, "rb") as file:
                self.assertEqual(file.read(), self.get(target).body, target)
            self.assertEqual(run("models", name, *words, "-o", "-").stdout, self.get(target).body)
        self.assertEqual(os.listdir(self.kept.name), ["tables.safetensors"])

    def refused(self, *words, says):
        done = run("models", *words)
        self.assertEqual((done.returncode, done.stdout), (64, b""), words)
        self.assertEqual(done.stderr.decode(), "".join("posencd: %s\n" % line for line in says))
        self.assertEqual(os.listdir(self.kept.name), [])

    def test_what_is_wrong_is_said_and_leaves_no_file(self):
        out = "-o", self.path
        npy = os.path.join(self.kept.name, "tables.npy")
        self.refused("gemma-3-4b", *out, says=[
            "pos is required: the positions of every table, as pos=0:4096"])
        self.refused("gemma-3-4b", "pos=0:4", "masks=some", *out, says=[
            "masks must be runs, dense or none; got some"])
        self.refused("gemma-3-4b", "pos=0:4", "pos=4:8", *out, says=[
            "pos is given twice; give it once"])
        self.refused("gema-3-4b", "pos=0:4", *out, says=[
            'unknown model "gema-3-4b"; did you mean gemma-3-4b, gemma-3-1b or gemma-2-2b?'])
        self.refused("zzzzzzzz", "pos=0:4", *out, says=[
            'unknown model "zzzzzzzz"; see posencd models'])
        for words in (("pos=0:4",), ()):
            self.refused(*words, *out, says=[
                "models ID pos=0:4096 -o FILE needs the name of a model before its parameters; "
                "posencd models lists them"])
        self.refused("gemma-3-4b", "pos=0:4", "all", "--json", "-o", npy, says=[
            '"all" must be NAME=VALUE',
            "-o %s: the suffix says format=npy, but the answer is safetensors; let the file's "
            "name end in .safetensors" % npy,
            "--json lists models, and -o FILE writes the tables of one; leave one of them out"])
        self.refused("gemma-3-4b", "--pos", "0:4", *out, says=[
            '"--pos" is a parameter, not an option; write pos=0:4'])
        self.refused("qwen2-vl-7b", "--grid-thw=1,8,8", "pos=0:4", *out, says=[
            '"--grid-thw=1,8,8" is a parameter, not an option; write grid_thw=1,8,8'])

    def test_the_tables_are_within_the_limit(self):
        words = "gemma-3-4b", "pos=0:400", "-o", self.path
        self.refused(*words, "--max-elements", "100", says=[
            "the tables of gemma-3-4b have 207602 elements in 841608 bytes, more than the limit "
            "of 100 elements; ask for fewer positions"])
        self.refused(*words, "--max-elements=x", says=[
            "--max-elements must be a count, such as 4096, 16Mi or 1Gi; got \"x\""])
        self.assertEqual(run("models", *words, "--max-elements=207602").returncode, 0)

    def test_words_of_tables_need_a_file(self):
        self.refused("gemma-3-4b", "pos=0:4", "--max-elements=4", says=[
            '"pos=0:4" is for the tables of a model, which -o FILE writes',
            "--max-elements is for the tables of a model, which -o FILE writes"])
        self.refused("gemma", "3", says=['unexpected argument "3"; models takes one WORD'])

    def test_a_place_that_cannot_be_written_is_70(self):
        done = run("models", "gemma-3-4b", "pos=0:4", "-o", "/no/such/tables.safetensors")
        self.assertEqual((done.returncode, done.stderr),
                         (70, b"posencd: /no/such/tables.safetensors: No such file or directory\n"))


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
