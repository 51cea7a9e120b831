# SPDX-License-Identifier: Apache-2.0
"""test_compute.py - `posencd compute` prints the bytes that a GET answers."""

import os
import tempfile
import unittest
import urllib.parse

from support.posencd import Posencd, run
from support.suite import ServerCase

FORMATS = ("json", "npy", "safetensors", "raw", "csv", "png", "svg", "card")


def words(target):
    """The target /v1/rope?dim=8&pos=0:4 as words of a command line."""
    path, _, query = target.partition("?")
    return [path[len("/v1/"):]] + [urllib.parse.unquote(item) for item in query.split("&")]


class Compute(ServerCase):
    def examples(self):
        return [example for entry in self.get("/v1/encodings").json()["encodings"]
                for example in entry["examples"]]

    def same(self, target):
        done = run("compute", *words(target))
        self.assertEqual(done.returncode, 0, "%s: %s" % (target, done.stderr))
        self.assertEqual(done.stdout, self.get(target).body, target)

    def in_format(self, target, name):
        """The example in this format, or in another where several outputs must fit into one."""
        if "format=" in target:
            return target
        if name not in ("json", "safetensors", "svg"):
            tensors = self.get(target).json()["tensors"]
            if "out=" not in target:
                target += "&out=" + tensors[0]["name"]
            elif len(tensors) > 1:
                name = "safetensors"
        return "%s&format=%s" % (target, name)

    def test_every_example_gives_the_bytes_of_the_get(self):
        """Each in one format, the next in the next: a format knows nothing of the encoding."""
        examples = self.examples()
        self.assertGreaterEqual(len(examples), 4 * len(FORMATS))
        for i, target in enumerate(examples):
            self.same(self.in_format(target, FORMATS[i % len(FORMATS)]))

    def test_an_example_in_every_format_gives_the_bytes_of_the_get(self):
        for name in FORMATS:
            self.same(self.in_format("/v1/rope?dim=8&pos=0:4", name))
            self.same(self.in_format("/v1/alibi?heads=8&len=4", name))

    def test_a_file_gets_the_same_bytes(self):
        target = "/v1/rope?dim=8&pos=0:64&out=cos&format=npy"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cos.npy")
            done = run("compute", *words(target), "-o", path)
            self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), self.get(target).body)

    def refused(self, *arguments, says):
        with tempfile.TemporaryDirectory() as folder:
            at = arguments.index("-o") + 1
            path = os.path.join(folder, arguments[at])
            done = run("compute", *arguments[:at], path, *arguments[at + 1:])
            self.assertEqual(done.returncode, 64, done.stderr)
            for word in says:
                self.assertIn(word.encode(), done.stderr)
            self.assertEqual(os.listdir(folder), [])

    def test_the_format_of_a_file_follows_its_suffix(self):
        target = "/v1/rope?dim=8&pos=0:64&out=cos"
        for suffix, name in (("json", "json"), ("npy", "npy"), ("safetensors", "safetensors"),
                             ("bin", "raw"), ("raw", "raw"), ("csv", "csv"), ("png", "png"),
                             ("svg", "svg")):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "a.b." + suffix)
                done = run("compute", *words(target), "-o", path)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                with open(path, "rb") as file:
                    self.assertEqual(file.read(),
                                     self.get(target + "&format=" + name).body, suffix)

    def test_a_suffix_of_no_format_needs_one_given(self):
        for name in ("cos.txt", "cos", ".npy", "npy", "cos.", "x.npy.gz", "cos.NPY"):
            self.refused("rope", "dim=8", "pos=0:4", "out=cos", "-o", name,
                         says=[".json, .npy, .safetensors, .bin, .raw, .csv", "format=", name])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cos.f32")
            done = run("compute", "rope", "dim=8", "pos=0:4", "out=cos", "format=raw", "-o", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.path.getsize(path), 4 * 4 * 4)

    def test_a_suffix_that_another_format_has_is_a_contradiction(self):
        self.refused("rope", "dim=8", "pos=0:4", "out=cos", "format=json", "-o", "cos.npy",
                     says=["format=npy", "format=json is given", "end in .json"])
        self.refused("rope", "dim=8", "pos=0:4", "-o", "cos.npy",
                     says=["npy"])  # an answer with more than one tensor
        self.refused("rope", "dim=8", "pos=0:4", "format=xml", "-o", "cos.npy", says=["xml"])

    def test_a_file_is_named_once(self):
        self.refused("rope", "dim=8", "pos=0:4", "-o", "a.npy", "-o", "b.npy",
                     says=["--output is given twice; give it once"])

    def test_every_code_path_gives_the_same_bytes(self):
        target = "/v1/rope?dim=64&pos=1000000:1001000&out=sin&format=raw&dtype=f64"
        served = {}
        for path in ("generic", "avx2", "avx512"):
            if run("check-config", "--cpu-path", path).returncode != 0:
                print("this CPU has no %s" % path)
                continue
            with Posencd("--cpu-path", path) as server:
                self.assertEqual(server.get("/version").json()["cpu_path"], path)
                served[path] = server.get(target).body
        self.assertIn("generic", served)
        self.assertEqual(set(served.values()), {run("compute", *words(target)).stdout})

    def test_what_is_wrong_is_said_and_the_exit_code_is_64(self):
        done = run("compute", "rope", "dim=7", "ps=0:4")
        self.assertEqual(done.returncode, 64)
        self.assertEqual(done.stdout, b"")
        for word in (b"dim", b"ps", b"pos"):
            self.assertIn(word, done.stderr)
        done = run("compute", "rop", "dim=8", "pos=0:4")
        self.assertEqual(done.returncode, 64)
        self.assertIn(b"rope", done.stderr)

    def test_help_of_an_encoding_names_its_parameters(self):
        done = run("compute", "rope", "--help")
        self.assertEqual(done.returncode, 0)
        for word in (b"dim", b"pos", b"base", b"scaling"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    unittest.main()
