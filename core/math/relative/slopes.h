/* SPDX-License-Identifier: Apache-2.0
 * slopes.h - one slope a head: ALiBi's geometric lists and the rules for head counts that
 * are no power of two (Press et al. 2022, Train Short, Test Long). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct slope { /* A slope: a real number as a double-double, so that products round once. */
    double hi, lo;
};

enum slopes_rule {
    /* the list of the power of two below heads, then every second slope of the list of twice
     * that */
    SLOPES_PAPER,
    SLOPES_GEOMETRIC, /* 2^(-bias_max (h+1) / heads) for any count */
    SLOPES_MPT,       /* the numbers of the paper in its order, as MPT derives them */
    /* the rule of the paper without the stride of two, a bug of released models */
    SLOPES_NAIVE_EXTRA,
};

/* Fills out[heads] with 2^(-bias_max * exponent), each right to 2^-100 relative. */
void slopes_fill(struct slope *out, size_t heads, double bias_max, enum slopes_rule rule);
/* Sorts the slopes, the largest first (order=sorted). */
void slopes_sort(struct slope *slopes, size_t heads);
/* Returns slope * factor, and slope / divisor, as double-doubles. */
struct slope slopes_scale(struct slope slope, double factor);
struct slope slopes_divide(struct slope slope, double divisor);
/* Returns sqrt(square) as a double-double; square > 0. */
struct slope slopes_root(double square);

/* Returns slope * distance, rounded once (0.51 ULP); 0 at distance 0. */
double slopes_times(struct slope slope, double distance);
double slopes_times_dd(struct slope slope, struct slope distance);
/* Fills out[t] = slope * distance for the distances first + step*t, or for their sizes; the
 * bits are those of slopes_times. count is below 2^31. */
void slopes_line(struct slope slope, bool sizes, double first, double step, size_t count,
                 double *out);
/* Fills out[t] = slope * distance for the distances query - keys[t], or for their sizes. The
 * bits are those of slopes_times or, if out will be rounded to float32 or a narrower type
 * (narrow), some that are rounded to the same. */
void slopes_between(struct slope slope, bool sizes, double query, const double *keys,
                    size_t count, bool narrow, double *out);
