/* SPDX-License-Identifier: Apache-2.0
 * elementary.c - Taylor and atanh series whose leading terms are kept as sums of two doubles
 * (Dekker 1971), so that the rounding of the rest is far below the last bit. */
#include "core/math/number/elementary.h"
#include "core/math/number/two_product.h"

#include <math.h>

/* ln 2: the first part has 32 trailing zeros, so that k times it is exact. */
static const double ln2_hi = 0x1.62e42feep-1, ln2_lo = 0x1.a39ef35793c76p-33;

/* ---- sums of two doubles ----------------------------------------------------------------- */

struct dd elementary_sum(double a, double b)
{
    double sum = a + b, part = sum - a;

    return (struct dd){sum, (a - (sum - part)) + (b - part)};
}

struct dd elementary_product(double a, double b)
{
    double product = a * b;

    return (struct dd){product, two_product_error(a, b, product)};
}

struct dd elementary_product_any(double a, double b)
{
    return fabs(a * b) > 0x1p-900 ? elementary_product(a, b) : (struct dd){a * b, 0};
}

static struct dd normal(double hi, double lo)
{
    double sum = hi + lo;

    return (struct dd){sum, (hi - sum) + lo};
}

struct dd elementary_add(struct dd a, struct dd b)
{
    struct dd high = elementary_sum(a.hi, b.hi), low = elementary_sum(a.lo, b.lo);
    struct dd first = normal(high.hi, high.lo + low.hi);

    return normal(first.hi, first.lo + low.lo);
}

struct dd elementary_multiply(struct dd a, struct dd b)
{
    struct dd product = elementary_product(a.hi, b.hi);

    return normal(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

struct dd elementary_divide(struct dd a, struct dd b)
{
    double quotient = a.hi / b.hi;
    struct dd back = elementary_product(quotient, b.hi);
    double rest = ((a.hi - back.hi) - back.lo + a.lo - quotient * b.lo) / b.hi;

    return normal(quotient, rest);
}

/* Takes one Newton step from the rounded root. */
struct dd elementary_sqrt(struct dd a)
{
    double root = sqrt(a.hi);
    struct dd square = elementary_product(root, root);

    return normal(root, ((a.hi - square.hi) - square.lo + a.lo) / (2 * root));
}

/* ---- logarithm --------------------------------------------------------------------------- */

/* Returns atanh(s) / s = 1 + z/3 + z^2/5 + ..., z = s^2 <= 0.0295; the first terms are
 * double-doubles. */
static struct dd atanh_series(struct dd z)
{
    enum { LAST = 16, SPLIT_FROM = 5 };
    double tail = 0;
    struct dd sum;

    for (int k = LAST; k >= SPLIT_FROM; k--)
        tail = tail * z.hi + 1.0 / (2 * k + 1);
    sum = (struct dd){tail, 0};
    for (int k = SPLIT_FROM - 1; k >= 0; k--) {
        struct dd term = elementary_divide((struct dd){1, 0}, (struct dd){2 * k + 1, 0});

        sum = elementary_add(term, elementary_multiply(z, sum));
    }
    return sum;
}

struct dd elementary_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    struct dd s, z, log;

    if (m < 0x1.6a09e667f3bcdp-1) { /* below sqrt(1/2); m ends up within sqrt(1/2) .. sqrt(2) */
        m *= 2;
        exponent--;
    }
    s = elementary_divide((struct dd){m - 1, 0}, elementary_sum(m, 1));
    z = elementary_multiply(s, s);
    log = elementary_multiply((struct dd){2 * s.hi, 2 * s.lo}, atanh_series(z));
    return elementary_add((struct dd){exponent * ln2_hi, 0},
                          elementary_add(elementary_product(exponent, ln2_lo), log));
}

struct dd elementary_log_dd(struct dd x)
{
    /* ln(hi + lo) = ln hi + lo/hi - (lo/hi)^2/2: the square is below 2^-106 */
    return elementary_add(elementary_log(x.hi), (struct dd){x.lo / x.hi, 0});
}

struct dd elementary_log1p(struct dd x)
{
    const double small = 0x1p-20;
    struct dd square;
    double rest;

    if (!(fabs(x.hi) < small))
        return elementary_log_dd(elementary_add((struct dd){1, 0}, x));
    if (fabs(x.hi) < 0x1p-100) /* squares would underflow, and are negligible */
        return x;
    square = elementary_multiply(x, x);
    rest = square.hi * x.hi * (1. / 3 - x.hi / 4);
    square = (struct dd){-.5 * square.hi, -.5 * square.lo};
    return elementary_add(x, elementary_add(square, (struct dd){rest, 0}));
}

/* ---- exponential ------------------------------------------------------------------------- */

/* Returns exp(r) - 1 for |r| <= ln(2)/2: r + r^2/2 in double-doubles, the rest of the series in
 * doubles. */
static struct dd expm1_small(struct dd r)
{
    enum { LAST = 17 };
    struct dd square = elementary_product(r.hi, r.hi), lead;
    double tail = 0;

    for (int n = LAST; n >= 3; n--)
        tail = (1 + tail * r.hi) / n; /* r/n! nested: 1/3 (1 + r/4 (1 + ...)) */
    lead = elementary_sum(r.hi, 0.5 * square.hi);
    return normal(lead.hi, lead.lo + (r.lo + r.hi * r.lo + 0.5 * square.lo) +
                               0.5 * square.hi * r.hi * tail);
}

/* Returns the part and k of exp(x) = 2^k (1 + part). */
static struct dd reduced(struct dd x, int *k)
{
    double turns = nearbyint(x.hi * 0x1.71547652b82fep+0); /* x / ln 2 */
    struct dd r = elementary_add(
        elementary_sum(x.hi, -turns * ln2_hi),
        elementary_add((struct dd){x.lo, 0}, elementary_product(-turns, ln2_lo)));

    *k = (int)turns;
    return expm1_small(r);
}

struct dd elementary_exp_dd(struct dd x)
{
    int k;
    struct dd part = reduced(x, &k), sum = elementary_sum(1, part.hi);

    sum = normal(sum.hi, sum.lo + part.lo);
    return (struct dd){ldexp(sum.hi, k), ldexp(sum.lo, k)};
}

double elementary_exp(struct dd x)
{
    int k;
    struct dd part, sum;

    if (x.hi < -760)
        return 0;
    if (x.hi > 710)
        return INFINITY;
    part = reduced(x, &k);
    sum = elementary_sum(1, part.hi);
    return ldexp(sum.hi + (sum.lo + part.lo), k);
}

struct dd elementary_expm1(struct dd x)
{
    int k;
    struct dd part = reduced(x, &k), sum;

    if (k == 0)
        return part;
    sum = elementary_sum(1, part.hi);
    sum = (struct dd){ldexp(sum.hi, k), ldexp(sum.lo + part.lo, k)};
    return elementary_add(sum, (struct dd){-1, 0});
}

/* ---- softplus ---------------------------------------------------------------------------- */

/* The result is max(x, 0) + ln(1 + e), e = exp(-|x|). */
double elementary_softplus(double x)
{
    const double away = -fabs(x), small = 0x1p-20;
    struct dd e, sum;

    if (!(away >= -700)) /* the result is exp x, or x; NaN stays NaN */
        return x < 0 ? elementary_exp((struct dd){x, 0}) : x;
    e = elementary_exp_dd((struct dd){away, 0});
    if (e.hi < small) { /* e - e^2/2 + e^3/3, relative error 2^-62 */
        const double rest = e.hi * e.hi * (e.hi / 3 - .5);

        sum = elementary_add(e, (struct dd){rest, 0});
    } else {
        sum = elementary_log_dd(elementary_add((struct dd){1, 0}, e));
    }
    sum = elementary_add((struct dd){x > 0 ? x : 0, 0}, sum);
    return sum.hi + sum.lo;
}

/* ---- hyperbolic tangent ------------------------------------------------------------------ */

double elementary_tanh(double x)
{
    double size = fabs(x), value;
    struct dd e, t;

    if (size >= 20) /* 1 - 2 exp(-40) is 1 */
        return copysign(1, x);
    e = elementary_expm1((struct dd){-2 * size, 0});
    t = elementary_divide(e, elementary_add((struct dd){2, 0}, e));
    value = -(t.hi + t.lo);
    return copysign(value, x);
}
