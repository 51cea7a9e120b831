#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes glyphs.txt as C, for proto/pictures/glyph.c: make_glyphs.py glyphs.txt >glyph_rows.h
A pixel has four bits of ink; a row of a glyph begins with a byte of its own. With two files it compares
them, as two versions of FreeType may differ by a level of ink: make_glyphs.py glyphs.txt OTHER."""

import re
import sys

HEAD = re.compile(r"(\d+) U\+([0-9A-F]+) advance (\d+) left (-?\d+) top (-?\d+) size (\d+)x(\d+)")
LINE = 16  # bytes of a line of C


def read(path):
    """[((size, code, advance, left, top, width, height), rows of levels of ink)]"""
    glyphs = []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            head = HEAD.fullmatch(line)
            if head:
                glyphs.append(((int(head[1]), int(head[2], 16), *map(int, head.groups()[2:])), []))
            elif not line.startswith("#"):
                glyphs[-1][1].append([int(digit, 16) for digit in line.replace(".", "0")])
    for (size, code, *_, width, height), rows in glyphs:
        if len(rows) != height or any(len(row) != width for row in rows):
            raise SystemExit("%s: U+%04X of %d pixels is not %d x %d" % (path, code, size, width, height))
    return glyphs


def compare(path, other):
    """Ends with a sentence if the tables differ by more than a level of ink."""
    one, two = read(path), read(other)
    if [head for head, _ in one] != [head for head, _ in two]:
        raise SystemExit("%s has other glyphs than are drawn: run `make glyphs`" % path)
    for (head, rows), (_, drawn) in zip(one, two):
        if any(abs(a - b) > 1 for row, line in zip(rows, drawn) for a, b in zip(row, line)):
            raise SystemExit("%s: U+%04X is not what is drawn: run `make glyphs`" % (path, head[1]))


def packed(row):
    row = row + [0] * (len(row) % 2)
    return [high << 4 | low for high, low in zip(row[::2], row[1::2])]


def main():
    glyphs, ink = sorted(read(sys.argv[1]), key=lambda glyph: glyph[0][:2]), []
    print("static const struct glyph glyph_rows[] = {")
    for (size, code, advance, left, top, width, height), rows in glyphs:
        print("    {%d, 0x%x, %d, %d, %d, %d, %d, %d}," % (
            size, code, advance, left, top, width, height, len(ink)))
        ink += [byte for row in rows for byte in packed(row)]
    print("};\nstatic const unsigned char glyph_ink_rows[] = {")
    for at in range(0, len(ink), LINE):
        print("    %s," % ", ".join("%d" % byte for byte in ink[at:at + LINE]))
    print("};")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        compare(sys.argv[1], sys.argv[2])
    else:
        main()
