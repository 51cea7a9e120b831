/* SPDX-License-Identifier: Apache-2.0
 * wave_ladder.h - the frequencies of pairs as a ladder: w_i = s base^(-i/n), whose logarithms
 * fall along a line. */
#pragma once

#include "core/verify/sight/wave_axes.h"

struct wave_ladder {
    double slope;  /* of ln w from a pair to the next */
    double height; /* ln s */
};

/* Fits the pairs of an axis, by their own numbers, or of all axes, by their numbers in the
 * table (axis -1). Pairs whose frequency was not read are left out. False: there are fewer
 * than two, or one is off the line, or it rises. */
bool wave_ladder_fit(struct wave_ladder *ladder, const struct wave_axes *axes, int axis,
                     double tolerance);
/* Returns the base of w = base^(-i/n). */
double wave_ladder_base(const struct wave_ladder *ladder, double n);
/* Tries a query with each round base near this one, or each that people write, and the
 * parameters of the tables' columns. */
struct pe_args *wave_ladder_try(struct sight *sight, const struct pe_encoding *enc,
                                const struct wave_tables *tables, double base, bool written,
                                const char *rest, struct pe_verify_role *roles);
