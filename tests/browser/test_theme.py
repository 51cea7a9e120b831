# SPDX-License-Identifier: Apache-2.0
"""test_theme.py - pictures of the service in documents follow the theme of the page."""

import base64

import chromium
from page_case import PageCase

# The lightness, 0 to 255, of the ground of a picture: its lower right corner, inside the border.
GROUND = """
const done = arguments[1];
const image = new Image();
image.onload = () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d');
    context.drawImage(image, image.width - 8, image.height - 8, 1, 1, 0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    done((red + green + blue) / 3);
};
image.src = 'data:image/png;base64,' + arguments[0];
"""


class Theme(PageCase):

    def ground(self):
        picture = self.driver.find_element("css selector", "article img").screenshot_as_png
        self.driver.get("about:blank")
        return self.driver.execute_async_script(GROUND, base64.b64encode(picture).decode())

    def test_a_picture_in_a_dark_document_is_dark(self):
        for theme, is_right in (("light", lambda value: value == 255), ("dark", lambda value: value < 40)):
            for page in ("/docs/rope", "/docs/alibi"):
                with self.subTest(theme=theme, page=page):
                    chromium.resize(1280, 1000, theme)
                    self.open(page)
                    self.assertTrue(is_right(self.ground()))
