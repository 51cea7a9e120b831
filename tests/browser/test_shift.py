# SPDX-License-Identifier: Apache-2.0
"""test_shift.py - what a page shows keeps its place while the rest comes, over a slow network (1.6 Mbit/s,
150 ms) and on a slow processor (a fourth): the sum of layout shifts, as browsers count them."""

import chromium
from page_case import PageCase

WIDE = ("/", "/explore/rope", "/docs/rope")
PAGES = (*WIDE, "/explore/alibi", "/explore/rope#view=rotation", "/models", "/models/llama-3.1-8b",
         "/learn/rotation", "/compare")
MOST = 0.1
COUNT = """
window.shift = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""


class Shift(PageCase):

    def slow(self, network, processor):
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 150 if network else 0,
            "downloadThroughput": network, "uploadThroughput": network})
        self.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": processor})
        self.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": network > 0})

    def setUp(self):
        super().setUp()
        self.driver.execute_cdp_cmd("Network.enable", {})
        script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT})
        self.addCleanup(self.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", script)
        self.slow(1.6e6 / 8, 4)
        self.addCleanup(self.slow, -1, 1)

    def test_pages_keep_what_they_show_in_its_place(self):
        for width, height, pages in ((360, 780, PAGES), (1280, 900, WIDE)):
            chromium.resize(width, height, "light")
            for page in pages:
                with self.subTest(page=page, width=width):
                    self.open(page)
                    self.until("return !document.querySelector('[aria-busy=true]')", "all is drawn")
                    self.js("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
                    shift = self.js("return window.shift")
                    print("shift of %s at %d: %.3f" % (page, width, shift))
                    self.assertLessEqual(shift, MOST)
