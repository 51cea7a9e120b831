# SPDX-License-Identifier: Apache-2.0
"""test_waiting.py - a service that is busy, or does not answer, is told, and asked again by itself or by a
button."""

from page_case import PageCase

# Answers as many requests of /v1/sinusoidal in place of the service: by 503, or by none.
INSTEAD = """
let left = %d;
const fetched = window.fetch;
window.asked = 0;
window.fetch = (path, options) => {
    if (!String(path).includes('/v1/sinusoidal')) return fetched(path, options);
    window.asked++;
    if (left-- <= 0) return fetched(path, options);
    return %s;
};
"""
BUSY = """Promise.resolve(new Response(JSON.stringify({ type: '/problems/overloaded', status: 503,
    detail: 'the service has no room for this answer' }),
    { status: 503, headers: { 'Retry-After': '%d', 'Content-Type': 'application/problem+json' } }))"""
GONE = "Promise.reject(new TypeError('Failed to fetch'))"
PAGE = "/explore/sinusoidal?pos=0:64&dim=64"


class Waiting(PageCase):

    def instead(self, count, answer):
        script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument",
                                             {"source": INSTEAD % (count, answer)})
        self.addCleanup(self.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", script)

    def drawn_at_last(self):
        self.until("return document.querySelector('.figure .map') && !document.querySelector('.state')",
                   "the picture is drawn")

    def test_a_busy_service_is_asked_again_when_it_says(self):
        self.instead(1, BUSY % 2)
        self.open(PAGE)
        self.assertIn("The service is busy", self.text(".state h2"))
        self.assertIn("The service has no room for this answer.", self.text(".state"))
        self.assertIn("Asked again in 2 s.", self.text(".state .countdown"))
        self.drawn_at_last()
        self.assertEqual(self.js("return window.asked"), 2)

    def test_a_button_asks_at_once(self):
        self.instead(1, BUSY % 600)
        self.open(PAGE)
        self.assertIn("Asked again in 600 s.", self.text(".state .countdown"))
        self.driver.find_element("css selector", ".state button").click()
        self.drawn_at_last()

    def test_a_service_that_is_gone_is_told_and_asked_again(self):
        self.instead(1, GONE)
        self.open(PAGE)
        self.assertIn("The service does not answer", self.text(".state h2"))
        self.assertIn("Asked again in 10 s.", self.text(".state .countdown"))
        self.driver.find_element("css selector", ".state button").click()
        self.drawn_at_last()
        self.assertEqual(self.js("return window.asked"), 2)
