# SPDX-License-Identifier: Apache-2.0
"""measured_page.py - a document of measured figures, made from a template: "{{table NAME}}" becomes
a table whose cells are named figures, "{{fixed NAME}}" a number of the sources, and "{{NAME}}" a
figure. All else stands in the document word for word, so that a test can hold both against each
other whatever the figures are."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIGURE = re.compile(r"\{\{([^}]+)\}\}")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class MeasuredPage:
    """template, document: paths from the repository's root; tables: name -> (heads, rows of (text,
    name of its figures), the columns that are figures); fixed: name -> text."""

    def __init__(self, template, document, tables, fixed):
        self.template, self.document = template, document
        self.tables, self.fixed = tables, fixed

    def _table(self, name):
        """The table with {{figures}} as cells."""
        heads, rows, columns = self.tables[name]
        lines = [heads, ["---"] * len(heads)]
        lines += [[text, *("{{%s.%s}}" % (figures, column) for column in columns)]
                  for text, figures in rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def expanded(self, template=None):
        """The template with its tables, of which every one is there."""
        template = template or read(self.template)
        named = [name[6:] for name in FIGURE.findall(template) if name.startswith("table ")]
        assert sorted(named) == sorted(self.tables), \
            "the template has other tables: %s" % sorted(named)

        def expand(found):
            kind, _, name = found.group(1).rpartition(" ")
            if kind == "table":
                return self._table(name)
            return self.fixed[name] if kind == "fixed" else found.group()
        return FIGURE.sub(expand, template)

    def filled(self, figures):
        """The document. A figure that is missing, or that nothing shows, is a mistake."""
        text = self.expanded()
        shown = set(FIGURE.findall(text))
        assert shown == set(figures), "missing: %s; not shown: %s" % (
            sorted(shown - set(figures)), sorted(set(figures) - shown))
        return FIGURE.sub(lambda found: figures[found.group(1)], text)

    def write(self, figures):
        text = self.filled(figures)
        with open(os.path.join(ROOT, self.document), "w", encoding="utf-8") as file:
            file.write(text)

    def is_in_step(self, document):
        """Whether the document is made from the template, whatever its figures are."""
        pieces = FIGURE.split(self.expanded())
        pattern = "".join(re.escape(piece) if number % 2 == 0 else r"[^\n|{}]+?"
                          for number, piece in enumerate(pieces))
        return re.fullmatch(pattern, document) is not None
