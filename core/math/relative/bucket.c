/* SPDX-License-Identifier: Apache-2.0
 * bucket.c - logarithms to 2^-60 decide but for ties; whether powers of whole numbers are equal
 * is decided in whole numbers. */
#include "core/math/relative/bucket.h"

#include <math.h>

#include "core/math/number/elementary.h"

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* root^exponent == value; never overflows. */
static bool is_power(int64_t root, int64_t exponent, int64_t value)
{
    int64_t power = 1;

    if (root == 1)
        return value == 1;
    for (int64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(power, root, &power) || power > value)
            return false;
    return power == value;
}

/* a^p == b^q for a, b >= 1 and coprime p, q: then both are powers of one number, a = r^q and
 * b = r^p. */
static bool powers_equal(int64_t a, int64_t p, int64_t b, int64_t q)
{
    double guess;

    if (a == 1 || b == 1)
        return a == b;
    guess =
        elementary_exp(elementary_divide(elementary_log((double)b), (struct dd){(double)p, 0}));
    for (int64_t r = (int64_t)guess; r <= (int64_t)guess + 1; r++)
        if (r > 1 && is_power(r, p, b) && is_power(r, q, a))
            return true;
    return false;
}

/* (n/first)^steps == (last/first)^k. */
static bool is_tie(int64_t n, int64_t first, int64_t last, int64_t steps, int64_t k)
{
    int64_t small = common_divisor(n, first), large = common_divisor(last, first);
    int64_t both;

    if (k == 0)
        return n == first || steps == 0;
    both = common_divisor(steps, k);
    return powers_equal(n / small, steps / both, last / large, k / both) &&
           powers_equal(first / small, steps / both, first / large, k / both);
}

static struct dd log_ratio(int64_t n, int64_t first)
{
    return elementary_log_dd(
        elementary_divide((struct dd){(double)n, 0}, (struct dd){(double)first, 0}));
}

double bucket_steps(int64_t n, int64_t first, int64_t last, int64_t steps)
{
    struct dd value =
        elementary_multiply(elementary_divide(log_ratio(n, first), log_ratio(last, first)),
                            (struct dd){(double)steps, 0});
    double nearest = nearbyint(value.hi), rest = (value.hi - nearest) + value.lo;

    if (fabs(rest) > 1e-6)
        return value.hi;
    if (is_tie(n, first, last, steps, (int64_t)nearest))
        return nearest;
    return value.hi != nearest ? value.hi : nextafter(nearest, rest > 0 ? INFINITY : -INFINITY);
}

/* The smallest n with bucket_steps >= i: within 1 of first (last/first)^(i/steps). */
static double start_of(int64_t first, int64_t last, int64_t steps, int64_t i)
{
    struct dd power = elementary_divide(
        elementary_multiply(log_ratio(last, first), (struct dd){(double)i, 0}),
        (struct dd){(double)steps, 0});
    int64_t n = (int64_t)((double)first * elementary_exp(power)) - 1;

    if (n < first)
        n = first;
    while (bucket_steps(n, first, last, steps) < (double)i)
        n++;
    return (double)n;
}

void bucket_init(struct bucket *bucket, double *starts, int64_t count, int64_t max_distance)
{
    int64_t first = count / 2;

    *bucket = (struct bucket){count, first, starts};
    for (int64_t i = 0; i < count - first; i++)
        starts[i] = start_of(first, max_distance, count - first, i);
}

double bucket_of(const struct bucket *bucket, double n)
{
    int64_t low = 0, high = bucket->count - bucket->first; /* starts[low] <= n */

    if (n < (double)bucket->first)
        return n;
    if (high > 1 && bucket->starts[high - 1] <= n) /* most pairs are far apart */
        low = high - 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (bucket->starts[middle] <= n)
            low = middle;
        else
            high = middle;
    }
    return (double)(bucket->first + low);
}
