/* SPDX-License-Identifier: Apache-2.0
 * causal.c - the rules for future keys and for mask_value. */
#include "core/encodings/bias/causal.h"

#include <math.h>

enum { ABSENT_CHOICE = -1 };

const struct pe_choice causal_choices[] = {
    PE_ONE_AT(CAUSAL_MASKED, "masked", "future entries hold mask_value"),
    PE_ONE_AT(
        CAUSAL_ZERO, "zero",
        "future entries hold the value at distance 0, for a mask that is applied elsewhere"),
    {NULL, NULL, NULL, NULL, NULL}};

void causal_resolve(struct causal *future)
{
    if (!future->causal)
        future->future = ABSENT_CHOICE;
    if (future->future != CAUSAL_MASKED)
        future->mask_value = NAN;
}

void causal_check_value(const struct pe_args *args, double mask_value, size_t output,
                        struct pe_errors *errors)
{
    double most = -pe_dtype_lowest(pe_args_dtype(args, output));

    if (!isfinite(mask_value) || mask_value == -DBL_MAX || fabs(mask_value) <= most)
        return;
    pe_fail(errors, PE_CONFLICT, "mask_value",
            "must be within +-%.9g, the range of the dtype; got %.9g", most, mask_value);
}

void causal_check(const struct pe_args *args, size_t at, size_t output,
                  struct pe_errors *errors)
{
    const struct causal *f = (const void *)((const char *)pe_args_struct(args) + at);

    causal_check_value(args, f->mask_value, output, errors);
}

double causal_mask(const struct pe_args *args, double mask_value, size_t output)
{
    return mask_value == -DBL_MAX ? pe_dtype_lowest(pe_args_dtype(args, output)) : mask_value;
}
