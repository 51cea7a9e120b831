# SPDX-License-Identifier: Apache-2.0
"""test_photographs.py - each view in both themes and at four widths, for people to look at; none
is wider than its window."""

import chromium
from page_case import PageCase

VIEWS = {
    "home": "/", "compare": "/compare", "verify": "/verify?port=adjacent",
    **{"learn-" + name: "/learn/" + name for name in (
        "order", "waves", "rotation", "bias", "longer", "pictures")},
    "rope": "/explore/rope?model=llama-3.1-8b&pos=0:256&out=cos",
    "rotation": "/explore/rope?model=llama-3.1-8b&out=inv_freq#view=rotation",
    "heads": "/explore/alibi?heads=8&len=64&causal=1",
    "mask": "/explore/sliding-window-mask?len=64&window=12",
    "decay": "/explore/rope?dim=128&distance=0:1024&out=decay",
    "two-models": "/explore/rope?model=llama-2-7b&out=wavelengths"
                  "#vs=rope?model=llama-3.1-8b&out=wavelengths",
    "difference": "/explore/rope?dim=128&pos=999936:1000064&out=cos"
                  "#vs=rope?dim=128&pos=999936:1000064&profile=f32-pow&out=cos",
    "model": "/models/gemma-3-4b", "docs": "/docs/rope",
}
SIZES = ((360, 780), (800, 1000), (1440, 1000), (3840, 2000))


class Photographs(PageCase):

    def test_a_page_fits_its_window(self):
        for theme in ("light", "dark"):
            for width, height in SIZES:
                chromium.resize(width, height, theme)
                for name, path in VIEWS.items():
                    with self.subTest(name=name, width=width, theme=theme):
                        self.open(path)
                        self.photograph("%s-%s-%d" % (name, theme, width))
                        self.assertLessEqual(self.js(
                            "return document.documentElement.scrollWidth"), width)

    def test_a_page_fits_the_narrowest_window(self):
        chromium.resize(320, 700, "light")
        more = {path: path for path in ("/models", "/docs", "/docs/openapi", "/docs/api", "/docs/disagreements",
                                        "/explore/sinusoidal?pos=0:16&dim=16", "/problems/invalid-parameter")}
        for name, path in {**VIEWS, **more}.items():
            with self.subTest(name=name):
                self.open(path)
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 320)
