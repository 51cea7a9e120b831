# SPDX-License-Identifier: Apache-2.0
"""test_param_files.py - parameters that `posencd compute` reads from files, NAME=@FILE[:TENSOR], give
the bytes that a body with the same tensors gets."""

import json
import os
import tempfile
import unittest

import numpy

from support.posencd import run
from support.suite import ServerCase
from support.tensor_file import safetensors


class Case(ServerCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.folder = self.kept.name
        self.x = numpy.arange(32, dtype="float32").reshape(4, 8)
        numpy.save(self.at("x.npy"), self.x)
        numpy.savez(self.at("xy.npz"), x=self.x, y=self.x + 1)
        self.x.tofile(self.at("x.bin"))
        self.wpe = numpy.arange(80, dtype="float32").reshape(10, 8)
        self.put("t.safetensors", safetensors({
            **{"h.%d.attn.weight" % i: numpy.ones((2, 2), "float32") for i in range(60)},
            "ids": numpy.arange(4), "transformer.wpe.weight": self.wpe}, align=1))

    def at(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, data):
        with open(self.at(name), "wb") as file:
            file.write(data)

    def words(self, words):
        """The words with names of files of the folder."""
        return [word.replace("@", "@" + self.folder + "/", 1) if "=@" in word and "=@-" not in word
                else word for word in words]

    def said(self, *words, stdin=None, code=0):
        done = run("compute", *self.words(words), stdin=stdin)
        self.assertEqual(done.returncode, code, (words, done.stderr))
        return done.stdout if code == 0 else done.stderr.decode().replace(self.folder + "/", "")

    def refused(self, code, sentence, *words, stdin=None):
        self.assertIn(sentence, self.said(*words, stdin=stdin, code=code))


class Read(Case):
    def rotated(self, *words, stdin=None):
        return self.said("rope/apply", "pos=0:4", "format=npy", *words, stdin=stdin)

    def test_every_format_gives_what_a_body_gets(self):
        with open(self.at("x.npy"), "rb") as file:
            body = file.read()
        answer = self.server.ask("POST", "/v1/rope/apply?pos=0:4&format=npy", body,
                                 [("Content-Type", "application/x-npy")])
        self.assertEqual(answer.status, 200, answer)
        for words in (["x=@x.npy"], ["x=@xy.npz"], ["x=@xy.npz:x"],
                      ["x=@x.bin", "in_dtype=f32", "shape=4,8"]):
            self.assertEqual(self.rotated(*words), answer.body, words)
        self.assertEqual(self.rotated("x=@-", stdin=body), answer.body)

    def test_one_tensor_of_many_is_read_by_its_name_or_its_end(self):
        wanted = self.said("learned", "pos=2,3", "format=npy",
                           "table=" + ";".join(",".join(map(str, row)) for row in self.wpe))
        for name in ("transformer.wpe.weight", "transformer.wpe", "wpe.weight", "wpe"):
            self.assertEqual(self.said("learned", "pos=2,3", "format=npy",
                                       "table=@t.safetensors:" + name), wanted, name)
        with open(self.at("t.safetensors"), "rb") as file:
            self.assertEqual(self.said("learned", "pos=2,3", "format=npy", "table=@-:wpe",
                                       stdin=file.read()), wanted)

    def test_a_tensor_of_the_parameters_name_needs_no_name(self):
        self.put("q.safetensors", safetensors({"k": self.x + 1, "x": self.x}, align=1))
        self.assertEqual(self.rotated("x=@q.safetensors"), self.rotated("x=@x.npy"))

    def test_the_only_tensor_of_a_file_needs_no_name(self):
        self.put("q.safetensors", safetensors({"whatever": self.x}, align=1))
        self.assertEqual(self.rotated("x=@q.safetensors"), self.rotated("x=@x.npy"))

    def test_several_parameters_have_a_file_each(self):
        pair = self.said("rope/apply", "pos=0:4", "format=json", "q=@x.npy", "k=@xy.npz:y")
        tensors = {t["name"]: t for t in json.loads(pair)["tensors"]}
        self.assertEqual(sorted(tensors), ["k", "q"])
        self.assertEqual(tensors["k"]["data"][0], (self.x + 1)[0].tolist())

    def test_a_path_may_have_colons(self):
        os.rename(self.at("xy.npz"), self.at("a:b.npz"))
        self.assertEqual(self.rotated("x=@a:b.npz:x"), self.rotated("x=@x.npy"))
        os.rename(self.at("x.npy"), self.at("c:d"))
        self.assertEqual(self.rotated("x=@c:d"), self.rotated("x=@a:b.npz:x"))

    def test_lists_and_positions_are_read_too(self):
        slopes = numpy.array([0.5, 0.25])
        numpy.save(self.at("slopes.npy"), slopes)
        words = ("alibi", "heads=2", "len=3", "format=npy")
        self.assertEqual(self.said(*words, "slopes=@slopes.npy"),
                         self.said(*words, "slopes=0.5,0.25"))
        pos = [0, 1, 2, 3, 10, 12, 14, 16, 7, -3, -5, -7, 9, 9]
        for dtype in ("int64", "float64", "int32"):
            numpy.save(self.at("pos.npy"), numpy.array(pos, dtype=dtype))
            self.assertEqual(self.said("rope", "dim=8", "out=cos", "format=npy", "pos=@pos.npy"),
                             self.said("rope", "dim=8", "out=cos", "format=npy",
                                       "pos=" + ",".join(map(str, pos))))
        numpy.save(self.at("pos.npy"), numpy.arange(100000))
        self.assertEqual(self.said("rope", "dim=8", "out=cos", "format=npy", "pos=@pos.npy"),
                         self.said("rope", "dim=8", "out=cos", "format=npy", "pos=0:100000"))

    def test_a_target_of_the_service_is_a_request_too(self):
        self.assertEqual(self.said("/v1/rope?dim=8&pos=0:4", "out=cos"),
                         self.get("/v1/rope?dim=8&pos=0:4&out=cos").body)

    def test_a_list_may_be_given_item_by_item(self):
        self.assertEqual(self.said("rope", "dim=8", "pos=0", "pos=5"),
                         self.get("/v1/rope?dim=8&pos=0,5").body)


class Refused(Case):
    def test_a_file_that_cannot_be_read_is_66(self):
        self.refused(66, "x cannot read none.npy: No such file or directory",
                     "rope/apply", "pos=0:4", "x=@none.npy")
        os.mkdir(self.at("folder"))
        self.refused(66, "x cannot read folder: Is a directory",
                     "rope/apply", "pos=0:4", "x=@folder")

    def test_a_file_without_tensors_is_65(self):
        self.put("text.npy", b"no tensors")
        self.put("empty.npy", b"")
        with open(self.at("t.safetensors"), "rb") as file:
            self.put("cut.safetensors", file.read()[:-8])
        with open(self.at("x.npy"), "rb") as file:
            self.put("cut.npy", file.read()[:-8])
        for name, sentence in (
                ("text.npy", "x reads text.npy, which is neither npy, npz nor safetensors; raw "
                             "bytes need in_dtype= and shape="),
                ("empty.npy", "x reads empty.npy, which is empty"),
                ("cut.npy", "x reads cut.npy, which is not read: the body ends before"),
                ("t.safetensors:ids", "which has elements i64; they must be f64, f32, f16 or "
                                      "bf16")):
            self.refused(65, sentence, "rope/apply", "pos=0:4", "x=@" + name)
        self.refused(65, "table reads cut.safetensors, which ends before the bytes of its tensors",
                     "learned", "pos=0", "table=@cut.safetensors:wpe")

    def test_a_wrong_name_of_a_tensor_lists_the_names(self):
        self.refused(64, "x reads xy.npz, which has no tensor z; it has x, y",
                     "rope/apply", "pos=0:4", "x=@xy.npz:z")
        self.refused(64, "table reads t.safetensors, which has no tensor wpx; it has "
                         "h.0.attn.weight, ", "learned", "pos=0", "table=@t.safetensors:wpx")
        self.assertRegex(self.said("learned", "pos=0", "table=@t.safetensors:attn", code=64),
                         r"has several tensors that end in attn; choose one of h\.0\.attn\.weight"
                         r".* and \d+ more\n")
        self.assertRegex(self.said("learned", "pos=0", "table=@t.safetensors", code=64),
                         r"has several tensors; write table=@FILE:TENSOR with one of .* and \d+ "
                         r"more\n")
        self.refused(64, "x reads x.npy, which has one tensor without a name; leave the name out",
                     "rope/apply", "pos=0:4", "x=@x.npy:x")

    def test_the_standard_input_is_for_one_parameter(self):
        with open(self.at("x.npy"), "rb") as file:
            data = file.read()
        self.refused(64, "k must come from a file: the standard input is read for one parameter "
                         "alone", "rope/apply", "pos=0:4", "q=@-", "k=@-", stdin=data)
        self.refused(65, "x reads the standard input, which is empty",
                     "rope/apply", "pos=0:4", "x=@-", stdin=b"")

    def test_a_parameter_that_is_no_tensor_takes_no_file(self):
        for word in ("seq_axis=@x.npy", "format=@x.npy", "shape=@x.npy", "out=@x.npy"):
            self.refused(64, "is not read from a file; @FILE is for tensors, lists and positions",
                         "rope/apply", "pos=0:4", word)
        self.refused(64, "x must be x=@FILE, x=@FILE:TENSOR or x=@-", "rope/apply", "pos=0:4",
                     "x=@x.npy:")

    def test_positions_are_a_list(self):
        self.refused(64, "pos must be a list of positions; ", "rope", "dim=8", "pos=@x.npy")

    def test_a_parameter_is_given_once(self):
        for words in (("x=@x.npy", "x=@xy.npz"), ("x=@x.npy", "x=1,2"), ("x=1,2", "x=@x.npy")):
            text = self.said("rope/apply", "pos=0:4", *words, code=64)
            self.assertEqual(text.count("x is given twice; give it once"), 1, text)

    def test_a_description_that_a_file_does_not_need_is_refused(self):
        self.refused(64, "shape has no effect: the body has its own shape; leave it out",
                     "rope/apply", "pos=0:4", "x=@x.npy", "shape=4,8")

    def test_all_that_is_wrong_is_said_at_once(self):
        text = self.said("rope/apply", "x=@none.npy", "pos=a", "ps=1", "word", "--dim", "8",
                         "scaling=yarm", "-o", "a.txt", code=64)
        for sentence in ("x cannot read none.npy", "pos must be positions", "ps unknown parameter",
                         "\"word\" must be NAME=VALUE", "write dim=8", "scaling must be",
                         "-o a.txt: the suffix of FILE"):
            self.assertEqual(text.count(sentence), 1, (sentence, text))
        self.assertNotIn("x is required", text)

    def test_raw_bytes_with_a_wrong_description_have_that_problem_alone(self):
        text = self.said("rope/apply", "x=@x.bin", "pos=0:4", "in_dtype=f33", "shape=4,8", code=64)
        self.assertEqual(text.count("\n"), 1, text)
        self.assertIn("in_dtype must be one of", text)
        for words, sentence in ((["shape=4,8"], "in_dtype is required"),
                                (["in_dtype=f32", "shape=4,-8"], "shape must be"),
                                (["in_dtype=f32", "shape=4,9"], "the body ends before the 144")):
            text = self.said("rope/apply", "x=@x.bin", "pos=0:4", *words,
                             code=65 if "body" in sentence else 64)
            self.assertEqual(text.count("\n"), 1, text)
            self.assertIn(sentence, text)
        self.refused(65, "raw bytes need in_dtype= and shape=", "rope/apply", "x=@x.bin", "pos=0:4",
                     "in_dtype=f32")

    def test_the_sentences_are_those_of_the_service(self):
        for query in ("dim=7&ps=0:4", "dim=8", "dim=8&pos=0:4&scaling=yarm&out=coz", "dim=&pos=1",
                      "&".join("a%d=1" % i for i in range(40))):
            answer = self.server.get("/v1/rope?" + query)
            problems = answer.json().get("errors", [answer.json()])
            text = self.said("rope", *query.split("&"), code=64)
            for problem in problems:
                self.assertIn(problem["detail"], text)

    def test_files_and_answers_have_limits(self):
        self.refused(65, "all tensors together have at most 31 elements; got 32", "rope/apply",
                     "pos=0:4", "x=@x.npy", "--max-elements", "31")
        self.refused(65, "has 80 elements in this tensor; at most 79 are read", "learned", "pos=0",
                     "table=@t.safetensors:wpe", "--max-elements=79")
        self.refused(64, "31", "rope", "dim=8", "pos=0:8", "out=cos", "--max-text-elements=31")
        self.refused(64, "--max-elements must be", "rope", "dim=8", "pos=0", "--max-elements=x")
        self.refused(64, "at most", "rope", "dim=8", "pos=0:99999999999", "out=cos", "format=npy")


if __name__ == "__main__":
    unittest.main()
