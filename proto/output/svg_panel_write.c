/* SPDX-License-Identifier: Apache-2.0
 * svg_panel_write.c - see svg_panel_write.h. */
#include "proto/output/svg_panel_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "proto/output/figure_words.h"
#include "proto/pictures/svg_mark.h"

#define RIGHTWARDS " \xe2\x86\x92"
#define LEFTWARDS "\xe2\x86\x90 "

enum {
    BAR_WIDTH = 176,
    BAR_HEIGHT = 10,
    BAR_STEPS = 16,  /* parts of a bar's gradient */
    MARK_GAP = 72,   /* least distance of the marks of a horizontal axis */
    MARK_LINE = 28,  /* of an upright one */
    MARKS_DOWN = 12, /* most of them */
    SHARP_CELL = 2,  /* smaller cells are averaged by the viewer */
    SWATCH = 12,
    NAME_DROP = 38,  /* from the plot to the name of its axis */
    LABEL_WIDTH = 72 /* of a tile whose label says what its number counts */
};

static void add(struct buffer *out, enum svg_mark_role role, enum svg_mark_anchor anchor,
                double x, double y, const char *text)
{
    svg_mark_text(out, role, anchor, x, y, text, strlen(text));
}

/* ---- axes --------------------------------------------------------------------------- */

/* Writes the marks of the horizontal axis below a plot, at the middles of its entries. */
static void write_right(struct buffer *out, const struct svg_panel *panel, struct svg_box box)
{
    const struct figure_axis *axis = &panel->right;
    const double y = box.top + box.height;
    struct figure_mark marks[TICK_MAX];
    const size_t count =
        axis->count > 0 ? figure_axis_marks(axis, fmax(1, box.width / MARK_GAP), marks) : 0;

    for (size_t i = 0; i < count; i++) {
        const double at = panel->picture    ? (marks[i].at + 0.5) / (double)axis->count
                          : axis->count > 1 ? marks[i].at / (double)(axis->count - 1)
                                            : 0.5;
        const double x = box.left + at * box.width;

        svg_mark_line(out, x, y, x, y + 4, SVG_MARK_EDGE);
        add(out, SVG_MARK_TICK, SVG_MARK_MIDDLE, x, y + 18, marks[i].text);
    }
}

static void write_down(struct buffer *out, const struct svg_panel *panel, struct svg_box box)
{
    const struct figure_axis *axis = &panel->down;
    struct figure_mark marks[TICK_MAX];
    const size_t count =
        axis->count > 0
            ? figure_axis_marks(axis, fmin(fmax(1, box.height / MARK_LINE), MARKS_DOWN), marks)
            : 0;

    for (size_t i = 0; i < count; i++) {
        const double y = box.top + (marks[i].at + 0.5) / (double)axis->count * box.height;

        svg_mark_line(out, box.left - 4, y, box.left, y, SVG_MARK_EDGE);
        add(out, SVG_MARK_TICK, SVG_MARK_END, box.left - 8, y + 4.5, marks[i].text);
    }
}

/* Writes the names of the axes of a plot that is `width` wide, with arrows the way they
 * count. */
static void write_names(struct buffer *out, const struct svg_panel *panel, double width)
{
    const double bottom = panel->top + panel->height - SVG_PANEL_FOOT;
    char name[100];

    if (panel->right.count == 0 && panel->picture) {
        figure_words_tiles(name, picture_raster(panel->picture)->tiles, panel->tile_label);
        add(out, SVG_MARK_NAME, SVG_MARK_END, panel->box.left + width, bottom + 20, name);
    }
    if (panel->right.count > 0 && *panel->right.label != '\0') {
        snprintf(name, sizeof name, "%s" RIGHTWARDS, panel->right.label);
        add(out, SVG_MARK_NAME, SVG_MARK_END, panel->box.left + width, bottom + NAME_DROP,
            name);
    }
    if (panel->down.count > 0 && *panel->down.label != '\0') {
        snprintf(name, sizeof name, LEFTWARDS "%s", panel->down.label);
        svg_mark_upright(out, SVG_MARK_NAME, 16, panel->box.top, name);
    }
}

/* ---- colours ------------------------------------------------------------------------ */

static void add_colour(char text[8], uint32_t colour)
{
    snprintf(text, 8, "#%06" PRIx32, colour & 0xffffff);
}

/* Writes the two colours of truth values. */
static void write_truths(struct buffer *out, const struct svg_panel *panel,
                         const uint32_t *colours)
{
    static const char *const words[] = {"false", "true"};
    const double right = SVG_PANEL_LEFT + SVG_PANEL_PLOT, y = panel->top + 14;
    char fill[8];

    for (size_t i = 0; i < 2; i++) {
        const double x = right - (i == 0 ? 150 : 66);

        add_colour(fill, colours[i * (COLOUR_MAP_STEPS - 1)]);
        svg_mark_rect(out, x, y - SWATCH + 1, SWATCH, SWATCH, fill);
        add(out, SVG_MARK_TICK, SVG_MARK_START, x + SWATCH + 6, y, words[i]);
    }
}

static void write_gradient(struct buffer *out, const struct svg_panel *panel,
                           const uint32_t *colours)
{
    const struct colour_scale *scale = picture_scale(panel->picture);

    buffer_add_format(out, "<linearGradient id=\"colours%zu\">\n", panel->index);
    for (int i = 0; i <= BAR_STEPS; i++) {
        const double step = scale->first + scale->steps * i / BAR_STEPS;

        buffer_add_format(out, "<stop offset=\"%.2f%%\" stop-color=\"#%06" PRIx32 "\"/>\n",
                          100.0 * i / BAR_STEPS, colours[(size_t)(step + 0.5)]);
    }
    buffer_add_text(out, "</linearGradient>\n");
}

/* Writes the bar of colours with its round values. */
static void write_bar(struct buffer *out, const struct svg_panel *panel,
                      const uint32_t *colours)
{
    const struct colour_scale *scale = picture_scale(panel->picture);
    const double left = SVG_PANEL_LEFT + SVG_PANEL_PLOT - BAR_WIDTH, top = panel->top + 5;
    double ticks[TICK_MAX];
    char text[TICK_TEXT_SIZE], fill[32];
    const bool whole = panel->tensor->dtype > PE_BF16;
    size_t count = tick_linear(scale->low, scale->high, 3, whole, ticks);

    if (count < 3)
        count = tick_linear(scale->low, scale->high, 6, whole, ticks);
    write_gradient(out, panel, colours);
    snprintf(fill, sizeof fill, "url(#colours%zu)", panel->index);
    svg_mark_rect(out, left, top, BAR_WIDTH, BAR_HEIGHT, fill);
    for (size_t i = 0; i < count; i++) {
        /* Halves have a difference that is not infinite; one value alone is in the middle. */
        const double half = scale->high / 2 - scale->low / 2;
        const double part = half > 0 ? (ticks[i] / 2 - scale->low / 2) / half : 0.5;
        const double x = left + part * BAR_WIDTH;

        svg_mark_line(out, x, top + BAR_HEIGHT, x, top + BAR_HEIGHT + 3, SVG_MARK_EDGE);
        tick_print(ticks[i], 9, text);
        add(out, SVG_MARK_TICK, SVG_MARK_MIDDLE, x, top + BAR_HEIGHT + 17, text);
    }
}

static void write_masked(struct buffer *out, const struct svg_panel *panel,
                         const uint32_t *colours)
{
    const double y = panel->top + panel->height - SVG_PANEL_FOOT + NAME_DROP;
    const double x = panel->box.left;
    char fill[8];

    add_colour(fill, colours[COLOUR_MASKED]);
    svg_mark_rect(out, x, y - SWATCH + 1, SWATCH, SWATCH, fill);
    add_colour(fill, colours[COLOUR_HATCH]);
    svg_mark_line(out, x, y + 1, x + SWATCH, y + 1 - SWATCH, fill);
    svg_mark_line(out, x, y - 5, x + SWATCH / 2.0, y + 1 - SWATCH, fill);
    svg_mark_line(out, x + SWATCH / 2.0, y + 1, x + SWATCH, y - 5, fill);
    add(out, SVG_MARK_NAME, SVG_MARK_START, x + SWATCH + 6, y, panel->masked_word);
}

static void write_colours(struct buffer *out, const struct svg_panel *panel)
{
    const struct colour_scale *scale = picture_scale(panel->picture);
    uint32_t colours[COLOUR_COUNT];

    colour_map_write(scale->map, colours);
    if (panel->tensor->dtype == PE_BOOL8 && scale->map->kind == COLOUR_MAP_KIND_TRUTH)
        write_truths(out, panel, colours);
    else
        write_bar(out, panel, colours);
    if (picture_has_masked(panel->picture))
        write_masked(out, panel, colours);
}

/* ---- pictures ----------------------------------------------------------------------- */

static void add_attributes(struct buffer *out, double x, double y, double width, double height)
{
    buffer_add_text(out, " x=\"");
    svg_mark_coordinate(out, x);
    buffer_add_text(out, "\" y=\"");
    svg_mark_coordinate(out, y);
    buffer_add_text(out, "\" width=\"");
    svg_mark_coordinate(out, width);
    buffer_add_text(out, "\" height=\"");
    svg_mark_coordinate(out, height);
    buffer_add_text(out, "\" preserveAspectRatio=\"none\"");
}

/* Opens the picture, which stands in its place, or is only defined where tiles are cut out of
 * it. */
static void open_image(struct buffer *out, const struct svg_panel *panel)
{
    const struct raster *raster = picture_raster(panel->picture);
    const bool sharp = panel->box.width / (double)panel->cols >= SHARP_CELL;

    buffer_add_text(out, panel->tiles > 1 ? "<defs><image" : "<image");
    buffer_add_format(out, " id=\"cells%zu\"", panel->index);
    if (panel->tiles > 1)
        add_attributes(out, 0, 0, (double)raster->width, (double)raster->height);
    else
        add_attributes(out, panel->box.left, panel->box.top, panel->box.width,
                       panel->box.height);
    buffer_add_format(out, "%s href=\"data:image/png;base64,",
                      sharp ? " image-rendering=\"pixelated\"" : "");
}

/* Writes tile number `i`: its label, and the part of the picture that it is. */
static void write_tile(struct buffer *out, const struct svg_panel *panel, uint64_t i)
{
    const struct raster *raster = picture_raster(panel->picture);
    const uint64_t width = panel->cols * raster->cell, height = panel->rows * raster->cell;
    const uint64_t x = i % raster->across * (width + raster->gap);
    const uint64_t y = i / raster->across * (height + raster->gap);
    struct svg_box box = panel->box;
    char label[100];

    box.left += (double)(i % panel->across) * (box.width + SVG_PANEL_TILE_GAP);
    box.top += (double)(i / panel->across) * (box.height + SVG_PANEL_TILE_HEAD);
    snprintf(label, sizeof label, "%s%s%" PRIu64,
             box.width >= LABEL_WIDTH ? panel->tile_label : "",
             box.width >= LABEL_WIDTH && *panel->tile_label != '\0' ? " " : "", i);
    add(out, SVG_MARK_TICK, SVG_MARK_START, box.left, box.top - 6, label);
    buffer_add_text(out, "<svg");
    add_attributes(out, box.left, box.top, box.width, box.height);
    buffer_add_format(out,
                      " viewBox=\"%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                      "\"><use href=\"#cells%zu\"/></svg>\n",
                      x, y, width, height, panel->index);
    if (i % panel->across == 0)
        write_down(out, panel, box);
    if (i + panel->across >= panel->tiles)
        write_right(out, panel, box);
}

/* ---- panels ------------------------------------------------------------------------- */

static void write_curve(struct buffer *out, struct encoder *encoder,
                        const struct svg_panel *panel)
{
    char text[100];

    svg_curve_read(encoder, panel->curve);
    svg_curve_write(out, panel->curve, panel->box);
    write_right(out, panel, panel->box);
    write_names(out, panel, panel->box.width);
    if (svg_curve_left_out(panel->curve) == 0)
        return;
    snprintf(text, sizeof text, "%" PRIu64 " without a place on the axis",
             svg_curve_left_out(panel->curve));
    add(out, SVG_MARK_NAME, SVG_MARK_START, panel->box.left,
        panel->box.top + panel->box.height + NAME_DROP, text);
}

/* Writes the number of an output without axes, with all its digits. */
static void write_number(struct buffer *out, struct encoder *encoder,
                         const struct svg_panel *panel)
{
    char text[FIGURE_NUMBER_SIZE];

    figure_words_number(text, encoder, panel->index);
    add(out, SVG_MARK_NUMBER, SVG_MARK_START, SVG_PANEL_MARGIN, panel->box.top + 26, text);
}

void svg_panel_write_open(struct buffer *out, struct encoder *encoder,
                          const struct svg_panel *panel)
{
    add(out, SVG_MARK_HEADING, SVG_MARK_START, SVG_PANEL_MARGIN, panel->top + 15,
        panel->tensor->output->label);
    if (panel->picture)
        open_image(out, panel);
    else if (panel->curve)
        write_curve(out, encoder, panel);
    else
        write_number(out, encoder, panel);
}

void svg_panel_write_close(struct buffer *out, const struct svg_panel *panel)
{
    const uint64_t across = panel->across < panel->tiles ? panel->across : panel->tiles;
    const double gaps = (double)(across - 1) * SVG_PANEL_TILE_GAP;

    buffer_add_text(out, panel->tiles > 1 ? "\"/></defs>\n" : "\"/>\n");
    if (panel->tiles > 1) {
        for (uint64_t i = 0; i < panel->tiles; i++)
            write_tile(out, panel, i);
    } else {
        write_right(out, panel, panel->box);
        write_down(out, panel, panel->box);
    }
    write_names(out, panel, (double)across * panel->box.width + gaps);
    write_colours(out, panel);
}
