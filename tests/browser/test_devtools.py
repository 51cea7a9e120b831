# SPDX-License-Identifier: Apache-2.0
"""test_devtools.py - the browser of the walk, where it ends or does not answer."""

import os
import unittest
from unittest import mock

import devtools


class Ending(unittest.TestCase):

    def test_what_is_asked_of_a_browser_that_has_ended_is_told(self):
        browser = devtools.Browser()
        tab = browser.tab()
        browser.process.kill()
        for _ in range(2):
            with self.assertRaisesRegex(RuntimeError, "Chromium has ended"):
                tab.run("new Promise(() => {})")
        browser.close()
        self.assertFalse(os.path.exists(browser.folder))

    def test_a_script_that_never_ends_is_told(self):
        browser = devtools.Browser()
        self.addCleanup(browser.close)
        tab = browser.tab()
        with mock.patch.object(devtools, "PATIENCE", 1):
            with self.assertRaisesRegex(RuntimeError, "Runtime.evaluate: no answer in 1 s"):
                tab.run("new Promise(() => {})")
        self.assertEqual(tab.run("1 + 1"), 2)
        tab.close()
        self.assertEqual(browser.tabs, {})


if __name__ == "__main__":
    unittest.main()
