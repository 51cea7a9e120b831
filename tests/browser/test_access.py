# SPDX-License-Identifier: Apache-2.0
"""test_access.py - the pages by keyboard alone, and under the rules of axe (WCAG 2.2 AA)."""

import os

import chromium
from page_case import PageCase, SHOTS
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

AXE = os.path.join(SHOTS, "node_modules", "axe-core", "axe.min.js")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PAGES = ("/", "/verify?port=adjacent", "/learn/rotation", "/learn/order?way=1", "/compare", "/explore/rope?model=llama-3.1-8b&pos=0:64&out=cos",
         "/explore/rope#view=rotation", "/explore/alibi?heads=4&len=32", "/explore/t5",
         "/explore/rope?model=llama-2-7b&out=wavelengths#vs=rope?model=llama-3.1-8b&out=wavelengths",
         "/docs", "/docs/rope", "/docs/openapi", "/models", "/models#find=gemma", "/models/llama-3.1-8b", "/problems/invalid-parameter")


class Axe(PageCase):

    def violations(self):
        with open(AXE, encoding="utf-8") as file:
            self.js(file.read())
        return self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            axe.run(document, { runOnly: arguments[0], resultTypes: ['violations'] }).then((result) =>
                done(result.violations.map((one) => [one.id, one.nodes.slice(0, 4).map((node) =>
                    node.html.slice(0, 160) + ' ' + node.failureSummary.slice(0, 200))])));""", TAGS)

    def test_no_page_breaks_a_rule(self):
        for theme in ("light", "dark"):
            chromium.resize(1440, 1000, theme)
            for page in PAGES:
                with self.subTest(page=page, theme=theme):
                    self.open(page)
                    self.assertEqual(self.violations(), [])

    def test_a_phone_breaks_no_rule(self):
        chromium.resize(360, 780, "light")
        for page in PAGES[:5]:
            with self.subTest(page=page):
                self.open(page)
                self.assertEqual(self.violations(), [])

    def test_the_dialogs_break_no_rule(self):
        self.open("/explore/rope")
        for key, selector in (("/", ".found a"), ("?", ".keys dt")):
            ActionChains(self.driver).send_keys(key).perform()
            self.until("return document.querySelector('%s')" % selector, "the dialog is open")
            self.assertEqual(self.violations(), [])
            ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
            self.until("return !document.querySelector('dialog')", "the dialog is closed")


class Keyboard(PageCase):

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def test_the_way_from_home_to_a_copied_line_needs_no_pointer(self):
        self.open("/")
        self.press("/")
        self.until("return document.querySelector('.found a')", "the list is there")
        self.press("alibi", Keys.ENTER)
        self.until("return location.pathname === '/explore/alibi'", "the page is open")
        self.drawn()
        for _ in range(60):
            self.press(Keys.TAB)
            if self.js("return document.activeElement.matches('.stage')"):
                break
        self.assertTrue(self.js("return document.activeElement.matches('.stage')"))
        before = self.text(".readout")
        self.press(Keys.ARROW_DOWN)
        self.assertNotEqual(self.text(".readout"), before)
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": self.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.press("y")
        self.until("return document.querySelector('.copy').textContent === 'Copied'", "it is copied")
        copied = self.driver.execute_async_script(
            "navigator.clipboard.readText().then(arguments[arguments.length - 1])")
        self.assertEqual(copied, self.text(".snippet code"))
        self.assertTrue(copied.startswith("curl -o bias.npy '%s/v1/alibi?" % self.origin), copied)

    def test_a_formula_is_copied_as_its_text(self):
        self.open("/docs/rope")
        copied = self.js("""
            const copied = (from, to) => {
                getSelection().setBaseAndExtent(from, 0, to, to.childNodes.length);
                const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), cancelable: true });
                document.dispatchEvent(event);
                return event.clipboardData.getData('text/plain');
            };
            const one = (selector) => document.querySelector(selector);
            return [copied(one('.formula msub'), one('.formula msup')),
                    copied(one('#formula'), one('#use')), copied(one('#use'), one('#wrong'))];""")
        self.assertEqual(copied[0], "w_i = base^(\u22122i/r)")
        self.assertRegex(copied[1], r"^What it computes\n+w_i = base\^\(\u22122i/r\), i = 0 [^\n]*\n+When to use it$")
        self.assertEqual(copied[2], "")

    def test_keys_turn_the_output_the_theme_and_the_comparison(self):
        self.open("/explore/rope")
        self.press("]")
        self.until("return location.search.includes('out=sin')", "the next output is open")
        self.drawn()
        self.addCleanup(self.js, "localStorage.clear()")
        self.press("t")
        self.assertEqual(self.js("return document.documentElement.dataset.theme"), "dark")
        self.press("c")
        self.until("return location.search.includes('vs=rope')", "two requests are compared")
        self.drawn()
        self.press("c")
        self.until("return !location.search.includes('vs=')", "the comparison is over")
        self.drawn()

    def test_the_theme_is_kept_and_keys_of_one_letter_can_be_turned_off(self):
        self.addCleanup(self.js, "localStorage.clear()")
        self.open("/docs")
        self.press("t")
        self.open("/models/llama-3.1-8b")
        self.assertEqual(self.js("return document.documentElement.dataset.theme"), "dark")
        self.driver.find_element("css selector", ".help").click()
        self.driver.find_element("css selector", ".keys input").click()
        self.press(Keys.ESCAPE)
        self.press("t")
        self.assertEqual(self.js("return document.documentElement.dataset.theme"), "dark")
        self.driver.find_element("css selector", ".help").click()
        self.driver.find_element("css selector", ".keys input").click()
        self.press(Keys.ESCAPE)
        self.press("t")
        self.assertEqual(self.js("return document.documentElement.dataset.theme"), "light")

    def test_three_keys_lead_to_the_picture_and_to_the_parameters(self):
        for page in ("/", "/explore/alibi", "/explore/rope#view=rotation", "/models/llama-3.1-8b"):
            with self.subTest(page=page):
                self.open(page)
                self.until("return !document.querySelector('[aria-busy=true]')", "all is drawn")
                self.press(Keys.TAB, Keys.TAB, Keys.ENTER)
                self.assertTrue(self.js("return document.activeElement.matches('.stage, .plot, .slide input')"),
                                self.js("return document.activeElement.outerHTML.slice(0, 200)"))
        for width in (1440, 360):
            chromium.resize(width, 800, "light")
            self.open("/explore/alibi")
            self.press(Keys.TAB, Keys.TAB, Keys.TAB, Keys.ENTER)
            self.assertTrue(self.js("return document.activeElement.matches('.panel form input')"),
                            self.js("return document.activeElement.outerHTML.slice(0, 200)"))

    def test_what_has_the_focus_is_marked(self):
        self.open("/explore/alibi")
        unmarked = []
        for _ in range(40):
            self.press(Keys.TAB)
            mark = self.js("""
                const node = document.activeElement, near = node.nextElementSibling;
                const marked = (one) => one && getComputedStyle(one).outlineStyle !== 'none';
                return marked(node) || marked(near) ? null : node.outerHTML.slice(0, 120);""")
            unmarked += [mark] if mark else []
        self.assertEqual(unmarked, [])

    def test_targets_are_large_enough(self):
        self.open("/explore/alibi")
        small = self.js("""
            return [...document.querySelectorAll('button, select, input:not([type=radio])')]
                .map((node) => [node.getBoundingClientRect(), node.outerHTML.slice(0, 80)])
                .filter(([box]) => box.width > 0 && (box.width < 24 || box.height < 24))
                .map(([, text]) => text);""")
        self.assertEqual(small, [])
