# SPDX-License-Identifier: Apache-2.0
"""test_golden.py - the golden runner fails when it should: it proves only what it would notice."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

from support.posencd import ROOT, child_environment
from support.suite import ServerCase

RUNNER = os.path.join(ROOT, "tests", "golden", "run.py")
CASES = os.path.join(ROOT, "tests", "golden", "cases")


class Runner(ServerCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-golden-")
        os.mkdir(os.path.join(self.folder.name, "data"))
        with open(os.path.join(CASES, "index.json"), encoding="utf-8") as text:
            self.index = json.load(text)

    def tearDown(self):
        self.folder.cleanup()

    def case(self, name):
        """A case of this repository, its arrays copied, alone in the folder."""
        case = next(case for case in self.index["cases"] if case["id"] == name)
        for output in case["outputs"]:
            for key in ("file", "truth_file"):
                shutil.copy(os.path.join(CASES, output[key]),
                            os.path.join(self.folder.name, output[key]))
        return case

    def change(self, name, position, value):
        path = os.path.join(self.folder.name, name)
        array = np.load(path)
        array[position] = value(array[position])
        np.save(path, array)

    def run_on(self, *cases):
        index = dict(self.index, cases=list(cases), case_count=len(cases))
        with open(os.path.join(self.folder.name, "index.json"), "w", encoding="utf-8") as text:
            json.dump(index, text)
        done = subprocess.run([RUNNER, "--url", self.server.url, self.folder.name], check=False,
                              capture_output=True, env=child_environment())
        lines = done.stdout.decode().splitlines()
        self.assertTrue(lines, done.stderr.decode())
        return done.returncode, lines

    def fails(self, case, *words):
        code, lines = self.run_on(case)
        self.assertEqual((code, lines[-1]), (1, "0 passed, 1 failed"), lines)
        for word in words:
            self.assertTrue(any(word in line for line in lines), (word, lines))

    def test_a_right_case_passes(self):
        code, lines = self.run_on(self.case("rope-glm4-9b"), self.case("alibi-bloom-7b1"))
        self.assertEqual((code, lines), (0, ["2 passed, 0 failed"]))

    def test_a_wrong_truth_is_seen(self):
        case = self.case("rope-llama2-7b")
        self.change(case["outputs"][2]["truth_file"], (3, 5), lambda x: x + 1e-6)
        self.fails(case, "cos", "vs_truth_float32", "vs_truth_float64", "[3, 5]")

    def test_a_wrong_reference_is_seen(self):
        case = self.case("alibi-authors-8")
        self.change(case["outputs"][1]["file"], (7, 3), lambda x: x * (1 + 3e-7))
        self.fails(case, "bias, vs_reference")

    def test_a_wrong_mask_is_seen(self):
        case = self.case("alibi-baichuan-13b")
        for key in ("file", "truth_file"):
            self.change(case["outputs"][0][key], (0, 0, 1), lambda x: -3.4e38)
        self.fails(case, "bias")

    def test_another_bit_of_the_float32_recipe_is_seen(self):
        case = self.case("rope-llama2-7b")
        self.change(case["outputs"][0]["file"], 9, lambda x: np.nextafter(x, np.float32(1)))
        self.fails(case, "f32-pow inv_freq")

    def test_a_missing_exception_is_seen(self):
        case = self.case("rope-mistral-7b-v0.2")
        case["float32_parity"]["inv_freq_mismatch_indices"] = []
        self.fails(case, "f32-pow inv_freq", "37")

    def test_a_parameter_without_counterpart_is_a_failure(self):
        case = self.case("rope-llama2-7b")
        case["params"]["spin"] = 2
        self.fails(case, "Inexpressible", "spin")

    def test_an_input_without_counterpart_is_a_failure(self):
        case = self.case("sinusoidal-marian-d512")
        case["inputs"]["mask"] = [1]
        self.fails(case, "Inexpressible", "mask")

    def test_an_unknown_convention_layout_or_order_is_a_failure(self):
        for name, param in (("alibi-authors-8", "convention"), ("t2t-timing-512", "layout"),
                            ("transformer-xl-relative-d1024", "order"),
                            ("sinusoidal-whisper-tiny", "frequency_spacing")):
            case = self.case(name)
            case["params"][param] = "another"
            self.fails(case, "Inexpressible")

    def test_an_unknown_output_is_a_failure(self):
        case = self.case("rope-llama2-7b")
        case["outputs"][2]["name"] = "tan"
        self.fails(case, "tan")

    def test_a_tolerance_it_does_not_know_is_a_failure(self):
        case = self.case("rope-llama2-7b")
        case["outputs"][0]["tolerance"]["vs_truth_posit32"] = {"rel": 1.0}
        self.fails(case, "vs_truth_posit32")

    def test_another_shape_is_a_failure(self):
        case = self.case("alibi-symmetric-12")
        case["params"]["key_length"] = case["params"]["query_length"] = 9
        self.fails(case, "shape")

    def test_a_method_that_is_not_served_is_named_and_not_counted(self):
        case = self.case("rope-llama2-7b")
        other = dict(case, id="other", method="no_such_method", variant=None)
        code, lines = self.run_on(case, other)
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed"))
        self.assertIn("not served yet: no_such_method (1)", lines)

    def test_a_type_that_nobody_knows_is_a_failure_of_a_method_that_is_served(self):
        case = self.case("rope-llama2-7b")
        code, lines = self.run_on(case, dict(case, id="later", variant="no-such-type"))
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed"))


if __name__ == "__main__":
    unittest.main()
