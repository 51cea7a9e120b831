#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes documents as C, for proto/pages/guide.c: make_guides.py docs/api.md ... >guide_rows.h

A document is Markdown: headings, paragraphs, lists, tables, code, links and emphasis. Its page is
/docs/ and its path below docs/ without the suffix; README.md is the page of its folder. Links
between documents become links between pages, relative ones, so that no prefix is needed. A link to
a file that is no page fails the build."""

import html
import os
import re
import sys

INLINE = re.compile(r"`([^`]+)`|\[([^]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*")
PART = 4000  # characters of a string literal, of which C11 promises 4,095


class Wrong(Exception):
    pass


def slug_of(path):
    """'verify/ladder' for docs/verify/ladder.md, 'verify' for docs/verify/README.md."""
    slug = os.path.splitext(os.path.relpath(path, "docs"))[0]
    return os.path.dirname(slug) if os.path.basename(slug) == "README" else slug


def title_of(text):
    return re.match(r"# (.+)\n", text).group(1)


def summary_of(text):
    """The first sentence of prose, as plain text."""
    lead = next(block for block in text.split("\n\n")[1:] if not re.fullmatch("`[^`]*`|#+ .*", block))
    plain = re.sub(r"[`*]|\]\([^)]*\)|\[", "", lead)
    return re.match(r".*?(\.(?=\s|$)|$)", plain, re.DOTALL).group(0)


def anchor(heading):
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


class Page:
    def __init__(self, path, titles):
        self.path, self.titles = path, titles

    def link(self, words, target):
        if re.match(r"https?:", target):
            return '<a href="%s">%s</a>' % (html.escape(target), self.inline(words))
        file, _, fragment = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(self.path), file)) if file else self.path
        if path not in self.titles:
            raise Wrong("%s: links to %s, which is no page" % (self.path, target))
        if words.endswith(".md"):
            words = self.titles[path]
        here = os.path.dirname("/docs/" + slug_of(self.path))
        place = os.path.relpath("/docs/" + slug_of(path), here) if file else ""
        place += "#" + fragment if fragment else ""
        return '<a href="%s">%s</a>' % (html.escape(place), self.inline(words))

    def inline(self, text):
        made, at = [], 0
        for match in INLINE.finditer(text):
            made.append(html.escape(text[at:match.start()], quote=False))
            code, words, target, strong = match.groups()
            if code:
                made.append("<code>%s</code>" % html.escape(code.replace("\\|", "|"), quote=False))
            elif target:
                made.append(self.link(words, target))
            else:
                made.append("<strong>%s</strong>" % self.inline(strong))
            at = match.end()
        return "".join(made) + html.escape(text[at:].replace("\\|", "|"), quote=False)

    def table(self, lines):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
                for line in lines]
        head = "".join('<th scope="col">%s</th>' % self.inline(cell) for cell in rows[0])
        body = "".join(
            "<tr>%s</tr>\n" % "".join(
                ('<th scope="row">%s</th>' if not i else "<td>%s</td>") % self.inline(cell)
                for i, cell in enumerate(row)) for row in rows[2:])
        return '<div class="wide" tabindex="0"><table>\n<thead><tr>%s</tr></thead>\n' \
            "<tbody>\n%s</tbody>\n</table></div>\n" % (head, body)

    def block(self, text):
        """The HTML of a block, which blank lines separate from others."""
        lines = text.split("\n")
        heading = re.fullmatch(r"(#+) (.+)", text)
        if heading:
            level = len(heading.group(1))
            return '<h%d id="%s">%s</h%d>\n' % (level, anchor(heading.group(2)),
                                                self.inline(heading.group(2)), level)
        if text.startswith("|"):
            return self.table(lines)
        if text.startswith("    "):
            code = "\n".join(line[4:] for line in lines)
            return '<pre tabindex="0">%s</pre>\n' % html.escape(code, quote=False)
        if text.startswith("- "):
            items = re.split(r"\n- ", text[2:])
            return "<ul>\n%s</ul>\n" % "".join(
                "<li>%s</li>\n" % self.inline(" ".join(item.split())) for item in items)
        if re.match(r"[#>*+=]|```|\d+\. |<", text):
            raise Wrong("%s: a block begins in a way that is not known: %s" % (self.path, lines[0]))
        return "<p>%s</p>\n" % self.inline(" ".join(lines))

    def body(self, text):
        return "".join(self.block(block) for block in re.split(r"\n\n+", text.strip("\n")))


def literal(text):
    """A text as string literals of C, joined by line breaks."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n\n")
    return "\n".join('    "%s"' % line for line in escaped.split("\n") if line)


def parts(text):
    """A text as pieces of whole lines that each fit a string literal."""
    found = [""]
    for line in text.splitlines(keepends=True):
        if len(line.encode()) > PART:
            raise Wrong("a line is too long for a literal: %s" % line[:60])
        if len((found[-1] + line).encode()) > PART:
            found.append("")
        found[-1] += line
    return found


def main():
    texts = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            texts[path] = file.read()
    titles = {path: title_of(text) for path, text in texts.items()}
    rows = []
    for number, (path, text) in enumerate(texts.items()):
        page = Page(path, titles)
        lead = " ".join(summary_of(text).split())
        print("static const char *const guide_parts_%d[] = {" % number)
        for part in parts(page.body(text)):
            print(literal(part) + ",")
        print("    NULL,\n};")
        rows.append((slug_of(path), titles[path], lead, number))
    print("static const struct guide guide_rows[] = {")
    for slug, title, lead, number in sorted(rows):
        print("    {%s,\n%s,\n%s,\n    guide_parts_%d}," % (
            literal(slug).strip(), literal(title.replace("`", "")), literal(lead), number))
    print("};")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit("make_guides.py: %s" % wrong)
