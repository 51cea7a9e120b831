# SPDX-License-Identifier: Apache-2.0
"""test_models.py - the list of models: its groups, the words that narrow it, and its order."""

import chromium
from page_case import PageCase
from selenium.webdriver.common.keys import Keys

SHOWN = ("return [...document.querySelectorAll('.group:not([hidden]) tbody tr:not([hidden]) th a')]"
         ".map((one) => one.getAttribute('href'))")
HEIGHT_MOST = 8000  # pixels of the list on a phone; 104,007 when every model was in one table


class Models(PageCase):

    def find(self, text):
        box = self.driver.find_element("css selector", "main input[type=search]")
        box.send_keys(Keys.CONTROL + "a")
        box.send_keys(text)

    def test_the_list_is_short_on_a_phone(self):
        chromium.resize(360, 780, "light")
        self.open("/models")
        self.assertLess(self.js("return document.documentElement.scrollHeight"), HEIGHT_MOST)
        self.assertEqual(self.js("return document.documentElement.scrollWidth"), 360)

    def test_a_family_opens_with_its_models(self):
        self.open("/models")
        self.driver.find_element("xpath", "//summary[b='gemma3']").click()
        self.until("return document.querySelector('.group[open]')", "the family is open")
        self.assertIn("gemma-3-4b-it", self.text(".group[open]"))

    def test_words_narrow_the_list_and_stand_in_the_address(self):
        self.open("/models")
        self.find("meta-llama 70b")
        self.assertEqual(self.js("return location.hash"), "#find=meta-llama%2070b")
        shown = self.js(SHOWN)
        self.assertIn("/models/llama-3.1-70b", shown)
        self.assertTrue(all("70b" in one for one in shown), shown)
        self.assertIn("%d of " % len(shown), self.text(".total"))
        self.driver.refresh()
        self.drawn()
        self.assertEqual(self.js(SHOWN), shown)
        self.find("qqqq")
        self.assertIn("0 of ", self.text(".total"))

    def test_an_order_moves_families_and_models(self):
        self.open("/models#order=context")
        largest = "[...document.querySelectorAll('.group')].map((group) => Math.max(...[...group" \
                  ".querySelectorAll('td:nth-child(3)')].map((one) => Number(one.textContent))))"
        contexts = self.js("return " + largest)
        self.assertEqual(contexts, sorted(contexts, reverse=True))
        self.assertGreater(contexts[0], 1000000)
        rows = self.js("return [...document.querySelector('.group').querySelectorAll('td:nth-child(3)')]"
                       ".map((one) => Number(one.textContent))")
        self.assertEqual(rows, sorted(rows, reverse=True))

    def test_an_order_leaves_open_families_open(self):
        self.open("/models")
        self.driver.find_element("xpath", "//summary[b='gemma3']").click()
        self.driver.find_element("css selector", "main select option[value=layers]").click()
        self.assertEqual(self.js("return location.hash"), "#order=layers")
        self.assertEqual(self.js("return [...document.querySelectorAll('.group[open] b')]"
                                 ".map((one) => one.textContent)"), ["gemma3"])
