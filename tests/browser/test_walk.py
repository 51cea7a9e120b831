# SPDX-License-Identifier: Apache-2.0
"""test_walk.py - opens every page as a reader does: every model, every output of every encoding with
its tab pressed twice, every choice of every control, every link and every example. Nothing may
say that something is wrong: no box, no line of the console, no exception, no refused request."""

from devtools import Browser
from links import Links
from support.suite import ServerCase
from walking import TOLD, walk_pages

FIRST = ("/", "/compare", "/docs", "/learn", "/models", "/verify")
SIZED = ["/explore/%s?len=24" % name for name in (
    "t5", "bert-relative-key", "deberta", "shaw", "transformer-xl")]
WALKED = ("/explore/", "/models/")  # by tests of their own


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
        return walk_pages(self, self.browser, self.origin, pages)

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
