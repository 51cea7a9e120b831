/* SPDX-License-Identifier: Apache-2.0
 * picture_values.c - see picture_values.h. */
#include "proto/output/picture_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double picture_values_masked(const struct pe_plan *plan, enum pe_dtype dtype)
{
    const struct pe_args *args = pe_plan_args(plan);
    double number = pe_dtype_lowest(dtype);
    unsigned char held[8];

    if (dtype > PE_BF16)
        return NAN;
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);

        if (strcmp(value->name, "mask_value") == 0)
            number = strcmp(value->text, "min") == 0 ? pe_dtype_lowest(dtype)
                                                     : strtod(value->text, NULL);
    }
    pe_dtype_from_f64(dtype, held, &number, 1);
    pe_dtype_to_f64(dtype, &number, held, 1);
    return number;
}

size_t picture_values_read(struct encoder *encoder, size_t index, uint64_t at, uint64_t count,
                           double *values)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    const size_t block = encoder_block_elements(encoder->plan, tensor);
    const size_t got =
        encoder_fill(encoder, index, at, count < block ? (size_t)count : block, encoder->block);

    pe_dtype_to_f64(tensor->dtype, values, encoder->block, got);
    return got;
}

struct colour_range picture_values_range(const struct option_values *options)
{
    return options->has_range ? (struct colour_range){options->range[0], options->range[1]}
                              : colour_range_new();
}

uint64_t picture_values_scan(struct encoder *encoder, size_t index, double masked,
                             double *values, struct colour_range *range)
{
    const uint64_t elements = encoder_elements(pe_plan_tensor(encoder->plan, index));
    uint64_t beyond = 0;

    for (uint64_t at = 0; at < elements && !encoder_is_stopped(encoder);) {
        const size_t got = picture_values_read(encoder, index, at, elements - at, values);

        if (encoder->options.values.has_range)
            beyond += colour_range_beyond(range, masked, values, got);
        else
            colour_range_add(range, masked, values, got);
        at += got;
    }
    return beyond;
}
