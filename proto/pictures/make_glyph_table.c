/* SPDX-License-Identifier: Apache-2.0
 * make_glyph_table.c - draws the table glyphs.txt from a font, by FreeType. It is no part of
 * the program: the table is in the tree, so that a build needs neither FreeType nor a font,
 * and a picture has the same bytes on every system. `make glyphs` draws it anew, and `make
 * lint` compares it with what is drawn. */
#include <ft2build.h>
#include <stdbool.h>
#include <stdio.h>
#include FT_FREETYPE_H

enum { LEVELS = 15, FIRST = 0x21, LAST = 0x7e };

/* The names of axes, parameters and marks contain these code points besides ASCII. Those that a
 * title may contain come first. */
static const unsigned others[] = {
    0xfffd, 0x2212, 0x2013, 0x2019, 0x221e, 0xd7,   0xe9,   0xb0,   0xb1,   0xb2,
    0xb3,   0xb7,   0xb9,   0x3b1,  0x3b2,  0x3b8,  0x3bb,  0x3c0,  0x3c3,  0x3c9,
    0x2014, 0x2026, 0x2070, 0x2074, 0x2075, 0x2076, 0x2077, 0x2078, 0x2079, 0x207b,
    0x2190, 0x2192, 0x221a, 0x2248, 0x2260, 0x2264, 0x2265,
};
static const struct {
    unsigned pixels; /* of the font's em */
    size_t others;   /* how many of them it has */
} sizes[] = {{22, sizeof others / sizeof *others}, {38, 7}};

/* Writes a glyph: its size, code and measures, and its rows, a digit for each pixel. */
static bool draw(FT_Face face, unsigned size, unsigned code)
{
    static const char digits[] = ".123456789abcdef";

    if (FT_Get_Char_Index(face, code) == 0 ||
        FT_Load_Char(face, code, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT))
        return false;
    const FT_Bitmap *bitmap = &face->glyph->bitmap;
    printf("%u U+%04X advance %ld left %d top %d size %ux%u\n", size, code,
           (face->glyph->advance.x + 32) / 64, face->glyph->bitmap_left,
           face->glyph->bitmap_top, bitmap->width, bitmap->rows);
    for (unsigned y = 0; y < bitmap->rows; y++) {
        for (unsigned x = 0; x < bitmap->width; x++) {
            const unsigned level = bitmap->buffer[y * (unsigned)bitmap->pitch + x];

            putchar(digits[(level * LEVELS + 127) / 255]);
        }
        putchar('\n');
    }
    return true;
}

int main(int argc, char *argv[])
{
    FT_Library library;
    FT_Face face;
    bool drawn = true;

    if (argc != 2 || FT_Init_FreeType(&library) || FT_New_Face(library, argv[1], 0, &face)) {
        fprintf(stderr, "usage: make_glyph_table FONT, a file that FreeType reads\n");
        return 1;
    }
    printf(
        "# glyphs.txt - the glyphs of pictures, of the font %s, drawn by make_glyph_table.c.\n"
        "# Each has its size, code and measures in pixels; then its rows, a hexadecimal digit\n"
        "# of ink for each pixel. The font's license permits it (DejaVu changes are in the\n"
        "# public domain; Bitstream Vera, copyright 2003 Bitstream, Inc.).\n",
        face->family_name);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        drawn &= !FT_Set_Pixel_Sizes(face, 0, sizes[i].pixels);
        for (unsigned code = FIRST; code <= LAST; code++)
            drawn &= draw(face, sizes[i].pixels, code);
        for (size_t j = 0; j < sizes[i].others; j++)
            drawn &= draw(face, sizes[i].pixels, others[j]);
    }
    if (!drawn)
        fprintf(stderr, "make_glyph_table: the font lacks a glyph\n");
    FT_Done_FreeType(library);
    return !drawn;
}
