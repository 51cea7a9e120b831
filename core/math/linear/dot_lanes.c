/* SPDX-License-Identifier: Apache-2.0
 * dot_lanes.c - see dot_lanes.h. Written so that compilers vectorise over the lanes. */
#include "core/math/linear/dot_lanes.h"

#include <math.h>

#include "core/math/cpu.h"
#include "core/math/number/two_product.h"

#define INLINE static inline __attribute__((always_inline))

/* Adds one term to every lane (Knuth's sum of two; Dekker's product). */
INLINE void add_terms(double *high, double *low, const double *a, const double *b, bool own,
                      bool short_factors)
{
    for (size_t l = 0; l < DOT_LANES; l++) {
        const double factor = own ? a[l] : *a, term = factor * b[l];
        const double sum = high[l] + term, part = sum - high[l];
        double rest = (high[l] - (sum - part)) + (term - part);

        if (!short_factors)
            rest += two_product_error(factor, b[l], term);
        high[l] = sum;
        low[l] += rest;
    }
}

INLINE void add_run(struct dot_lanes *sums, const struct dot_lanes_run *run, bool own,
                    bool short_factors)
{
    const size_t step = own ? DOT_LANES : 1;
    struct dot_lanes at = *sums;

    for (size_t i = 0; i < run->count; i++)
        add_terms(at.high, at.low, run->a + i * step, run->b + i * DOT_LANES, own,
                  short_factors);
    *sums = at;
}

INLINE void add(struct dot_lanes *sums, const struct dot_lanes_run *run)
{
    if (run->own && run->short_factors)
        add_run(sums, run, true, true);
    else if (run->own)
        add_run(sums, run, true, false);
    else if (run->short_factors)
        add_run(sums, run, false, true);
    else
        add_run(sums, run, false, false);
}

/* ---- paths ------------------------------------------------------------------------------ */

static void add_generic(struct dot_lanes *sums, const struct dot_lanes_run *run)
{
    add(sums, run);
}

CPU_TARGET_AVX2 static void add_avx2(struct dot_lanes *sums, const struct dot_lanes_run *run)
{
    add(sums, run);
}

CPU_TARGET_AVX512 static void add_avx512(struct dot_lanes *sums,
                                         const struct dot_lanes_run *run)
{
    add(sums, run);
}

typedef void adder(struct dot_lanes *sums, const struct dot_lanes_run *run);
static adder *const adders[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = add_generic, [CPU_AVX2] = add_avx2, [CPU_AVX512] = add_avx512};

void dot_lanes_add(struct dot_lanes *sums, const struct dot_lanes_run *run)
{
    adders[cpu_path()](sums, run);
}

struct dd dot_lanes_sum(const struct dot_lanes *sums, size_t lane)
{
    const double high = sums->high[lane];
    const struct dd total = elementary_sum(high, sums->low[lane]);

    return isfinite(total.hi + total.lo) ? total : (struct dd){high, 0};
}
