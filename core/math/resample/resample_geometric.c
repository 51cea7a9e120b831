/* SPDX-License-Identifier: Apache-2.0
 * resample_geometric.c - see resample_geometric.h. The spline is linear in the values at its
 * places: each value's share of every new place is found by the spline of a 1 there. */
#include "core/math/resample/resample_geometric.h"

#include <assert.h>
#include <math.h>

enum { MOST = RESAMPLE_GEOMETRIC_BEFORE };

static const struct dd zero = {0, 0}, one = {1, 0};

static struct dd negate(struct dd a)
{
    return (struct dd){-a.hi, -a.lo};
}

static struct dd subtract(struct dd a, struct dd b)
{
    return elementary_add(a, negate(b));
}

static struct dd times(struct dd a, double b)
{
    return elementary_multiply(a, (struct dd){b, 0});
}

/* ---- places ----------------------------------------------------------------------------- */

/* Returns 1 + q + .. + q^(n-1). */
static struct dd progression(double q, size_t n)
{
    struct dd sum = zero;

    for (size_t i = 0; i < n; i++)
        sum = elementary_add(times(sum, q), one);
    return sum;
}

double resample_geometric_growth(const struct resample_geometric *g)
{
    double low = 1.01, high = 1.5, q = low;

    while (high - low > 1e-6) {
        q = (low + high) / 2;
        if (subtract(progression(q, g->before / 2), (struct dd){(double)(g->after / 2), 0}).hi >
            0)
            high = q;
        else
            low = q;
    }
    return q;
}

struct spline {
    size_t count;
    struct dd at[MOST], gap[MOST]; /* old places, and the distance from each to the next */
    /* the eliminated rows of the inner places */
    struct dd below[MOST], pivot[MOST], above[MOST];
};

static void place(struct spline *s, double q)
{
    const size_t middle = s->count / 2;
    struct dd power = one;

    s->at[middle] = zero;
    for (size_t k = 0; k < middle; k++) {
        s->gap[middle + k] = s->gap[middle - 1 - k] = power;
        s->at[middle + k + 1] = elementary_add(s->at[middle + k], power);
        s->at[middle - k - 1] = negate(s->at[middle + k + 1]);
        power = times(power, q);
    }
}

/* ---- second derivatives ----------------------------------------------------------------- *
 * Inner places i: gap[i-1] m[i-1] + 2 (gap[i-1] + gap[i]) m[i] + gap[i] m[i+1] = 6 times the
 * change of slope. Not-a-knot: m goes on straight into the first gap and into the last. */

/* Returns the r by which m at an end follows from the two places beside it: (1 + r) near - r
 * far. */
static struct dd end_ratio(const struct spline *s, bool last)
{
    const size_t outer = last ? s->count - 2 : 0, inner = last ? s->count - 3 : 1;

    return elementary_divide(s->gap[outer], s->gap[inner]);
}

static void eliminate(struct spline *s)
{
    const size_t last = s->count - 2;

    for (size_t i = 1; i <= last; i++) {
        s->below[i] = s->gap[i - 1];
        s->above[i] = s->gap[i];
        s->pivot[i] = times(elementary_add(s->gap[i - 1], s->gap[i]), 2);
    }
    for (size_t end = 0; end < 2; end++) {
        const size_t i = end ? last : 1;
        const struct dd gap = s->gap[end ? last : 0], ratio = end_ratio(s, end == 1);
        struct dd *across = end ? &s->below[i] : &s->above[i];

        s->pivot[i] =
            elementary_add(s->pivot[i], elementary_multiply(gap, elementary_add(one, ratio)));
        *across = subtract(*across, elementary_multiply(gap, ratio));
    }
    for (size_t i = 2; i <= last; i++) {
        s->below[i] = elementary_divide(s->below[i], s->pivot[i - 1]);
        s->pivot[i] = subtract(s->pivot[i], elementary_multiply(s->below[i], s->above[i - 1]));
    }
}

/* Computes m for the values that are 1 at place `unit` and 0 elsewhere. */
static void solve(const struct spline *s, size_t unit, struct dd m[MOST])
{
    const size_t last = s->count - 2;

    for (size_t i = 0; i < s->count; i++)
        m[i] = zero;
    if (unit > 1)
        m[unit - 1] = elementary_divide((struct dd){6, 0}, s->gap[unit - 1]);
    if (unit < last)
        m[unit + 1] = elementary_divide((struct dd){6, 0}, s->gap[unit]);
    if (unit >= 1 && unit <= last)
        m[unit] = negate(elementary_add(elementary_divide((struct dd){6, 0}, s->gap[unit - 1]),
                                        elementary_divide((struct dd){6, 0}, s->gap[unit])));
    for (size_t i = 2; i <= last; i++)
        m[i] = subtract(m[i], elementary_multiply(s->below[i], m[i - 1]));
    m[last] = elementary_divide(m[last], s->pivot[last]);
    for (size_t i = last - 1; i >= 1; i--)
        m[i] = elementary_divide(subtract(m[i], elementary_multiply(s->above[i], m[i + 1])),
                                 s->pivot[i]);
    m[0] = subtract(m[1], elementary_multiply(end_ratio(s, false), subtract(m[2], m[1])));
    m[last + 1] = subtract(
        m[last], elementary_multiply(end_ratio(s, true), subtract(m[last - 1], m[last])));
}

/* ---- new places ------------------------------------------------------------------------- */

/* A place between old places i and i + 1: left and right add up to 1, bends are the shares of m
 * at i and i + 1. */
struct between {
    size_t i;
    struct dd left, right, left_bend, right_bend;
};

/* Returns (x^3 - x) gap^2 / 6. */
static struct dd bend(struct dd x, struct dd gap)
{
    struct dd cubic = elementary_multiply(x, subtract(elementary_multiply(x, x), one));

    return elementary_divide(elementary_multiply(cubic, elementary_multiply(gap, gap)),
                             (struct dd){6, 0});
}

static struct between find(const struct spline *s, double target)
{
    struct dd t = {target, 0};
    struct between b = {.i = 0};

    if (subtract(t, s->at[s->count - 1]).hi > 0)
        t = s->at[s->count - 1];
    if (subtract(s->at[0], t).hi > 0)
        t = s->at[0];
    while (b.i + 2 < s->count && subtract(t, s->at[b.i + 1]).hi >= 0)
        b.i++;
    b.right = elementary_divide(subtract(t, s->at[b.i]), s->gap[b.i]);
    b.left = subtract(one, b.right);
    b.left_bend = bend(b.left, s->gap[b.i]);
    b.right_bend = bend(b.right, s->gap[b.i]);
    return b;
}

static struct dd share(const struct between *b, size_t unit, const struct dd *m)
{
    struct dd value = unit == b->i ? b->left : unit == b->i + 1 ? b->right : zero;

    if (!m)
        return value;
    value = elementary_add(value, elementary_multiply(b->left_bend, m[b->i]));
    return elementary_add(value, elementary_multiply(b->right_bend, m[b->i + 1]));
}

/* New places are found, and a spline is solved for each old place, which has a share of every
 * new one. */
double resample_geometric_ns(const struct resample_geometric *g)
{
    const double before = (double)g->before, after = (double)g->after;
    const double straight = after * (150 + 12 * before);

    return g->straight ? straight : straight + before * (80 * before + 16 * after);
}

bool resample_geometric_make(struct pe_build *build, const struct resample_geometric *g,
                             struct resample_axis *axis)
{
    struct spline s = {.count = g->before};
    struct between *at = pe_build_alloc(build, g->after * sizeof *at);
    struct dd m[MOST];

    assert(g->before % 2 == 1 && g->before >= RESAMPLE_GEOMETRIC_MIN && g->before <= MOST);
    axis->stride = g->before;
    axis->first = pe_build_alloc(build, g->after * sizeof *axis->first);
    axis->taps = pe_build_alloc(build, g->after * sizeof *axis->taps);
    axis->weights = pe_build_alloc(build, g->after * axis->stride * sizeof *axis->weights);
    if (!at || !axis->first || !axis->taps || !axis->weights)
        return false;
    place(&s, resample_geometric_growth(g));
    eliminate(&s);
    for (size_t d = 0; d < g->after; d++) {
        at[d] = find(&s, (double)d - (double)(g->after / 2));
        axis->taps[d] = (uint32_t)g->before;
    }
    for (size_t unit = 0; unit < g->before && !pe_build_stopped(build); unit++) {
        if (!g->straight)
            solve(&s, unit, m);
        for (size_t d = 0; d < g->after; d++)
            axis->weights[d * axis->stride + unit] =
                share(&at[d], unit, g->straight ? NULL : m);
    }
    return true;
}
