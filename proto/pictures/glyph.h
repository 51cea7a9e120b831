/* SPDX-License-Identifier: Apache-2.0
 * glyph.h - the shapes of characters in pictures, in two sizes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { GLYPH_SMALL = 22, GLYPH_LARGE = 38 }; /* pixels of the font's em */
enum { GLYPH_LEVELS = 15 };                  /* of ink, above none */

struct glyph {
    unsigned char size;    /* GLYPH_SMALL or GLYPH_LARGE */
    uint16_t code;         /* of Unicode */
    unsigned char advance; /* pixels to the next glyph */
    signed char left, top; /* of the box: from the pen, and above the line */
    unsigned char width, height;
    unsigned short ink; /* where its levels begin */
};

/* Returns the glyph of the character; where the table lacks it, that of U+FFFD. A space of any
 * width has a glyph without ink. */
const struct glyph *glyph_find(unsigned size, uint32_t code);
/* Returns the ink of a pixel of the glyph's box, 0 to GLYPH_LEVELS. */
unsigned glyph_level(const struct glyph *glyph, unsigned x, unsigned y);
/* Returns the pixels that a text in UTF-8 is long. */
unsigned glyph_width(unsigned size, const char *text, size_t len);
