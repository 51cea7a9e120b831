# SPDX-License-Identifier: Apache-2.0
"""test_page.py - the comparison in a page tells what it cannot import."""

import os
import sys
import tempfile
import unittest

from support.posencd import ROOT

sys.path.insert(0, os.path.join(ROOT, "tests", "browser"))

import chromium  # noqa: E402, found by the line above
import in_page  # noqa: E402


class Import(unittest.TestCase):
    def test_a_package_that_cannot_be_imported_is_told_at_once(self):
        self.addCleanup(setattr, in_page, "SECONDS_MAX", in_page.SECONDS_MAX)
        self.addCleanup(chromium.close)
        in_page.SECONDS_MAX = 20
        for name, text in (("other.js", ""), ("index.js", "throw new Error('no package');")):
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as dist:
                with open(os.path.join(dist, name), "w", encoding="utf-8") as file:
                    file.write(text)
                (said,) = in_page.compare(folder, dist)
                self.assertRegex(said, "no package|dist/index.js")
