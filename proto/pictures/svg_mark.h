/* SPDX-License-Identifier: Apache-2.0
 * svg_mark.h - writes the elements of an SVG figure (W3C, Scalable Vector Graphics 1.1). Texts
 * have generic families of fonts, which the viewer has, and are escaped. */
#pragma once

#include "proto/text/buffer.h"

/* The inks of a figure on its own paper. */
#define SVG_MARK_PAPER "#ffffff"
#define SVG_MARK_INK "#1a1c1f"
#define SVG_MARK_SOFT "#55585e"
#define SVG_MARK_LINE "#e4e2dc"
#define SVG_MARK_EDGE "#8a8d93"
#define SVG_MARK_CURVE "#2757b8"

/* What a text is: it decides size, weight and colour. */
enum svg_mark_role {
    SVG_MARK_TITLE,
    SVG_MARK_QUERY,
    SVG_MARK_HEADING,
    SVG_MARK_NAME,
    SVG_MARK_TICK,
    SVG_MARK_NUMBER,
};
enum svg_mark_anchor { SVG_MARK_START, SVG_MARK_MIDDLE, SVG_MARK_END };

/* Adds a coordinate with at most two decimals. */
void svg_mark_coordinate(struct buffer *out, double value);
/* Opens the figure of the size, with its paper and the styles of its texts. */
void svg_mark_open(struct buffer *out, double width, double height, const char *title);
void svg_mark_close(struct buffer *out);
void svg_mark_text(struct buffer *out, enum svg_mark_role role, enum svg_mark_anchor anchor,
                   double x, double y, const char *text, size_t len);
/* Adds a text that is read upwards and ends at (x, y). */
void svg_mark_upright(struct buffer *out, enum svg_mark_role role, double x, double y,
                      const char *text);
/* Adds a line in a colour, "#e4e2dc". */
void svg_mark_line(struct buffer *out, double x1, double y1, double x2, double y2,
                   const char *colour);
/* Adds a rectangle with a fill, "#e4e2dc" or "url(#id)". */
void svg_mark_rect(struct buffer *out, double x, double y, double width, double height,
                   const char *fill);
