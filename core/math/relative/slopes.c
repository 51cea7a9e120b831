/* SPDX-License-Identifier: Apache-2.0
 * slopes.c - lists of slopes by exact powers of two, and products that round once. */
#include "core/math/relative/slopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/number/two_product.h"
#include "core/math/trig/frequency.h"

_Static_assert(sizeof(struct slope) == sizeof(double[2]), "a slope is hi and lo");

/* Fills slopes number first, first + step, ... (counted from 1) of a list of `of` heads. */
static void fill_list(struct slope *out, size_t count, double bias_max, size_t of, size_t first,
                      size_t step)
{
    frequency_pow_ladder(2, -bias_max, (double)of, first, step, count, (double(*)[2])out);
}

void slopes_fill(struct slope *out, size_t heads, double bias_max, enum slopes_rule rule)
{
    size_t power = 1, step = rule == SLOPES_NAIVE_EXTRA ? 1 : 2;

    while (power * 2 <= heads) /* the largest power of two not above heads */
        power *= 2;
    if (rule == SLOPES_GEOMETRIC) {
        fill_list(out, heads, bias_max, heads, 1, 1);
        return;
    }
    fill_list(out, power, bias_max, power, 1, 1);
    fill_list(out + power, heads - power, bias_max, 2 * power, 1, step);
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
    double rest = two_product_error(slope.hi, factor, product) + slope.lo * factor;

    return (struct slope){product + rest, (product - (product + rest)) + rest};
}

struct slope slopes_divide(struct slope slope, double divisor)
{
    double quotient = slope.hi / divisor, back = quotient * divisor;
    double rest =
        ((slope.hi - back) - two_product_error(quotient, divisor, back) + slope.lo) / divisor;

    return (struct slope){quotient + rest, (quotient - (quotient + rest)) + rest};
}

struct slope slopes_root(double square)
{
    double root = sqrt(square), back = root * root; /* one Newton step gives the low part */

    return (struct slope){root,
                          ((square - back) - two_product_error(root, root, back)) / (2 * root)};
}

/* Inline, so that loops of it vectorise. */
static inline double times(struct slope slope, struct slope distance)
{
    double product = slope.hi * distance.hi;

    return product + (two_product_error(slope.hi, distance.hi, product) +
                      (slope.lo * distance.hi + slope.hi * distance.lo));
}

double slopes_times(struct slope slope, double distance)
{
    return times(slope, (struct slope){distance, 0});
}

double slopes_times_dd(struct slope slope, struct slope distance)
{
    return times(slope, distance);
}

/* ---- many at a time, in the CPU's widest registers ------------------------------------ */

struct line {
    struct slope slope;
    bool sizes;
    double first, step;
};

__attribute__((always_inline)) static inline void fill_line(const struct line *line,
                                                            size_t count, double *out)
{
    const struct line l = *line;

    for (int t = 0; t < (int)count; t++) {
        double distance = l.first + l.step * (double)t;

        out[t] = times(l.slope, (struct slope){l.sizes ? fabs(distance) : distance, 0});
    }
}

static void line_generic(const struct line *line, size_t count, double *out)
{
    fill_line(line, count, out);
}

CPU_TARGET_AVX2 static void line_avx2(const struct line *line, size_t count, double *out)
{
    fill_line(line, count, out);
}

CPU_TARGET_AVX512 static void line_avx512(const struct line *line, size_t count, double *out)
{
    fill_line(line, count, out);
}

void slopes_line(struct slope slope, bool sizes, double first, double step, size_t count,
                 double *out)
{
    static void (*const fillers[CPU_PATH_COUNT])(const struct line *, size_t, double *) =
        {[CPU_GENERIC] = line_generic, [CPU_AVX2] = line_avx2, [CPU_AVX512] = line_avx512};
    const struct line line = {slope, sizes, first, step};

    fillers[cpu_path()](&line, count, out);
}

/* ---- scattered distances ----------------------------------------------------------------- */

enum { CHUNK = 256 };

struct between {
    struct slope slope;
    bool sizes, narrow;
    double query;
};

/* True when a product is one operation: a power of two changes the exponent alone. */
static bool is_power(struct slope slope)
{
    int exponent;

    return slope.lo == 0 && fabs(frexp(slope.hi, &exponent)) == 0.5;
}

__attribute__((always_inline)) static inline double distance_to(const struct between *b,
                                                                double key)
{
    const double distance = b->query - key;

    return b->sizes ? fabs(distance) : distance;
}

/* The products of the slope's high part. Each is within 2 ULP of slopes_times. Return true if
 * two numbers so near to each other may be rounded otherwise: the last 28 bits are then within
 * 2 of zero, as they are of each float32 number and of the middle between two. */
__attribute__((always_inline)) static inline bool multiply(const struct between *between,
                                                           const double *restrict keys,
                                                           size_t count, double *restrict out)
{
    const struct between b = *between;
    uint64_t near = 0;

    if (is_power(b.slope)) {
        for (size_t t = 0; t < count; t++)
            out[t] = b.slope.hi * distance_to(&b, keys[t]) + 0.0;
        return false;
    }
    for (size_t t = 0; t < count; t++) {
        const double product = b.slope.hi * distance_to(&b, keys[t]) + 0.0;
        uint64_t bits;

        memcpy(&bits, &product, sizeof bits);
        near |= ((bits + 2) & 0xfffffff) - 5; /* negative if it was less than 5 */
        out[t] = product;
    }
    return near >> 63;
}

__attribute__((always_inline)) static inline void multiply_all(const struct between *between,
                                                               const double *keys, size_t count,
                                                               double *out)
{
    const struct between b = *between;
    const bool one = b.narrow || is_power(b.slope);

    for (size_t start = 0, chunk; start < count; start += chunk) {
        chunk = count - start < CHUNK ? count - start : CHUNK;
        if (one && !multiply(&b, keys + start, chunk, out + start))
            continue;
        for (size_t t = start; t < start + chunk; t++)
            out[t] = times(b.slope, (struct slope){distance_to(&b, keys[t]), 0});
    }
}

static void between_generic(const struct between *b, const double *keys, size_t count,
                            double *out)
{
    multiply_all(b, keys, count, out);
}

CPU_TARGET_AVX2 static void between_avx2(const struct between *b, const double *keys,
                                         size_t count, double *out)
{
    multiply_all(b, keys, count, out);
}

CPU_TARGET_AVX512 static void between_avx512(const struct between *b, const double *keys,
                                             size_t count, double *out)
{
    multiply_all(b, keys, count, out);
}

void slopes_between(struct slope slope, bool sizes, double query, const double *keys,
                    size_t count, bool narrow, double *out)
{
    static void (*const fillers[CPU_PATH_COUNT])(const struct between *, const double *, size_t,
                                                 double *) = {[CPU_GENERIC] = between_generic,
                                                              [CPU_AVX2] = between_avx2,
                                                              [CPU_AVX512] = between_avx512};
    const struct between between = {slope, sizes, narrow, query};

    fillers[cpu_path()](&between, keys, count, out);
}
