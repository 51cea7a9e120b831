/* SPDX-License-Identifier: Apache-2.0
 * mistake_line.c - positions that lie on a line over those of the claim: shifted,
 * multiplied, of every n-th row. They are read out of the tensors (decode.h). */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/decode.h"
#include "core/verify/expected.h"
#include "core/verify/mistake/mistakes.h"
#include "core/verify/observe.h"

enum { SAMPLE = 32 };

/* Whole numbers are meant where the fastest pairs say so to within this. */
static const double nearly = 2e-2;

/* Positions on a line: scale * claimed + offset. */
struct line {
    double scale, offset;
};

/* Returns a number, or the simple fraction that it nearly is. */
static double snap(double value)
{
    for (int divisor = 1; divisor <= 64; divisor++) {
        double whole = nearbyint(value * divisor);

        if (fabs(value * divisor - whole) <= 1e-4 * divisor)
            return whole / divisor;
    }
    return value;
}

/* Finds the line through the decoded positions; false if they lie on none. */
static bool find_line(const struct candidate *base, struct line *line)
{
    const uint64_t rows = base->angles->rows, count = rows < SAMPLE ? rows : SAMPLE;
    double decoded[SAMPLE], sx = 0, sy = 0, sxx = 0, sxy = 0;

    if (count < 2 || !decode_line(base, count, (struct row_buffer){decoded, SAMPLE}))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        double x = angles_position(base->angles, i) - angles_position(base->angles, 0);

        sx += x;
        sy += decoded[i];
        sxx += x * x;
        sxy += x * decoded[i];
    }
    const double n = (double)count, spread = n * sxx - sx * sx;
    if (!(spread > 0))
        return false;
    line->scale = snap((n * sxy - sx * sy) / spread);
    line->offset = (sy - line->scale * sx) / n - line->scale * angles_position(base->angles, 0);
    if (fabs(line->offset - nearbyint(line->offset)) < nearly)
        line->offset = nearbyint(line->offset);
    for (uint64_t i = 0; i < count; i++)
        if (!(fabs(line->scale * angles_position(base->angles, i) + line->offset - decoded[i]) <
              0.25))
            return false;
    return true;
}

/* Say the line as positions of the parameter, where the claim has one run of them. */
static void repair_line(struct candidate *made, const struct candidate *base, struct line line)
{
    const uint64_t rows = base->angles->rows;
    const struct pe_run run = pe_positions_run(base->angles->pos, 0);
    const double first = line.scale * run.first + line.offset;
    const double step = line.scale * (double)run.step;
    char text[CHANGE_TEXT];

    if (run.left != rows || first != nearbyint(first) || step != nearbyint(step) || step == 0)
        return;
    if (step == 1)
        snprintf(text, sizeof text, "%.17g:%.17g", first, first + (double)rows);
    else
        snprintf(text, sizeof text, "%.17g:%.17g:%.17g", first, first + step * (double)rows,
                 step);
    mistakes_repair(made, "pos", text);
}

static struct candidate *make_line(const struct candidate *base, struct line line)
{
    struct candidate *made = candidate_copy(base);

    if (!made)
        return NULL;
    made->warped = true;
    made->angles->scale *= line.scale;
    made->angles->offset = made->angles->offset * line.scale + line.offset;
    repair_line(made, base, line);
    return made;
}

/* Shift the coordinates of all axes, where angles are an output of their own. */
static struct candidate *shift_axes(const struct candidate *base, double by)
{
    struct candidate *made =
        base->angles && base->angles->rates && base->angles->plan ? candidate_copy(base) : NULL;

    if (made) {
        made->angles->shift += by;
        made->warped = true;
        mistakes_tell_numbers(made, by, 0);
    }
    return made;
}

/* Returns how far the tensor's number in this row and column of the first subject is from the
 * candidate's; NAN without memory. */
static double distance_at(const struct candidate *base, uint64_t row, uint64_t col)
{
    const size_t cols = (size_t)candidate_cols(base, 0);
    const struct row_buffer memory = row_buffer_new(cols, &base->claim->failed);
    double distance = NAN;

    assert(col < cols);
    if (memory.at) {
        expected_row(base, 0, row, memory, (struct row_buffer){.at = NULL});
        distance = view_element(&base->view[0], row, col) - memory.at[col];
    }
    free(memory.at);
    return distance;
}

/* Shift numbers that are positions themselves by the distance of the first in the last row. */
static struct candidate *shift_numbers(const struct candidate *base)
{
    const uint64_t rows = candidate_rows(base, 0);
    struct candidate *made = NULL;
    double by = 0;

    if (base->enc->family == PE_INDEX && base->map == MAP_NONE && rows > 0 &&
        candidate_cols(base, 0) > 0)
        by = distance_at(base, rows - 1, 0);
    if (by != 0 && by == nearbyint(by))
        made = candidate_copy(base);
    if (made) {
        made->map = MAP_SHIFT;
        made->shift = by;
        mistakes_tell_numbers(made, by, 0);
    }
    return made;
}

struct candidate *mistake_line_position_offset(const struct candidate *base, size_t variant)
{
    static const double shifts[] = {1, -1, 2, -2, 0.5, -0.5};
    struct line line;

    if (variant == 1)
        return shift_numbers(base);
    if (variant > 1)
        return shift_axes(base, shifts[variant - 2]);
    if (!observe_applies(base) || !find_line(base, &line) || line.scale != 1 ||
        fabs(line.offset) < nearly)
        return NULL;
    struct candidate *made = make_line(base, line);
    mistakes_tell_numbers(made, line.offset, 0);
    return made;
}

struct candidate *mistake_line_position_scale(const struct candidate *base, size_t variant)
{
    struct line line;

    if (!observe_applies(base) || !find_line(base, &line) || line.scale == 1 ||
        line.scale == -1 || line.scale == 0 || fabs(line.offset) >= 0.25)
        return NULL;
    line.offset = 0;
    struct candidate *made = make_line(base, line);
    mistakes_tell_numbers(made, line.scale, 1);
    return made;
}

static uint64_t grid_width(const struct candidate *base)
{
    for (size_t i = 0; i < base->enc->param_count; i++) {
        const struct pe_param *param = &base->enc->params[i];
        const struct pe_grid *grid = (const void *)(base->args->data + param->offset);

        if (param->type == PE_GRID && claim_text(base->claim, param->name))
            return (uint64_t)grid->width;
    }
    return 0;
}

/* Number the rows of a grid as the first cell of the second row says. */
static struct candidate *number_rows(const struct candidate *base)
{
    const uint64_t width = base->tensor[0]->output->natural > PE_BF16 &&
                                   base->tensor[0]->rank == 1 && base->map == MAP_NONE &&
                                   base->claim->subject_count == 1
                               ? grid_width(base)
                               : 0;
    const double shift =
        width > 0 && width < candidate_cols(base, 0) ? distance_at(base, 0, width) : 0;
    struct candidate *made = shift != 0 && isfinite(shift) ? candidate_copy(base) : NULL;

    if (made) {
        made->map = MAP_STRIDE;
        made->cells = width;
        made->shift = shift;
    }
    return made;
}

/* See the tensor as if its memory had been read in the order of other axes. */
static struct candidate *reread(const struct candidate *base)
{
    struct candidate *made = candidate_copy(base);
    bool reread = false;

    for (size_t i = 0; made && i < base->claim->subject_count; i++) {
        struct view *view = &made->view[i];
        const struct view *whole = &base->claim->subject[i].whole;
        const size_t last = view->rank - 1;
        bool same = view->rank >= 2 && whole->rank == view->rank;

        for (size_t axis = 0; same && axis < view->rank; axis++)
            same = view->dims[axis] == whole->dims[axis] && whole->stride[axis] > 0;
        if (!same || view->dims[last] < 2 || view->dims[last - 1] < 2 ||
            whole->stride[last] != 1)
            continue;
        *view = *whole; /* of another subject it may have been, of another dtype */
        view->stride[last] = (int64_t)view->dims[last - 1];
        view->stride[last - 1] = 1;
        view->slices[last] = view->slices[last - 1] = SLICES_UNKNOWN;
        reread = true;
    }
    if (reread)
        return made;
    candidate_free(made);
    return NULL;
}

struct candidate *mistake_line_stride(const struct candidate *base, size_t variant)
{
    struct line line;

    if (variant == 1)
        return reread(base);
    if (variant == 2)
        return number_rows(base);
    if (!observe_applies(base) || !find_line(base, &line) || line.scale < 2 ||
        line.scale != nearbyint(line.scale))
        return NULL;
    const double first = angles_position(base->angles, 0);
    if (fabs(line.offset) < 0.25)
        line.offset = 0;
    else if (fabs(line.scale * first + line.offset - first) < 0.25)
        line.offset = first - line.scale * first; /* the same first position */
    else
        return NULL;
    const struct pe_run run = pe_positions_run(base->angles->pos, 0);
    struct candidate *made = make_line(base, line);
    if (run.step != 0 && run.left > 1)
        mistakes_tell_numbers(made, line.scale * (double)run.step, (double)run.step);
    return made;
}
