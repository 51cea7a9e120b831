/* SPDX-License-Identifier: Apache-2.0
 * drawn.h - weights that are given, or drawn from a normal distribution by a seed. */
#pragma once

#include "core/encoding.h"
#include "core/math/random.h"

/* Returns the given numbers, or draws rows * cols of sigma times a normal, row by row, rounded
 * to double; they live as long as the plan. NULL: out of memory. */
const double *drawn_weights(struct pe_build *build, const struct pe_reals *given, size_t rows,
                            size_t cols, double sigma, uint64_t seed);
/* Returns the nanoseconds that `count` weights take to be drawn and made frequencies. */
double drawn_plan_ns(const struct pe_reals *given, double count);
