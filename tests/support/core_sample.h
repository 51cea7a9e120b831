/* SPDX-License-Identifier: Apache-2.0
 * core_sample.h - encodings made for the tests of the frame: one with a parameter of every
 * type and outputs of every shape, one that is computed whole, one of the client's data. */
#pragma once

#include "core/encoding.h"

enum { SAMPLE_PLAIN, SAMPLE_TABLED, SAMPLE_SIGNED };

struct sample {
    const struct pe_positions *pos, *where, *times;
    int64_t dim, steps, len;
    double gain, offset;
    struct pe_reals weights, matrix;
    struct pe_grid grid;
    struct pe_tensor x;
    int mode, kind, preset;
    bool flag, wish;
};

/* out=rows      (pos, dim)   f32  gain * position + column + offset; mode=table: + 100
 *     negated   (pos, dim)   f32  minus rows, below zero; in the group of rows
 *     ids       (grid)       i64  number of the cell
 *     mask      (pos, where) bool position at or after the other
 *     total     ()           f32  sum of weights and of matrix
 *     cube      (pos, steps, dim) f32  position + 10 step + 100 column
 *     shape     (rank)       i64  dims of x
 *     late      (times)      f64  the times */
extern const struct pe_encoding core_sample;

/* PE_WHOLE: out=sums (pos) f64, position + all before it; out=counts (pos) i64. */
extern const struct pe_encoding core_sample_sums;

/* PE_INPUT: out=scaled (n, d) f32, the tensor x times factor, plus y where y is given. */
extern const struct pe_encoding core_sample_scaled;

/* Returns one of the three by its name, or NULL. */
const struct pe_encoding *core_sample_find(const char *name, size_t len);
