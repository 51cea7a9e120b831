/* SPDX-License-Identifier: Apache-2.0
 * verify_picture.c - see verify_picture.h. */
#include "proto/verify/verify_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "proto/pictures/svg_mark.h"
#include "proto/pictures/tick.h"
#include "proto/text/utf8.h"

enum {
    WIDTH = 760,
    MARGIN = 24,
    HEAD = 72,   /* of the figure */
    PANEL = 250, /* of a tensor */
    PLOT_LEFT = 84,
    PLOT_TOP = 62,
    PLOT_WIDTH = 270,
    PLOT_HEIGHT = 130,
    PLOT_GAP = 356,   /* from one plot to the next */
    DECADES = 8,      /* from the largest distance down */
    HEADING_MAX = 84, /* characters */
    LINE_SIZE = 128,
};

static void add_text(struct buffer *out, enum svg_mark_role role, enum svg_mark_anchor anchor,
                     double x, double y, const char *text)
{
    svg_mark_text(out, role, anchor, x, y, text, strlen(text));
}

static double largest_of(const struct pe_verify_where *where)
{
    double largest = 0;

    for (size_t i = 0; i < where->bin_count; i++)
        if (isfinite(where->most[i]) && where->most[i] > largest)
            largest = where->most[i];
    return largest;
}

/* Returns the share of the plot that a distance fills: 1 for the largest and what is not
 * finite, 0 for DECADES powers of ten below. */
static double share_of(double distance, double top)
{
    if (!isfinite(distance))
        return 1;
    const double share = distance > 0 ? 1 + (log10(distance) - top) / DECADES : 0;

    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Adds the lines of powers of ten, and their names. */
static void add_scale(struct buffer *out, double left, double y, double top)
{
    char text[TICK_TEXT_SIZE];

    for (int i = 0; i <= DECADES; i += 2) {
        const double at = y + (double)PLOT_HEIGHT * i / DECADES;

        svg_mark_line(out, left, at, left + PLOT_WIDTH, at, SVG_MARK_LINE);
        add_text(out, SVG_MARK_TICK, SVG_MARK_END, left - 8, at + 4,
                 tick_print_power(pow(10, top - i), text));
    }
}

static void add_plot(struct buffer *out, double left, double y, const char *title,
                     const struct pe_verify_where *where)
{
    const double largest = largest_of(where);
    const double top = largest > 0 ? ceil(log10(largest)) : 0;
    const double wide =
        where->bin_count > 0 ? (double)PLOT_WIDTH / (double)where->bin_count : 0;
    char last[32];

    add_scale(out, left, y, top);
    for (size_t i = 0; i < where->bin_count; i++) {
        const double high = share_of(where->most[i], top) * PLOT_HEIGHT;

        if (high > 0)
            svg_mark_rect(out, left + (double)i * wide, y + PLOT_HEIGHT - high,
                          wide > 3 ? wide - 1 : wide, high, SVG_MARK_CURVE);
    }
    svg_mark_line(out, left, y + PLOT_HEIGHT, left + PLOT_WIDTH, y + PLOT_HEIGHT,
                  SVG_MARK_EDGE);
    snprintf(last, sizeof last, "%" PRIu64,
             where->bin_count > 0 ? (where->bin_count - 1) * where->step : 0);
    add_text(out, SVG_MARK_TICK, SVG_MARK_START, left, y + PLOT_HEIGHT + 18, "0");
    add_text(out, SVG_MARK_TICK, SVG_MARK_END, left + PLOT_WIDTH, y + PLOT_HEIGHT + 18, last);
    add_text(out, SVG_MARK_NAME, SVG_MARK_MIDDLE, left + PLOT_WIDTH / 2.0, y + PLOT_HEIGHT + 18,
             title);
}

/* A panel of the picture shows the distances of one tensor. */
struct panel {
    const char *file, *name; /* of the tensor */
    uint64_t differs, of;
    double max_abs;
    bool has_pairs; /* the columns are pairs */
    const struct pe_verify_where *rows, *columns;
};

/* Adds the names, whose ends say the most: what is too long loses its beginning. */
static void add_heading(struct buffer *out, double y, const struct panel *panel)
{
    struct buffer whole = {0}, shown = {0};

    buffer_add_format(&whole, "%s: %s", panel->file, panel->name);
    if (!whole.failed) {
        const char *end = utf8_last(whole.bytes, HEADING_MAX);

        if (end > whole.bytes) /* an ellipsis and one character less */
            buffer_add_format(&shown, "\xe2\x80\xa6%s", utf8_last(end, HEADING_MAX - 1));
        else
            buffer_add_text(&shown, end);
    }
    if (whole.failed || shown.failed)
        buffer_fail(out);
    else
        add_text(out, SVG_MARK_HEADING, SVG_MARK_START, MARGIN, y, shown.bytes);
    buffer_fini(&whole);
    buffer_fini(&shown);
}

static void add_panel(struct verify_picture *picture, const struct panel *panel)
{
    const double top = HEAD + picture->height;
    struct buffer *out = &picture->panels;
    char line[LINE_SIZE];

    add_heading(out, top + 24, panel);
    snprintf(line, sizeof line, "%" PRIu64 " of %" PRIu64 " elements differ, by %.3g at most",
             panel->differs, panel->of, panel->max_abs);
    add_text(out, SVG_MARK_NAME, SVG_MARK_START, MARGIN, top + 44, line);
    add_plot(out, PLOT_LEFT, top + PLOT_TOP, "by row", panel->rows);
    add_plot(out, PLOT_LEFT + PLOT_GAP, top + PLOT_TOP,
             panel->has_pairs ? "by pair" : "by column", panel->columns);
    picture->height += PANEL;
}

void verify_picture_add(struct verify_picture *picture, const char *file,
                        const struct verify_request *request, const struct pe_verdict *verdict)
{
    for (size_t i = 0; verdict && i < verdict->tensor_count; i++) {
        const struct pe_tensor_verdict *tensor = &verdict->tensor[i];
        const char *name = request->tensors[i].name;

        if (tensor->role && tensor->kind < PE_MISTAKE)
            picture->right = true;
        else if (tensor->role && tensor->of > 0)
            add_panel(picture, &(struct panel){.file = file,
                                               .name = *name != '\0' ? name : tensor->role,
                                               .differs = tensor->differs,
                                               .of = tensor->of,
                                               .max_abs = tensor->max_abs,
                                               .has_pairs = tensor->has_pairs,
                                               .rows = &tensor->wrong_rows,
                                               .columns = &tensor->wrong_columns});
    }
}

void verify_picture_add_pairs(struct verify_picture *picture, const char *file,
                              const struct verify_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct verify_pair *pair = &pairs->at[i];

        if (pair->fits && pair->differs == 0)
            picture->right = true;
        else if (pair->fits)
            add_panel(picture,
                      &(struct panel){.file = file,
                                      .name = *pair->one->name != '\0' ? pair->one->name : "-",
                                      .differs = pair->differs,
                                      .of = pair->of,
                                      .max_abs = pair->max_abs,
                                      .rows = &pair->rows,
                                      .columns = &pair->columns});
    }
}

void verify_picture_write(struct buffer *out, const struct verify_picture *picture)
{
    const bool empty = picture->height == 0;

    svg_mark_open(out, WIDTH, HEAD + (empty ? PANEL / 4 : picture->height), "Distances");
    add_text(out, SVG_MARK_TITLE, SVG_MARK_START, MARGIN, 40,
             "Distance from the right numbers");
    if (empty)
        add_text(out, SVG_MARK_NAME, SVG_MARK_START, MARGIN, HEAD + 24.0,
                 picture->right ? "No tensor of the claim's shape is wrong."
                                : "No tensor was compared with right numbers.");
    else if (picture->panels.failed)
        buffer_fail(out);
    else
        buffer_add(out, picture->panels.bytes, picture->panels.len);
    svg_mark_close(out);
}

void verify_picture_fini(struct verify_picture *picture)
{
    buffer_fini(&picture->panels);
}
