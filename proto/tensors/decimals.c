/* SPDX-License-Identifier: Apache-2.0
 * decimals.c - see decimals.h. */
#include "proto/tensors/decimals.h"

#include <float.h>
#include <math.h>

enum { DIGITS = 9 };

static bool is_printed(double number)
{
    const double size = fabs(number);

    if (!isfinite(number) || (double)(float)number == number)
        return true;
    if (size > FLT_MAX || size < 1e-30)
        return size <= FLT_MAX; /* numbers so small say nothing */
    const double scaled = size * pow(10, DIGITS - 1 - floor(log10(size)));
    return fabs(scaled - rint(scaled)) < 1e-5;
}

enum pe_dtype decimals_type(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_printed(numbers[i]))
            return PE_F64;
    return PE_F32;
}
