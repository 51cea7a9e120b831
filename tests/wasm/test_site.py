# SPDX-License-Identifier: Apache-2.0
"""test_site.py - the pages as files (make site), below a folder of a file server and without any service:
they draw what modules compute in the page, and every link leads to a file."""

import filecmp
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from support.posencd import ROOT, binary

sys.path[:0] = [os.path.join(ROOT, "tests", "browser"), os.path.join(ROOT, "server", "web")]

import make_site  # noqa: E402, found by the line above
import numpy  # noqa: E402
from file_server import FileServer, Quiet  # noqa: E402
from devtools import Browser  # noqa: E402
from page_case import FULL, PageCase  # noqa: E402
from support.tensor_file import safetensors  # noqa: E402
from walking import walk_pages  # noqa: E402

LINK = re.compile(r'\b(?:href|src)="([^"#]*)["#]')
MADE_BY_SCRIPT = re.compile(r"(\.\./|\./)+(v1/|openapi\.json)")  # links that the script answers
WALKED = re.compile(  # pages whose links and controls are all tried, one of a kind where many are alike
    r"\.|compare|verify|models|docs|docs/(rope|disagreements|api|verify/degrees)|problems/overloaded|"
    r"models/(llama-3\.1-8b|phi-2)|explore/(nope|integer|normalized)|learn(/.*)?")
DRAWN = "return document.querySelector('.figure')?.getAttribute('aria-busy') === 'false'"


def make(folder):
    subprocess.run([sys.executable, os.path.join(ROOT, "server", "web", "make_site.py"), binary(), "esbuild",
                    os.path.join(ROOT, "build", "wasm"), folder], check=True, stdout=subprocess.DEVNULL)


class Made(unittest.TestCase):

    def test_a_program_that_never_serves_is_ended(self):
        self.addCleanup(setattr, make_site, "PATIENCE", make_site.PATIENCE)
        make_site.PATIENCE = 0.3
        begun, begin = [], subprocess.Popen

        def keep(*given, **options):
            begun.append(begin(*given, **options))
            return begun[0]
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nexec sleep 1000 >/dev/null 2>&1\n")
            os.chmod(program, 0o755)
            with mock.patch.object(subprocess, "Popen", keep):
                with self.assertRaisesRegex(SystemExit, "%s does not serve" % program):
                    make_site.Service(program)
        self.assertIsNotNone(begun[0].returncode)
        with self.assertRaisesRegex(SystemExit, "/bin/false does not serve: it ended with 1"):
            make_site.Service("/bin/false")


class Heads(unittest.TestCase):
    """What a preview of a link to a page of files is told."""

    def head(self, path, url=""):
        with make_site.Service(binary()) as service:
            with mock.patch.object(make_site, "read_pages", lambda _: ({path: service.get(path)[0].decode()}, "")):
                site = make_site.Site(service, url)
            text = site.with_host(path, site.pages[path])
        return dict(re.findall(r'<(?:meta (?:property|name)|link rel)="([^"]*)" (?:content|href)="([^"]*)"', text)), \
            site.files

    def test_without_a_host_there_is_a_title_and_no_address(self):
        head, files = self.head("/explore/rope")
        self.assertEqual(head["og:title"], "Rotary position embedding (RoPE)")
        self.assertIn("cosines", head["og:description"])
        self.assertEqual({"canonical", "og:url", "og:image", "og:image:type", "twitter:card"} & set(head), set())
        self.assertEqual(files, {})

    def test_with_a_host_address_and_picture_are_whole(self):
        for url in ("https://posenc.example/below", "https://posenc.example/below/"):
            head, files = self.head("/explore/rope", url)
            self.assertEqual(head["canonical"], "https://posenc.example/below/explore/rope/")
            self.assertEqual(head["og:url"], head["canonical"])
            (name, content), = files.items()
            self.assertEqual(head["og:image"], "https://posenc.example/below/" + name)
            self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(head["twitter:card"], "summary_large_image")
        self.assertEqual(self.head("/", "https://posenc.example")[0]["canonical"], "https://posenc.example/")


class Site(PageCase):

    prefix = "/below/it"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = cls.folder.name + cls.prefix
        make(cls.site)
        cls.files = FileServer(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.files.close()
        cls.folder.cleanup()

    @property
    def origin(self):
        return self.files.url

    def pages(self):
        """The pages, by their paths in the site."""
        for folder, _, names in os.walk(self.site):
            if "index.html" in names:
                with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
                    yield os.path.relpath(folder, self.site), file.read()

    def test_every_link_leads_to_a_file(self):
        count, broken = 0, []
        for path, text in self.pages():
            for link in LINK.findall(text):
                if not link or re.match(r"https?:|data:|mailto:", link) or MADE_BY_SCRIPT.match(link):
                    continue
                place = os.path.join(self.site, path, link.split("?")[0])
                count += 1
                if not os.path.isfile(place + "index.html" if place.endswith("/") else place):
                    broken.append((path, link))
        self.assertEqual(broken, [])
        self.assertGreater(count, 10000)

    def test_every_page_lets_the_modules_run_and_nothing_from_elsewhere(self):
        for path, text in self.pages():
            self.assertIn("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; ", text, path)
            self.assertIn("compute", text.partition("<footer")[2], path)

    def test_the_same_program_makes_the_same_files(self):
        with tempfile.TemporaryDirectory() as again:
            make(again)
            names = [os.path.relpath(os.path.join(folder, name), again)
                     for folder, _, files in os.walk(again) for name in files]
            same, other, missing = filecmp.cmpfiles(self.site, again, names, shallow=False)
            self.assertEqual((len(same), other, missing), (len(names), [], []))

    def test_the_first_page_draws_its_pictures(self):
        self.open("/")
        self.until("""
            const cards = [...document.querySelectorAll('.cards canvas')];
            const bytes = (one) => one.getContext('2d').getImageData(0, 0, one.width, one.height).data;
            return cards.length === 6 && cards.every((one) => bytes(one).some((byte) => byte));""", "six cards")
        self.assertGreater(len(numpy.unique(self.pixels())), 20)
        self.assertIn("http://localhost:8080/v1/sinusoidal?", self.text(".snippet code"))
        self.photograph("site-home")
        self.driver.find_element("css selector", ".cards a").click()
        self.until(DRAWN, "the explorer")
        self.assertEqual(self.text(".receipt b"), "48 \u00d7 64")

    def test_a_parameter_changes_the_numbers_and_the_picture(self):
        self.open("/explore/rope?pos=0:16&dim=32&out=cos#at=1,0")
        self.assertEqual(self.text(".receipt b"), "16 \u00d7 16")
        self.assertAlmostEqual(self.number(), math.cos(1), places=7)
        before = self.pixels()
        self.enter("dim", "64")
        self.until("return document.querySelector('.receipt b')?.innerText === '16 \u00d7 32'", "another table")
        self.assertNotEqual(self.pixels().tobytes(), before.tobytes())
        self.photograph("site-explorer")
        address = self.driver.current_url
        self.assertTrue(address.startswith(self.origin + self.prefix + "/explore/rope/?"), address)
        self.driver.refresh()
        self.drawn()
        self.assertEqual(self.text(".receipt b"), "16 \u00d7 32")
        self.driver.find_element("css selector", ".source a").click()
        self.until("return location.pathname.endsWith('/docs/rope/') && document.images.length > 0", "the text")

    def test_a_wrong_value_is_told_at_its_field(self):
        self.open("/explore/rope?pos=0:16&dim=32&out=cos")
        self.enter("dim", "7")
        self.until("return document.querySelector('.wrong')", "the field")
        self.assertIn("even number", self.text(".wrong"))

    def test_an_answer_that_is_too_large_is_not_computed(self):
        self.open("/explore/rope?pos=0:1000000&dim=128&out=cos")
        self.assertIn("is more than a screen can show", self.text(".state h2"))

    def test_a_server_whose_policy_forbids_the_modules_is_told(self):
        Quiet.policy, self.expected = "script-src 'self'", ("wasm-unsafe-eval", "WebAssembly")
        self.addCleanup(self.driver.execute_cdp_cmd, "Network.clearBrowserCache", {})  # the worker with its policy
        self.addCleanup(setattr, Quiet, "policy", None)
        self.driver.get(self.origin + self.prefix + "/explore/rope/")
        self.until("return document.querySelector('.state.bad h2')", "the sentence")
        self.assertEqual(self.text(".state.bad h2"), "The numbers cannot be computed here")
        self.assertIn("a page whose policy has 'wasm-unsafe-eval'", self.text(".state.bad p"))

    def test_two_requests_are_compared(self):
        self.open("/compare")
        self.until("return document.querySelectorAll('.preview canvas, .preview svg').length >= 4", "figures")
        self.photograph("site-compare")
        self.driver.find_element("css selector", ".start a").click()
        self.until(DRAWN, "the comparison")
        self.assertTrue(self.js("return document.querySelector('svg.plot') !== null"))

    def test_texts_have_their_pictures(self):
        self.open("/docs/rope")
        self.assertTrue(self.js("return document.images.length > 0 && "
                                "[...document.images].every((one) => one.naturalWidth > 0)"))
        self.photograph("site-docs")
        self.open("/docs")
        self.assertIn("rope", self.text("main"))

    def test_a_model_has_its_figures(self):
        self.open("/models/llama-3.1-8b")
        self.until("return document.querySelector('.figures svg.plot') && document.querySelector('.use canvas')",
                   "figures")
        self.photograph("site-model")

    def test_files_are_judged_in_the_page(self):
        angles = numpy.multiply.outer(numpy.arange(64), 10000 ** (-numpy.arange(32) / 32))
        with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
            file.write(safetensors({"cos": numpy.cos(angles).astype("<f4")}))
            file.flush()
            self.open("/verify?encoding=rope&dim=64&pos=1:65")
            self.assertIn("Your files stay in this page", self.text(".asking"))
            self.driver.find_element("css selector", ".drop input[type=file]").send_keys(file.name)
            self.until("return document.querySelector('.verdict.bad')", "the verdict")
        self.assertIn("pos = 0:64", self.text(".diff"))
        self.photograph("site-verify")

    def test_a_port_is_computed_and_judged_in_the_page(self):
        self.open("/verify?port=adjacent")
        self.until("return document.querySelector('.verdict.bad')", "the verdict")
        self.assertIn("pairing = adjacent", self.text(".diff"))
        self.driver.find_element("css selector", ".diff + p a").click()
        self.until("return location.pathname.endsWith('/docs/verify/parameter/')", "the mistake's page")

    def test_a_chapter_has_its_figures(self):
        self.open("/learn/rotation?m=12&k=10")
        self.until("return !document.querySelector('.lesson [aria-busy=true]')", "its figures")
        self.assertIsNone(self.text(".lesson .state"))
        self.assertAlmostEqual(self.number(), float(numpy.cos(2 * 10000 ** (-numpy.arange(32) / 32)).mean()), places=6)
        self.photograph("site-learn")

    def test_links_to_the_api_lead_to_what_is_computed(self):
        self.open("/models/llama-3.1-8b")
        self.until("return document.querySelector('.use canvas')", "figures")
        self.js("document.querySelector('a[href$=\"/v1/models/llama-3.1-8b\"]').click()")
        self.until("return location.protocol === 'blob:'", "the answer")
        self.assertIn('"id":"llama-3.1-8b"', self.js("return document.body.innerText").replace(" ", ""))

    def test_files_are_saved(self):
        self.open("/explore/rope?pos=0:16&dim=32&out=cos")
        saved = self.driver.execute_async_script("""
            const done = arguments[0], make = URL.createObjectURL;
            let bytes;
            URL.createObjectURL = (blob) => make.call(URL, bytes = blob);
            HTMLAnchorElement.prototype.click = function () {
                done([this.download, this.href.split(':')[0], bytes.size]);
            };
            const click = new MouseEvent('click', { bubbles: true, cancelable: true });
            document.querySelector('.files a').dispatchEvent(click);
        """)
        self.assertEqual(saved, ["cos.npy", "blob", 128 + 16 * 16 * 4])

    def test_pages_work_as_those_of_the_service_do(self):
        """The walk of tests/browser/test_walk.py: each control pressed, and nothing wrong in the console."""
        browser = Browser()
        self.addCleanup(browser.close)
        paths = sorted(path for path, _ in self.pages() if FULL or WALKED.fullmatch(path))
        self.assertGreater(len(paths), 20)
        walk_pages(self, browser, self.origin + self.prefix, ["/" if path == "." else "/%s/" % path for path in paths])

    def test_every_encoding_is_drawn(self):
        names = [path.partition("/")[2] for path, _ in self.pages() if path.startswith("explore/")]
        self.assertGreater(len(names), 100)
        for name in sorted(names) if FULL else ("alibi", "rope/apply", "sincos2d-mae", "ids-mrope", "laplacian-pe"):
            with self.subTest(name=name):
                self.open("/explore/" + name)
                self.assertIsNone(self.text(".figure .state"))
                self.assertTrue(self.text(".receipt b"))
