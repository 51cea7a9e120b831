/* SPDX-License-Identifier: Apache-2.0
 * dot.c - see dot.h. */
#include "core/math/linear/dot.h"

#include <math.h>

struct dd dot_add(struct dd sum, const double *a, const double *b, size_t count)
{
    double high = sum.hi, low = sum.lo;
    struct dd total;

    for (size_t i = 0; i < count; i++) {
        struct dd term = elementary_product(a[i], b[i]);
        struct dd next = elementary_sum(high, term.hi);

        high = next.hi;
        low += next.lo + term.lo;
    }
    total = elementary_sum(high, low);
    return isfinite(total.hi + total.lo) ? total : (struct dd){high, 0};
}
