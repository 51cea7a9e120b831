#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the manual page posenc(3) from the header, which is the manual: make_man.py posenc.h VERSION

The comment at the head becomes the description, each part of the header a section: its comments
are paragraphs, its declarations stand as they are."""

import re
import sys

LEFT_OUT = re.compile(r"^(lint:|SPDX|posenc\.h - )")
SKIPPED = re.compile(r"^(#(ifn?def|endif|include|define (POSENC_H|PE_(API|MUST_CHECK|PRINTF)))"
                     r"|extern \"C\"|\}$)")


def escaped(line):
    """A line of text that roff prints as it is."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def comment_lines(text):
    """The lines of a comment without its signs."""
    bare = re.sub(r" ?\*/$", "", text)
    return [re.sub(r"^ ?\* ?|^/\*+ ?", "", line).rstrip() for line in bare.split("\n")]


def paragraphs(lines):
    """Roff of text: paragraphs, items that begin with "- ", and lines that are set in."""
    found, last = [".PP"], ""
    for line in lines:
        if LEFT_OUT.match(line):
            last = ""
            continue
        item = re.match(r" *- (.*)", line)
        if not line:
            found.append(".PP")
        elif item:
            found += [".IP \\(bu 2", escaped(item.group(1))]
        elif line.startswith("    ") and not last.lstrip().startswith("-") and not last.startswith("  "):
            found += [".RS", ".nf", escaped(line.strip()), ".fi", ".RE"]
        else:
            found.append(escaped(line.strip()))
        last = line
    kept = [line for i, line in enumerate(found)
            if line != ".PP" or (i + 1 < len(found) and not found[i + 1].startswith("."))]
    return kept


def pieces(text):
    """("comment" or "code", text) in turn; a comment behind code stays in it."""
    code = []
    for part in re.split(r"(^/\*.*?\*/\n)", text, flags=re.MULTILINE | re.DOTALL):
        if part.startswith("/*"):
            if code:
                yield "code", "".join(code)
                code = []
            yield "comment", part.rstrip("\n")
        else:
            code.append(part)
    if code:
        yield "code", "".join(code)


def declarations(code):
    lines = [line.replace("PE_API ", "") for line in code.split("\n")
             if not SKIPPED.match(line)]
    text = "\n".join(lines).strip("\n")
    return [".PP", ".nf", *[escaped(line) or "\\&" for line in text.split("\n")], ".fi"] if text else []


def page(header, version):
    out = [".TH POSENC 3 \"\" \"posencd %s\" \"Library Functions\"" % version, ".SH NAME",
           "posenc \\- positional encodings and attention biases, exact and fast", ".SH LIBRARY",
           "libposenc (\\-lposenc)", ".SH SYNOPSIS", ".B #include <posenc.h>", ".SH DESCRIPTION"]
    for i, (kind, text) in enumerate(pieces(header)):
        if kind == "code":
            out += declarations(text)
            continue
        title = re.match(r"/\* -{4,} (.*?) -{4,}", text)
        lines = comment_lines(text)
        if title:
            out.append('.SH "%s"' % escaped(title.group(1).upper()))
            lines = lines[1:]
        if any(lines):
            out += paragraphs(lines)
    out += [".SH \"SEE ALSO\"", ".BR posencd (1)"]
    return "\n".join(line for i, line in enumerate(out)
                     if line != ".PP" or not out[i - 1].startswith(".SH")) + "\n"


def main(path, version):
    with open(path, encoding="utf-8") as file:
        sys.stdout.write(page(file.read(), version))


main(*sys.argv[1:])
