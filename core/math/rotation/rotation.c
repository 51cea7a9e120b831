/* SPDX-License-Identifier: Apache-2.0
 * rotation.c - fills rectangles of rotation tables as doubles by direct evaluation, and states
 * which other path serves them. */
#include "core/math/rotation/rotation.h"

#include <math.h>

#include "core/math/rotation/rotation_fast.h"
#include "core/math/rotation/rotation_lane.h"
#include "core/math/rotation/rotation_profile.h"
#include "core/math/trig/phase_row.h"

enum { CHUNK = 64 }; /* pairs that are evaluated at a time */

void rotation_row(const struct rotation *rotation, size_t first, size_t count, double position,
                  double *sine, double *cosine)
{
    if (rotation->angle != ROTATION_EXACT)
        rotation_profile_row(rotation, first, count, position, sine, cosine);
    else
        phase_row(rotation->table->freq + first, count, position, rotation->amplitude, sine,
                  cosine);
    for (size_t j = 0; position == rotation->zero_position && j < count; j++)
        sine[j] = cosine[j] = 0;
}

/* Writes a chunk of waves to the columns of a lane, or of two lanes that fill the columns
 * between each other, as interleaved sines and cosines do. Returns the number of lanes. */
static size_t show(const struct rotation_lane *lanes, size_t count, double *const rows[],
                   size_t start, size_t chunk, double waves[][CHUNK])
{
    const struct rotation_lane *lane = &lanes[0], *next = &lanes[count > 1];
    const size_t step = lane->step;
    double *restrict out = rows[lane->slot] + lane->start + step * start;
    const double *one = waves[lane->wave], *other = waves[next->wave];

    if (count > 1 && step == 2 && next->step == 2 && next->slot == lane->slot &&
        next->start == lane->start + 1) {
        for (size_t j = 0; j < chunk; j++) {
            out[2 * j] = one[j];
            out[2 * j + 1] = other[j];
        }
        return 2;
    }
    for (size_t j = 0; j < chunk; j++)
        out[step * j] = one[j];
    return 1;
}

/* Fills a row of lanes that show the same pairs: each angle is evaluated once and shown in
 * every lane. */
static void fill_span(const struct rotation *rotation, const struct rotation_lane *lanes,
                      size_t span, double position, double *const rows[])
{
    double waves[ROTATION_ZERO + 1][CHUNK] = {{0}};

    for (size_t start = 0; start < lanes[0].count; start += CHUNK) {
        const size_t left = lanes[0].count - start, chunk = left < CHUNK ? left : CHUNK;

        if (lanes[0].wave != ROTATION_ZERO)
            rotation_row(rotation, lanes[0].first + start, chunk, position, waves[ROTATION_SIN],
                         waves[ROTATION_COS]);
        for (size_t i = 0; i < span;)
            i += show(lanes + i, span - i, rows, start, chunk, waves);
    }
}

static void fill_direct(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct rotation *rotation = state;
    void *wanted[ROTATION_MAX_SLOTS] = {NULL};

    for (size_t i = 0; i < rotation->band_count; i++)
        wanted[rotation->bands[i].slot] = out[rotation->bands[i].slot];
    struct rotation_lane lanes[ROTATION_MAX_BANDS];
    const size_t lane_count = rotation_lane_lay(rotation, rect, wanted, lanes);
    for (uint64_t row = 0; row < rect->rows;) {
        const struct pe_run run = pe_positions_run(rotation->pos, rect->row + row);

        for (uint64_t k = 0; k < run.left && row < rect->rows; k++, row++) {
            const double position = run.step == 0
                                        ? run.first
                                        : (double)((int64_t)run.first + run.step * (int64_t)k);
            double *rows[ROTATION_MAX_SLOTS];

            for (size_t i = 0; i < ROTATION_MAX_SLOTS; i++)
                rows[i] = !wanted[i] ? NULL : (double *)wanted[i] + row * rect->cols;
            for (size_t i = 0, span; i < lane_count; i += span) {
                span = rotation_lane_span(lanes + i, lane_count - i);
                fill_span(rotation, lanes + i, span, position, rows);
            }
        }
    }
}

/* Measured nanoseconds of an element of one output; the two waves of a pair share an angle. */
enum { FAST_NS = 1, WHOLE_NS = 10, FRACTION_NS = 50, PROFILE_NS = 60, F64_PROFILE_NS = 100 };

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct rotation *rotation = state;
    const bool whole = pe_positions_whole(rotation->pos);

    if (rotation->angle == ROTATION_F64)
        return F64_PROFILE_NS;
    if (rotation->angle != ROTATION_EXACT)
        return PROFILE_NS;
    if (dtype != PE_F64 && whole && pe_positions_count(rotation->pos) > 1 &&
        rotation_table_fine(rotation->table))
        return FAST_NS;
    return whole ? WHOLE_NS : FRACTION_NS;
}

/* ---- strides ----------------------------------------------------------------------------- */

/* Returns how many fine rows of the stride are worth their evaluation; 0: those of the table
 * serve as well. With about as many as the square root of the positions, the rows that are
 * evaluated are fewest. */
static size_t stride_rows(const struct rotation *rotation, enum pe_dtype dtype)
{
    enum { STRIDE_FROM = 8 };
    const uint64_t count = pe_positions_count(rotation->pos);
    const double amplitude =
        rotation->amplitude < 0 ? -rotation->amplitude : rotation->amplitude;
    const struct pe_run run =
        count > 0 ? pe_positions_run(rotation->pos, 0) : (struct pe_run){0};
    size_t rows = rotation_fine_rows(rotation->table->pairs);

    if (count < ROTATION_FINE_FROM || run.left < count || dtype == PE_F64 ||
        rotation->angle != ROTATION_EXACT || !pe_positions_whole(rotation->pos) ||
        !rotation_table_fine(rotation->table) ||
        (run.step < STRIDE_FROM && run.step > -STRIDE_FROM) || amplitude < 0x1p-2 ||
        amplitude > 0x1p60)
        return 0;
    while (rows * rows > 2 * count)
        rows /= 2;
    return (double)rows * fabs((double)run.step) <= 0x1p53 ? rows : 0;
}

void rotation_plan(struct pe_build *build, size_t group, struct rotation *rotation)
{
    const size_t pairs = rotation->table->pairs;
    const size_t rows = pe_build_wants(build, group) && !rotation->stride
                            ? stride_rows(rotation, pe_build_dtype(build, group))
                            : 0;
    const size_t bytes = rows > 0 ? rotation_fine_bytes(rows, pairs) : 0;
    void *memory =
        bytes > 0 && pe_build_reserve(build, bytes) ? pe_build_alloc(build, bytes) : NULL;

    if (memory)
        rotation->stride = rotation_fine_make(memory, rotation->table->freq, rows, pairs,
                                              pe_positions_run(rotation->pos, 0).step);
    pe_build_fill(build, group, &rotation_filler, rotation);
}

uint64_t rotation_fast_positions(const struct pe_positions *pos, enum pe_dtype dtype)
{
    return dtype != PE_F64 && pe_positions_whole(pos) ? pe_positions_count(pos) : 0;
}

const struct pe_filler rotation_filler = {
    .reference = fill_direct,
    .typed = rotation_fast_fill,
    .scratch = rotation_fast_scratch,
    .remembers = true,
    .cost = cost,
};
