# SPDX-License-Identifier: Apache-2.0
"""test_walk.py - opens every page as a reader does: every model, every output of every encoding with
its tab pressed twice, every choice of every control, every link and every example. Nothing may
say that something is wrong: no box, no line of the console, no exception, no refused request."""

import contextlib
import os
import queue
import threading
import time

from devtools import Browser
from links import Links
from support.suite import ServerCase

TABS = 3  # pages at work: two cores, and one that waits for answers
FIRST = ("/", "/compare", "/docs", "/learn", "/models", "/verify")
SIZED = ["/explore/%s?len=24" % name for name in (
    "t5", "bert-relative-key", "deberta", "shaw", "transformer-xl")]
WALKED = ("/explore/", "/models/")  # by tests of their own
HERE = os.path.dirname(os.path.abspath(__file__))
TOLD = 40  # faults that a failure lists


def walked(browser, pages):
    """{page: (steps, links, faults)} of all pages."""
    with open(os.path.join(HERE, "walk.js"), encoding="utf-8") as file:
        script = file.read() + "\nwalk()"
    waiting, found = queue.SimpleQueue(), {}
    for page in pages:
        waiting.put(page)

    def work():
        with contextlib.closing(browser.tab()) as tab, contextlib.suppress(queue.Empty):
            while True:
                page = waiting.get_nowait()
                done, wrong = tab.open(page, script)
                faults = ["%s: %s" % tuple(one) for one in done["wrong"]] + wrong
                found[page] = (done["steps"], done["links"], faults)

    threads = [threading.Thread(target=work) for _ in range(TABS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


class Walk(ServerCase):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.origin = "http://127.0.0.1:%d" % cls.server.port
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        super().tearDownClass()

    def names(self, path, key, name):
        return [one[name] for one in self.get(path).json()[key]]

    def explorers(self):
        """Each encoding as it begins; and some of a length that tables of other tabs have not."""
        names = self.names("/v1/encodings?fields=name", "encodings", "name")
        return [*SIZED, *("/explore/" + name for name in names)]

    def models(self):
        return ["/models/" + name for name in self.names("/v1/models?fields=id", "models", "id")]

    def walk(self, pages):
        """Walks the pages; fails with their faults. Returns the links that stand on them."""
        began = time.monotonic()
        found = walked(self.browser, [self.origin + page for page in pages])
        self.assertEqual(len(found), len(pages))
        faults = {page: wrong for page, (_, _, wrong) in found.items() if wrong}
        print("walk: %d pages, %d steps, %d pages with faults, %.0f s" % (
            len(pages), sum(steps for steps, _, _ in found.values()), len(faults),
            time.monotonic() - began), flush=True)
        lines = ["%s: %s" % (page[len(self.origin):], one)
                 for page, wrong in sorted(faults.items()) for one in wrong]
        if lines:
            self.fail("%d faults on %d pages:\n%s" % (len(lines), len(faults), "\n".join(lines[:TOLD])))
        return {link: page for page, (_, links, _) in found.items() for link in links}

    def follow(self, links, reads=False):
        """Follows the links; reads: and those of the pages that they lead to. Returns these."""
        walk = Links(self.server.port, reads)
        for link, page in links.items():
            walk.add(link, page[len(self.origin):])
        walk.follow()
        walk.close()
        print("walk: %d addresses, %d pages among them" % (len(walk.asked), len(walk.pages)), flush=True)
        lines = ["%s on %s: %s" % one for one in walk.wrong]
        if lines:
            self.fail("%d links are broken:\n%s" % (len(lines), "\n".join(lines[:TOLD])))
        return walk.pages

    def test_every_model_page_draws_and_its_links_answer(self):
        self.follow(self.walk(self.models()))

    def test_every_output_and_choice_of_every_encoding_draws_and_its_links_answer(self):
        self.follow(self.walk(self.explorers()))

    def test_every_link_and_example_answers_and_every_other_page_opens(self):
        pages = self.follow({path: self.origin + "/" for path in FIRST}, reads=True)
        self.follow(self.walk([page for page in sorted(pages) if not page.startswith(WALKED)]))
