# SPDX-License-Identifier: Apache-2.0
"""test_pictures.py - figures and pictures over HTTP: read by an XML parser, negotiated, cached."""

import base64
import re
import xml.etree.ElementTree as ElementTree

from support.suite import ServerCase

SVG = "{http://www.w3.org/2000/svg}"
SINUSOIDAL = "/v1/sinusoidal?pos=0:128&dim=128"


def figure(answer):
    assert answer.header("content-type") == "image/svg+xml", answer.header("content-type")
    return ElementTree.fromstring(answer.body)


def texts(root):
    return ["".join(node.itertext()) for node in root.iter(SVG + "text")]


def pictures(root):
    """The PNG files inside."""
    head = "data:image/png;base64,"
    links = [node.get("href") for node in root.iter(SVG + "image")]
    assert all(link.startswith(head) for link in links)
    return [base64.b64decode(link[len(head):], validate=True) for link in links]


class Figures(ServerCase):
    def test_the_famous_picture_is_inside_its_figure(self):
        root = figure(self.get(SINUSOIDAL + "&format=svg"))
        self.assertEqual(pictures(root),
                         [self.get(SINUSOIDAL + "&format=png&cell=4").body])
        self.assertEqual(texts(root)[:3], ["Sinusoidal positional encoding",
                                           "sinusoidal dim=128 pos=0:128", "Rows"])
        for mark in ("0", "20", "120", "column \u2192", "\u2190 position", "\u22121", "1"):
            self.assertIn(mark, texts(root))

    def test_several_outputs_are_panels_below_each_other(self):
        root = figure(self.get("/v1/rope?dim=64&pos=0:32&out=cos,sin,inv_freq&format=svg"))
        self.assertEqual(len(pictures(root)), 2)
        self.assertEqual(len(list(root.iter(SVG + "path"))), 1)
        labels = [text for text in texts(root) if text in
                  ("Cosines", "Sines", "Inverse frequencies")]
        self.assertEqual(len(labels), 3)

    def test_every_head_is_a_tile_with_its_number(self):
        root = figure(self.get("/v1/alibi?heads=8&len=64&causal=1&format=svg"))
        self.assertEqual(len(pictures(root)), 1)
        self.assertEqual(len(list(root.iter(SVG + "use"))), 8)
        for head in range(8):
            self.assertIn("head %d" % head, texts(root))
        self.assertIn("masked", texts(root))

    def test_every_picture_of_the_catalogue_is_xml_within_its_width(self):
        count = 0
        for entry in self.get("/v1/encodings?fields=name,outputs").json()["encodings"]:
            for output in entry["outputs"]:
                if "picture" not in output:
                    continue
                root = figure(self.get(output["picture"] + "&format=svg"))
                left, top, width, height = map(float, root.get("viewBox").split())
                self.assertEqual((left, top), (0, 0))
                self.assertTrue(all(0 <= float(node.get("x", 0)) <= width and
                                    0 <= float(node.get("y", 0)) <= height
                                    for node in root.iter(SVG + "text")), output["picture"])
                count += 1
        self.assertGreater(count, 300)

    def test_nothing_in_a_figure_is_active_or_elsewhere(self):
        body = self.get("/v1/alibi?heads=8&len=64&causal=1&format=svg").text()
        self.assertNotRegex(body, r"<script|<foreignObject|\son\w+=|@import|@font-face")
        self.assertEqual(set(re.findall(r'https?://[^"]*', body)),
                         {"http://www.w3.org/2000/svg"})


class Negotiation(ServerCase):
    def test_a_figure_may_load_nothing_and_run_nothing(self):
        for asked in (SINUSOIDAL, SINUSOIDAL, "/v1/rope?dim=2048&pos=0:4096&out=cos,sin"):
            policy = self.get(asked + "&format=svg").header("content-security-policy")
            self.assertIn("default-src 'none'", policy)
            self.assertIn("sandbox", policy)
        self.assertIsNone(self.get(SINUSOIDAL + "&format=png").header("content-security-policy"))

    def test_numbers_beyond_the_range_of_a_figure_are_told(self):
        for _ in range(2):
            answer = self.get("/v1/rope?dim=8&pos=0:4&out=cos,sin&range=0,0.5&format=svg")
            self.assertRegex(answer.header("posenc-warning"),
                             r"^[0-9]+ of 32 numbers are beyond range=0,0.5 ")

    def test_a_range_of_truth_values_is_refused(self):
        answer = self.get("/v1/causal-mask?len=8&range=0,1&format=svg", status=400)
        self.assertIn("has no effect on truth values", answer.body.decode())

    def test_accept_chooses_unless_a_page_is_wanted(self):
        for accept, kind in (("image/svg+xml", "image/svg+xml"), ("image/png", "image/png"),
                             ("image/*", "image/png"),
                             ("text/html,image/svg+xml,*/*;q=0.8", "application/json")):
            answer = self.get(SINUSOIDAL, [("Accept", accept)])
            self.assertEqual(answer.header("content-type"), kind, accept)

    def test_a_figure_has_a_tag_as_other_answers_have(self):
        target = SINUSOIDAL + "&format=svg"
        answer = self.get(target)
        tag = answer.header("etag")
        self.assertEqual(self.get(target).body, answer.body)
        self.get(target, [("If-None-Match", tag)], status=304)
        self.assertNotEqual(self.get(SINUSOIDAL + "&format=png").header("etag"), tag)
        head = self.server.ask("HEAD", target)
        self.assertEqual((head.status, head.header("etag")), (200, tag))
        self.assertEqual(answer.header("content-disposition"),
                         'inline; filename="sinusoidal.svg"')
