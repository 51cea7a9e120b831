# SPDX-License-Identifier: Apache-2.0
"""deploy/CAPACITY.md has the words and rows of tests/capacity, whatever its figures are."""

import os
import unittest

from support.posencd import ROOT

from capacity import document
from capacity.kinds import ROWS


class Capacity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.template = document.read(document.TEMPLATE)
        cls.text = document.read(document.DOCUMENT)

    def test_the_document_is_in_step_with_its_template_and_rows(self):
        self.assertTrue(document.is_in_step(self.text, self.template), "run `make capacity`")

    def test_other_figures_are_in_step_and_other_words_and_rows_are_not(self):
        row = next(line for line in self.text.split("\n") if line.startswith("| " + ROWS[0].text))
        figure = row.split(" | ")[2]
        self.assertTrue(document.is_in_step(self.text.replace(figure, "12.3"), self.template))
        for other in (self.text.replace(row + "\n", ""), self.text.replace("# Capacity", "# Size"),
                      self.text + "\n", self.text.replace(row, row + "\n" + row),
                      self.text.replace("60 %", "70 %")):
            self.assertFalse(document.is_in_step(other, self.template))

    def test_a_table_that_does_not_exist_and_a_figure_that_nothing_shows_are_refused(self):
        with self.assertRaises(AssertionError):
            document.expanded(self.template + "{{table nothing}}")
        with self.assertRaises(AssertionError):
            document.filled(self.template, {"nothing": "1"})

    def test_readme_leads_to_it(self):
        readme = document.read(os.path.join(ROOT, "deploy", "README.md"))
        self.assertIn("(CAPACITY.md)", readme)
