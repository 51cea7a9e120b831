/* SPDX-License-Identifier: Apache-2.0
 * svg_curve.c - see svg_curve.h. */
#include "proto/output/svg_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pictures/svg_mark.h"
#include "proto/pictures/tick.h"

enum {
    POINTS_MAX = 1024, /* a longer axis is cut into stretches */
    STRETCHES = 512,
    DOTS_MAX = 128,  /* fewer points have a dot each */
    TICK_GAP = 44,   /* least distance of lines of round values */
    POWERS_FROM = 4, /* decades of an axis whose marks are powers of ten */
};

struct stretch {
    double low, high; /* low > high: no value has a place */
};

struct svg_curve {
    const struct pe_tensor_info *tensor;
    size_t index;
    bool log;
    double low, high; /* the ends of the axis, their logarithms on a logarithmic one */
    double given[2];  /* the values of range=; NAN without it */
    uint64_t left_out;
    uint64_t per; /* values of a stretch */
    size_t count;
    double *values; /* of a block of the encoder */
    struct stretch stretches[POINTS_MAX];
};

struct svg_curve *svg_curve_new(const struct encoder *encoder, size_t index)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    const struct option_values *options = &encoder->options.values;
    const uint64_t most = tensor->cols <= POINTS_MAX ? POINTS_MAX : STRETCHES;
    struct svg_curve *curve = malloc(sizeof *curve);

    if (!curve)
        return NULL;
    curve->tensor = tensor;
    curve->index = index;
    curve->log = tensor->output->scale == PE_LOGARITHMIC;
    curve->given[0] = options->has_range ? options->range[0] : NAN;
    curve->given[1] = options->has_range ? options->range[1] : NAN;
    curve->left_out = 0;
    curve->per = (tensor->cols - 1) / most + 1;
    curve->count = (size_t)((tensor->cols - 1) / curve->per + 1);
    for (size_t i = 0; i < curve->count; i++)
        curve->stretches[i] = (struct stretch){INFINITY, -INFINITY};
    curve->values =
        malloc(encoder_block_elements(encoder->plan, tensor) * sizeof *curve->values);
    if (curve->values)
        return curve;
    free(curve);
    return NULL;
}

void svg_curve_free(struct svg_curve *curve)
{
    if (curve)
        free(curve->values);
    free(curve);
}

/* Returns where a value stands on the axis; NAN: nowhere. */
static double place_of(const struct svg_curve *curve, double value)
{
    if (!isfinite(value) || (curve->log && value <= 0))
        return NAN;
    return curve->log ? log10(value) : value;
}

static void add_value(struct svg_curve *curve, uint64_t at, double value)
{
    struct stretch *stretch = &curve->stretches[at / curve->per];
    const double place = place_of(curve, value);

    if (isnan(place)) {
        curve->left_out++;
        return;
    }
    stretch->low = fmin(stretch->low, place);
    stretch->high = fmax(stretch->high, place);
}

/* Sets the ends of the axis: those that are given, or the values' with a margin. Zero is an
 * end of values of one sign that come near it. */
static void set_ends(struct svg_curve *curve)
{
    const double given[] = {place_of(curve, curve->given[0]), place_of(curve, curve->given[1])};
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < curve->count; i++) {
        low = fmin(low, curve->stretches[i].low);
        high = fmax(high, curve->stretches[i].high);
    }
    if (low > high)
        low = high = 0;
    const double margin = high > low ? (high - low) * 0.05 : low != 0 ? fabs(low) * 0.1 : 1;
    const bool from_zero = !curve->log && low >= 0 && low < high / 2;
    const bool to_zero = !curve->log && high <= 0 && high > low / 2;
    curve->low = !isnan(given[0]) ? given[0] : from_zero ? 0 : low - margin;
    curve->high = !isnan(given[1]) ? given[1] : to_zero ? 0 : high + margin;
    if (!(curve->low < curve->high))
        curve->high = curve->low + 1;
}

void svg_curve_read(struct encoder *encoder, struct svg_curve *curve)
{
    const size_t block = encoder_block_elements(encoder->plan, curve->tensor);
    const uint64_t count = curve->tensor->cols;

    for (uint64_t at = 0; at < count && !encoder_is_stopped(encoder);) {
        const size_t some = count - at < block ? (size_t)(count - at) : block;
        const size_t got = encoder_fill(encoder, curve->index, at, some, encoder->block);

        pe_dtype_to_f64(curve->tensor->dtype, curve->values, encoder->block, got);
        for (size_t i = 0; i < got; i++)
            add_value(curve, at + i, curve->values[i]);
        at += got;
    }
    encoder->failed |= encoder_is_stopped(encoder);
    set_ends(curve);
}

/* ---- drawing ------------------------------------------------------------------------ */

static double x_of(const struct svg_curve *curve, struct svg_box box, size_t i)
{
    return curve->count == 1 ? box.left + box.width / 2
                             : box.left + (double)i / (double)(curve->count - 1) * box.width;
}

/* Returns the share of the height at which a place stands. */
static double share_of(const struct svg_curve *curve, double place)
{
    return fmin(1, fmax(0, (place - curve->low) / (curve->high - curve->low)));
}

static double y_of(const struct svg_curve *curve, struct svg_box box, double place)
{
    return box.top + (1 - share_of(curve, place)) * box.height;
}

size_t svg_curve_marks(const struct svg_curve *curve, double height, double gap,
                       struct svg_curve_mark marks[TICK_MAX])
{
    const bool whole = curve->tensor->dtype > PE_BF16;
    const bool powers = curve->log && curve->high - curve->low > POWERS_FROM;
    double ticks[TICK_MAX];
    const size_t count =
        curve->log
            ? tick_decades(pow(10, curve->low), pow(10, curve->high), height / gap, ticks)
            : tick_linear(curve->low, curve->high, height / gap, whole, ticks);

    for (size_t i = 0; i < count; i++) {
        marks[i].share = share_of(curve, place_of(curve, ticks[i]));
        if (powers)
            tick_print_power(ticks[i], marks[i].text);
        else
            tick_print(ticks[i], 9, marks[i].text);
    }
    return count;
}

size_t svg_curve_count(const struct svg_curve *curve)
{
    return curve->count;
}

bool svg_curve_stretch(const struct svg_curve *curve, size_t i, double *low, double *high)
{
    const struct stretch *stretch = &curve->stretches[i];

    *low = share_of(curve, stretch->low);
    *high = share_of(curve, stretch->high);
    return stretch->low <= stretch->high;
}

static void write_ticks(struct buffer *out, const struct svg_curve *curve, struct svg_box box)
{
    struct svg_curve_mark marks[TICK_MAX];
    const size_t count = svg_curve_marks(curve, box.height, TICK_GAP, marks);

    for (size_t i = 0; i < count; i++) {
        const double y = box.top + (1 - marks[i].share) * box.height;

        svg_mark_line(out, box.left, y, box.left + box.width, y, SVG_MARK_LINE);
        svg_mark_text(out, SVG_MARK_TICK, SVG_MARK_END, box.left - 8, y + 4.5, marks[i].text,
                      strlen(marks[i].text));
    }
}

static void add_point(struct buffer *out, char command, double x, double y)
{
    buffer_add(out, &command, 1);
    svg_mark_coordinate(out, x);
    buffer_add_text(out, " ");
    svg_mark_coordinate(out, y);
}

/* Writes the path; it is interrupted where no value has a place. A first point is a line of no
 * length, whose round ends are seen. */
static void write_path(struct buffer *out, const struct svg_curve *curve, struct svg_box box)
{
    bool joined = false;

    buffer_add_text(out, "<path class=\"curve\" fill=\"none\" stroke=\"" SVG_MARK_CURVE
                         "\" stroke-width=\"2\" stroke-linecap=\"round\" "
                         "stroke-linejoin=\"round\" d=\"");
    for (size_t i = 0; i < curve->count; i++) {
        const struct stretch *stretch = &curve->stretches[i];
        const double x = x_of(curve, box, i);

        if (stretch->low > stretch->high) {
            joined = false;
            continue;
        }
        add_point(out, joined ? 'L' : 'M', x, y_of(curve, box, stretch->low));
        if (!joined)
            buffer_add_text(out, "h0");
        if (stretch->high > stretch->low)
            add_point(out, 'L', x, y_of(curve, box, stretch->high));
        joined = true;
    }
    buffer_add_text(out, "\"/>\n");
}

static void write_dots(struct buffer *out, const struct svg_curve *curve, struct svg_box box)
{
    buffer_add_text(out, "<g fill=\"" SVG_MARK_CURVE "\">\n");
    for (size_t i = 0; i < curve->count; i++) {
        if (curve->stretches[i].low > curve->stretches[i].high)
            continue;
        buffer_add_text(out, "<circle r=\"2.5\" cx=\"");
        svg_mark_coordinate(out, x_of(curve, box, i));
        buffer_add_text(out, "\" cy=\"");
        svg_mark_coordinate(out, y_of(curve, box, curve->stretches[i].low));
        buffer_add_text(out, "\"/>\n");
    }
    buffer_add_text(out, "</g>\n");
}

void svg_curve_write(struct buffer *out, const struct svg_curve *curve, struct svg_box box)
{
    write_ticks(out, curve, box);
    svg_mark_line(out, box.left, box.top + box.height, box.left + box.width,
                  box.top + box.height, SVG_MARK_EDGE);
    write_path(out, curve, box);
    if (curve->count <= DOTS_MAX)
        write_dots(out, curve, box);
}

uint64_t svg_curve_left_out(const struct svg_curve *curve)
{
    return curve->left_out;
}
