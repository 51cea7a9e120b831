# SPDX-License-Identifier: Apache-2.0
"""test_print.py - pages on paper: light, without what is pressed, marks where the cells are."""

import base64
import re

import chromium
from page_case import PageCase

# How far the frame of the marks is from the cells, in pixels, when the page is laid out for paper of
# another width, in which no script draws anew.
GAP = """
document.querySelector('main').style.width = arguments[0] + 'px';
const [a, b] = ['.stage canvas', '.marks .frame'].map((one) =>
    document.querySelector(one).getBoundingClientRect());
document.querySelector('main').style.width = '';
return [Math.max(...['left', 'top', 'right', 'bottom'].map((side) => Math.abs(a[side] - b[side]))), a.width];
"""


class Print(PageCase):

    def paper(self, media):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": "dark"}]})

    def setUp(self):
        super().setUp()
        self.addCleanup(self.paper, "")

    def test_marks_are_where_the_cells_are(self):
        for page in ("/", "/explore/sinusoidal?pos=0:100&dim=512", "/explore/alibi?heads=4&len=32"):
            with self.subTest(page=page):
                self.paper("")
                self.open(page)
                self.paper("print")
                widths = set()
                for width in (600, 720, 1000):
                    gap, cells = self.js(GAP, width)
                    self.assertLess(gap, 2.5)
                    widths.add(cells)
                self.assertEqual(len(widths), 3)

    def test_paper_is_light_and_has_nothing_to_press(self):
        self.paper("print")
        for page in ("/", "/explore/rope", "/docs/rope", "/models"):
            with self.subTest(page=page):
                self.open(page)
                self.assertEqual(self.js("return getComputedStyle(document.body).color"), "rgb(0, 0, 0)")
                self.assertEqual(self.js("return [...document.querySelectorAll('button, input, select')]"
                                         ".filter((one) => one.offsetParent !== null).map((one) => "
                                         "one.outerHTML.slice(0, 90))"), [])

    def test_an_encoding_is_one_page_of_paper(self):
        self.open("/explore/rope")
        made = self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
        pages = re.findall(rb"/Type */Page\b", base64.b64decode(made["data"]))
        self.assertEqual(len(pages), 1)

    def test_no_table_is_wider_than_the_paper(self):
        self.open("/docs/rope")
        chromium.resize(680, 1000, "dark")  # the width of A4 between its margins
        self.paper("print")
        self.addCleanup(chromium.resize, *self.size)
        wide = self.js("return [...document.querySelectorAll('article table')].filter((table) =>"
                       " table.getBoundingClientRect().right > innerWidth).map((table) => table.innerText.slice(0, 60))")
        self.assertEqual(wide, [])

    def test_cells_are_painted_light_while_the_page_is_printed(self):
        chromium.resize(1440, 1000, "dark")
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        dark = self.pixels()[0, 0].tolist()
        self.js("dispatchEvent(new Event('beforeprint'))")
        light = self.pixels()[0, 0].tolist()
        self.js("dispatchEvent(new Event('afterprint'))")
        self.assertNotEqual(light, dark)
        self.assertGreater(sum(light[:3]), sum(dark[:3]))
        self.assertEqual(self.pixels()[0, 0].tolist(), dark)
