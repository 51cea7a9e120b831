# SPDX-License-Identifier: Apache-2.0
"""test_verify_cli.py - `posencd verify`: its files, its words and its exit codes."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from support.posencd import PATIENCE, binary, child_environment, run

CLAIM = ("encoding=rope", "dim=64", "pos=0:64")


class VerifyFiles(unittest.TestCase):
    """Files that posencd compute wrote, and what posencd verify says of them."""

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.compute("right.safetensors")
        cls.compute("cos.npy", "out=cos")
        cls.compute("cos.bin", "out=cos")
        cls.compute("random.npy", "out=cos", "base=1.5")

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    @classmethod
    def compute(cls, name, *words):
        done = run("compute", "rope", *CLAIM[1:], *words, "-o", str(cls.folder / name))
        assert done.returncode == 0, done.stderr

    def verify(self, *arguments, code=0, stdin=None, env=None):
        """The lines that verify prints about these files of the folder."""
        words = [word if word == "-" or word.startswith("-") or "=" in word
                 else str(self.folder / word) for word in arguments]
        done = run("verify", *words, stdin=stdin, env=env)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return (done.stdout if code < 2 else done.stderr).decode().splitlines()

    def test_what_is_right_ends_with_0(self):
        lines = self.verify("right.safetensors", *CLAIM)
        self.assertEqual(lines[0], "%s: exact" % (self.folder / "right.safetensors"))
        self.assertEqual(lines[1].split()[:3], ["cos", "f32", "64x32"])

    def test_what_is_wrong_ends_with_1(self):
        lines = self.verify("random.npy:cos", *CLAIM, code=1)
        self.assertRegex(lines[0], ": (mistake|unexplained)")
        self.assertIn("right:  posencd compute rope dim=64 out=cos pos=0:64 -o right.safetensors",
                      "\n".join(lines))

    def test_one_tensor_of_a_file_is_picked_by_its_name(self):
        lines = self.verify("right.safetensors:sin", *CLAIM)
        self.assertEqual(lines[1].split()[:3], ["sin", "f32", "64x32"])
        lines = self.verify("right.safetensors:tan", *CLAIM, code=65)
        self.assertTrue(lines[0].endswith("has no tensor tan; it has cos, sin"), lines)

    def test_a_file_without_names_gets_one_after_a_colon_or_by_a_word(self):
        self.verify("cos.npy:cos", *CLAIM)
        self.verify("cos.npy", "tensor=cos", *CLAIM)
        self.verify("cos.bin", "tensor=cos", "in_dtype=f32", "shape=64,32", *CLAIM)
        self.verify("cos.bin:cos", "in_dtype=f32", "shape=64,32", *CLAIM)

    def test_json_has_its_own_claim(self):
        path = self.folder / "inv_freq.json"
        path.write_text(json.dumps({"claim": "encoding=rope&dim=4", "tensors": [
            {"name": "inv_freq", "data": [1, 0.01]}]}))
        self.verify("inv_freq.json")
        self.verify("inv_freq.json", "dim=4", code=64)
        path.write_text('{"tensors": 1}')
        self.verify("inv_freq.json", code=65)
        path.write_text('{"tensors": ')
        self.verify("inv_freq.json", code=65)

    def test_the_standard_input_is_a_file_too(self):
        data = (self.folder / "right.safetensors").read_bytes()
        self.assertEqual(self.verify("-", *CLAIM, stdin=data)[0], "-: exact")
        self.assertEqual(len(self.verify("-:sin", *CLAIM, stdin=data)), 3)

    def test_several_files_have_a_verdict_each_and_end_with_the_worst_code(self):
        lines = self.verify("right.safetensors:cos", "random.npy:cos", *CLAIM, code=1)
        heads = [line for line in lines if line.startswith(str(self.folder))]
        self.assertEqual(len(heads), 2)
        self.assertTrue(heads[0].endswith(": exact"))
        self.verify("right.safetensors", "none.npy", *CLAIM, code=66)

    def test_the_exit_code_says_what_is_wrong_with_the_call(self):
        (self.folder / "text.npy").write_text("no tensors")
        (self.folder / "cut.npy").write_bytes((self.folder / "cos.npy").read_bytes()[:200])
        self.verify("text.npy", *CLAIM, code=65)
        self.verify("cut.npy:cos", *CLAIM, code=65)
        self.verify("none.npy", *CLAIM, code=66)
        self.verify("right.safetensors", *CLAIM, "dmi=4", code=64)
        self.verify("right.safetensors", *CLAIM, "out=cos", code=64)
        self.verify("right.safetensors", *CLAIM, "--jsn", code=64)
        self.verify("right.safetensors", *CLAIM, *["a%d=1" % i for i in range(32)], code=64)
        self.verify(*CLAIM, code=64)

    def test_json_is_one_object_a_line(self):
        lines = self.verify("right.safetensors", "cos.npy:cos", *CLAIM, "--json")
        self.assertEqual([json.loads(line)["verdict"] for line in lines], ["exact", "exact"])
        answer = json.loads(lines[0])
        self.assertEqual(answer["url"], "/v1/rope?dim=64&pos=0:64")
        self.assertEqual(answer["claim"]["encoding"], "rope")

    def on_terminal(self, **env):
        """What verify prints on a terminal."""
        ours, its = os.openpty()
        try:
            subprocess.run([binary(), "verify", str(self.folder / "right.safetensors"), *CLAIM],
                           stdout=its, env=child_environment(env), check=True, timeout=PATIENCE)
            return os.read(ours, 65536)
        finally:
            os.close(ours)
            os.close(its)

    def test_colours_are_for_terminals_unless_no_color_is_set(self):
        self.assertIn(b"\033[32mexact\033[0m", self.on_terminal(NO_COLOR=""))
        self.assertNotIn(b"\033", self.on_terminal(NO_COLOR="1"))
        self.assertNotIn("\033", "".join(self.verify("right.safetensors", *CLAIM)))


if __name__ == "__main__":
    unittest.main()
