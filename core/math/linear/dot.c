/* SPDX-License-Identifier: Apache-2.0
 * dot.c - see dot.h. */
#include "core/math/linear/dot.h"

#include <math.h>

struct split dot_add(struct split sum, const double *a, const double *b, size_t count)
{
    double high = sum.hi, low = sum.lo;
    struct split total;

    for (size_t i = 0; i < count; i++) {
        struct split term = elementary_product(a[i], b[i]);
        struct split next = elementary_sum(high, term.hi);

        high = next.hi;
        low += next.lo + term.lo;
    }
    total = elementary_sum(high, low);
    return isfinite(total.hi + total.lo) ? total : (struct split){high, 0};
}
