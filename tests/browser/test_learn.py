# SPDX-License-Identifier: Apache-2.0
"""test_learn.py - the chapters: their figures have the numbers of the service, follow their controls by
keyboard, stand in the URL, and are pictures where no script runs."""

import re

import numpy
from page_case import PageCase
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

CHAPTERS = ("order", "waves", "rotation", "bias", "longer", "pictures")


class Learn(PageCase):

    def cells(self, figure, table=0):
        """The numbers of a table of a figure."""
        rows = self.js("""
            const figure = document.querySelectorAll('.lesson')[arguments[0]];
            const table = figure.querySelectorAll('table.cells')[arguments[1]];
            return [...table.querySelectorAll('tbody tr')].map((row) =>
                [...row.querySelectorAll('td')].map((cell) => cell.innerText));""", figure, table)
        return numpy.array([[float(cell.replace("\u2212", "-")) for cell in row] for row in rows])

    def press(self, figure, text):
        self.js("""
            const buttons = [...document.querySelectorAll('.lesson')[arguments[0]].querySelectorAll('button.chip')];
            buttons.find((one) => one.textContent === arguments[1]).click();""", figure, text)
        self.drawn()

    def slide(self, label, *keys):
        self.js("document.querySelector(arguments[0]).focus()", "input[aria-label='%s']" % label)
        ActionChains(self.driver).send_keys(*keys).perform()
        self.drawn()

    def test_figures_have_the_words_of_their_page(self):
        names = ("cos", "sin", "YaRN", "NTK", "Llama", "KERPLE", "Phi-3", "Hugging Face", "Transformer", "PI", "base",
                 "bash", "curl", "Python", "NumPy", "PyTorch", "Shift", "csv", "svg", "npy", "npz", "the", "dog",
                 "bites", "man", "Copy")
        for chapter in CHAPTERS:
            for language, foreign in (("zh/", r"[A-Za-z]{2,}"), ("", r"[\u4e00-\u9fff]+")):
                with self.subTest(chapter=language + chapter):
                    self.open("/learn/" + language + chapter)
                    texts = self.js(r"""
                        const found = [];
                        for (const place of document.querySelectorAll('.lesson')) {
                            const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
                            while (walker.nextNode())
                                if (!walker.currentNode.parentElement.closest('.snippet'))
                                    found.push(walker.currentNode.data);
                            for (const one of place.querySelectorAll('[aria-label]'))
                                found.push(one.getAttribute('aria-label'));
                        }
                        return found;""")
                    wrong = {word for text in texts for word in re.findall(foreign, text)}
                    self.assertEqual(wrong - {part for name in names for part in re.findall(foreign, name)}, set())

    def test_the_course_leads_to_its_chapters(self):
        self.open("/learn")
        links = self.js("return [...document.querySelectorAll('article li a')].map((one) => one.pathname)")
        self.assertEqual(links, ["/learn/" + name for name in CHAPTERS])

    def test_words_that_move_have_other_scores_only_with_positions(self):
        self.open("/learn/order")
        later = "return document.querySelectorAll('.word')[0].querySelectorAll('button')[1].click()"
        before = self.cells(0)
        self.js(later)
        self.assertTrue(numpy.array_equal(self.cells(0), before))
        self.assertEqual(self.js("return document.querySelector('.word b').innerText"), "dog")
        self.press(0, "a bias for distance")
        bias, places = self.tensor("/v1/alibi?heads=1&len=5&slopes=1")[0], [1, 0, 2, 3, 4]
        self.assertTrue(numpy.array_equal(self.cells(0), bias[numpy.ix_(places, places)]))
        self.assertIn("way=1", self.js("return location.search") or self.query())

    def query(self):
        self.until("return location.search", "the state is in the URL")
        return self.js("return location.search")

    def test_the_matrix_takes_a_row_to_a_later_one(self):
        self.open("/learn/waves")
        self.slide("shift k", *[Keys.ARROW_RIGHT] * 4)
        matrix, row, shifted = (self.cells(3, table) for table in range(3))
        self.assertTrue(numpy.allclose(matrix @ row, shifted, atol=0.01))
        expected = self.tensor("/v1/sinusoidal?pos=12&dim=4&base=100")
        self.assertTrue(numpy.allclose(shifted[:, 0], expected[0], atol=0.005))
        self.assertIn("k4=7", self.query())
        self.driver.refresh()
        self.drawn()
        self.assertTrue(numpy.array_equal(self.cells(3, 2), shifted))

    def test_a_kept_distance_keeps_the_score(self):
        self.open("/learn/rotation")
        score = self.number()
        self.slide("query at", *[Keys.ARROW_RIGHT] * 3)
        self.assertEqual(self.number(), score)
        self.assertEqual(self.place("key at"), "37")
        self.press(0, "move one")
        self.slide("query at", Keys.ARROW_RIGHT)
        expected = self.tensor("/v1/rope?dim=64&distance=7&out=similarity")[0]
        self.assertAlmostEqual(self.number(), float(expected), places=6)
        self.assertIn("keep=1", self.query())

    def place(self, label):
        return self.js("return document.querySelector(arguments[0]).value", "input[aria-label='%s']" % label)

    def test_a_kept_distance_is_kept_where_the_sliders_end(self):
        for query, key, last in (("m=10&k=4", Keys.HOME, ("6", "0")), ("m=10&k=150", Keys.END, ("60", "200"))):
            with self.subTest(query=query):
                self.open("/learn/rotation?" + query)
                score = self.number()
                self.slide("query at", key)
                self.assertEqual((self.place("query at"), self.place("key at")), last)
                self.assertEqual(self.number(), score)

    def test_a_drag_over_the_dials_moves_the_query_by_its_length(self):
        self.open("/learn/rotation")
        dials = self.driver.find_element("css selector", ".dials")
        ActionChains(self.driver).click_and_hold(dials).perform()
        for expected in ("43", "46", "49", "52"):
            ActionChains(self.driver).move_by_offset(12, 0).perform()
            self.until("return document.querySelector(\"input[aria-label='query at']\").value === '%s'" % expected,
                       "it moved to " + expected)
            self.drawn()
        ActionChains(self.driver).release().move_by_offset(20, 0).perform()
        self.drawn()
        self.assertEqual((self.place("query at"), self.place("key at")), ("52", "46"))

    def test_a_figure_tells_its_numbers(self):
        self.open("/learn/longer?method=2&f=4")
        self.js("document.querySelector('.lesson details').open = true")
        self.assertIn("scaling=yarn&factor=4&", self.text(".lesson .snippet code"))
        links = self.js("return [...document.querySelectorAll('.lesson .files a')].map((one) => one.innerText)")
        self.assertTrue({"csv", "svg", "npy"} <= set(links))
        expected = self.tensor("/v1/rope?dim=128&base=500000&scaling=yarn&factor=4"
                               "&original_max_position_embeddings=8192&out=wavelengths")[32]
        self.assertAlmostEqual(self.number(".lesson .readout .value.a") / float(expected), 1, places=3)

    def test_the_patch_under_the_cross_hair_is_most_like_itself(self):
        self.open("/learn/pictures")
        self.js("document.querySelector('.lesson .stage').focus()")
        ActionChains(self.driver).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN).perform()
        rows = self.tensor("/v1/sincos2d-mae?grid=12x12&dim=32")
        self.assertAlmostEqual(self.number(), float((rows[7 * 12 + 7] ** 2).sum()), places=3)

    def test_a_word_of_the_url_that_is_wrong_is_left_out(self):
        self.open("/learn/rotation?m=9999&keep=7&base2=word")
        self.assertEqual(self.js("return document.querySelector(\"input[aria-label='query at']\").value"), "40")

    def test_no_script_leaves_pictures_and_sentences(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.driver.get(self.origin + "/learn/waves")
            images = self.driver.find_elements("css selector", ".lesson img")
            self.assertEqual(len(images), 6)
            self.assertTrue(all(one.size["height"] > 50 for one in images))
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
