# SPDX-License-Identifier: Apache-2.0
"""test_verify_limits.py - what docs/limits.md says that numbers without a claim do not tell: the
encodings that its row names are those whose first example is not found, and `learned` has the
numbers of each."""

import json
import pathlib
import re
import shlex
import tempfile
import unittest

import numpy as np

from support.posencd import run
from support.tensor_file import read_safetensors

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMITS = ROOT / "docs" / "limits.md"
KNOWN = ROOT / "tests" / "verify" / "users" / "known.tsv"


def named():
    """The encodings of the row about numbers of the client's own."""
    row = next(line for line in LIMITS.read_text(encoding="utf-8").splitlines()
               if line.startswith("| which encoding made numbers of the client's own"))
    return re.findall(r"`([a-z0-9-]+)`", row.split("|")[1])


def missed():
    """The encodings of the catalogue whose first example no search finds."""
    rows = [line.split("\t") for line in KNOWN.read_text(encoding="utf-8").splitlines()]
    return [row[0].split("/")[1] for row in rows
            if row[0].startswith("catalogue/") and row[1].split()[0] != "-"]


class Limits(unittest.TestCase):
    def test_the_row_names_the_encodings_that_are_not_found(self):
        self.assertEqual(sorted(set(missed()) - {"nope"}), sorted(named()))

    def test_a_learned_table_has_the_numbers_of_each(self):
        with tempfile.TemporaryDirectory(prefix="posencd-limits-") as folder:
            listed = json.loads(run("encodings", "--json").stdout)["encodings"]
            examples = {one["name"]: one["examples"][0] for one in listed}
            for name in named():
                with self.subTest(name):
                    self.judge(pathlib.Path(folder), examples[name])

    def judge(self, folder, example):
        path, _, query = example.partition("?")
        words = [path[len("/v1/"):]] + [word for word in query.split("&") if word]
        done = run("compute", *words, "-o", str(folder / "made.safetensors"))
        self.assertEqual(done.returncode, 0, done.stderr)
        _, tensors = read_safetensors((folder / "made.safetensors").read_bytes())
        for _, tensor in tensors.values():
            rows = np.atleast_2d(tensor.reshape(-1, tensor.shape[-1])).astype("<f4")
            np.savez(folder / "rows.npz", rows=rows, table=rows)
            done = run("verify", str(folder / "rows.npz"), "encoding=learned",
                       "pos=0:%d" % len(rows))
            self.assertEqual(done.returncode, 0, done)
            self.assertIn(b": exact", done.stdout, shlex.join(words))
