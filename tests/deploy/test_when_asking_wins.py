# SPDX-License-Identifier: Apache-2.0
"""docs/when-asking-wins.md has the words and rows of tests/bench/asking.md, whatever its figures
are."""

import os
import sys
import unittest

from support.measured_page import ROOT, read

sys.path.append(os.path.join(ROOT, "tests", "bench"))
import asking  # noqa: E402, found by the line above
from asking_page import PAGE, cell, figures_of, is_less, runs  # noqa: E402, found by the line above
from contest import Result  # noqa: E402, found by the line above


def measured(ways):
    """A result in which each way takes its own time."""
    result = Result("ms", 1e-3)
    for way in asking.WAYS:
        for size in asking.SIZES:
            result.values["%s %s" % (way, size.name)] = [ways.get(way, 1)] * 3
    result.values |= {"wire get": [1e-5], "wire unix": [2e-5]}
    return result


class WhenAskingWins(unittest.TestCase):
    def test_the_document_is_in_step_with_its_template_and_rows(self):
        self.assertTrue(PAGE.is_in_step(read(PAGE.document)), "run `make bench-full ONLY=asking`")

    def test_other_figures_are_in_step_and_other_words_and_rows_are_not(self):
        text = read(PAGE.document)
        row = next(line for line in text.split("\n") if line.startswith("| 1,024 |"))
        self.assertTrue(PAGE.is_in_step(text.replace(row.split(" | ")[1], "1.00 ms (1.00 .. 1.00)")))
        for other in (text.replace(row + "\n", ""), text.replace(row, row + "\n" + row),
                      text.replace("# When asking wins", "# Asking wins"), text + "\n"):
            self.assertFalse(PAGE.is_in_step(other))

    def test_every_figure_of_a_measurement_is_shown(self):
        text = PAGE.filled(figures_of(measured({})))
        self.assertTrue(PAGE.is_in_step(text))

    def test_one_turn_may_be_slower_and_two_are_noise(self):
        self.assertTrue(is_less([1, 1, 9, 1], [2, 2, 2, 2]))
        self.assertFalse(is_less([1, 9, 9, 1], [2, 2, 2, 2]))

    def test_asking_wins_where_it_takes_less_time(self):
        figures = figures_of(measured({"get": 0.5, "library": 0.1}))
        self.assertEqual(figures["wins.module.get"], "1 to 131,072, 1 GiB of bias")
        self.assertEqual(figures["wins.library.get"], "nowhere")
        self.assertEqual(figures["wins.numpy.unix"], "nowhere")

    def test_sizes_are_ranges_of_those_measured(self):
        sizes = asking.SIZES
        self.assertEqual(runs(sizes[1:4] + sizes[6:7]), "16 to 512, 16,384")

    def test_a_cell_has_three_digits_in_the_unit_of_its_median(self):
        self.assertEqual(cell([0.000999, 0.001, 0.0123]), "1.00 ms (1.00 .. 12.3)")
        self.assertEqual(cell([9e-7, 1.234e-5, 2e-5]), "12.3 µs (0.90 .. 20.0)")
        self.assertEqual(cell([2.5, 2.5, 300]), "2.50 s (2.50 .. 300)")

    def test_readme_leads_to_it(self):
        self.assertIn("(docs/when-asking-wins.md)", read("README.md"))
