/* SPDX-License-Identifier: Apache-2.0
 * resample.c - weights as sums of two doubles, so that what is made of them is rounded about
 * once. */
#include "core/math/resample/resample.h"

#include <math.h>

/* ---- numbers ---------------------------------------------------------------------------- */

static struct dd whole(double value)
{
    return (struct dd){value, 0};
}

static struct dd add(struct dd a, double b)
{
    return elementary_add(a, whole(b));
}

static struct dd negate(struct dd a)
{
    return (struct dd){-a.hi, -a.lo};
}

static struct dd magnitude(struct dd a)
{
    return a.hi < 0 ? negate(a) : a;
}

static double floor_of(struct dd a)
{
    double low = floor(a.hi);

    return low == a.hi && a.lo < 0 ? low - 1 : low;
}

/* ---- kernels ---------------------------------------------------------------------------- */

static struct dd cubic(struct dd t, double a)
{
    struct dd sum;

    t = magnitude(t);
    if (t.hi >= 2)
        return whole(0);
    if (t.hi <= 1) {
        sum = elementary_multiply(elementary_sum(a, 2), t);
        sum = elementary_add(sum, negate(elementary_sum(a, 3)));
        return add(elementary_multiply(sum, elementary_multiply(t, t)), 1);
    }
    sum = add(elementary_multiply(add(t, -5), t), 8);
    return elementary_multiply(whole(a), add(elementary_multiply(sum, t), -4));
}

/* Returns sin(pi t) / (pi t), by the series of the sine in the distance to the nearest whole
 * number. */
static struct dd sinc(struct dd t)
{
    const struct dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
    double near = floor_of(add(t, 0.5));
    struct dd x = elementary_multiply(pi, add(t, -near)), square, sum = whole(1);

    if (t.hi == 0)
        return whole(1);
    square = elementary_multiply(x, x);
    for (double n = 30; n >= 2; n -= 2)
        sum = add(
            negate(elementary_divide(elementary_multiply(square, sum), whole(n * (n + 1)))), 1);
    sum = elementary_multiply(sum, x);
    sum = elementary_divide(sum, elementary_multiply(pi, t));
    return fmod(near, 2) == 0 ? sum : negate(sum);
}

static struct dd lanczos(struct dd t)
{
    if (magnitude(t).hi >= 3)
        return whole(0);
    return elementary_multiply(sinc(t), sinc(elementary_divide(t, whole(3))));
}

static struct dd kernel(const struct resample *r, struct dd t)
{
    if (r->mode == RESAMPLE_CUBIC)
        return cubic(t, r->cubic_a);
    if (r->mode == RESAMPLE_LANCZOS)
        return lanczos(t);
    t = add(negate(magnitude(t)), 1);
    return t.hi > 0 ? t : whole(0);
}

/* ---- one place -------------------------------------------------------------------------- */

static struct dd ratio(const struct resample *r)
{
    return elementary_divide(whole((double)r->before),
                             elementary_sum((double)r->after, r->trick));
}

static double support(const struct resample *r)
{
    return r->mode == RESAMPLE_LANCZOS ? 3 : r->mode == RESAMPLE_CUBIC ? 2 : 1;
}

static size_t clamped(double place, uint64_t count)
{
    return place < 0 ? 0 : place < (double)count ? (size_t)place : (size_t)count - 1;
}

/* The weights of places first .. first + taps - 1 for a new place. */
struct place {
    uint32_t first, taps;
    struct dd *weights;
};

/* Puts a weight for a place that may lie beyond an end: the place at the end is repeated
 * there. */
static void put(struct place *place, double at, uint64_t count, struct dd weight)
{
    uint32_t i = (uint32_t)clamped(at, count) - place->first;

    place->weights[i] = elementary_add(place->weights[i], weight);
    place->taps = i + 1 > place->taps ? i + 1 : place->taps;
}

static void smooth(const struct resample *r, double d, struct place *place)
{
    struct dd scale = ratio(r), centre = elementary_multiply(scale, whole(d + 0.5));
    struct dd widen = scale.hi > 1 ? scale : whole(1), sum = whole(0);
    double reach = support(r) * widen.hi;
    double from = fmax(trunc(centre.hi - reach + 0.5), 0);
    double to = fmin(trunc(centre.hi + reach + 0.5), (double)r->before);

    place->first = (uint32_t)from;
    place->taps = (uint32_t)(to - from);
    for (uint32_t i = 0; i < place->taps; i++) {
        struct dd t = elementary_add(whole(from + i + 0.5), negate(centre));

        place->weights[i] = kernel(r, elementary_divide(t, widen));
        sum = elementary_add(sum, place->weights[i]);
    }
    for (uint32_t i = 0; i < place->taps; i++)
        place->weights[i] = elementary_divide(place->weights[i], sum);
}

static struct dd source(const struct resample *r, double d)
{
    if (!r->align_corners)
        return add(elementary_multiply(ratio(r), whole(d + 0.5)), -0.5);
    if (r->after == 1)
        return whole(0);
    return elementary_divide(whole(d * (double)(r->before - 1)), whole((double)(r->after - 1)));
}

static void interpolate(const struct resample *r, double d, struct place *place)
{
    struct dd s = source(r, d), t;
    bool linear = r->mode == RESAMPLE_LINEAR;
    double i;

    if (linear && s.hi < 0 && !r->zero_edge)
        s = whole(0);
    i = floor_of(s);
    t = add(s, -i);
    place->first = (uint32_t)clamped(linear ? i : i - 1, r->before);
    for (int k = linear ? 0 : -1; k <= (linear ? 1 : 2); k++)
        if (!r->zero_edge || (i + k >= 0 && i + k < (double)r->before))
            put(place, i + k, r->before, kernel(r, add(t, -k)));
}

static void copy(const struct resample *r, double d, struct place *place)
{
    double half = r->mode == RESAMPLE_NEAREST_EXACT ? 0.5 : 0;
    struct dd at = elementary_multiply(ratio(r), whole(d + half));

    place->first = r->mode == RESAMPLE_TILE ? (uint32_t)fmod(d, (double)r->before)
                                            : (uint32_t)clamped(floor_of(at), r->before);
    place->taps = 1;
    place->weights[0] = whole(1);
}

/* ---- all of them ------------------------------------------------------------------------ */

size_t resample_stride(const struct resample *r)
{
    double scale = (double)r->before / (double)r->after;

    return r->antialias ? (size_t)(2 * support(r) * fmax(scale, 1)) + 3 : 4;
}

bool resample_make(struct pe_build *build, const struct resample *r, struct resample_axis *axis)
{
    size_t count = (size_t)r->after, stride = resample_stride(r);

    axis->stride = stride;
    axis->first = pe_build_alloc(build, count * sizeof *axis->first);
    axis->taps = pe_build_alloc(build, count * sizeof *axis->taps);
    axis->weights = pe_build_alloc(build, count * stride * sizeof *axis->weights);
    if (!axis->first || !axis->taps || !axis->weights)
        return false;
    for (size_t d = 0; d < count && !pe_build_stopped(build); d++) {
        struct place place = {0, 0, axis->weights + d * stride};

        if (r->mode == RESAMPLE_NEAREST || r->mode == RESAMPLE_NEAREST_EXACT ||
            r->mode == RESAMPLE_TILE)
            copy(r, (double)d, &place);
        else if (r->antialias)
            smooth(r, (double)d, &place);
        else
            interpolate(r, (double)d, &place);
        axis->first[d] = place.first;
        axis->taps[d] = place.taps;
    }
    return true;
}
