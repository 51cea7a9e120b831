# SPDX-License-Identifier: Apache-2.0
"""test_state.py - the URL is the state, the form writes it, and problems stand at their fields."""

import chromium
from page_case import PageCase
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

VIEWS = (
    "/explore/rope?model=llama-3.1-8b&pos=0:64&out=cos",
    "/explore/rope?model=llama-3.1-8b&out=inv_freq&view=rotation",
    "/explore/rope?model=llama-2-7b&out=wavelengths&vs=rope%3Fmodel%3Dllama-3.1-8b%26out%3Dwavelengths",
    "/explore/alibi?heads=8&len=32&causal=1#head=3&at=20,4",
    "/explore/sinusoidal?pos=0:64&dim=64#at=40,29",
    "/explore/rope?dim=64&distance=0:256&out=decay",
    "/explore/rope?model=gemma-3-4b&layer_type=full_attention&pos=0:64&out=cos",
    "/explore/rope?model=llama-3.1-8b&out=inv_freq&view=rotation#position=4095",
    "/explore/rope?dim=64&pos=0:64&out=cos&pal=grey",
)
# Addresses that had all words of a page in the fragment, and what they are now.
OLD_VIEWS = (
    ("/explore/rope?model=llama-3.1-8b&out=inv_freq#view=rotation&position=4095", VIEWS[7]),
    ("/explore/rope?model=llama-2-7b&out=wavelengths#vs=rope?model=llama-3.1-8b&out=wavelengths", VIEWS[2]),
    ("/explore/rope?dim=64&pos=0:64&out=cos#pal=grey", VIEWS[8]),
)


class State(PageCase):

    def address(self):
        return self.js("return location.pathname + location.search + location.hash")

    def test_a_view_is_restored_from_its_url_and_writes_it(self):
        for view in VIEWS:
            with self.subTest(view=view):
                self.open(view)
                self.assertEqual(self.address(), view)

    def test_an_address_with_all_in_its_fragment_still_opens(self):
        for old, new in OLD_VIEWS:
            with self.subTest(old=old):
                self.open(old)
                self.assertEqual(self.address(), new)
                self.assertIsNone(self.text(".state.bad"))

    def test_a_change_of_the_form_changes_the_url_and_the_picture(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        self.enter("dim", "32")
        self.until("return location.search.includes('dim=32')", "the URL has the value")
        self.drawn()
        self.assertEqual(self.text(".receipt b"), "64 \u00d7 32")
        self.assertIn("dim=32", self.text(".snippet code"))

    def test_shift_and_an_arrow_double_an_integer(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        self.driver.find_element("id", "p-dim").send_keys(Keys.SHIFT + Keys.ARROW_UP)
        self.until("return location.search.includes('dim=128')", "the URL has the value")
        self.drawn()

    def test_back_returns_to_the_output_before(self):
        self.open("/explore/rope")
        before = self.address()
        self.driver.find_element("xpath", "//button[text()='wavelengths']").click()
        self.until("return location.search.includes('wavelengths')", "the output is in the URL")
        self.drawn()
        self.driver.back()
        self.until("return location.search.includes('out=cos')", "the output is cos again")
        self.drawn()
        self.assertEqual(self.address(), before)

    def test_back_undoes_a_change_of_a_parameter(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        for value in ("32", "16"):
            self.enter("dim", value)
            self.until("return location.search.includes('dim=%s')" % value, "the URL has the value")
            self.drawn()
        for value in ("32", "64"):
            self.driver.back()
            self.until("return location.search.includes('dim=%s')" % value, "the value is back")
            self.drawn()
            self.assertEqual(self.text(".receipt b"), "64 \u00d7 " + value)
            self.assertEqual(self.js("return document.getElementById('p-dim').value"), value)
        self.driver.forward()
        self.until("return location.search.includes('dim=32')", "the change is made again")
        self.drawn()

    def drag(self, name, shares):
        """Drags a slider through these shares of its range, in one turn, and lets it go."""
        self.js("""const slider = document.getElementById('r-' + arguments[0]);
            for (const share of arguments[1]) {
                slider.value = share * slider.max;
                slider.dispatchEvent(new Event('input', { bubbles: true }));
            }""", name, shares)

    def let_go(self, name):
        self.js("document.getElementById('r-' + arguments[0]).dispatchEvent(new Event('change'))", name)

    def test_a_drag_draws_while_it_lasts_and_is_one_entry(self):
        self.open("/explore/rope?dim=64&pos=0:64&out=cos")
        slider = self.js("return document.getElementById('r-base').value")
        for shares in ((0.55, 0.6, 0.62), (0.65, 0.7), (0.9,)):
            self.drag("base", shares)
            self.until("return document.querySelector('.figure').getAttribute('aria-busy') === 'false' &&"
                       "document.querySelector('.snippet code').textContent.includes('base='"
                       "+ document.getElementById('p-base').value)", "it is drawn")
        value = self.js("return document.getElementById('p-base').value")
        self.let_go("base")
        self.assertIn("base=" + value, self.address())
        self.assertGreater(float(value), 1e6)
        self.driver.back()
        self.until("return !location.search.includes('base=')", "the value is gone")
        self.drawn()
        self.assertEqual(self.js("return document.getElementById('r-base').value"), slider)

    def test_each_key_on_a_slider_is_an_entry(self):
        self.open("/explore/rope?dim=64&pos=0:64&out=cos")
        values = []
        for _ in range(3):
            self.driver.find_element("id", "r-base").send_keys(Keys.ARROW_RIGHT)
            self.drawn()
            values.append(self.js("return document.getElementById('p-base').value"))
        for value in reversed(values[:-1]):
            self.driver.back()
            self.until("return location.search.includes('base=%s&')" % value, "one key is undone")
            self.drawn()

    def test_a_drag_that_ends_where_it_began_leaves_the_form_alive(self):
        # Firefox tells no change then.
        for end in ("new PointerEvent('pointerup')", "new FocusEvent('blur')"):
            with self.subTest(end=end):
                self.open("/explore/rope?dim=64&pos=0:64&out=cos")
                start = float(self.js("const slider = document.getElementById('r-dim');"
                                      "return slider.value / slider.max"))
                self.drag("dim", (0.9, start))
                self.drawn()
                self.js("document.getElementById('r-dim').dispatchEvent(%s)" % end)
                self.js("const scaling = document.getElementById('p-scaling'); scaling.value = 'linear';"
                        "scaling.dispatchEvent(new Event('change'))")
                self.until("return document.getElementById('p-factor')", "the form has the field of the factor")

    def test_sliders_have_the_ends_of_their_row(self):
        self.open("/explore/rope?dim=64&pos=0:64&out=cos")
        for share, least, most in ((0, 2, 4), (1, 1024, 1024)):
            self.drag("dim", (share,))
            self.let_go("dim")
            self.drawn()
            value = int(self.js("return document.getElementById('p-dim').value"))
            self.assertTrue(least <= value <= most and value % 2 == 0, value)
            self.assertIsNone(self.text(".field.wrong"))
        self.open("/explore/rope?dim=64&pos=0:64&out=cos&partial_rotary_factor=0.5")
        self.drag("partial_rotary_factor", (0,))
        self.let_go("partial_rotary_factor")
        self.drawn()
        self.assertGreater(float(self.js("return document.getElementById('p-partial_rotary_factor').value")), 0)

    def test_the_position_of_a_rotation_is_in_the_url(self):
        self.open("/explore/rope?dim=64&out=inv_freq#view=rotation")
        self.js("const slider = document.querySelector('.rotation input'); slider.value = 777;"
                "slider.dispatchEvent(new Event('input'));")
        shown = self.text(".rotation output")
        self.until("return location.hash.includes('position=')", "the URL has the position")
        turned = self.text(".clock .mono")
        self.driver.refresh()
        self.drawn()
        self.assertEqual((self.text(".rotation output"), self.text(".clock .mono")), (shown, turned))

    def test_a_changed_parameter_is_one_request(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        chromium.asked()
        self.enter("dim", "32")
        self.until("return location.search.includes('dim=32')", "the URL has the value")
        self.drawn()
        self.assertEqual([(method, url.partition("?")[2]) for method, url in chromium.asked()],
                         [("GET", "pos=0:64&dim=32&format=npy")])

    def test_many_outputs_are_in_groups_with_labels(self):
        self.open("/explore/rope")
        groups = self.js("return [...document.querySelectorAll('.kind')].map((kind) => [document.getElementById("
                         "kind.getAttribute('aria-labelledby')).textContent, "
                         "[...kind.querySelectorAll('button')].map((one) => one.textContent)])")
        self.assertEqual([label for label, _ in groups], ["Tables", "Pairs", "Properties"])
        found = {label: set(names) for label, names in groups}
        self.assertLessEqual({"cos", "sin", "angles"}, found["Tables"])
        self.assertLessEqual({"inv freq", "wavelengths", "rotation"}, found["Pairs"])
        self.assertLessEqual({"decay", "effective base"}, found["Properties"])
        self.open("/explore/alibi")
        self.assertIsNone(self.text(".kind"))

    def test_a_formula_is_typeset_and_leads_to_the_fields(self):
        self.open("/explore/rope")
        self.assertEqual(self.js("return document.querySelector('.telling .formula msub').textContent"), "w_i")
        self.driver.find_element("css selector", ".telling .formula a[href$='#p-base']").click()
        self.assertEqual(self.js("return document.activeElement.id"), "p-base")
        self.assertEqual(self.js("return location.hash"), "")
        self.open("/explore/mrope")
        self.assertEqual(self.js("return getComputedStyle(document.querySelector('.formula')).whiteSpace"), "pre-wrap")

    def test_a_model_fills_the_form_with_its_values(self):
        self.open("/explore/rope?model=llama-3.1-8b&pos=0:64&out=cos")
        self.assertEqual(self.js("return document.getElementById('p-base').placeholder"), "500000")
        self.assertEqual(self.js("return document.getElementById('p-scaling').value"), "llama3")


    def choose_model(self, name):
        self.enter("model", name)
        self.until("return location.search.includes('model=')", "the model is in the URL")
        self.drawn()

    def test_a_model_replaces_what_the_page_began_with(self):
        self.open("/explore/rope")
        self.assertIn("dim=64", self.address())
        self.choose_model("llama-3.1-8b")
        self.assertEqual(self.address(), "/explore/rope?model=llama-3.1-8b&pos=0:64&out=cos")
        self.assertNotIn("dim=", self.text(".snippet code"))
        self.assertEqual(self.js("return document.getElementById('p-dim').placeholder"), "128")
        self.assertEqual(self.text(".receipt b"), "64 \u00d7 64")

    def test_a_model_leaves_what_the_reader_typed(self):
        self.open("/explore/rope")
        self.enter("base", "20000")
        self.until("return location.search.includes('base=20000')", "the URL has the value")
        self.drawn()
        self.driver.refresh()
        self.drawn()
        self.choose_model("llama-3.1-8b")
        self.assertIn("base=20000", self.address())
        self.assertNotIn("dim=", self.address())

    def test_a_value_that_a_choice_makes_moot_is_kept_and_not_sent(self):
        self.open("/explore/alibi?heads=4&len=32&causal=1&future=zero&out=bias")
        self.driver.find_element("id", "p-causal").send_keys(Keys.SPACE)
        self.until("return location.search.includes('causal=0')", "the URL has the value")
        self.drawn()
        self.assertNotIn("future", self.address())
        self.driver.find_element("id", "p-causal").send_keys(Keys.SPACE)
        self.until("return location.search.includes('future=zero')", "the value is sent again")
        self.drawn()


class TwoRequests(PageCase):

    def press(self, keys):
        ActionChains(self.driver).send_keys(keys).perform()

    def test_x_swaps_the_requests(self):
        self.open(VIEWS[2])
        self.press("x")
        self.until("return location.search.includes('?model=llama-3.1-8b')", "A and B are swapped")
        self.drawn()
        self.assertIn("vs=rope%3Fmodel%3Dllama-2-7b", self.js("return location.search"))

    def test_the_form_of_b_changes_b_alone(self):
        self.open("/explore/rope?dim=64&pos=0:64&out=cos#vs=rope?dim=64&pos=0:64&out=cos")
        self.driver.find_element("css selector", ".sides .b input").click()
        self.drawn()
        self.enter("base", "500000")
        self.until("return location.search.includes('base%3D500000')", "B has the value")
        self.drawn()
        self.assertNotIn("base=", self.js("return location.search"))
        self.assertIn("base=500000", self.text(".snippet code"))

    def test_two_encodings_can_be_compared(self):
        self.open("/explore/causal-mask?len=32&out=mask#vs=sliding-window-mask?len=32&window=8&out=mask")
        self.assertTrue(self.text(".counts dd").startswith("70.7 %"), self.text(".counts dd"))

    def test_other_shapes_are_told(self):
        self.open("/explore/rope?dim=64&pos=0:64&out=cos#vs=rope?dim=32&pos=0:64&out=cos")
        self.assertIn("The shapes differ", self.text(".state"))


class Sheet(PageCase):

    size = (360, 780, "light")

    def test_the_form_is_a_sheet_on_a_phone(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        self.driver.find_element("css selector", ".sheet").click()
        self.enter("dim", "32")
        self.until("return location.search.includes('dim=32')", "the URL has the value")
        self.drawn()
        self.driver.find_element("xpath", "//button[text()='Done']").click()
        self.assertFalse(self.driver.find_element("css selector", ".panel").is_displayed())


class Problems(PageCase):

    expected = ("400 (Bad Request)",)

    def test_the_sentence_of_a_problem_stands_at_its_field(self):
        self.open("/explore/rope?dim=7&pos=0:64&out=cos")
        self.assertIn("even number", self.text(".field.wrong .doc"))
        self.assertEqual(self.js("return document.activeElement.id"), "p-dim")
        self.assertIn("1 parameter needs", self.text(".state"))

    def test_what_fits_no_field_is_not_swallowed(self):
        self.open("/explore/rope?dim=65536&pos=0:1000000000000&out=cos")
        self.assertIn("elements", self.text(".state.bad"))

    def test_the_last_picture_stays_behind_a_problem(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        self.enter("dim", "7")
        self.until("return document.querySelector('.field.wrong')", "the field is marked")
        self.assertIsNotNone(self.text(".figure.stale .map"))

    def test_too_many_elements_are_told_and_cut(self):
        self.open("/explore/sinusoidal?pos=0:131072&dim=1024")
        self.assertIn("more than a screen can show", self.text(".state h2"))
        self.driver.find_element("xpath", "//button[starts-with(., 'First')]").click()
        self.until("return location.search.includes('pos=0:2048')", "the URL has the piece")
        self.drawn()
        self.assertIsNotNone(self.text(".map"))


class Cancelling(PageCase):

    def test_a_long_answer_shows_progress_and_can_be_cancelled(self):
        self.open("/explore/sinusoidal?pos=0:64&dim=64")
        before = self.pixels().tobytes()
        slow = {"offline": False, "latency": 20, "downloadThroughput": 20000,
                "uploadThroughput": 20000}
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
        try:
            self.enter("dim", "4096")
            self.until("return document.querySelector('.progress button')", "Cancel is there")
            self.driver.find_element("css selector", ".progress button").click()
            self.until("return !document.querySelector('.progress button')", "Cancel is gone")
            self.assertEqual(self.pixels().tobytes(), before)
        finally:
            self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
                **slow, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
