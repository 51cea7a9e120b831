# SPDX-License-Identifier: Apache-2.0
"""test_theme.py - a theme that the reader chose has the colours of the system's, and pictures of the
service in documents follow it."""

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
# The properties of the root that paper.css names, and the scheme of the browser's own controls.
PAPER = """
const names = new Set([...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule.selectorText === ':root').flatMap((rule) => [...rule.style]));
const style = getComputedStyle(document.documentElement);
const around = document.body.appendChild(document.createElement('i'));
const probe = around.appendChild(document.createElement('i'));
around.style.color = '#010203'; // what is no colour, such as a font, leaves the probe this one
const valueOf = (name) => {
    probe.style.color = probe.style.boxShadow = `var(${name})`;
    const { color, boxShadow } = getComputedStyle(probe);
    return color !== 'rgb(1, 2, 3)' ? color : boxShadow !== 'none' ? boxShadow : style.getPropertyValue(name);
};
const found = [...names].map((name) => [name, valueOf(name)]);
around.remove();
return Object.fromEntries(found.filter(([name]) => name !== 'color-scheme'));
"""


class Theme(PageCase):

    def test_a_chosen_theme_has_the_colours_of_the_system_theme(self):
        papers = {}
        for system in ("light", "dark"):
            chromium.resize(1280, 1000, system)
            for chosen in ("", "light", "dark"):
                self.open("/docs")
                self.js("if (arguments[0]) document.documentElement.dataset.theme = arguments[0]", chosen)
                papers[system, chosen] = self.js(PAPER)
        light, dark = papers["light", ""], papers["dark", ""]
        self.assertGreater(sum(light[name] != dark[name] for name in light), 15)
        for (system, chosen), paper in papers.items():
            with self.subTest(system=system, chosen=chosen):
                self.assertEqual(paper, dark if (chosen or system) == "dark" else light)

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
