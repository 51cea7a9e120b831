/* SPDX-License-Identifier: Apache-2.0
 * hard.c - continued fractions of w / (pi/2). The pairs (p, p * alpha - k) are a lattice in
 * the plane; two neighbouring convergents are a basis of it, so every near miss is a sum
 * a * (one convergent) + b * (the next) with small a, and b near the value that cancels. */
#include "tests/prove/hard.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <mpfr.h>

enum { BITS = 512, NEAREST = 40, REACH = 48, CONVERGENTS = 64 };
static const int64_t limit = (int64_t)1 << 53;

/* A position and how far alpha * position is from a whole number, with its sign. */
struct miss {
    int64_t position;
    double distance;
};

/* alpha = w / (pi/2) = 2 / (pi * base^(2 pair / dim)) */
static void set_alpha(mpfr_t alpha, double base, size_t pair, size_t dim)
{
    mpfr_t power, exponent;

    mpfr_inits2(BITS, power, exponent, (mpfr_ptr)0);
    mpfr_set_ui(exponent, 2 * pair, MPFR_RNDN);
    mpfr_div_ui(exponent, exponent, dim, MPFR_RNDN);
    mpfr_set_d(power, base, MPFR_RNDN);
    mpfr_pow(power, power, exponent, MPFR_RNDN);
    mpfr_const_pi(alpha, MPFR_RNDN);
    mpfr_mul(alpha, alpha, power, MPFR_RNDN);
    mpfr_ui_div(alpha, 2, alpha, MPFR_RNDN);
    mpfr_clears(power, exponent, (mpfr_ptr)0);
}

/* Lists the denominators up to the limit; alpha < 1, and the convergent before the first is
 * 0/1. */
static size_t convergents(mpfr_t alpha, struct miss *out)
{
    mpfr_t rest, whole, product;

    mpfr_inits2(BITS, rest, whole, product, (mpfr_ptr)0);
    mpfr_set(rest, alpha, MPFR_RNDN);
    int64_t before = 0, now = 1;
    size_t count = 0;
    while (now <= limit && count < CONVERGENTS) {
        mpfr_mul_si(product, alpha, now, MPFR_RNDN);
        mpfr_rint(whole, product, MPFR_RNDN);
        if (now == 1) /* the first convergent is 0/1 however near alpha is to 1 */
            mpfr_set_zero(whole, 1);
        mpfr_sub(product, product, whole, MPFR_RNDN);
        out[count++] = (struct miss){now, mpfr_get_d(product, MPFR_RNDN)};
        mpfr_ui_div(rest, 1, rest, MPFR_RNDN);
        mpfr_floor(whole, rest);
        mpfr_sub(rest, rest, whole, MPFR_RNDN);
        const double quotient = mpfr_get_d(whole, MPFR_RNDN);
        const double wide = quotient * (double)now + (double)before;
        const int64_t next =
            wide > (double)limit ? limit + 1 : (int64_t)quotient * now + before;
        before = now;
        now = next;
    }
    mpfr_clears(rest, whole, product, (mpfr_ptr)0);
    return count;
}

/* Keeps the NEAREST positions, in order, each once. */
static void offer(struct miss *best, size_t *count, struct miss miss)
{
    size_t at = *count;

    for (size_t i = 0; i < *count; i++)
        if (best[i].position == miss.position)
            return;
    while (at > 0 && fabs(best[at - 1].distance) > fabs(miss.distance))
        at--;
    if (at == NEAREST)
        return;
    if (*count < NEAREST)
        *count += 1;
    for (size_t i = *count - 1; i > at; i--)
        best[i] = best[i - 1];
    best[at] = miss;
}

/* Sums a * u + b * v with a position in range, b within REACH of the best one there is. */
static void offer_row(struct miss *best, size_t *count, struct miss u, struct miss v, int64_t a)
{
    const int64_t start = a * u.position;
    const int64_t low = start < 1 ? -start / v.position : -((start - 1) / v.position);
    const int64_t high =
        start > limit ? -((start - limit) / v.position) - 1 : (limit - start) / v.position;
    const double middle = nearbyint((double)-a * u.distance / v.distance);
    const int64_t nearest = middle < (double)low    ? low
                            : middle > (double)high ? high
                                                    : (int64_t)middle;

    for (int64_t b = nearest - REACH; b <= nearest + REACH; b++) {
        const int64_t position = start + b * v.position;

        if (position > 0 && position <= limit)
            offer(best, count,
                  (struct miss){position, (double)a * u.distance + (double)b * v.distance});
    }
}

size_t hard_positions(double base, size_t pair, size_t dim, double *positions, size_t most)
{
    struct miss chain[CONVERGENTS], best[NEAREST];
    mpfr_t alpha;

    mpfr_init2(alpha, BITS);
    set_alpha(alpha, base, pair, dim);
    const size_t links = convergents(alpha, chain);
    mpfr_clear(alpha);
    if (links < 2)
        abort();
    size_t count = 0, nearest = 0;
    for (size_t i = 1; i < links && count < most; i++)
        positions[count++] = (double)chain[i].position;
    for (int64_t a = -REACH; a <= REACH; a++)
        offer_row(best, &nearest, chain[links - 2], chain[links - 1], a);
    for (size_t i = 0; i < nearest && count < most; i++)
        positions[count++] = (double)best[i].position;
    return count;
}
