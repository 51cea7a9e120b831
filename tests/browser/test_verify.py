# SPDX-License-Identifier: Apache-2.0
"""test_verify.py - the page of verdicts: files that are dropped by the events of a real drag, chosen
ones, folders and built-in ports, with and without a claim; and what is refused before it is sent."""

import json
import os
import shlex
import tempfile
import urllib.parse

import chromium
import numpy
from page_case import PageCase
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from support.tensor_file import npy, safetensors

DONE = """return document.querySelector('.answers[aria-busy=false]')?.childElementCount > 0
    && !document.querySelector('.ports .progress').childElementCount"""
CLAIM = "/verify?model=llama-3.1-8b&pos=0:64"
TABLE = "/v1/rope?model=llama-3.1-8b&pos=0:64"
LARGE = 100 * 1000 * 1000
CONFIG = {"model_type": "llama", "head_dim": 128, "rope_theta": 500000.0, "num_hidden_layers": 4,
          "hidden_size": 512, "num_attention_heads": 4, "max_position_embeddings": 8192}


class Verify(PageCase):

    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, content):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def tables(self, query=""):
        """Tables of a port, as safetensors of the names that a program has."""
        cos, sin = (self.tensor("%s&out=%s%s" % (TABLE, out, query)) for out in ("cos", "sin"))
        return safetensors({"rotary.cos": cos, "rotary.sin": sin})

    def drop(self, *paths, on=".drop"):
        """Drags files from outside over the page and lets them fall."""
        x, y = self.js("""
            const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];""", on)
        for kind in ("dragEnter", "dragOver", "drop"):
            self.driver.execute_cdp_cmd("Input.dispatchDragEvent", {
                "type": kind, "x": x, "y": y,
                "data": {"items": [], "files": list(paths), "dragOperationsMask": 1}})

    def choose(self, *paths):
        self.driver.find_element("css selector", ".drop input[type=file]").send_keys("\n".join(paths))

    def verdict(self):
        self.until(DONE, "the answer")
        return self.text(".answers h2")

    def asked(self):
        """The queries of the requests for verdicts since the last call."""
        urls = [urllib.parse.urlsplit(url) for url in chromium.requests()]
        return [urllib.parse.parse_qs(url.query) for url in urls if url.path == "/v1/verify"]

    def test_a_dropped_file_gets_its_verdict_and_the_repair(self):
        self.open(CLAIM)
        chromium.requests()
        self.drop(self.file("port.safetensors", self.tables("&scaling=none")))
        self.assertIn("scaling", self.verdict())
        self.assertEqual(self.asked(), [{"model": ["llama-3.1-8b"], "pos": ["0:64"]}])
        self.assertEqual(self.js("return document.title"), self.text(".answers h2") + " \u00b7 posencd")
        self.assertEqual(self.text(".tag"), "port.safetensors \u00b7 wrong")
        self.assertEqual(self.text(".diff").split("\n")[:2], ["- scaling = none", "+ scaling = llama3"])
        self.assertEqual(len(self.driver.find_elements("css selector", ".errors dt")), 2)
        self.assertEqual(self.js("return document.activeElement.tagName"), "H2")
        self.assertIn("by pair. By pair: 0: 0, 1: 0,", self.js(
            "return document.querySelector('.bars').getAttribute('aria-label')"))
        link = self.driver.find_element("css selector", ".verdict a[href*='/docs/verify/']")
        self.assertTrue(link.get_attribute("href").endswith("/docs/verify/parameter#scaling"))
        self.until("return document.querySelector('.diff + p').innerText.includes('#')", "who makes it")

    def test_a_right_file_without_a_claim_is_recognised(self):
        self.open("/verify")
        self.choose(self.file("port.safetensors", self.tables()))
        self.assertIn("exact", self.verdict())
        self.assertIsNone(self.text(".diff"))
        self.assertIn("rope", self.text(".verdict"))

    def test_a_changed_claim_is_judged_again_and_stands_in_the_url(self):
        self.open(CLAIM)
        self.choose(self.file("port.safetensors", self.tables("&base=10000&scaling=none")))
        self.verdict()
        box = self.driver.find_element("id", "c-rest")
        box.send_keys("base=10000&scaling=none" + Keys.TAB)
        self.until("return document.querySelector('.verdict.good')", "the verdict of the other claim")
        self.assertIn("base=10000", self.js("return location.search"))
        self.driver.refresh()
        self.until("return document.getElementById('c-rest')?.value === 'base=10000&scaling=none'", "the claim")

    def test_a_wrong_claim_is_told_at_its_field(self):
        self.expected = ("400 (Bad Request)", "404 (Not Found)")
        self.open("/verify?model=no-such-model")
        self.choose(self.file("port.safetensors", self.tables()))
        self.until(DONE, "the answer")
        self.assertIn("no-such-model", self.text(".claim .wrong .doc"))

    def test_a_percent_sign_in_a_claim_stands_for_itself_and_is_told_at_the_field(self):
        self.expected = ("400 (Bad Request)",)
        self.open(CLAIM + "&encoding=rope")
        self.choose(self.file("port.safetensors", self.tables()))
        self.verdict()
        self.driver.find_element("id", "c-rest").send_keys("base=100%" + Keys.TAB)
        self.until("return document.querySelector('.claim .wrong #c-rest')", "the sentence at the field")
        self.assertIn("base: ", self.text(".claim .wrong .doc"))
        self.driver.refresh()
        self.until("return document.getElementById('c-rest')?.value === 'base=100%25'", "the claim")

    def test_a_file_that_is_too_long_is_not_sent(self):
        path = os.path.join(self.folder.name, "long.npy")
        with open(path, "wb") as file:
            file.truncate(LARGE)
        self.open("/verify")
        chromium.requests()
        self.choose(path)
        self.assertIn("the page sends at most", self.verdict())
        self.assertIn("100.0\u202fMB", self.text(".state h2"))
        self.assertIn('numpy.load("long.npy", mmap_mode="r")[:4096]', self.text(".state pre"))
        self.assertEqual(self.asked(), [])

    def test_a_file_of_another_kind_is_told(self):
        self.open("/verify")
        self.drop(self.file("table.xlsx", b"PK"))
        self.assertIn("table.xlsx is none of the files that are read", self.verdict())

    def test_a_broken_file_is_told_in_the_words_of_the_service(self):
        self.expected = ("400 (Bad Request)",)
        self.open("/verify")
        self.drop(self.file("half.safetensors", self.tables()[:100]))
        self.until(DONE, "the answer")
        self.assertTrue(self.text(".answers .state.bad"))

    def test_a_folder_is_judged_file_by_file_by_its_config(self):
        cos = self.tensor("/v1/rope?dim=128&base=500000&pos=0:64&out=cos")
        self.file("run/cos.npy", npy(cos))
        self.file("run/config.json", json.dumps(CONFIG).encode())
        self.file("run/notes.txt", b"not a tensor")
        self.open("/verify")
        chromium.requests()
        self.drop(os.path.join(self.folder.name, "run"))
        self.assertIn("exact", self.verdict())
        [query] = self.asked()
        self.assertEqual(query["tensor"], ["cos"])
        self.assertEqual(json.loads(query["config"][0]), CONFIG)

    def test_a_config_that_is_too_long_is_told_before_it_is_sent(self):
        cos = self.tensor("/v1/rope?dim=128&base=500000&pos=0:64&out=cos")
        self.file("run/cos.npy", npy(cos))
        labels = {str(i): "LABEL_%d" % i for i in range(1000)}
        self.file("run/config.json", json.dumps({**CONFIG, "id2label": labels}).encode())
        self.open("/verify")
        chromium.requests()
        self.drop(os.path.join(self.folder.name, "run"))
        self.assertIn("config.json is too long", self.verdict())
        self.assertIn("8192", self.text(".state.bad"))
        self.assertEqual(self.asked(), [])
        self.driver.find_element("id", "c-model").send_keys("llama-3.1-8b" + Keys.TAB)
        self.until("return document.querySelector('.verdict')", "the verdict by the model's name")

    def test_a_config_alone_is_read_layer_by_layer(self):
        self.open("/verify")
        self.drop(self.file("config.json", json.dumps(CONFIG).encode()))
        self.assertIn("positional part", self.verdict())
        self.assertIn("base=500000", self.text(".part"))
        links = self.js("return [...document.querySelectorAll('.part .chip')].map((one) => one.pathname)")
        self.assertIn("/explore/rope", links)

    def test_json_of_numbers_is_judged(self):
        self.open("/verify?encoding=sinusoidal&dim=4&pos=0:2")
        rows = self.tensor("/v1/sinusoidal?dim=4&pos=0:2").tolist()
        self.drop(self.file("rows.json", json.dumps({"tensors": [{"name": "rows", "data": rows}]}).encode()))
        self.verdict()
        self.assertTrue(self.js("return document.querySelector('.verdict.good') !== null"))

    def test_the_first_page_takes_files(self):
        self.open("/")
        self.drop(self.file("port.safetensors", self.tables()))
        self.until("return location.pathname === '/verify'", "the page of verdicts")
        self.assertIn("exact", self.verdict())
        self.assertEqual(self.js("return document.title"), self.text(".answers h2") + " \u00b7 posencd")
        self.driver.back()
        self.until("return document.querySelector('.cards')", "the first page")

    def test_a_port_needs_no_file_and_no_pointer(self):
        self.open("/verify")
        for _ in range(30):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            if self.js("return document.activeElement.matches('.ports a')"):
                break
        ActionChains(self.driver).send_keys(Keys.ENTER).perform()
        self.assertIn("pairing", self.verdict())
        self.assertIn("port=adjacent", self.js("return location.search"))
        self.driver.back()
        self.until("return !document.querySelector('.verdict')", "the page as it was")

    def report(self):
        """The report, which the button copies."""
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": self.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.driver.find_element("css selector", ".verdict .copy").click()
        self.until("return document.querySelector('.verdict .copy').textContent === 'Copied'", "it is copied")
        return self.driver.execute_async_script(
            "navigator.clipboard.readText().then(arguments[arguments.length - 1])")

    def test_the_report_is_markdown(self):
        self.open("/verify?port=shifted")
        self.assertIn("position", self.verdict())
        report = self.report()
        self.assertTrue(report.startswith("### "), report)
        self.assertIn("```diff\n- pos = 1:513\n+ pos = 0:512\n", report)
        self.assertIn("| cos | cos | f32 | 512 x 64 |", report)
        self.assertIn("curl --data-binary @shifted.safetensors -H ", report)
        self.assertIn("%s/v1/verify?model=" % self.origin, report)

    def test_names_of_any_characters_keep_the_report_whole(self):
        name = "bob's $(x) tables.safetensors"
        cos, sin = (self.tensor("%s&out=%s" % (TABLE, out)) for out in ("cos", "sin"))
        self.open(CLAIM)
        self.drop(self.file(name, safetensors({"a|b.cos": cos, "a|b.sin": sin})))
        self.verdict()
        report = self.report()
        self.assertIn("| a\\|b.cos | cos | ", report)
        command = report[report.index("```sh\n") + 6:report.rindex("\n```")]
        words = shlex.split(command.replace("\\\n", " "))
        self.assertEqual(words[:3], ["curl", "--data-binary", "@" + name])
        self.assertEqual(len(words), 6, words)

    def test_a_quote_in_a_claim_ends_no_word_of_the_line_to_copy(self):
        self.open(CLAIM)
        self.drop(self.file("bob's.cos.npy", npy(self.tensor(TABLE + "&out=cos"))))
        self.verdict()
        self.assertIn("&tensor=bob%27s.cos'", self.report())

    def test_the_page_says_where_files_go(self):
        self.open("/verify")
        self.assertIn("Your files go to this service, %s" % self.origin, self.text(".asking"))

    def test_parts_that_are_rows_of_other_positions_are_named(self):
        cos = self.tensor(TABLE + "&out=cos")
        cos[20:32] = cos[0:12]
        self.open(CLAIM + "&encoding=rope")
        self.drop(self.file("cos.npy", npy(cos)))
        self.assertIn("20:32", self.verdict())
        parts = self.js("return [...document.querySelectorAll('.parts + ul li')].map((one) => one.innerText)")
        self.assertEqual(parts, ["rows 0:20 positions 0:20, right", "rows 20:32 positions 0:12, wrong",
                                 "rows 32:64 positions 32:64, right"])

    def test_numbers_that_are_close_are_right_within_a_tolerance_only(self):
        cos = self.tensor(TABLE + "&out=cos")
        noise = numpy.random.default_rng(1).normal(0, 2e-5, cos.shape).astype("<f4")
        path = self.file("cos.npy", npy(cos + noise))
        for tolerance, tone, label in (("", "unsure", "close"), ("&atol=1e-6&rtol=0", "unsure", "outside the tolerance"),
                                       ("&atol=1e-3", "good", "right")):
            with self.subTest(tolerance=tolerance):
                self.open(CLAIM + "&encoding=rope" + tolerance)
                self.drop(path)
                self.assertIn("digits", self.verdict())
                self.assertEqual(self.text(".verdict.%s .tag" % tone), "cos.npy \u00b7 " + label)
                self.assertEqual("a tolerance says whether" in self.text(".verdict").lower(), tolerance == "")

    def test_numbers_that_nothing_explains_are_shown_where_they_are_wrong(self):
        cos = self.tensor(TABLE + "&out=cos") + numpy.random.default_rng(7).normal(
            0, 0.3, (64, 64)).astype("<f4")
        self.open(CLAIM + "&encoding=rope")
        self.drop(self.file("cos.npy", npy(cos)))
        self.verdict()
        self.assertTrue(self.js("return document.querySelector('.verdict.unsure') !== null"))
        self.assertEqual(len(self.driver.find_elements("css selector", ".bars")), 2)
