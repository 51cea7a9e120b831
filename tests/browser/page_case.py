# SPDX-License-Identifier: Apache-2.0
"""page_case.py - the base of the browser tests: a server, the window, and a page's parts. After
each test the console must be empty and every request must have gone to the server."""

import base64
import io
import json
import os
import urllib.request

import chromium
import numpy
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from support.posencd import ROOT
from support.suite import ServerCase

PATIENCE = 30.0
FULL = bool(os.environ.get("FULL"))
ONE_A_FAMILY = ("rope", "sinusoidal", "alibi", "causal-mask", "sincos2d-mae", "ids-mrope",
                "laplacian-pe")
SHOTS = os.path.join(ROOT, "build", "browser")
DRAWN = """
const figure = document.querySelector('.figure');
const canvases = [...document.querySelectorAll('.stage canvas')];
return document.readyState === 'complete' && (!figure || figure.getAttribute('aria-busy') === 'false')
    && (figure !== null || canvases.length > 0 || !document.body.matches('.home'))
    && !document.querySelector('.answers[aria-busy=true], .lesson [aria-busy=true]') && canvases.every((canvas) => canvas.style.width !== '')
    && [...document.querySelectorAll('svg.plot')].every((plot) => plot.childElementCount > 0);
"""


class PageCase(ServerCase):
    """expected: parts of console messages that a test provokes."""

    prefix = ""
    expected = ()
    size = (1440, 1000, "light")

    def setUp(self):
        self.driver = chromium.driver()
        chromium.resize(*self.size)
        self.driver.get("about:blank")
        chromium.console()
        chromium.requests()

    def tearDown(self):
        written = [line for line in chromium.console()
                   if not any(part in line for part in (*self.expected, "willReadFrequently"))]
        self.assertEqual(written, [])
        away = [url for url in chromium.requests()
                if not url.startswith((self.origin + "/", "data:", "blob:", "about:"))]
        self.assertEqual(away, [])

    @property
    def origin(self):
        return "http://127.0.0.1:%d" % self.server.port

    def until(self, condition, what):
        """Waits until the JavaScript is true."""
        WebDriverWait(self.driver, PATIENCE, 0.02).until(
            lambda driver: driver.execute_script(condition), what)

    def open(self, path):
        """Opens a page, from nothing, and waits until it is drawn."""
        self.driver.get("about:blank")
        self.driver.get(self.origin + self.prefix + path)
        self.drawn()

    def drawn(self):
        self.until(DRAWN, "the page is drawn")

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.innerText ?? null", selector)

    def number(self, selector=".readout .value"):
        """The number that is shown."""
        return float(self.text(selector).replace("\u2212", "-").replace("\u202f", ""))

    def tensor(self, path):
        """The answer of the API as an array of NumPy."""
        mark = "&" if "?" in path else "?"
        url = self.origin + self.prefix + path + mark + "format=npy"
        with urllib.request.urlopen(url) as reply:
            return numpy.load(io.BytesIO(reply.read()))

    def pictures(self):
        """The requests, without /v1/, that draw each output of one encoding a family; with FULL=1
        of every encoding."""
        with urllib.request.urlopen(self.origin + "/v1/encodings?fields=name,outputs") as reply:
            encodings = json.load(reply)["encodings"]
        return [output["picture"].replace("/v1/", "", 1) for one in encodings
                if FULL or one["name"] in ONE_A_FAMILY for output in one["outputs"]]

    def pixels(self, index=0):
        """The canvas of a heat map as an array (height, width, 4)."""
        width, height, data = self.js("""
            const canvas = document.querySelectorAll('.stage canvas')[arguments[0]];
            const { width, height } = canvas;
            const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
            let text = '';
            for (let i = 0; i < data.length; i += 30000)
                text += String.fromCharCode(...data.subarray(i, i + 30000));
            return [width, height, btoa(text)];""", index)
        raw = base64.b64decode(data)
        return numpy.frombuffer(raw, numpy.uint8).reshape(height, width, 4)

    def enter(self, name, text):
        """Types a value into the field of a parameter, in place of what is there."""
        field = self.driver.find_element("id", "p-" + name)
        field.send_keys(Keys.CONTROL + "a")
        field.send_keys(text + Keys.TAB)

    def photograph(self, name):
        os.makedirs(SHOTS, exist_ok=True)
        self.driver.save_screenshot(os.path.join(SHOTS, name + ".png"))
