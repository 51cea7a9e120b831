# SPDX-License-Identifier: Apache-2.0
"""test_pixels.py - cells have the colours of the API's numbers, and the read-out shows them."""

import chromium
import colours
import numpy
from page_case import PageCase
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

REQUESTS = (
    "sinusoidal?pos=0:100&dim=96", "rope?model=llama-3.1-8b&pos=0:128&out=cos",
    "rope?pos=5:40&dim=64&out=sin&dtype=f16", "alibi?heads=1&len=64&causal=1", "t5?len=64",
    "sliding-window-mask?len=64&window=9", "causal-mask?len=48&out=additive",
    "alibi?heads=4&len=32&causal=1", "sincos2d-mae?grid=8x8&dim=64",
)


class Pixels(PageCase):

    def check(self, request, theme, ratio):
        chromium.resize(1440, 1000, theme, ratio)
        self.open("/explore/" + request)
        values = self.tensor("/v1/" + request)
        values = values.reshape(-1, *values.shape[-2:])
        image = self.pixels()
        whole, hidden = colours.expected(values, theme)
        rows, columns = values.shape[1:]
        y = ((numpy.arange(rows) + 0.5) * image.shape[0] / rows).astype(int)
        x = ((numpy.arange(columns) + 0.5) * image.shape[1] / columns).astype(int)
        seen = image[y][:, x, :3].astype(float)
        flat = numpy.abs(seen[:, :, None, :] - colours.rgb(colours.HIDDEN[theme])).max(3).min(2)
        right = numpy.where(hidden[0], flat == 0, numpy.abs(seen - whole[0]).max(2) <= 0.5)
        self.assertTrue(right.all(), "%s, %s: %d of %d cells have another colour" % (
            request, theme, (~right).sum(), right.size))

    def test_a_cell_has_the_colour_of_its_value(self):
        for request in REQUESTS:
            for theme, ratio in (("light", 1), ("dark", 2)):
                with self.subTest(request=request, theme=theme):
                    self.check(request, theme, ratio)

    def test_a_drawn_output_has_the_colours_of_its_values(self):
        for picture in self.pictures():
            values = self.tensor("/v1/" + picture)
            if values.ndim in (2, 3) and values.size > 0 and max(values.shape[-2:]) <= 300:
                with self.subTest(picture=picture):
                    self.check(picture, "light", 1)

    def test_a_small_matrix_has_its_numbers_in_its_cells(self):
        for request in ("sinusoidal?pos=0:8&dim=8", "sinusoidal?pos=0:16&dim=16", "alibi?heads=1&len=6&causal=1"):
            with self.subTest(request=request):
                self.open("/explore/" + request)
                values = self.tensor("/v1/" + request).astype(float).ravel()
                texts = self.js("return [...document.querySelectorAll('.marks .label')].map((one) => one.textContent)")
                self.assertEqual(len(texts), values.size)
                for text, value in zip(texts, values):
                    if text:
                        self.assertAlmostEqual(float(text.replace("\u2212", "-")), value, delta=0.006)
                    else:
                        self.assertLess(value, -1e30)
        self.open("/explore/sinusoidal?pos=0:64&dim=16")
        self.assertIsNone(self.text(".marks .label"))

    def test_a_chosen_palette_colours_the_numbers_and_stands_in_the_url(self):
        request = "sinusoidal?pos=0:32&dim=16"
        self.open("/explore/" + request + "#pal=grey")
        values = self.tensor("/v1/" + request).astype(float)
        share = (values - values.min()) / (values.max() - values.min())
        want = numpy.floor(share * 255 + 0.5)
        image = self.pixels()
        y = ((numpy.arange(32) + 0.5) * image.shape[0] / 32).astype(int)
        x = ((numpy.arange(16) + 0.5) * image.shape[1] / 16).astype(int)
        self.assertLessEqual(numpy.abs(image[y][:, x, :3] - want[:, :, None]).max(), 1)
        choice = Select(self.driver.find_element("css selector", "select.palette"))
        self.assertEqual(choice.first_selected_option.text, "grey")
        choice.select_by_visible_text("viridis")
        self.until("return location.search.includes('pal=viridis')", "the palette in the URL")
        self.drawn()
        self.assertEqual(self.js("return document.activeElement.className"), "palette")

    def test_a_pixel_over_several_cells_has_their_mean(self):
        request = "sinusoidal?pos=0:2000&dim=16"
        self.open("/explore/" + request)
        values = self.tensor("/v1/" + request).astype(float)
        image = self.pixels()[:, :, :3].astype(float)
        edges = (numpy.arange(image.shape[0] + 1) * 2000 / image.shape[0]).astype(int)
        means = numpy.add.reduceat(values, edges[:-1]) / numpy.diff(edges)[:, None]
        at = numpy.floor(numpy.clip((means + 1) / 2, 0, 1) * 255 + 0.5).astype(int)
        want = colours.table("signed", "light")[at]
        x = ((numpy.arange(16) + 0.5) * image.shape[1] / 16).astype(int)
        steps = numpy.abs(image[:, x] - want).max(2)
        self.assertLess((steps > 8).mean(), 0.001)

    def test_waves_that_a_step_makes_up_are_hatched(self):
        self.open("/explore/rope?pos=0:65536:64&dim=64&out=cos")
        image = self.pixels()[:, :, :3].astype(float)
        wavelengths = self.tensor("/v1/rope?dim=64&out=wavelengths")
        grey = colours.rgb(colours.HIDDEN["light"])
        for pair, wavelength in enumerate(wavelengths):
            column = image[:, int((pair + 0.5) * image.shape[1] / 32)]
            hatched = (numpy.abs(column[:, None] - grey).max(2).min(1) == 0).all()
            self.assertEqual(bool(hatched), bool(wavelength < 128), "pair %d" % pair)


class Readout(PageCase):

    def test_arrows_move_to_the_neighbour_and_show_its_number(self):
        self.open("/explore/sinusoidal?pos=0:100&dim=64#at=40,29")
        values = self.tensor("/v1/sinusoidal?pos=0:100&dim=64")
        stage = self.driver.find_element("css selector", ".stage")
        self.assertEqual(numpy.float32(self.number()), values[40, 29])
        for key, row, column in ((Keys.ARROW_RIGHT, 40, 30), (Keys.ARROW_DOWN, 41, 30),
                                 (Keys.END, 41, 63), (Keys.HOME, 41, 0),
                                 (Keys.SHIFT + Keys.ARROW_DOWN, 51, 0), (Keys.PAGE_UP, 39, 0)):
            stage.send_keys(key)
            self.assertEqual(numpy.float32(self.number()), values[row, column], (row, column))

    def test_the_table_around_the_cross_hair_has_the_numbers(self):
        self.open("/explore/sinusoidal?pos=0:100&dim=64#at=40,29")
        values = self.tensor("/v1/sinusoidal?pos=0:100&dim=64")
        self.js("document.querySelector('.near').open = true")
        self.until("return document.querySelector('.near td.here')", "the table is there")
        rows = self.js("return [...document.querySelectorAll('.near tbody tr')].map("
                       "(row) => [...row.children].map((cell) => cell.textContent))")
        for row in rows:
            shown = [numpy.float32(text.replace("\u2212", "-")) for text in row[1:]]
            self.assertEqual(shown, list(values[int(row[0]), 25:33]))
        self.assertEqual(len(rows), 9)

    def test_a_curve_shows_the_number_at_its_cross_hair(self):
        self.open("/explore/rope?dim=128&out=wavelengths")
        values = self.tensor("/v1/rope?dim=128&out=wavelengths")
        self.assertEqual(self.text(".readout b"), "32")
        self.assertAlmostEqual(self.number() / float(values[32]), 1, 6)
        self.driver.find_element("css selector", "svg.plot").send_keys(Keys.ARROW_RIGHT)
        self.assertAlmostEqual(self.number() / float(values[33]), 1, 6)

    def test_a_single_number_is_shown(self):
        self.open("/explore/rope?dim=128&model=qwen2.5-7b&out=effective_base")
        self.assertEqual(self.number(".single b"), float(self.tensor(
            "/v1/rope?dim=128&model=qwen2.5-7b&out=effective_base")))


class Comparison(PageCase):

    def test_the_figures_of_a_comparison_are_those_of_numpy(self):
        first = "rope?dim=128&pos=999936:1000064&out=cos"
        second = "rope?dim=128&pos=999936:1000064&profile=f32-pow&out=cos"
        self.open("/explore/%s#vs=%s" % (first, second))
        a, b = (self.tensor("/v1/" + request).astype(float) for request in (first, second))
        equal, most, mean = self.js(
            "return [...document.querySelectorAll('.counts dd')].map((dd) => dd.textContent)")
        row, column = numpy.unravel_index(numpy.abs(a - b).argmax(), a.shape)
        self.assertTrue(equal.startswith("%.3g %%" % (100 * (a == b).mean())), equal)
        self.assertTrue(most.startswith("%.4g" % numpy.abs(a - b).max()), most)
        self.assertIn("pair %d" % column, most)
        self.assertIn("999\u202f%03d" % ((999936 + row) % 1000), most)
        self.assertTrue(mean.startswith("%.3g" % numpy.abs(a - b).mean()), mean)

    def colours_are_of(self, index, values, most):
        """Whether the middle of each cell has the colour of its value on a scale to +-most."""
        picture, (rows, columns) = self.pixels(index)[..., :3].astype(int), values.shape
        at = [((numpy.arange(n) + 0.5) * size / n).astype(int)
              for n, size in zip((rows, columns), picture.shape)]
        shades = numpy.floor((values.astype(float) / most + 1) / 2 * 255 + 0.5).astype(int)
        wanted = colours.table("signed", "light")[shades]
        return numpy.abs(picture[at[0]][:, at[1]] - wanted).max() <= 1

    def test_one_scale_holds_both_or_each_has_its_own(self):
        first = "rope?dim=32&pos=0:32&out=cos"
        second = ("rope?dim=32&pos=0:32&scaling=yarn&factor=32&original_max_position_embeddings=32"
                  "&out=cos")
        self.open("/explore/%s#vs=%s" % (first, second))
        a, b = (self.tensor("/v1/" + request) for request in (first, second))
        self.assertGreater(b.max(), 1.3)
        self.assertTrue(self.colours_are_of(0, a, abs(b).max()))
        self.assertTrue(self.colours_are_of(1, b, abs(b).max()))
        ends = "return [...document.querySelectorAll('.three .legend')].map((one) => one.innerText)"
        one, other, _ = self.js(ends)
        self.assertEqual(one, other)
        self.driver.find_element("css selector", ".scales label:last-child").click()
        self.until("return location.hash.includes('scale=own')", "the URL has the choice")
        self.drawn()
        self.assertTrue(self.colours_are_of(0, a, abs(a).max()))
        self.assertTrue(self.colours_are_of(1, b, abs(b).max()))
        one, other, _ = self.js(ends)
        self.assertNotEqual(one, other)

    def test_what_one_of_them_masks_is_counted_apart(self):
        self.open("/explore/alibi?heads=1&len=16&causal=1&out=bias#vs=alibi?heads=1&len=16&out=bias")
        self.assertIn("120", self.text(".counts div:last-child dd"))
        self.assertEqual(self.text(".counts div:nth-child(2) dd").split()[0], "none")

    def test_numbers_beyond_the_scale_are_counted(self):
        request = "rope?pos=0:100000:5000&dim=8&dtype=f16&out=angles"
        self.open("/explore/" + request)
        beyond = int(numpy.isposinf(self.tensor("/v1/" + request)).sum())
        self.assertGreater(beyond, 0)
        self.assertEqual(self.text(".legend .beyond"), "%d beyond" % beyond)

    def test_equal_requests_have_no_difference(self):
        self.open("/explore/sinusoidal?pos=0:32&dim=32#vs=sinusoidal?pos=0:32&dim=32")
        self.assertEqual(self.js("return [...document.querySelectorAll('.counts dd')].map("
                                 "(dd) => dd.textContent)"), ["all of 1024", "none", "0"])
        self.assertEqual(len(numpy.unique(self.pixels(2).reshape(-1, 4), axis=0)), 1)
