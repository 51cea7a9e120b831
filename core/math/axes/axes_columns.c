/* SPDX-License-Identifier: Apache-2.0
 * axes_columns.c - fills rows of points one point at a time, and lines of maps one pair at a
 * time; only the waves of pairs that the wanted columns show are computed. */
#include "core/math/axes/axes_columns.h"

void axes_columns_put(struct axes_column *column, size_t at, size_t step, enum axes_wave wave,
                      size_t index, size_t count)
{
    for (size_t i = 0; i < count; i++)
        column[at + i * step] = (struct axes_column){wave, (uint32_t)(index + i)};
}

static bool waves(enum axes_wave wave)
{
    return wave == AXES_WAVE_SIN || wave == AXES_WAVE_COS;
}

static double value_of(const struct axes_columns *state, size_t entry,
                       const struct axes_place *place, const double *sine, const double *cosine)
{
    const struct axes_column *column = &state->column[entry];
    double value = 0;

    switch (column->wave) {
    case AXES_WAVE_ZERO:
        return 0;
    case AXES_WAVE_ONE:
        value = 1;
        break;
    case AXES_WAVE_SIN:
        value = sine[column->index];
        break;
    case AXES_WAVE_COS:
        value = cosine[column->index];
        break;
    case AXES_WAVE_ANGLE:
        value = axes_angle(&state->axes, place, column->index);
        break;
    case AXES_WAVE_NUMBER:
        value = axes_points_scaled(&state->axes.points, column->index,
                                   place->number[column->index]);
        break;
    }
    return state->amplitude ? value * state->amplitude[entry] : value;
}

/* ---- points ------------------------------------------------------------------------------ */

/* Computes the waves of the pairs that entries [first, first + count) of column[] show. */
static void take_waves(const struct axes_columns *state, size_t first, size_t count,
                       const struct axes_place *place, double *sine, double *cosine)
{
    size_t low = SIZE_MAX, high = 0;

    for (size_t i = first; i < first + count; i++) {
        const struct axes_column *column = &state->column[i];

        if (!waves(column->wave))
            continue;
        low = column->index < low ? column->index : low;
        high = column->index >= high ? column->index + 1 : high;
    }
    if (low < high)
        axes_waves(&state->axes, place, low, high, cosine, sine);
}

static void fill_points(const struct axes_columns *state, const struct pe_rect *rect,
                        double *out, double *sine, double *cosine)
{
    struct axes_place place;

    for (uint64_t r = 0; r < rect->rows; r++) {
        const uint64_t row = rect->row + r;
        const uint64_t point = state->block ? row : row / state->blocks;
        const uint64_t block =
            state->block ? (uint64_t)pe_positions_at(state->block, row) : row % state->blocks;
        const size_t first = (size_t)(block * state->cols + rect->col);

        if (point < state->blank) {
            for (uint64_t c = 0; c < rect->cols; c++)
                out[r * rect->cols + c] = 0;
            continue;
        }
        axes_points_at(&state->axes.points, point - state->blank, &place);
        take_waves(state, first, (size_t)rect->cols, &place, sine, cosine);
        for (uint64_t c = 0; c < rect->cols; c++)
            out[r * rect->cols + c] = value_of(state, first + (size_t)c, &place, sine, cosine);
    }
}

/* ---- maps -------------------------------------------------------------------------------- */

static void fill_map(const struct axes_columns *state, const struct pe_rect *rect, double *out,
                     double *sine, double *cosine)
{
    const uint64_t lines = state->width ? state->axes.points.rows / state->width : 0;
    struct axes_place place;

    for (uint64_t r = 0; r < rect->rows; r++) {
        const uint64_t row = rect->row + r;
        const size_t channel = (size_t)(row / lines);
        const struct axes_column *column = &state->column[channel];

        for (uint64_t c = 0; c < rect->cols; c++) {
            axes_points_at(&state->axes.points, row % lines * state->width + rect->col + c,
                           &place);
            if (waves(column->wave))
                axes_waves(&state->axes, &place, column->index, column->index + 1, cosine,
                           sine);
            out[r * rect->cols + c] = value_of(state, channel, &place, sine, cosine);
        }
    }
}

static void fill(const void *context, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct axes_columns *state = context;
    double *sine = scratch, *cosine = sine + state->axes.pairs;

    if (!out[0] || rect->cols == 0)
        return;
    if (state->width > 0)
        fill_map(state, rect, out[0], sine, cosine);
    else
        fill_points(state, rect, out[0], sine, cosine);
}

static size_t scratch_of(const void *context, uint64_t elements)
{
    const struct axes_columns *state = context;

    return 2 * state->axes.pairs * sizeof(double);
}

static double cost_of(const void *context, enum pe_dtype dtype)
{
    const struct axes_columns *state = context;

    return state->width > 0 || !state->axes.axis ? 80 : 15;
}

const struct pe_filler axes_columns_filler = {
    .reference = fill, .scratch = scratch_of, .ns_per_element = 15, .cost = cost_of};
