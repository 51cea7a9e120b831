# SPDX-License-Identifier: Apache-2.0
"""test_documents.py - the photographs in docs/pictures show the pages as they are. Texts may be
laid out by another version of the browser, so they are compared small, with a tolerance.
RETAKE=1 takes them anew."""

import base64
import os

import chromium
from page_case import PageCase
from test_photographs import VIEWS

PICTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/pictures")
SHOTS = {"explorer-home": "home", "explorer-compare": "difference"}
WINDOW = (1440, 1000, "light")
TOLERANCE = 4  # of 255, the mean over all colours; two other pages differ by 20 and more

# The mean difference of two pictures, each drawn with an eighth of its width.
DIFFERENCE = """
const done = arguments[2];
const pixels = async (data) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: 180, height: 125 });
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
};
Promise.all([pixels(arguments[0]), pixels(arguments[1])]).then(([a, b]) =>
    done(a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length));
"""


class Documents(PageCase):

    def difference(self, a, b):
        self.driver.get("about:blank")
        return self.driver.execute_async_script(
            DIFFERENCE, *(base64.b64encode(picture).decode() for picture in (a, b)))

    def shot(self, name):
        self.open(VIEWS[SHOTS[name]])
        return self.driver.get_screenshot_as_png()

    def kept(self, name):
        with open(os.path.join(PICTURES, name + ".png"), "rb") as file:
            return file.read()

    def test_the_photographs_show_the_pages(self):
        chromium.resize(*WINDOW)
        for name in SHOTS:
            with self.subTest(name=name):
                shot = self.shot(name)
                if os.environ.get("RETAKE"):
                    with open(os.path.join(PICTURES, name + ".png"), "wb") as file:
                        file.write(shot)
                self.assertLess(self.difference(shot, self.kept(name)), TOLERANCE)

    def test_a_photograph_of_another_page_is_told(self):
        first, second = (self.kept(name) for name in SHOTS)
        self.assertGreater(self.difference(first, second), TOLERANCE)
