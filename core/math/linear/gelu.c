/* SPDX-License-Identifier: Apache-2.0
 * gelu.c - Phi by its series near 0 and by a continued fraction of its tail, each times the
 * density phi(x) = exp(-x^2/2) / sqrt(2 pi):
 *
 *     Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/15 + ...)         (every term of one sign)
 *     Phi(-x) = phi(x) / (x + 1/(x + 2/(x + 3/(x + ...))))     (Laplace)
 */
#include "core/math/linear/gelu.h"

#include <math.h>

static const struct dd inverse_sqrt_two_pi = {0x1.9884533d43651p-2, -0x1.cbc0d30ebfd15p-56};

/* factor is a power of two, so both products are exact */
static struct dd times(struct dd x, double factor)
{
    return (struct dd){x.hi * factor, x.lo * factor};
}

static struct dd density(struct dd x)
{
    const struct dd half = times(elementary_multiply(x, x), -0.5);
    const struct dd value =
        half.hi < -690 ? (struct dd){elementary_exp(half), 0} : elementary_exp_dd(half);

    return elementary_multiply(value, inverse_sqrt_two_pi);
}

/* Returns x + x^3/3 + x^5/(3 5) + ... for |x| < 1, by Horner's scheme from the last term. */
static struct dd series(struct dd x)
{
    enum { LAST = 24 };
    const struct dd square = elementary_multiply(x, x), one = {1, 0};
    struct dd sum = one;

    for (int n = LAST; n >= 1; n--) {
        sum = elementary_multiply(sum, elementary_divide(square, (struct dd){2 * n + 1, 0}));
        sum = elementary_add(one, sum);
    }
    return elementary_multiply(x, sum);
}

/* Returns 1 / (x + 1/(x + 2/(x + ...))) for x >= 1. Doubles are enough for the deep levels,
 * which hardly count. */
static struct dd fraction(struct dd x)
{
    enum { SPLIT_FROM = 24 };
    const int levels = 2 * SPLIT_FROM + (int)(400 / (x.hi * x.hi));
    /* nearly the solution v of v = x + levels/v */
    double tail = x.hi / 2 + sqrt(x.hi * x.hi / 4 + levels);
    struct dd value;

    for (int n = levels; n > SPLIT_FROM; n--)
        tail = x.hi + n / tail;
    value = (struct dd){tail, 0};
    for (int n = SPLIT_FROM; n >= 1; n--)
        value = elementary_add(x, elementary_divide((struct dd){n, 0}, value));
    return elementary_divide((struct dd){1, 0}, value);
}

/* Returns Phi(x) for x above -39. */
static struct dd cumulative(struct dd x)
{
    const struct dd size = x.hi < 0 ? times(x, -1) : x;
    struct dd share;

    if (size.hi < 1)
        return elementary_add((struct dd){0.5, 0},
                              elementary_multiply(density(size), series(x)));
    share = elementary_multiply(density(size), fraction(size));
    return x.hi < 0 ? share : elementary_add((struct dd){1, 0}, times(share, -1));
}

double gelu_of(struct dd x)
{
    struct dd value;

    if (x.hi > 9) /* 1 - Phi is below 2^-60 */
        return x.hi + x.lo;
    if (x.hi < -39)
        return 0;
    value = elementary_multiply(x, cumulative(x));
    return value.hi + value.lo;
}
