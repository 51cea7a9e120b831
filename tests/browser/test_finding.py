# SPDX-License-Identifier: Apache-2.0
"""test_finding.py - the box that narrows a long document to what has the words typed into it."""

from page_case import PageCase
from selenium.webdriver.common.keys import Keys

HEADS = ("return [...document.querySelectorAll('article h2')].filter((one) => !one.hidden)"
         ".map((one) => one.textContent)")
ROWS = ("return [...document.querySelectorAll('article tbody tr')].filter((one) => "
        "one.offsetParent !== null).map((one) => one.id)")


class Finding(PageCase):

    def find(self, text):
        box = self.driver.find_element("css selector", "article input[type=search]")
        box.send_keys(Keys.CONTROL + "a")
        box.send_keys(text or Keys.DELETE)

    def test_words_leave_the_rows_and_headings_that_have_them(self):
        self.open("/docs/rope")
        everything = self.js(ROWS)
        heads = self.js(HEADS)
        self.find("ntk")
        shown = self.js(ROWS)
        self.assertIn("p-scaling", shown)
        self.assertNotIn("p-dim", shown)
        self.assertLess(len(shown), len(everything) / 4)
        self.assertIn("Parameters", self.js(HEADS))
        self.assertNotIn("Source", self.js(HEADS))
        self.assertRegex(self.text(".narrow .total"), r"^\d+ places with ntk$")
        self.assertGreater(self.js("return CSS.highlights.get('found').size"), 0)
        self.find("")
        self.assertEqual(self.js(ROWS), everything)
        self.assertEqual(self.js(HEADS), heads)

    def test_a_list_of_terms_is_narrowed_with_their_meanings(self):
        self.open("/docs")
        self.find("alibi")
        terms = self.js("return [...document.querySelectorAll('article dt')].filter((one) => "
                        "!one.hidden).map((one) => one.textContent)")
        self.assertIn("alibi", terms)
        self.assertNotIn("sinusoidal", terms)
        self.find("qqqqqq")
        self.assertEqual(self.js(HEADS), [])
        self.assertEqual(self.text(".narrow .total"), "0 places with qqqqqq")
