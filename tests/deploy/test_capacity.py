# SPDX-License-Identifier: Apache-2.0
"""deploy/CAPACITY.md has the words and rows of tests/capacity, whatever its figures are."""

import unittest

from support.measured_page import read

from capacity.document import PAGE
from capacity.kinds import ROWS


class Capacity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = read(PAGE.document)

    def test_the_document_is_in_step_with_its_template_and_rows(self):
        self.assertTrue(PAGE.is_in_step(self.text), "run `make capacity`")

    def test_other_figures_are_in_step_and_other_words_and_rows_are_not(self):
        row = next(line for line in self.text.split("\n") if line.startswith("| " + ROWS[0].text))
        figure = row.split(" | ")[2]
        self.assertTrue(PAGE.is_in_step(self.text.replace(figure, "12.3")))
        for other in (self.text.replace(row + "\n", ""), self.text.replace("# Capacity", "# Size"),
                      self.text + "\n", self.text.replace(row, row + "\n" + row),
                      self.text.replace("60 %", "70 %")):
            self.assertFalse(PAGE.is_in_step(other))

    def test_a_table_that_does_not_exist_and_a_figure_that_nothing_shows_are_refused(self):
        with self.assertRaises(AssertionError):
            PAGE.expanded(read(PAGE.template) + "{{table nothing}}")
        with self.assertRaises(AssertionError):
            PAGE.filled({"nothing": "1"})

    def test_readme_leads_to_it(self):
        self.assertIn("(CAPACITY.md)", read("deploy/README.md"))
