/* SPDX-License-Identifier: Apache-2.0
 * slopes.h - one slope a head: ALiBi's geometric lists and the rules for head counts that
 * are no power of two (Press et al. 2022, Train Short, Test Long). */
#ifndef PE_MATH_SLOPES_H
#define PE_MATH_SLOPES_H

#include <stdbool.h>
#include <stddef.h>

struct slope { /* a real number as a double-double, so that products round once */
    double hi, lo;
};

enum slopes_rule {
    SLOPES_PAPER,       /* the list of the power of two below, then every second of twice it */
    SLOPES_GEOMETRIC,   /* 2^(-bias_max (h+1) / heads) for any count */
    SLOPES_MPT,         /* the paper's numbers in the paper's order, as MPT derives them */
    SLOPES_NAIVE_EXTRA, /* the paper's rule without the stride of two: a bug in the wild */
};

/* out[heads]: 2^(-bias_max * exponent), each right to 2^-100 relative. */
void slopes_fill(struct slope *out, size_t heads, double bias_max, enum slopes_rule rule);
/* Largest first, as order=sorted. */
void slopes_sort(struct slope *slopes, size_t heads);
/* slope * factor and slope / divisor, kept as double-doubles. */
struct slope slopes_scale(struct slope slope, double factor);
struct slope slopes_divide(struct slope slope, double divisor);
/* sqrt(square) as a double-double; square > 0. */
struct slope slopes_root(double square);

/* slope * distance, rounded once (0.51 ULP); 0 at distance 0. */
double slopes_times(struct slope slope, double distance);
double slopes_times_dd(struct slope slope, struct slope distance);
/* out[t] = slope * distance for distances first + step*t, or their sizes: the bits of
 * slopes_times, several at a time. count is below 2^31. */
void slopes_line(struct slope slope, bool sizes, double first, double step, size_t count,
                 double *out);

#endif
