# SPDX-License-Identifier: Apache-2.0
"""links.py - follows the links of pages by plain requests: each address is asked for once, and
each page is read once for its own links, examples, and the places that links lead to."""

import html
import http.client
import re
import urllib.parse

LINK = re.compile(r'\b(?:href|src)="([^"]*)"')
PLACE = re.compile(r'\bid="([^"]*)"')
# A line with headers or a body of its own is another request; `make readme-test` runs those.
EXAMPLE = re.compile(r"curl -s '(?:localhost:8080)?(/[^']*)'(?! -[Hd])")
STATE = re.compile(r"[a-z]+=")  # how a fragment of the explorer begins, which is no place
OF_PAGE = {"view", "pal", "vs"}  # words of a state that are no part of its request
PATIENCE = 60  # seconds that only a hang takes


def requests_of(path):
    """The requests whose pictures a state of the explorer has: its own, and the other one (vs=)."""
    name, _, query = path[len("/explore/"):].partition("?")
    words = [word.partition("=") for word in query.split("&")]
    own = ["".join(word) for word in words if word[0] not in OF_PAGE]
    others = [urllib.parse.unquote(value) for key, _, value in words if key == "vs"]
    return ["/v1/" + request for request in [name + "?" + "&".join(own), *others]]


class Links:
    """reads: whether pages are read for links of their own. wrong: [(address, where it stands,
    what is wrong)]."""

    def __init__(self, port, reads):
        self.reads = reads
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.origin = "http://127.0.0.1:%d" % port
        self.waiting, self.asked, self.places, self.fragments = [], set(), {}, []
        self.wrong, self.pages = [], set()

    def add(self, address, where):
        """Adds an address that stands on a page: a path, or a URL of this service."""
        url = urllib.parse.urljoin(self.origin + where, address)
        path, _, fragment = url[len(self.origin):].partition("#")
        if not url.startswith(self.origin + "/"):
            return
        if fragment and not STATE.match(fragment):
            self.fragments.append((path.split("?")[0], fragment, where))
        if path not in self.asked:
            self.asked.add(path)
            self.waiting.append((path, where))
        if path.startswith("/explore/") and "?" in path:
            for request in requests_of(path):
                self.add(request, where)

    def follow(self):
        """Asks for all that was added, and, if pages are read, for what they link."""
        while self.waiting:
            path, where = self.waiting.pop()
            self.connection.request("GET", path, headers={"Accept": "text/html, */*"})
            reply = self.connection.getresponse()
            body = reply.read()
            if reply.status // 100 != 2 and not 300 <= reply.status < 400:
                self.wrong.append((path, where, "status %d" % reply.status))
            elif self.reads and reply.getheader("Content-Type", "").startswith("text/html"):
                self._read(path.split("?")[0], body.decode())
        for path, fragment, where in self.fragments:
            if path in self.places and fragment not in self.places[path]:
                self.wrong.append((path + "#" + fragment, where, "no place of this name"))

    def _read(self, path, text):
        if path in self.pages:
            return
        self.pages.add(path)
        self.places[path] = set(PLACE.findall(text))
        for address in LINK.findall(text):
            self.add(html.unescape(address), path)
        for example in EXAMPLE.findall(html.unescape(text)):
            self.add(example, path)

    def close(self):
        self.connection.close()
