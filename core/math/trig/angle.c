/* SPDX-License-Identifier: Apache-2.0
 * angle.c - the product of a double and a frequency, as a double-double. */
#include "core/math/trig/angle.h"

#include <math.h>

#include "core/math/number/two_product.h"

struct dd angle_at(const struct phase_freq *freq, double number)
{
    const double product = number * freq->hi;
    double rest = number * freq->lo;

    if (fabs(product) > 0x1p-800)
        rest += two_product_error(number, freq->hi, product);
    return (struct dd){product, rest};
}
