/* SPDX-License-Identifier: Apache-2.0
 * card_draw.c - see card_draw.h. */
#include "proto/output/card_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "proto/output/figure_words.h"
#include "proto/pictures/glyph.h"
#include "proto/text/utf8.h"

#define RIGHTWARDS " \xe2\x86\x92"
#define LEFTWARDS "\xe2\x86\x90 "
#define MORE " \xe2\x80\xa6"
#define SERVICE "posencd"

enum {
    TITLE_TOP = 82,
    TITLE_LINE = 46,
    TITLE_LINES = 2,
    QUERY_DROP = 40, /* from the title's line to the request's */
    QUERY_LINE = 30,
    QUERY_LINES = 2,
    LINE_MAX = 240, /* bytes of a line */
    HEADING_DROP = 50,
    PLOT_DROP = 48, /* from the heading to the plot */
    PLOT_LEFT = 152,
    PLOT_FOOT = 92, /* below the plot: marks, and the name of the axis */
    MARK = 6,
    MARK_DROP = 28, /* from the plot to the line of its marks */
    NAME_DROP = 62,
    MARK_GAP = 110, /* least distance of marks to the right, and upright */
    MARK_LINE = 44,
    BAR_WIDTH = 300,
    BAR_HEIGHT = 14,
    SWATCH = 20,
};

static void add(struct canvas *canvas, enum canvas_ink ink, enum canvas_anchor anchor, double x,
                double y, const char *text)
{
    canvas_text(canvas, ink, GLYPH_SMALL, anchor, x, y, text, strlen(text));
}

/* ---- the words above ---------------------------------------------------------------- */

/* Returns the length of the first line of a text: what fits `width`, up to a blank if one is
 * there. */
static size_t line_of(unsigned size, const char *text, size_t len, unsigned width)
{
    size_t fits = 0, blank = 0;
    unsigned used = 0;

    for (size_t at = 0, step; at < len && at < LINE_MAX; at += step) {
        uint32_t code = UINT32_MAX;

        step = utf8_character(text + at, len - at, &code);
        step = step > 0 ? step : 1;
        used += glyph_find(size, code)->advance;
        if (used > width)
            return blank > 0 ? blank : fits;
        blank = text[at] == ' ' ? at : blank;
        fits = at + step;
    }
    return fits < len && blank > 0 ? blank : fits;
}

/* Draws a text in lines; the last one ends in "…" where more is left. Returns the place of the
 * line behind them. */
static double draw_lines(struct canvas *canvas, enum canvas_ink ink, unsigned size, double y,
                         double step, const char *text, size_t lines)
{
    const unsigned width = CARD_WIDTH - 2 * CARD_MARGIN - glyph_width(size, MORE, strlen(MORE));
    size_t left = strlen(text);

    for (size_t i = 0; i < lines && left > 0; i++, y += step) {
        const size_t len = line_of(size, text, left, width);
        char line[LINE_MAX + sizeof MORE + 4];
        const int used = snprintf(line, sizeof line, "%.*s%s", (int)len, text,
                                  i + 1 == lines && len < left ? MORE : "");

        canvas_text(canvas, ink, size, CANVAS_START, CARD_MARGIN, y, line, (size_t)used);
        text += len;
        left -= len;
        for (; left > 0 && *text == ' '; left--)
            text++;
    }
    return y;
}

void card_draw_words(struct canvas *canvas, const struct encoder *encoder,
                     struct card_panel *panel)
{
    const struct pe_args *args = pe_plan_args(encoder->plan);
    struct buffer query = {0};
    double y = TITLE_TOP;

    y = draw_lines(canvas, CANVAS_INK, GLYPH_LARGE, y, TITLE_LINE,
                   pe_title(pe_args_encoding(args)), TITLE_LINES);
    figure_words_query(&query, args);
    y += QUERY_DROP - TITLE_LINE;
    if (!query.failed && query.len > 0)
        y = draw_lines(canvas, CANVAS_SOFT, GLYPH_SMALL, y, QUERY_LINE, query.bytes,
                       QUERY_LINES);
    buffer_fini(&query);
    panel->heading = y + HEADING_DROP - QUERY_LINE;
    add(canvas, CANVAS_INK, CANVAS_START, CARD_MARGIN, panel->heading,
        panel->tensor->output->label);
    panel->room = (struct svg_box){PLOT_LEFT, panel->heading + PLOT_DROP,
                                   CARD_WIDTH - PLOT_LEFT - CARD_MARGIN,
                                   CARD_HEIGHT - PLOT_FOOT - panel->heading - PLOT_DROP};
    add(canvas, CANVAS_SOFT, CANVAS_START, CARD_MARGIN, CARD_HEIGHT - PLOT_FOOT + NAME_DROP,
        SERVICE);
}

/* ---- axes --------------------------------------------------------------------------- */

/* Draws the marks below a plot: at the middles of its cells, or at the points of a curve. */
static void draw_right(struct canvas *canvas, const struct card_panel *panel,
                       struct svg_box box, bool cells)
{
    const struct figure_axis *axis = &panel->right;
    const double bottom = box.top + box.height;
    struct figure_mark marks[TICK_MAX];
    const size_t count =
        axis->count > 0 ? figure_axis_marks(axis, fmax(1, box.width / MARK_GAP), marks) : 0;

    for (size_t i = 0; i < count; i++) {
        const double at = cells             ? (marks[i].at + 0.5) / (double)axis->count
                          : axis->count > 1 ? marks[i].at / (double)(axis->count - 1)
                                            : 0.5;
        const double x = box.left + at * box.width;

        canvas_rect(canvas, CANVAS_SOFT, x - 1, bottom, 2, MARK);
        add(canvas, CANVAS_SOFT, CANVAS_MIDDLE, x, bottom + MARK_DROP, marks[i].text);
    }
}

static void draw_down(struct canvas *canvas, const struct card_panel *panel, struct svg_box box)
{
    const struct figure_axis *axis = &panel->down;
    struct figure_mark marks[TICK_MAX];
    const size_t count =
        axis->count > 0 ? figure_axis_marks(axis, fmax(1, box.height / MARK_LINE), marks) : 0;

    for (size_t i = 0; i < count; i++) {
        const double y = box.top + (marks[i].at + 0.5) / (double)axis->count * box.height;

        canvas_rect(canvas, CANVAS_SOFT, box.left - MARK, y - 1, MARK, 2);
        add(canvas, CANVAS_SOFT, CANVAS_END, box.left - 12, y + 8, marks[i].text);
    }
}

/* Draws the names of the axes, with arrows the way they count. */
static void draw_names(struct canvas *canvas, const struct card_panel *panel,
                       const struct raster *raster, struct svg_box box)
{
    const double bottom = box.top + box.height + NAME_DROP;
    char name[120];

    if (raster && raster->tiles > 1)
        figure_words_tiles(name, raster->tiles, panel->tile_label);
    else
        snprintf(name, sizeof name, "%s%s", panel->right.label,
                 *panel->right.label ? RIGHTWARDS : "");
    add(canvas, CANVAS_SOFT, CANVAS_END, box.left + box.width, bottom, name);
    if (panel->down.count == 0 || *panel->down.label == '\0' || raster->tiles > 1)
        return;
    snprintf(name, sizeof name, LEFTWARDS "%s", panel->down.label);
    canvas_upright(canvas, CANVAS_SOFT, GLYPH_SMALL, box.left - (PLOT_LEFT - CARD_MARGIN) + 16,
                   box.top, name, strlen(name));
}

/* ---- colours ------------------------------------------------------------------------ */

/* Draws swatches with their words, from right to left. */
static double draw_swatch(struct canvas *canvas, const struct card_panel *panel, double right,
                          unsigned char index, const char *word)
{
    const double width = glyph_width(GLYPH_SMALL, word, strlen(word));
    const double left = right - width - SWATCH - 8;

    add(canvas, CANVAS_SOFT, CANVAS_END, right, panel->heading, word);
    canvas_fill(canvas, canvas_of_value(index), left, panel->heading - SWATCH + 3, SWATCH,
                SWATCH);
    return left - 28;
}

/* Draws the bar of colours with its round values. */
static double draw_bar(struct canvas *canvas, const struct card_panel *panel,
                       const struct colour_scale *scale)
{
    const double left = CARD_WIDTH - CARD_MARGIN - 20 - BAR_WIDTH, top = panel->heading - 30;
    const bool whole = panel->tensor->dtype > PE_BF16;
    /* Halves have a difference that is not infinite; one value alone is in the middle. */
    const double half = scale->high / 2 - scale->low / 2;
    double ticks[TICK_MAX];
    char text[TICK_TEXT_SIZE];
    size_t count = tick_linear(scale->low, scale->high, 3, whole, ticks);

    if (count < 3)
        count = tick_linear(scale->low, scale->high, 6, whole, ticks);
    for (int x = 0; x < BAR_WIDTH; x++) {
        const double step = scale->first + scale->steps * x / (BAR_WIDTH - 1);

        canvas_fill(canvas, canvas_of_value((unsigned char)lround(step)), left + x, top, 1,
                    BAR_HEIGHT);
    }
    for (size_t i = 0; i < count; i++) {
        const double part = half > 0 ? (ticks[i] / 2 - scale->low / 2) / half : 0.5;
        const double x = left + part * BAR_WIDTH;

        canvas_rect(canvas, CANVAS_SOFT, x - 1, top + BAR_HEIGHT, 2, MARK - 1);
        add(canvas, CANVAS_SOFT, CANVAS_MIDDLE, x, top + BAR_HEIGHT + 26,
            tick_print(ticks[i], 6, text));
    }
    return left - 60;
}

/* ---- plots -------------------------------------------------------------------------- */

void card_draw_matrix(struct canvas *canvas, struct encoder *encoder,
                      struct card_matrix *matrix, const struct card_panel *panel)
{
    const struct raster *raster = card_matrix_raster(matrix);
    const struct colour_scale *scale = card_matrix_scale(matrix);
    const struct svg_box box = card_matrix_place(matrix, panel->room);
    double right = CARD_WIDTH - CARD_MARGIN;

    card_matrix_draw(encoder, matrix, canvas, box);
    if (scale->map->kind == COLOUR_MAP_KIND_TRUTH) {
        right = draw_swatch(canvas, panel, right, COLOUR_MAP_STEPS - 1, "true");
        right = draw_swatch(canvas, panel, right, 0, "false");
    } else {
        right = draw_bar(canvas, panel, scale);
    }
    if (card_matrix_has_masked(matrix))
        (void)draw_swatch(canvas, panel, right, COLOUR_MASKED, panel->masked_word);
    if (raster->tiles == 1) {
        draw_right(canvas, panel, box, true);
        draw_down(canvas, panel, box);
    }
    draw_names(canvas, panel, raster, box);
}

void card_draw_curve(struct canvas *canvas, const struct svg_curve *curve,
                     const struct card_panel *panel)
{
    const struct svg_box box = panel->room;
    const double bottom = box.top + box.height;
    const size_t points = svg_curve_count(curve);
    struct svg_curve_mark marks[TICK_MAX];
    const size_t count = svg_curve_marks(curve, box.height, MARK_LINE, marks);
    double before[2] = {NAN, NAN};

    for (size_t i = 0; i < count; i++) {
        const double y = bottom - marks[i].share * box.height;

        canvas_rect(canvas, CANVAS_LINE, box.left, y - 1, box.width, 2);
        add(canvas, CANVAS_SOFT, CANVAS_END, box.left - 12, y + 8, marks[i].text);
    }
    canvas_rect(canvas, CANVAS_SOFT, box.left, bottom - 1, box.width, 2);
    for (size_t i = 0; i < points; i++) {
        const double x =
            box.left + (points == 1 ? 0.5 : (double)i / (double)(points - 1)) * box.width;
        double low, high;

        if (!svg_curve_stretch(curve, i, &low, &high)) {
            before[0] = NAN;
            continue;
        }
        const double first = bottom - low * box.height, last = bottom - high * box.height;
        canvas_line(canvas, CANVAS_CURVE, 4, isnan(before[0]) ? x : before[0],
                    isnan(before[0]) ? first : before[1], x, first);
        canvas_line(canvas, CANVAS_CURVE, 4, x, first, x, last);
        before[0] = x;
        before[1] = last;
    }
    draw_right(canvas, panel, box, false);
    draw_names(canvas, panel, NULL, box);
}

void card_draw_number(struct canvas *canvas, const char *text, const struct card_panel *panel)
{
    canvas_text(canvas, CANVAS_INK, GLYPH_LARGE, CANVAS_START, CARD_MARGIN,
                panel->heading + TITLE_TOP, text, strlen(text));
}
