# SPDX-License-Identifier: Apache-2.0
"""test_verify_cli.py - `posencd verify`: its files, its words and its exit codes."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest
from xml.dom import minidom

import numpy as np

from support.posencd import PATIENCE, binary, child_environment, is_sanitized, run
from support.tensor_file import npy, read_npy, safetensors

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
        table = np.load(cls.folder / "cos.npy")
        table[17, 3] = np.nan
        np.save(cls.folder / "spoiled.npy", table)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    @classmethod
    def compute(cls, name, *words):
        given = [word.split("=")[0] for word in words]
        claim = [word for word in CLAIM[1:] if word.split("=")[0] not in given]
        done = run("compute", "rope", *claim, *words, "-o", str(cls.folder / name))
        assert done.returncode == 0, done.stderr

    def verify(self, *arguments, code=0, stdin=None, env=None):
        """The lines that verify prints about these files of the folder."""
        words = [word if word == "-" or word.startswith("-") or "=" in word.split(":")[0]
                 or word.startswith("/") else str(self.folder / word) for word in arguments]
        done = run("verify", *words, stdin=stdin, env=env)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return (done.stdout if code < 64 else done.stderr).decode().splitlines()

    def test_what_is_right_ends_with_0(self):
        lines = self.verify("right.safetensors", *CLAIM)
        self.assertEqual(lines[0], "%s: exact" % (self.folder / "right.safetensors"))
        self.assertEqual(lines[1].split()[:3], ["cos", "f32", "64x32"])

    def test_a_mistake_ends_with_1_and_what_nothing_explains_with_2(self):
        lines = self.verify("random.npy:cos", *CLAIM, code=1)
        self.assertRegex(lines[0], ": mistake: base")
        self.assertEqual(self.verify("spoiled.npy:cos", *CLAIM, code=2)[0].split(": ")[1],
                         "unexplained")
        self.verify("random.npy:cos", "spoiled.npy:cos", *CLAIM, code=1)
        lines = self.verify("random.npy:cos", *CLAIM, code=1)
        self.assertIn("right:  posencd compute rope dim=64 out=cos pos=0:64 -o right.safetensors",
                      "\n".join(lines))

    def test_what_is_close_ends_with_0_where_the_tolerance_holds_and_else_with_2(self):
        cos = read_npy((self.folder / "cos.npy").read_bytes())
        noise = np.random.default_rng(5).uniform(-1e-4, 1e-4, cos.shape)
        (self.folder / "noisy.npy").write_bytes(npy((cos + noise).astype("<f4")))
        lines = self.verify("noisy.npy:cos", *CLAIM, code=2)
        self.assertTrue(lines[0].endswith(": close"), lines)
        self.assertIn("is right to 3 digits", lines[2])
        self.verify("noisy.npy:cos", *CLAIM, "atol=2e-4")
        self.verify("noisy.npy:cos", *CLAIM, "atol=5e-5", code=2)
        self.verify("noisy.npy:cos", *CLAIM, "rtol=2e-4", code=2)
        self.verify("noisy.npy:cos", *CLAIM, "atol=1e-4", "rtol=1e-4")
        self.verify("random.npy:cos", "noisy.npy:cos", *CLAIM, code=1)
        self.verify("noisy.npy:cos", "random.npy:cos", *CLAIM, code=1)
        self.verify("noisy.npy:cos", "right.safetensors", *CLAIM, code=2)
        self.verify("noisy.npy:cos", "none.npy", *CLAIM, code=66)

    def test_a_bias_longer_than_the_memory_is_judged(self):
        """A file of 8 MiB, where the process may have 6 MiB of memory of its own. A sanitizer's memory
        has no such limit: there the verdicts are compared alone."""
        most = resource.RLIM_INFINITY if is_sanitized() else 6 << 20
        slopes, query, key = 2.0 ** -np.array([4.0, 8.0]), np.arange(16384)[:, None], np.arange(64)
        free = np.stack([-slope * np.abs(query - key) for slope in slopes]).astype("<f4")
        causal = np.where(key <= query, free, np.float32(-np.inf))

        def verdict(name, content):
            path = self.folder / name
            path.write_bytes(content)
            done = subprocess.run(
                [binary(), "verify", "%s:bias" % path, "encoding=alibi", "heads=2", "causal=1",
                 "q=0:16384", "k=0:64", "--json"],
                capture_output=True, timeout=PATIENCE, env=child_environment(), check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)))
            path.unlink()
            answer = json.loads(done.stdout)
            return answer.get("verdict", answer)
        for name, write in (("bias.npy", npy), ("bias.safetensors", lambda bias: safetensors(
                {"bias": bias}))):
            self.assertEqual((name, verdict(name, write(causal))), (name, "exact"))
            self.assertEqual((name, verdict(name, write(free))), (name, "mistake"))

    def test_one_tensor_of_a_file_is_picked_by_its_name(self):
        lines = self.verify("right.safetensors:sin", *CLAIM)
        self.assertEqual(lines[1].split()[:3], ["sin", "f32", "64x32"])
        lines = self.verify("right.safetensors:tan", *CLAIM, code=65)
        self.assertTrue(lines[0].endswith("has no tensor tan; it has cos, sin"), lines)

    def test_a_config_is_a_claim(self):
        path = self.folder / "config.json"
        path.write_text(json.dumps({"model_type": "llama", "hidden_size": 128,
                                    "num_attention_heads": 2, "rope_theta": 10000.0}))
        self.verify("right.safetensors", "--config", str(path))
        path.write_text(json.dumps({
            "model_type": "llava", "image_grid_pinpoints": [[336, 672]] * 3000,
            "text_config": {"model_type": "llama", "head_dim": 64, "rope_theta": 10000.0}}))
        self.assertGreater(path.stat().st_size, 20000)
        self.verify("right.safetensors", "--config", str(path))
        path.write_text("{")
        self.verify("right.safetensors", "--config", str(path), code=64)
        path.unlink()
        self.verify("right.safetensors", "--config", str(path), code=66)

    def test_a_file_of_no_format_says_what_it_is(self):
        path = self.folder / "file"
        for content, says in ((b"", "is empty"), (b"\x1f\x8b\x08", "is compressed by gzip: expand it first"),
                              (b"\x80\2}q\0.", "is a pickle by itself, as torch.save wrote before PyTorch 1.6: "
                               "save it again by a newer one, or by numpy.savez"),
                              (b"\x7fELF", "has no tensors: it is neither npy, npz, safetensors, GGUF, "
                               "torch.save's, JSON nor CSV; raw bytes need in_dtype= and shape=")):
            path.write_bytes(content)
            self.assertEqual(self.verify(str(path), code=65), ["posencd: %s %s" % (path, says)])
        path.unlink()

    def test_a_folder_has_any_number_of_files(self):
        with tempfile.TemporaryDirectory() as kept:
            lines = self.verify(kept, *CLAIM, code=65)
            self.assertEqual(lines, ["posencd: %s has no files of tensors: .npz, .npy, "
                                     ".safetensors, .pt, .pth, .csv or .gguf" % kept])
            right = (self.folder / "right.safetensors").read_bytes()
            for i in range(260):
                (pathlib.Path(kept) / ("%d.safetensors" % i)).write_bytes(right)
            lines = self.verify(kept, *CLAIM)
            self.assertEqual(sum(line.endswith(": exact") for line in lines), 260)

    def test_a_folder_is_its_files(self):
        with tempfile.TemporaryDirectory() as kept:
            folder = pathlib.Path(kept)
            self.verify(kept, *CLAIM, code=65)
            for name in ("cos.npy", "right.safetensors"):
                (folder / name).write_bytes((self.folder / name).read_bytes())
            (folder / "notes.txt").write_text("not a table")
            (folder / "tokenizer.json").write_text('{"words": ["a", "b"]}')
            lines = self.verify(kept, *CLAIM)
            self.assertEqual([line for line in lines if line.endswith(": exact")],
                             ["%s/cos.npy:cos: exact" % kept,
                              "%s/right.safetensors: exact" % kept])
            (folder / "config.json").write_text(json.dumps(
                {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1,
                 "rope_theta": 10000.0}))
            self.verify(kept, "pos=0:64")
            (folder / "sin.npy").write_bytes((self.folder / "random.npy").read_bytes())
            self.verify(kept, code=2)

    def test_text_is_a_file_too(self):
        (self.folder / "inv_freq.csv").write_text("inv_freq\n1\n0.01\n")
        self.verify("inv_freq.csv", "encoding=rope", "dim=4")
        (self.folder / "list.json").write_text("[1, 0.01]")
        self.verify("list.json:inv_freq", "encoding=rope", "dim=4")
        (self.folder / "list.csv").write_text("1\nx\n")
        lines = self.verify("list.csv", "encoding=rope", "dim=4", code=65)
        self.assertIn("line 2 must have numbers", lines[0])

    def test_a_role_stands_behind_the_name_of_the_tensor(self):
        self.verify("random.npy:cos=cos", *CLAIM, code=1)
        self.verify("right.safetensors:cos=cos", *CLAIM)
        self.verify("right.safetensors:cos=sin", *CLAIM, code=1)
        self.verify("right.safetensors", "role.cos=cos", *CLAIM)
        self.verify("right.safetensors:cos=tan", *CLAIM, code=64)

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

    def test_an_error_is_a_line_of_json_too(self):
        def error(*words, code):
            path = str(self.folder / words[0]) if words else None
            done = run("verify", *([path] if path else []), *words[1:], *CLAIM, "--json")
            self.assertEqual(done.returncode, code)
            answer = json.loads(done.stdout)
            self.assertIsNone(answer["verdict"])
            self.assertEqual((answer["error"]["exit"], answer["error"].get("file")), (code, path))
            self.assertTrue(done.stderr.startswith(b"posencd: "), done.stderr)
            return answer["error"]["problems"]
        self.assertEqual(error("cos.npy", "tensor=cos", "dmi=4", code=64),
                         [{"parameter": "dmi", "detail": "unknown parameter of rope",
                           "hint": "did you mean dim?"}])
        self.assertIn("No such file", error("none.npy", code=66)[0]["detail"])
        error("right.safetensors:tan", code=65)
        error(code=64)
        done = run("verify", "--json", "--github", *CLAIM, str(self.folder / "cos.npy:cos"))
        self.assertEqual(done.returncode, 64)
        self.assertIn("both write to the standard output", json.loads(done.stdout)["error"][
            "problems"][0]["detail"])
        done = run("verify", "--json", "--nosuch", *CLAIM, str(self.folder / "cos.npy:cos"))
        self.assertEqual((done.returncode, json.loads(done.stdout)["error"]["exit"]), (64, 64))

    def test_junit_has_a_case_for_each_file(self):
        path = self.folder / "verify.xml"
        self.verify("right.safetensors", "random.npy:cos", "none.npy", *CLAIM,
                    "--junit=%s" % path, code=66)
        suite = minidom.parse(str(path)).documentElement
        self.assertEqual([suite.getAttribute(name) for name in ("tests", "failures", "errors")],
                         ["3", "1", "1"])
        cases = suite.getElementsByTagName("testcase")
        self.assertEqual([case.getAttribute("name") for case in cases], [
            str(self.folder / name) for name in ("right.safetensors", "random.npy:cos", "none.npy")])
        failure = cases[1].getElementsByTagName("failure")[0]
        self.assertEqual((failure.getAttribute("type"), failure.getAttribute("message")), (
            "mistake", "cos: the frequencies have base 1.5 where 10000 is right"))
        self.verify("cos.npy:cos", *CLAIM, "--junit=/no/such/verify.xml", code=70)

    def test_a_file_is_compared_with_another_and_explained_by_what_that_one_is(self):
        other = "--against=%s" % (self.folder / "right.safetensors")
        lines = self.verify("right.safetensors", other)
        self.assertEqual(lines[:4], [
            "%s against %s (exact: rope dim=64 pos=0:64)" % ((str(
                self.folder / "right.safetensors"),) * 2),
            "  cos  f32 64x32  equal", "  sin  f32 64x32  equal",
            "%s: exact" % (self.folder / "right.safetensors")])
        lines = self.verify("random.npy:cos", other, code=1)
        self.assertEqual(lines[1:3], ["  cos  f32 64x32  1953 of 2048 elements differ, first [1,1], "
                                      "worst 2 at [%s]" % lines[1].split("[")[-1][:-1],
                                      "  sin  only in the other file"])
        self.assertIn("  the frequencies have base 1.5 where 10000 is right", lines)
        answer = json.loads(self.verify("random.npy:cos", other, "--json", code=1)[0])
        self.assertEqual((answer["verdict"], answer["mistakes"][0]["mistake"]), ("mistake", "base"))
        self.assertEqual([pair["is"] for pair in answer["against"]["tensors"]],
                         ["differs", "only-there"])
        self.verify("cos.npy:cos", other + ".none", code=66)
        self.compute("short.safetensors", "pos=0:8", "base=500")
        self.assertIn("another shape", self.verify("short.safetensors", other, code=1)[1])

    def test_a_mask_is_compared_by_the_keys_that_it_hides(self):
        seen = np.tril(np.ones((16, 16), bool))
        for name, mask in (("finite", np.where(seen, 0, -1e9).astype("<f4")), ("truth", seen),
                           ("inf", np.where(seen, 0, -np.inf).astype("<f4"))):
            np.savez(self.folder / (name + ".npz"), attention_mask=mask)
        for one, other, says in (
                ("inf", "finite", "f32 16x16  hides the same keys, by -inf where the other has -1e+09"),
                ("truth", "finite", "bool 16x16 against f32 16x16  hides the same keys, by truth "
                 "values where the other has -1e+09"),
                ("finite", "truth", "f32 16x16 against bool 16x16  hides the same keys, by -1e+09 "
                 "where the other has truth values")):
            lines = self.verify(one + ".npz", "--against=%s/%s.npz" % (self.folder, other))
            self.assertEqual(lines[1:3], ["  attention_mask  " + says,
                                          "%s/%s.npz: exact" % (self.folder, one)])
        answer = json.loads(self.verify("inf.npz", "--against=%s/finite.npz" % self.folder,
                                        "--json")[0])
        self.assertEqual(answer["against"]["tensors"],
                         [{"name": "attention_mask", "is": "hides-the-same"}])

    def test_what_nothing_is_known_of_is_compared_alone(self):
        other = "--against=%s" % (self.folder / "spoiled.npy:cos")
        lines = self.verify("spoiled.npy:cos", other, *CLAIM)
        self.assertIn("(unexplained: cos has NaN or infinity", lines[0])
        self.assertEqual(lines[1], "  cos  f32 64x32  equal")
        self.assertIn("no cause is named", lines[2])
        self.verify("cos.npy:cos", other, *CLAIM, code=2)
        answer = json.loads(self.verify("cos.npy:cos", other, *CLAIM, "--json", code=2)[0])
        self.assertEqual((answer["verdict"], answer["says"]), ("unexplained",
                                                               "the tensors differ"))
        self.assertEqual(answer["against"]["tensors"], [
            {"name": "cos", "is": "differs", "differs": 1, "of": 2048, "first": [17, 3],
             "max_abs": "Infinity", "max_abs_at": [17, 3]}])

    def test_what_is_compared_alone_has_a_case_an_annotation_and_a_panel(self):
        rng = np.random.default_rng(3)
        for name in ("a.npy", "b.npy"):
            np.save(self.folder / name, rng.standard_normal((8, 16)).astype("<f4"))
        other = "--against=%s" % (self.folder / "a.npy")
        junit, diff = self.folder / "pairs.xml", self.folder / "pairs.svg"
        files = ("--junit=%s" % junit, "--diff=%s" % diff)
        claim = ("encoding=rope", "dim=16", "tensor=cos")
        lines = self.verify("b.npy", other, *claim, *files, "--github", code=2)
        self.assertTrue(lines[-1].startswith(
            "::warning file=%s/b.npy,title=posencd verify::unexplained: the tensors differ%%0A"
            % self.folder), lines)
        suite = minidom.parse(str(junit)).documentElement
        self.assertEqual([suite.getAttribute(name) for name in ("tests", "failures")], ["1", "1"])
        failure = suite.getElementsByTagName("failure")[0]
        self.assertEqual(failure.getAttribute("message"), "the tensors differ")
        self.assertIn("128 of 128 elements differ", failure.firstChild.data)
        picture = diff.read_text()
        self.assertIn("128 of 128 elements differ, by ", picture)
        self.assertEqual((picture.count("by row"), picture.count("by column")), (1, 1))
        self.assertGreater(picture.count("<rect"), 8)
        lines = self.verify("a.npy", other, *claim, *files, "--github")
        self.assertEqual([line for line in lines if line.startswith("::")], [])
        suite = minidom.parse(str(junit)).documentElement
        self.assertEqual([suite.getAttribute(name) for name in ("tests", "failures")], ["1", "0"])
        self.assertIn("No tensor of the claim&#39;s shape is wrong.", diff.read_text())

    def test_a_file_is_named_within_one_line_that_is_no_command(self):
        with tempfile.TemporaryDirectory() as kept:
            folder = pathlib.Path(kept)
            for name in ("x\n::error::pw.npy", "::error::pw.npy"):
                (folder / name).write_bytes((self.folder / "cos.npy").read_bytes())
                for words, code in (("tensor=cos", 0), ("tensor=cos --against=none", 66),
                                    ("dmi=1", 64), ("tensor=cos --against=" + name, 0)):
                    done = subprocess.run(
                        [binary(), "verify", name, *CLAIM, *words.split(" ", 1), "--github"],
                        cwd=kept, capture_output=True, text=True, check=False, timeout=PATIENCE)
                    self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
                    commands = [line for line in (done.stdout + done.stderr).splitlines()
                                if line.strip().startswith("::")]
                    self.assertEqual(len(commands), code > 2, commands)
                    self.assertFalse([one for one in commands if "title=posencd" not in one])

    def test_an_output_that_overwrites_what_is_read_is_refused(self):
        right = self.folder / "right.safetensors"
        before = right.read_bytes()
        (self.folder / "link.safetensors").symlink_to(right)
        (self.folder / "config.json").write_text("{}")
        sentence = "posencd: %s is read and would be overwritten; name another file"
        for option in ("--junit=", "--diff="):
            for words, path in (
                    (("right.safetensors:cos",), right), (("right.safetensors",), "%s/./right.safetensors"
                                                          % self.folder),
                    (("link.safetensors",), right), ((str(self.folder),), self.folder / "cos.npy"),
                    ((str(self.folder),), self.folder / "config.json"),
                    (("cos.npy:cos", "--against=%s" % right), right),
                    (("cos.npy:cos", "--config=%s/config.json" % self.folder),
                     self.folder / "config.json")):
                lines = self.verify(*words, *CLAIM, option + str(path), code=64)
                self.assertEqual(lines[-1], sentence % path)
        self.assertEqual(right.read_bytes(), before)
        (self.folder / "config.json").unlink()
        (self.folder / "link.safetensors").unlink()
        new = self.folder / "new.xml"
        lines = self.verify("right.safetensors", *CLAIM, "--junit=%s" % new,
                            "--diff=%s/./new.xml" % self.folder, code=64)
        self.assertEqual(lines, ["posencd: --junit and --diff both write %s; name two files" % new])
        self.assertFalse(new.exists())
        self.verify("right.safetensors", *CLAIM, "--junit=/dev/null", "--diff=/dev/null")

    def test_a_picture_says_so_where_nothing_was_compared(self):
        path = self.folder / "none.svg"
        self.verify("none.npy", *CLAIM, "--diff=%s" % path, code=66)
        self.assertIn("No tensor was compared with right numbers.", path.read_text())

    def test_github_gets_an_annotation_of_what_is_not_right(self):
        lines = self.verify("right.safetensors", "random.npy:cos", "spoiled.npy:cos", *CLAIM,
                            "--github", code=1)
        notes = [line for line in lines if line.startswith("::")]
        self.assertEqual(len(notes), 2)
        self.assertTrue(notes[0].startswith(
            "::error file=%s/random.npy%%3Acos,title=posencd verify::mistake: cos: the frequencies "
            "have base 1.5 where 10000 is right%%0A" % self.folder), notes[0])
        self.assertTrue(notes[1].startswith("::warning file="), notes[1])

    def test_diff_is_a_picture_of_what_is_not_right(self):
        path = self.folder / "diff.svg"
        self.verify("right.safetensors", "random.npy:cos", *CLAIM, "--diff=%s" % path, code=1)
        texts = [node.firstChild.data for node in
                 minidom.parse(str(path)).getElementsByTagName("text")]
        self.assertIn("%s/random.npy:cos: cos" % self.folder, texts)
        self.assertEqual((texts.count("by row"), texts.count("by pair")), (1, 1))
        self.verify("right.safetensors", *CLAIM, "--diff=%s" % path)
        self.assertIn("No tensor of the claim&#39;s shape is wrong.", path.read_text())

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
