# SPDX-License-Identifier: Apache-2.0
"""test_action.py - deploy/action/action.yml as a runner of GitHub would do it: its inputs are those that its
steps read, and its steps of shell are run, as the runner runs bash."""

import os
import pathlib
import re
import stat
import subprocess
import tempfile
import unittest
from xml.dom import minidom

import yaml

from support.posencd import ROOT, binary, run

ACTION = os.path.join(ROOT, "deploy", "action")
INPUT = re.compile(r"^\$\{\{ inputs\.([a-z]+) \}\}$")


class Action(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(ACTION, "action.yml"), encoding="utf-8") as file:
            cls.action = yaml.safe_load(file)
        cls.steps = {step["id"]: step for step in cls.action["runs"]["steps"]}

    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        (self.folder / "bin").mkdir()
        for name in ("output", "path"):
            (self.folder / name).touch()

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def step(self, name, path, **inputs):
        """Runs a step with the values of its inputs; the others have their defaults."""
        step = self.steps[name]
        values = {key: inputs.pop(key, one.get("default")) for key, one in self.action["inputs"].items()}
        self.assertEqual(inputs, {})
        environment = {name: values[INPUT.match(text)[1]] for name, text in step.get("env", {}).items()}
        script = self.folder / "script.sh"
        script.write_text(step["run"])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=self.folder,
            capture_output=True, text=True, check=False,
            env={**environment, "PATH": path, "GITHUB_ACTION_PATH": ACTION,
                 "GITHUB_OUTPUT": str(self.folder / "output"), "GITHUB_PATH": str(self.folder / "path")})

    def verify(self, **inputs):
        self.program("posencd", 'exec %s "$@"\n' % binary())
        return self.step("verify", "%s:%s" % (self.folder / "bin", os.environ["PATH"]), **inputs)

    def compute(self, name, *words):
        done = run("compute", "rope", "dim=64", "pos=0:64", *words, "-o", str(self.folder / name))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_input_is_read_by_a_step_and_no_script_has_an_expression(self):
        read = {INPUT.match(text)[1] for step in self.steps.values()
                for text in step.get("env", {}).values()}
        self.assertEqual(read, set(self.action["inputs"]))
        self.assertEqual(self.action["runs"]["using"], "composite")
        for step in self.steps.values():
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"])  # a value would be a part of the program
        self.assertEqual(self.action["outputs"]["exit-code"]["value"],
                         "${{ steps.verify.outputs.exit-code }}")

    def test_right_files_pass(self):
        self.compute("a one.safetensors")
        self.compute("b.safetensors")
        done = self.verify(files="*.safetensors\n", claim="encoding=rope dim=64 pos=0:64")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line for line in done.stdout.splitlines() if line.endswith(": exact")],
                         ["a one.safetensors: exact", "b.safetensors: exact"])
        self.assertEqual((self.folder / "output").read_text(), "exit-code=0\n")

    def test_a_mistake_fails_with_an_annotation_a_report_and_a_picture(self):
        self.compute("a.safetensors", "base=500")
        done = self.verify(files="a.safetensors", claim="encoding=rope dim=64 pos=0:64", junit="j.xml")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("\n::error file=a.safetensors,title=posencd verify::mistake: cos and sin: the "
                      "frequencies have base 500 where 10000 is right", done.stdout)
        self.assertEqual((self.folder / "output").read_text(), "exit-code=1\n")
        self.assertEqual(minidom.parse(str(self.folder / "j.xml")).documentElement.getAttribute(
            "failures"), "1")
        self.assertIn("a.safetensors: cos", (self.folder / "posencd-verify.svg").read_text())

    def test_a_file_is_compared_with_another(self):
        self.compute("a.safetensors", "base=500")
        self.compute("b.safetensors")
        done = self.verify(files="a.safetensors", against="b.safetensors")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a.safetensors against b.safetensors", done.stdout)

    def test_a_file_that_is_not_there_is_an_error(self):
        done = self.verify(files="none*.npz", claim="encoding=rope dim=64 pos=0:64")
        self.assertEqual(done.returncode, 66)
        self.assertIn("::error file=none*.npz,", done.stdout)
        self.assertEqual((self.folder / "output").read_text(), "exit-code=66\n")

    def test_a_claim_may_have_several_lines(self):
        self.compute("a.safetensors", "base=500")
        done = self.verify(files="a.safetensors", claim="encoding=rope dim=64\n\npos=0:64\n  base=500\n")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "a.safetensors: exact"),
                         done.stderr)

    def test_words_are_no_commands(self):
        self.compute("a.safetensors")
        done = self.verify(files="a.safetensors\n$(touch made)", claim="encoding=rope;touch made")
        self.assertEqual(done.returncode, 64)
        self.assertFalse((self.folder / "made").exists())

    def built(self):
        for name in ("make", "sudo"):
            self.program(name, 'echo "%s $*" >>%s\n' % (name, self.folder / "built"))
        for name in ("realpath", "nproc"):
            self.program(name, '%s "$@"\n' % ("/usr/bin/" + name))
        (self.folder / "bin" / "bash").symlink_to("/bin/bash")
        done = self.step("program", str(self.folder / "bin"))
        self.assertEqual(done.returncode, 0, done.stderr)
        built = self.folder / "built"
        return built.read_text().splitlines() if built.exists() else []

    def test_the_program_is_built_from_the_source_of_the_action(self):
        self.assertEqual(self.built(), ["sudo make -C %s deps" % ROOT,
                                        "make -C %s -j%d server" % (ROOT, len(os.sched_getaffinity(0)))])
        self.assertEqual((self.folder / "path").read_text(), "%s/build\n" % ROOT)

    def test_a_program_that_is_there_is_not_built(self):
        self.program("posencd", "")
        self.assertEqual(self.built(), [])


if __name__ == "__main__":
    unittest.main()
