#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes documents as C, for proto/pages/guide.c: make_guides.py docs/api.md ... >guide_rows.h

A document is Markdown: headings, paragraphs, lists, tables, code (indented, or between fences), links
and emphasis. Its page is /docs/ and its path below docs/ without the suffix; README.md is the page of
its folder, and the folder learn is /learn. Links between documents become links between pages, relative
ones, so that no prefix is needed. A link to a file that is no page fails the build. A photograph of a
page is left out: the service has the page itself.

A chapter has figures, each a picture with its controls in the lines below it (docs/learn/README.md):

    ![One sentence.](/v1/rope?dim=8&pos={p}&{way} "cells")
    - p | 0..9 | 3 | position
    - way | pairing=half | half pairs | A sentence about this choice."""

import html
import json
import os
import re
import sys

FENCED = re.compile(r"^(```\w*\n.*?^```)$", re.MULTILINE | re.DOTALL)
PHOTOGRAPH = re.compile(r"!\[[^]]*\]\(pictures/[^)]*\.png\)")
INLINE = re.compile(r"`([^`]+)`|\[([^]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*")
FIGURE = re.compile(r'!\[([^]]+)\]\((/v1/\S+(?: /v1/\S+)*) "(\w+)"\)((?:\n- .+)*)')
HEADING = re.compile(r'^<h2 id="([^"]*)">(.*)</h2>$', re.MULTILINE)
TAG = re.compile(r"<[^>]+>")
CONTENTS_LEAST = 5  # sections of a document that begins with links to them
HOLE = re.compile(r"\{(\w+)(?:\+(\w+))?\}")
SLIDER = re.compile(r"(-?\d+)\.\.(\d+)( log)?")
COURSE, TRANSLATION, TERMS, WORDS = "docs/learn", "zh", "terms.md", "words.tsv"
TERM = re.compile(r"^\| [^|]+ \| ([^|]*[\u4e00-\u9fff][^|]*) \| ([a-z, ]+) \| (https://\S+) \|$", re.MULTILINE)
PICTURE = "\0"  # how a line begins that is the address of a picture: no text has this character
PART = 4000  # characters of a string literal, of which C11 promises 4,095


class Wrong(Exception):
    pass


def slug_of(path):
    """'verify/ladder' for docs/verify/ladder.md, 'verify' for docs/verify/README.md."""
    slug = os.path.splitext(os.path.relpath(path, "docs"))[0]
    return os.path.dirname(slug) if os.path.basename(slug) == "README" else slug


def title_of(text):
    return re.match(r"# (.+)\n", text).group(1)


def read(path):
    """The text without a comment that stands before its title."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"\A<!--.*?-->\n", "", file.read(), flags=re.DOTALL)


def summary_of(text):
    """The first sentence of prose, as plain text."""
    lead = next(block for block in text.split("\n\n")[1:] if not re.fullmatch("`[^`]*`|#+ .*", block))
    plain = re.sub(r"[`*]|\]\([^)]*\)|\[", "", lead)
    return re.match(r".*?(\.(?=\s|$)|。|$)", plain, re.DOTALL).group(0)


def place_of(slug):
    """The path of a page."""
    return "/" + slug if slug.split("/")[0] == "learn" else "/docs/" + slug


def controls_of(text):
    """The controls of a figure: sliders, and choices of one name that follow each other."""
    found = []
    for line in text.strip("\n").split("\n") if text else []:
        name, *cells = [cell.strip() for cell in line[2:].split("|")]
        slider = SLIDER.fullmatch(cells[0])
        if slider:
            low, high, log = slider.groups()
            found.append({"name": name, "low": int(low), "high": int(high), "log": bool(log),
                          "value": cells[1], "label": cells[2]})
            continue
        if not found or found[-1]["name"] != name:
            found.append({"name": name, "value": cells[0], "options": []})
        found[-1]["options"].append(cells)
    return found


def filled(template, values):
    """A request with the values of controls in its holes: {p} is a value, {p+k} a sum."""
    def value(hole):
        first, second = hole.groups()
        if second:
            return str(int(values[first]) + int(values[second]))
        return values[first]
    while HOLE.search(template):
        template = HOLE.sub(value, template)
    return re.sub(r"&&+", "&", template).replace("?&", "?").rstrip("?&")


def figure_words():
    """English word of a figure -> the same in the translation."""
    path = os.path.join(COURSE, TRANSLATION, WORDS)
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            english, tab, other = line.partition("\t")
            if not (english and tab and other) or english in found:
                raise Wrong("%s: a line has a word, a tab, and its translation, once: %s" % (path, line))
            if english.count("{}") != other.count("{}"):
                raise Wrong("%s: a translation has the holes {} of its word: %s" % (path, line))
            found[english] = other
    return found


def anchor(heading):
    return re.sub(r"[^a-z0-9\u4e00-\u9fff]+", "-", heading.lower()).strip("-")


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
        here = os.path.dirname(place_of(slug_of(self.path)))
        to = place_of(slug_of(path))
        place = os.path.join(os.path.relpath(os.path.dirname(to), here), os.path.basename(to)) if file else ""
        place = place[2:] if place.startswith("./") else place
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

    def figure(self, found):
        """A figure that a script makes live; its picture is a part of the page by itself."""
        sentence, requests, kind, lines = found.groups()
        controls = controls_of(lines)
        values = {one["name"]: one["value"] for one in controls}
        try:
            first = filled(requests.split(" ")[0], values)
        except KeyError as missing:
            raise Wrong("%s: no control has the name %s" % (self.path, missing)) from missing
        return ('<figure class="lesson" data-kind="%s" data-requests="%s"\ndata-controls="%s">\n'
                '<img loading="lazy" alt="%s" src="\n'
                '%s%s%s%s\n">\n<figcaption>%s</figcaption>\n</figure>\n' % (
                    kind, html.escape(requests.replace("/v1/", "")), html.escape(json.dumps(controls)),
                    html.escape(re.sub("[`*]", "", sentence)), PICTURE, first, PICTURE,
                    json.dumps([requests.split(" ")[0], controls]), self.inline(sentence)))

    def block(self, text):
        """The HTML of a block, which blank lines separate from others."""
        text = re.sub(r"^  (?! )", "", text, flags=re.MULTILINE) if text[:2] == "  " else text
        lines = text.split("\n")
        figure = FIGURE.fullmatch(text)
        if figure:
            return self.figure(figure)
        heading = re.fullmatch(r"(#+) (.+)", text)
        if heading:
            level = len(heading.group(1))
            return '<h%d id="%s">%s</h%d>\n' % (level, anchor(heading.group(2)),
                                                self.inline(heading.group(2)), level)
        if PHOTOGRAPH.fullmatch(text):
            return ""
        if text.startswith("|"):
            return self.table(lines)
        if text.startswith(("    ", "```")):
            code = "\n".join(lines[1:-1] if text[0] == "`" else [line[4:] for line in lines])
            return '<pre tabindex="0">%s</pre>\n' % html.escape(code, quote=False)
        for mark, tag in ((r"- ", "ul"), (r"\d+\. ", "ol")):
            if re.match(mark, text):
                items = re.split("(?:^|\n)" + mark, text)[1:]
                return "<%s>\n%s</%s>\n" % (tag, "".join(
                    "<li>%s</li>\n" % self.inline(" ".join(item.split())) for item in items), tag)
        if re.match(r"[#>+=!]|\*(?!\*)|<", text):
            raise Wrong("%s: a block begins in a way that is not known: %s" % (self.path, lines[0]))
        return "<p>%s</p>\n" % self.inline(" ".join(lines))

    def contents(self, made):
        """Links to the sections of a long document; chapters are read from the top."""
        headings = HEADING.findall(made)
        if len(headings) < CONTENTS_LEAST or self.path.startswith(COURSE):
            return ""
        return '<nav class="toc" aria-label="On this page">\n<ul>\n%s</ul>\n</nav>\n' % "".join(
            '<li><a href="#%s">%s</a></li>\n' % (place, TAG.sub("", words)) for place, words in headings)

    def body(self, text):
        pieces = [[piece] if FENCED.match(piece) else re.split(r"\n\n+", piece)
                  for piece in FENCED.split(text)]
        made = "".join(self.block(block.strip("\n")) for blocks in pieces for block in blocks
                       if block.strip("\n"))
        return made.replace("<h2 ", self.contents(made) + "<h2 ", 1) + self.words()

    def words(self):
        """The words of figures in the language of a translation, for the script that draws them."""
        if os.path.dirname(self.path) != os.path.join(COURSE, TRANSLATION):
            return ""
        return '<div id="words" hidden data-words="%s"></div>\n' % html.escape(
            json.dumps(figure_words(), ensure_ascii=False, indent=0))


def figure_fields(text):
    """The request of a figure with holes, and its controls, as C; of a part without controls: NULL."""
    if not text:
        return "NULL, NULL"
    request, controls = json.loads(text)
    rows = []
    for one in controls:
        options = [literal(option[0]).strip() or '""' for option in one.get("options", ())]
        choices = "(const char *const[]){%s, NULL}" % ", ".join(options) if options else "NULL"
        rows.append("{%s, %s, %d, %d, %s}" % (literal(one["name"]).strip(), literal(one["value"]).strip() or '""',
                                              one.get("low", 0), one.get("high", 0), choices))
    return "%s,\n    (const struct guide_control[]){%s}" % (
        literal(request).strip(), ",\n    ".join(rows + ["{NULL, NULL, 0, 0, NULL}"]))


def literal(text):
    """A text as string literals of C, joined by line breaks."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n\n")
    return "\n".join('    "%s"' % line for line in escaped.split("\n") if line)


def parts(text):
    """A text as pieces of whole lines that each fit a string literal. The address of a picture is a
    piece by itself, without the line breaks around it."""
    found = [""]
    for line in text.splitlines(keepends=True):
        if line.startswith(PICTURE):
            found[-1] = found[-1].rstrip("\n")
            found += [line.strip(), ""]
            continue
        if found[-1] == "" and len(found) > 1 and found[-2].startswith(PICTURE):
            found[-1] = line.lstrip("\n")
            continue
        if len(line.encode()) > PART:
            raise Wrong("a line is too long for a literal: %s" % line[:60])
        if len((found[-1] + line).encode()) > PART:
            found.append("")
        found[-1] += line
    return found


def figures_of(text):
    """What the figures of a chapter are in every language: requests, kind, and controls but for their words."""
    return [(requests, kind, [(one["name"], one["value"], one.get("low"), one.get("high"),
                               [option[0] for option in one.get("options", ())]) for one in controls_of(lines)])
            for _, requests, kind, lines in FIGURE.findall(text)]


def check_translations(texts):
    """Each chapter has a translation with its figures, which has the words of the table of terms."""
    chapters = {os.path.basename(path): text for path, text in texts.items()
                if os.path.dirname(path) == COURSE and os.path.basename(path) != TERMS}
    translated = {os.path.basename(path): text for path, text in texts.items()
                  if os.path.dirname(path) == os.path.join(COURSE, TRANSLATION)}
    if sorted(chapters) != sorted(translated):
        raise Wrong("%s has not the chapters of %s" % (os.path.join(COURSE, TRANSLATION), COURSE))
    for name, text in chapters.items():
        if figures_of(text) != figures_of(translated[name]):
            raise Wrong("%s/%s/%s has other figures than %s/%s" % (COURSE, TRANSLATION, name, COURSE, name))
    for word, names, source in TERM.findall(texts.get(os.path.join(COURSE, TERMS), "")):
        for name in names.split(", "):
            if word not in translated[name + ".md"]:
                raise Wrong("%s/%s/%s.md lacks the term %s" % (COURSE, TRANSLATION, name, word))


def main():
    texts = {path: read(path) for path in sys.argv[1:]}
    titles = {path: title_of(text) for path, text in texts.items()}
    check_translations(texts)
    rows = []
    for number, (path, text) in enumerate(texts.items()):
        page = Page(path, titles)
        lead = " ".join(summary_of(text).split())
        print("static const struct guide_part guide_parts_%d[] = {" % number)
        for part in parts(page.body(text)):
            is_picture = part.startswith(PICTURE)
            address, _, figure = part.lstrip(PICTURE).partition(PICTURE)
            print("    {%s, %s, %s}," % (literal(address).strip(), str(is_picture).lower(), figure_fields(figure)))
        print("    {NULL, false, NULL, NULL},\n};")
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
