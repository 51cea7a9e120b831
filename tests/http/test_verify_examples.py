# SPDX-License-Identifier: Apache-2.0
"""test_verify_examples.py - the examples of verify in proto/examples do what they say: the test for
pytest against a service, and the commands of the job for GitHub Actions."""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

import yaml

from support.posencd import PATIENCE, Posencd, binary

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "proto" / "examples" / "verify"
RUN_TESTS = """
import sys
sys.path.insert(0, sys.argv[1])
import rope_port, test_rope
if len(sys.argv) > 2:
    right = rope_port.inverse_frequencies
    rope_port.inverse_frequencies = lambda: right(factor=4.0)
for name in sorted(vars(test_rope)):
    if name.startswith("test_"):
        getattr(test_rope, name)()
"""


class Examples(unittest.TestCase):
    def run_tests(self, *words):
        """The functions that pytest would call, against a service of this build."""
        with Posencd() as server:
            env = dict(os.environ, POSENCD_URL=server.url, PYTHONDONTWRITEBYTECODE="1")
            return subprocess.run([sys.executable, "-c", RUN_TESTS, str(EXAMPLES), *words],
                                  env=env, capture_output=True, text=True, timeout=PATIENCE)

    def test_the_tests_of_a_right_port_pass(self):
        done = self.run_tests()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_tests_of_a_wrong_port_fail_with_the_repair(self):
        done = self.run_tests("wrong")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("AssertionError", done.stderr)
        self.assertIn("factor: 4 -> 8", done.stderr)

    def test_the_job_of_github_actions_runs(self):
        job = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())["jobs"]["verify"]
        commands = [step["run"] for step in job["steps"] if "run" in step]
        self.assertEqual(len(commands), 2)
        with tempfile.TemporaryDirectory() as folder:
            for command in commands:
                words = shlex.split(command)
                words[0] = {"python3": sys.executable, "posencd": binary()}[words[0]]
                words = [str(EXAMPLES / word) if word.endswith(".py") else word for word in words]
                done = subprocess.run(words, cwd=folder, capture_output=True, text=True,
                                      timeout=PATIENCE)
                self.assertEqual(done.returncode, 0, (command, done.stdout, done.stderr))
