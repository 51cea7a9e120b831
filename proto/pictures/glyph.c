/* SPDX-License-Identifier: Apache-2.0
 * glyph.c - see glyph.h. */
#include "proto/pictures/glyph.h"

#include <assert.h>
#include <stdlib.h>

#include "glyph_rows.h" /* glyph_rows[], glyph_ink_rows[]: made from glyphs.txt */
#include "proto/text/utf8.h"

enum { MISSING = 0xfffd, THIN_SPACE = 0x202f };

static const struct glyph spaces[] = {{.size = GLYPH_SMALL, .code = ' ', .advance = 7},
                                      {.size = GLYPH_LARGE, .code = ' ', .advance = 12},
                                      {.size = GLYPH_SMALL, .code = THIN_SPACE, .advance = 4},
                                      {.size = GLYPH_LARGE, .code = THIN_SPACE, .advance = 7}};

static int order(const void *left, const void *right)
{
    const struct glyph *a = left, *b = right;

    return a->size != b->size ? a->size - b->size : a->code - b->code;
}

static const struct glyph *find(unsigned size, uint32_t code)
{
    const struct glyph key = {.size = (unsigned char)size, .code = (uint16_t)code};

    return bsearch(&key, glyph_rows, sizeof glyph_rows / sizeof glyph_rows[0],
                   sizeof glyph_rows[0], order);
}

const struct glyph *glyph_find(unsigned size, uint32_t code)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (spaces[i].size == size && spaces[i].code == code)
            return &spaces[i];

    const struct glyph *glyph = code <= UINT16_MAX ? find(size, code) : NULL;
    glyph = glyph ? glyph : find(size, MISSING);
    assert(glyph);
    return glyph;
}

unsigned glyph_level(const struct glyph *glyph, unsigned x, unsigned y)
{
    const unsigned pitch = (glyph->width + 1u) / 2;

    assert(x < glyph->width && y < glyph->height);
    const unsigned char byte = glyph_ink_rows[glyph->ink + y * pitch + x / 2];
    return x % 2 == 0 ? byte >> 4 : byte & 15;
}

unsigned glyph_width(unsigned size, const char *text, size_t len)
{
    unsigned width = 0;

    for (size_t at = 0, used; at < len; at += used) {
        uint32_t code = MISSING;

        used = utf8_character(text + at, len - at, &code);
        used = used > 0 ? used : 1;
        width += glyph_find(size, code)->advance;
    }
    return width;
}
