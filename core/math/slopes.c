/* SPDX-License-Identifier: Apache-2.0
 * slopes.c - lists of slopes by exact powers of two, and products that round once. */
#include "core/math/slopes.h"

#include <math.h>
#include <stdlib.h>

#include "core/math/frequency.h"
#include "core/math/product.h"

/* 2^(-bias_max * number / of): slope `number` (from 1) of a list of `of` heads. */
static struct slope nth(double bias_max, size_t number, size_t of)
{
    struct slope slope;

    frequency_pow_ratio(2, -bias_max, (double)number, (double)of, &slope.hi, &slope.lo);
    return slope;
}

void slopes_fill(struct slope *out, size_t heads, double bias_max, enum slopes_rule rule)
{
    size_t power = 1; /* largest power of two not above heads */

    while (power * 2 <= heads)
        power *= 2;
    for (size_t h = 0; h < heads; h++) {
        size_t extra = h - power;

        if (rule == SLOPES_GEOMETRIC)
            out[h] = nth(bias_max, h + 1, heads);
        else if (h < power)
            out[h] = nth(bias_max, h + 1, power);
        else if (rule == SLOPES_NAIVE_EXTRA)
            out[h] = nth(bias_max, extra + 1, 2 * power);
        else
            out[h] = nth(bias_max, 2 * extra + 1, 2 * power);
    }
}

static int larger_first(const void *a, const void *b)
{
    const struct slope *x = a, *y = b;

    if (x->hi != y->hi)
        return x->hi < y->hi ? 1 : -1;
    return (x->lo < y->lo) - (x->lo > y->lo);
}

void slopes_sort(struct slope *slopes, size_t heads)
{
    qsort(slopes, heads, sizeof *slopes, larger_first);
}

struct slope slopes_scale(struct slope slope, double factor)
{
    double product = slope.hi * factor;
    double rest = product_error(slope.hi, factor, product) + slope.lo * factor;

    return (struct slope){product + rest, (product - (product + rest)) + rest};
}

struct slope slopes_divide(struct slope slope, double divisor)
{
    double quotient = slope.hi / divisor, back = quotient * divisor;
    double rest =
        ((slope.hi - back) - product_error(quotient, divisor, back) + slope.lo) / divisor;

    return (struct slope){quotient + rest, (quotient - (quotient + rest)) + rest};
}

struct slope slopes_root(double square)
{
    double root = sqrt(square), back = root * root; /* one Newton step for the rest */

    return (struct slope){root,
                          ((square - back) - product_error(root, root, back)) / (2 * root)};
}

double slopes_times(struct slope slope, double distance)
{
    return slopes_times_split(slope, (struct slope){distance, 0});
}

double slopes_times_split(struct slope slope, struct slope distance)
{
    double product = slope.hi * distance.hi;

    return product + (product_error(slope.hi, distance.hi, product) +
                      (slope.lo * distance.hi + slope.hi * distance.lo));
}
