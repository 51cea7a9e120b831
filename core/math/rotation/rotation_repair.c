/* SPDX-License-Identifier: Apache-2.0
 * rotation_repair.c - computes elements of the fast path one by one. */
#include "core/math/rotation/rotation_repair.h"

#include <math.h>
#include <string.h>

#include "core/math/number/narrow.h"
#include "core/math/trig/phase.h"

static void store(enum pe_dtype dtype, void *out, double value)
{
    const float single = narrow_f32(value);
    const uint16_t half = dtype == PE_F16 ? narrow_f16(value) : narrow_bf16(value);

    if (dtype == PE_F32)
        memcpy(out, &single, sizeof single);
    else
        memcpy(out, &half, sizeof half);
}

static double direct(const struct rotation *rotation, enum rotation_wave wave, size_t pair,
                     int64_t position)
{
    double sine, cosine;

    phase_sincos_scaled(&rotation->table->freq[pair], (double)position, rotation->amplitude,
                        &sine, &cosine);
    return wave == ROTATION_COS ? cosine : sine;
}

/* True when the sum cancelled, so that the element is evaluated directly. */
static bool cancelled(double x, double y)
{
    return fabs(x + y) < ROTATION_NEAR_ZERO * (fabs(x) + fabs(y));
}

void rotation_repair(const struct rotation_fast *fast, const struct rotation_lane *lane,
                     const struct rotation_stretch *stretch, uint64_t r, bool all)
{
    const size_t pairs = fast->rotation->table->pairs;
    const struct rotation_weights weights =
        rotation_stretch_weights(fast, lane, stretch->negative);
    const int64_t fine = stretch->fine + stretch->fine_step * (int64_t)r;
    const int64_t position = stretch->first + stretch->step * (int64_t)r;
    const size_t row = (size_t)fine * pairs + lane->first;

    for (size_t j = 0; j < lane->count; j++) {
        const double x = weights.by_cos[j] * fast->fine->cos[row + j];
        const double y = weights.by_sin[j] * fast->fine->sin[row + j];
        const bool small = cancelled(x, y);
        const double value =
            small ? direct(fast->rotation, lane->wave, lane->first + j, position) : x + y;

        if (small || all || (float)value == 0)
            store(fast->dtype, rotation_stretch_element(fast, lane, stretch->row + r, j),
                  value);
    }
}

void rotation_repair_copy(const struct rotation_fast *fast, const struct rotation_lane *lane,
                          const struct rotation_stretch *stretch, uint64_t r)
{
    const bool cosine = lane->wave == ROTATION_COS;
    const double *values = cosine ? fast->fine->cos : fast->fine->sin;
    const double sign = !cosine && stretch->negative ? -1 : 1;
    const int64_t fine = stretch->fine + stretch->fine_step * (int64_t)r;

    values += (size_t)fine * fast->rotation->table->pairs + lane->first;
    for (size_t j = 0; j < lane->count; j++)
        store(fast->dtype, rotation_stretch_element(fast, lane, stretch->row + r, j),
              sign * values[j]);
}

/* ---- exactly ----------------------------------------------------------------------------- */

/* Returns an element as fine rows of positions give it. */
static double by_positions(const struct rotation *rotation, enum rotation_wave wave,
                           size_t pair, int64_t position)
{
    const struct rotation_fine *table = rotation_table_fine(rotation->table);
    const int64_t size = position < 0 ? -position : position;
    const int64_t fine = size % (int64_t)table->rows;
    const size_t at = (size_t)fine * rotation->table->pairs + pair;
    double sine, cosine, x, y;

    phase_sincos_scaled(&rotation->table->freq[pair], (double)(size - fine),
                        rotation->amplitude, &sine, &cosine);
    if (wave == ROTATION_COS) {
        x = cosine * table->cos[at];
        y = -sine * table->sin[at];
    } else {
        x = (position < 0 ? -sine : sine) * table->cos[at];
        y = (position < 0 ? -cosine : cosine) * table->sin[at];
    }
    return cancelled(x, y) ? direct(rotation, wave, pair, position) : x + y;
}

static double decided(const struct rotation *rotation, enum rotation_wave wave, size_t pair,
                      int64_t position)
{
    return pe_positions_count(rotation->pos) < ROTATION_FINE_FROM
               ? direct(rotation, wave, pair, position)
               : by_positions(rotation, wave, pair, position);
}

/* True when a value within `apart` of this one may be rounded to another number. */
static bool unsure(enum pe_dtype dtype, double value, double apart)
{
    return rotation_kernel_round(dtype, value - apart) !=
           rotation_kernel_round(dtype, value + apart);
}

void rotation_repair_exact(const struct rotation_fast *fast, const struct rotation_lane *lane,
                           const struct rotation_stretch *stretch, uint64_t r, bool all)
{
    enum { CHUNK = 16 };
    const struct rotation *rotation = fast->rotation;
    const double apart = ROTATION_APART * fabs(rotation->amplitude);
    const struct rotation_weights weights =
        rotation_stretch_weights(fast, lane, stretch->negative);
    const size_t row =
        (size_t)(stretch->fine + stretch->fine_step * (int64_t)r) * rotation->table->pairs;
    const double *cosine = fast->fine->cos + row + lane->first;
    const double *sine = fast->fine->sin + row + lane->first;
    const int64_t position = stretch->first + stretch->step * (int64_t)r;

    for (size_t start = 0, chunk; start < lane->count; start += chunk) {
        double values[CHUNK];
        int any = all || fast->dtype != PE_F32;

        chunk = lane->count - start < CHUNK ? lane->count - start : CHUNK;
        for (size_t i = 0; i < chunk; i++) {
            const size_t j = start + i;

            values[i] = weights.by_cos[j] * cosine[j] + weights.by_sin[j] * sine[j];
            any |= (float)(values[i] - apart) != (float)(values[i] + apart);
        }
        for (size_t i = 0; any && i < chunk; i++)
            if (all || unsure(fast->dtype, values[i], apart))
                store(fast->dtype,
                      rotation_stretch_element(fast, lane, stretch->row + r, start + i),
                      decided(rotation, lane->wave, lane->first + start + i, position));
    }
}
