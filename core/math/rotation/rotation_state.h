/* SPDX-License-Identifier: Apache-2.0
 * rotation_state.h - a rotation: which positions and frequencies, how an angle is computed, and
 * which column of which output shows which cosine or sine. */
#pragma once

#include "core/encoding.h"
#include "core/math/rotation/rotation_table.h"

enum rotation_wave { ROTATION_COS, ROTATION_SIN, ROTATION_ZERO };

/* A run of columns of one output: column col + step*j shows `wave` of pair first + j. */
struct rotation_band {
    size_t slot; /* index of the output in out[] */
    enum rotation_wave wave;
    size_t first, count;
    size_t col, step; /* first column; step 1: adjoining columns, 2: every second column */
};

/* How an angle is computed: exactly, or by the operations of a profile. The angle of a profile
 * is a float or a double, whose sine is then computed exactly and rounded to the type of the
 * profile. */
enum rotation_angle {
    ROTATION_EXACT,
    ROTATION_F32_TIMES, /* fl(fl(pos) * f32[i]) */
    ROTATION_F32_OVER,  /* fl(fl(pos) / f32[i]) */
    ROTATION_F32_CHAIN, /* ggml: t_0 = fl(pos), t_(i+1) = fl(t_i * f32[0]); the angle is then
                         * fl(fl(t_i / divide[i]) * scale[i]) blended: see rotation_chain */
    ROTATION_F64,       /* pos * f64[i] in double; sines rounded to double */
};

/* The remaining steps of ggml: e = t_i / factors[i] (unless NULL); x = scale * e; where mix is
 * given, x = fl(fl(x * fl(1 - mix[i])) + fl(e * mix[i])). */
struct rotation_chain {
    const float *factors, *mix;
    float scale;
};

enum { ROTATION_MAX_BANDS = 8, ROTATION_MAX_SLOTS = 4 };

struct rotation {
    const struct rotation_table *table;
    const struct pe_positions *pos; /* row r shows position number r */
    /* fine rows of the stride of the positions, which are one run; NULL: those of the table */
    const struct rotation_fine *stride;
    double amplitude;     /* factor of every value; 1e-150 .. 1e150 in size */
    double zero_position; /* the row of this position is all zeros; NaN: none */
    enum rotation_angle angle;
    const float *f32;  /* profiles of float32: cosines and sines are rounded to float32, times
                        * fl(amplitude) rounded again unless it is 1 */
    const double *f64; /* frequencies of ROTATION_F64 */
    /* ROTATION_F32_TIMES and _OVER: divisor of positions; 0: they are not divided */
    float stretch;
    /* ROTATION_F32_TIMES and _OVER: divisor of the angle of each pair; may be NULL */
    const float *divide;
    const struct rotation_chain *chain; /* factors of ROTATION_F32_CHAIN */
    bool bf16;                          /* values are rounded to bfloat16 once more
                                         * (bf16-table) */
    size_t cols;                        /* columns of every output of the group */
    size_t band_count;                  /* bands do not overlap and cover every column */
    struct rotation_band bands[ROTATION_MAX_BANDS];
};
