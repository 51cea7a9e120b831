# SPDX-License-Identifier: Apache-2.0
"""test_search.py - what is found by words, by other names and by names with typing errors; and how
two requests come to be compared."""

from page_case import PageCase
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

FOUND = "return [...document.querySelectorAll('.found a')].map((one) => one.getAttribute('href'))"
WANTED = {  # words, and how an address among the first eight that are found begins
    "ntk": "/explore/rope", "rope_theta": "/explore/rope", "alibbi": "/explore/alibi",
    "verify": "/docs/verify", "interleaved": "/explore/rope",
    "meta-llama/Llama-3.1-8B": "/models/llama-3.1-8b",
    "rotary position embedding": "/explore/rope", "llama 3.1 8b": "/models/llama-3.1-8b",
    "sinusiodal": "/explore/sinusoidal", "disagreements": "/docs/disagreements",
    "degrees": "/docs/verify/degrees", "attention linear biases": "/explore/alibi",
}


class Search(PageCase):

    def search(self, text):
        box = self.driver.find_element("css selector", ".picker input")
        box.send_keys(Keys.CONTROL + "a")
        box.send_keys(text)

    def test_words_find_what_they_name(self):
        self.open("/docs")
        ActionChains(self.driver).send_keys("/").perform()
        self.until("return document.querySelector('.found a')", "the list is there")
        wrong = {}
        for text, address in WANTED.items():
            self.search(text)
            found = self.js(FOUND)[:8]
            if not any(one.startswith(address) for one in found):
                wrong[text] = found
        self.assertEqual(wrong, {})
        self.search("qqqqqqqqq")
        self.assertIn("Nothing has these words", self.text(".picker .remark"))

    def test_arrow_keys_move_among_options_while_the_box_keeps_the_focus(self):
        self.open("/docs")
        ActionChains(self.driver).send_keys("/").perform()
        self.until("return document.querySelector('.found a')", "the list is there")
        self.search("rope")
        active = "const id = document.activeElement.getAttribute('aria-activedescendant');" \
                 "return id && document.getElementById(id).getAttribute('href')"
        box = self.driver.find_element("css selector", ".picker input")
        self.assertIsNone(self.js(active))
        options = self.js(FOUND)
        box.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.js(active), options[0])
        box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
        self.assertEqual(self.js(active), options[1])
        self.assertEqual(self.js("return [...document.querySelectorAll('[aria-selected=true]')].map("
                                 "(one) => one.getAttribute('href'))"), [options[1]])
        self.assertEqual(self.js("return document.activeElement.role"), "combobox")
        self.assertEqual(self.js("return document.getElementById(document.activeElement"
                                 ".getAttribute('aria-controls')).role"), "listbox")
        box.send_keys(Keys.ENTER)
        self.until("return location.pathname !== '/docs'", "the option is open")
        self.drawn()
        self.assertEqual(self.js("return location.pathname"), options[1])

    def test_a_name_of_a_hub_opens_the_model(self):
        self.open("/")
        box = self.driver.find_element("css selector", ".port input")
        box.send_keys("meta-llama/Llama-3.1-8B" + Keys.ENTER)
        self.until("return location.pathname === '/models/llama-3.1-8b'", "the model is open")
        self.until("return document.querySelector('.figures svg.plot')", "its wavelengths")


class LostList(PageCase):

    expected = ("ERR_BLOCKED_BY_CLIENT",)

    def test_a_list_that_cannot_be_had_is_told_and_asked_for_again(self):
        self.open("/docs")
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/v1/models*"]})
        try:
            ActionChains(self.driver).send_keys("/").perform()
            self.until("return document.querySelector('.picker [role=alert]')", "the sentence")
            self.assertIn("could not be had", self.text(".picker"))
        finally:
            self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        self.driver.find_element("css selector", ".picker .remark button").click()
        self.until("return document.querySelector('.found a')", "the list is there")


class Comparing(PageCase):

    def compared(self, path):
        self.open(path)
        self.until("return location.search.includes('vs=')", "two requests are compared")
        self.until("return document.querySelector('.figure .counts')", "the comparison is drawn")
        return self.js("return location.pathname + location.search + location.hash")

    def test_an_address_compares_two_requests_or_two_models(self):
        plain = self.compared("/compare?a=rope?dim=64&pos=0:64&out=cos"
                              "&b=rope?dim=64&pos=0:64&base=500000&out=cos")
        self.assertEqual(plain, "/explore/rope?dim=64&pos=0:64&out=cos"
                                "&vs=rope%3Fdim%3D64%26pos%3D0:64%26base%3D500000%26out%3Dcos")
        escaped = self.compared("/compare?a=rope%3Fdim%3D64%26pos%3D0%3A64%26out%3Dcos"
                                "&b=rope%3Fdim%3D64%26pos%3D0%3A64%26base%3D500000%26out%3Dcos")
        self.assertEqual(escaped, plain)
        sizes = self.compared("/compare?a=alibi&b=t5")
        self.assertTrue(sizes.startswith("/explore/alibi?"), sizes)
        self.open("/compare?a=alibi&b=t5-bias")
        self.until("return document.querySelector('.state.bad a')", "the nearest names are there")
        self.assertEqual(self.text(".state.bad h2"), "No encoding and no model is called t5-bias")
        self.assertIn("t5", self.js("return [...document.querySelectorAll('.state.bad a')].map((one) => one.innerText)"))
        models = self.compared("/compare?a=llama-2-7b&b=meta-llama/Llama-3.1-8B")
        self.assertTrue(models.startswith("/explore/rope?model=llama-2-7b"), models)
        self.assertIn("vs=rope%3Fmodel%3Dllama-3.1-8b", models)

    def test_alibi_against_t5_is_two_clicks(self):
        self.open("/explore/alibi")
        self.driver.find_element("xpath", "//button[text()='Compare with\u2026']").click()
        self.until("return document.querySelector('.found a[href=\"/explore/t5\"]')", "the list")
        self.js("document.querySelector('.found a[href=\"/explore/t5\"]').click()")
        self.until("return location.search.includes('vs=t5')", "B is T5")
        self.drawn()
        self.assertIsNotNone(self.text(".counts"))
        self.assertEqual(len(self.js("return [...document.querySelectorAll('.three canvas')]")), 3)
