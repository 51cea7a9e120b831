/* SPDX-License-Identifier: Apache-2.0
 * canvas.c - see canvas.h. The bytes are in this order: values, every second step of a map and
 * what is beside it; paper; then the levels of each ink. */
#include "proto/pictures/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pictures/glyph.h"
#include "proto/text/utf8.h"

enum {
    STEPS = (COLOUR_MAP_STEPS + 1) / 2, /* odd: zero has the middle one */
    MASKED = STEPS,
    HATCH,
    PAPER,
    INKS,
};
_Static_assert(STEPS % 2 == 1 && INKS + CANVAS_INK_COUNT * GLYPH_LEVELS <= COLOUR_COUNT,
               "every colour has a byte");

#define PAPER_COLOUR 0xffffff
static const uint32_t inks[CANVAS_INK_COUNT] = {[CANVAS_INK] = 0x1a1c1f,
                                                [CANVAS_SOFT] = 0x55585e,
                                                [CANVAS_CURVE] = 0x2757b8,
                                                [CANVAS_LINE] = 0xe4e2dc};

bool canvas_make(struct canvas *canvas, unsigned width, unsigned height)
{
    *canvas = (struct canvas){width, height, malloc((size_t)width * height)};
    if (canvas->pixels)
        memset(canvas->pixels, PAPER, (size_t)width * height);
    return canvas->pixels;
}

void canvas_fini(struct canvas *canvas)
{
    free(canvas->pixels);
    canvas->pixels = NULL;
}

/* Returns the colour of a level of an ink on the paper. */
static uint32_t mixed(uint32_t ink, unsigned level)
{
    uint32_t colour = 0;

    for (unsigned shift = 0; shift <= 16; shift += 8) {
        const uint32_t paper = PAPER_COLOUR >> shift & 0xff, full = ink >> shift & 0xff;

        colour |=
            (paper * (GLYPH_LEVELS - level) + full * level + GLYPH_LEVELS / 2) / GLYPH_LEVELS
            << shift;
    }
    return colour;
}

void canvas_colours(const struct colour_map *map, uint32_t colours[COLOUR_COUNT])
{
    uint32_t steps[COLOUR_COUNT];

    colour_map_write(map, steps);
    memset(colours, 0, COLOUR_COUNT * sizeof *colours);
    for (unsigned i = 0; i < STEPS; i++)
        colours[i] = steps[2 * i];
    colours[MASKED] = steps[COLOUR_MASKED];
    colours[HATCH] = steps[COLOUR_HATCH];
    colours[PAPER] = PAPER_COLOUR;
    for (unsigned ink = 0; ink < CANVAS_INK_COUNT; ink++)
        for (unsigned level = 1; level <= GLYPH_LEVELS; level++)
            colours[INKS + ink * GLYPH_LEVELS + level - 1] = mixed(inks[ink], level);
}

unsigned char canvas_of_value(unsigned char index)
{
    static const unsigned char beside[] = {
        [COLOUR_MASKED - COLOUR_MASKED] = MASKED,
        [COLOUR_HATCH - COLOUR_MASKED] = HATCH,
        [COLOUR_GAP - COLOUR_MASKED] = PAPER,
    };

    return index < COLOUR_MAP_STEPS ? (unsigned char)(index / 2)
                                    : beside[index - COLOUR_MASKED];
}

/* Puts a level of ink on a pixel, unless it has more of that ink. */
static void put(struct canvas *canvas, enum canvas_ink ink, unsigned level, int x, int y)
{
    const unsigned base = INKS + (unsigned)ink * GLYPH_LEVELS - 1;

    if (level == 0 || x < 0 || y < 0 || (unsigned)x >= canvas->width ||
        (unsigned)y >= canvas->height)
        return;
    unsigned char *pixel = &canvas->pixels[(size_t)y * canvas->width + (size_t)x];
    if (*pixel <= base || *pixel > base + GLYPH_LEVELS || *pixel < base + level)
        *pixel = (unsigned char)(base + level);
}

/* Draws a text from (x, y) on, to the right or upwards. */
static void draw(struct canvas *canvas, enum canvas_ink ink, unsigned size, int x, int y,
                 bool upright, const char *text, size_t len)
{
    int pen = 0;

    for (size_t at = 0, used; at < len; at += used) {
        uint32_t code = UINT32_MAX;

        used = utf8_character(text + at, len - at, &code);
        used = used > 0 ? used : 1;
        const struct glyph *glyph = glyph_find(size, code);
        for (unsigned row = 0; row < glyph->height; row++) {
            for (unsigned column = 0; column < glyph->width; column++) {
                const int along = pen + glyph->left + (int)column;
                const int across = (int)row - glyph->top;

                put(canvas, ink, glyph_level(glyph, column, row),
                    upright ? x + across : x + along, upright ? y - along : y + across);
            }
        }
        pen += glyph->advance;
    }
}

void canvas_text(struct canvas *canvas, enum canvas_ink ink, unsigned size,
                 enum canvas_anchor anchor, double x, double y, const char *text, size_t len)
{
    const double width = glyph_width(size, text, len);
    const double shift = anchor == CANVAS_START    ? 0
                         : anchor == CANVAS_MIDDLE ? width / 2
                                                   : width;

    draw(canvas, ink, size, (int)lround(x - shift), (int)lround(y), false, text, len);
}

void canvas_upright(struct canvas *canvas, enum canvas_ink ink, unsigned size, double x,
                    double y, const char *text, size_t len)
{
    const double width = glyph_width(size, text, len);

    draw(canvas, ink, size, (int)lround(x), (int)lround(y + width), true, text, len);
}

void canvas_fill(struct canvas *canvas, unsigned char value, double x, double y, double width,
                 double height)
{
    const double right = fmin(fmax(round(x + width), 0), canvas->width);
    const double bottom = fmin(fmax(round(y + height), 0), canvas->height);
    const double left = fmax(round(x), 0);

    for (double row = fmax(round(y), 0); row < bottom && left < right; row++)
        memset(canvas->pixels + (size_t)row * canvas->width + (size_t)left, value,
               (size_t)(right - left));
}

void canvas_rect(struct canvas *canvas, enum canvas_ink ink, double x, double y, double width,
                 double height)
{
    canvas_fill(canvas, (unsigned char)(INKS + ((unsigned)ink + 1) * GLYPH_LEVELS - 1), x, y,
                width, height);
}

void canvas_line(struct canvas *canvas, enum canvas_ink ink, double thickness, double x1,
                 double y1, double x2, double y2)
{
    const double half = thickness / 2, dx = x2 - x1, dy = y2 - y1, square = dx * dx + dy * dy;
    const double right = fmin(fmax(x1, x2) + half + 1, canvas->width - 1.0);
    const double bottom = fmin(fmax(y1, y2) + half + 1, canvas->height - 1.0);

    for (double y = fmax(floor(fmin(y1, y2) - half), 0); y <= bottom; y++) {
        for (double x = fmax(floor(fmin(x1, x2) - half), 0); x <= right; x++) {
            const double along =
                square > 0 ? fmin(fmax(((x - x1) * dx + (y - y1) * dy) / square, 0), 1) : 0;
            const double away = hypot(x - x1 - along * dx, y - y1 - along * dy);
            const double share = fmin(fmax(half + 0.5 - away, 0), 1);

            put(canvas, ink, (unsigned)lround(share * GLYPH_LEVELS), (int)x, (int)y);
        }
    }
}
