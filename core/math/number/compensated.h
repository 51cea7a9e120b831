/* SPDX-License-Identifier: Apache-2.0
 * compensated.h - Neumaier's sum: as if added in twice the precision, then rounded
 * (Neumaier 1974; Higham, Accuracy and Stability of Numerical Algorithms, section 4.3). */
#pragma once

#include <math.h>

struct compensated { /* A sum; all fields are 0 before the first number is added. */
    double total, lost;
};

static inline void compensated_add(struct compensated *sum, double value)
{
    double total = sum->total + value;

    if (fabs(sum->total) >= fabs(value))
        sum->lost += (sum->total - total) + value;
    else
        sum->lost += (value - total) + sum->total;
    sum->total = total;
}

static inline double compensated_value(const struct compensated *sum)
{
    return sum->total + sum->lost;
}
