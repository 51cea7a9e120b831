/* SPDX-License-Identifier: Apache-2.0
 * canvas.h - a picture of indexed colours that is drawn in memory: paper, inks of several
 * levels for texts and lines, and the colours of values. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/pictures/colour_map.h"

enum canvas_ink { CANVAS_INK, CANVAS_SOFT, CANVAS_CURVE, CANVAS_LINE, CANVAS_INK_COUNT };
enum canvas_anchor { CANVAS_START, CANVAS_MIDDLE, CANVAS_END };

struct canvas {
    unsigned width, height;
    unsigned char *pixels; /* a byte each, row by row */
};

/* Takes the memory, all of it paper. False: there is none. */
bool canvas_make(struct canvas *canvas, unsigned width, unsigned height);
void canvas_fini(struct canvas *canvas);
/* Writes the colours of all bytes, 0xrrggbb, of which those of values are the map's. */
void canvas_colours(const struct colour_map *map, uint32_t colours[COLOUR_COUNT]);
/* Returns the byte of a value whose index in its map, colour_map.h, is given. */
unsigned char canvas_of_value(unsigned char index);

/* Draws a text of that size (glyph.h), whose line is y; anchored at x. All that is drawn beyond
 * an edge is cut. */
void canvas_text(struct canvas *canvas, enum canvas_ink ink, unsigned size,
                 enum canvas_anchor anchor, double x, double y, const char *text, size_t len);
/* Draws a text that is read upwards and ends at (x, y). */
void canvas_upright(struct canvas *canvas, enum canvas_ink ink, unsigned size, double x,
                    double y, const char *text, size_t len);
/* Fills a rectangle with an ink, or with the byte of a value. */
void canvas_rect(struct canvas *canvas, enum canvas_ink ink, double x, double y, double width,
                 double height);
void canvas_fill(struct canvas *canvas, unsigned char value, double x, double y, double width,
                 double height);
/* Draws a line with round ends. */
void canvas_line(struct canvas *canvas, enum canvas_ink ink, double thickness, double x1,
                 double y1, double x2, double y2);
