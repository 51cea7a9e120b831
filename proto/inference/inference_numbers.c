/* SPDX-License-Identifier: Apache-2.0
 * inference_numbers.c - see inference_numbers.h. A whole number is the one that the JSON has,
 * up to its last digit, or is refused. */
#include "proto/inference/inference_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "proto/text/json_got.h"
#include "proto/text/json_whole.h"

/* Returns whether number i is one of the type of integers or truth values. */
static bool is_of(const struct element_type *type, const struct json_body_value *data, size_t i)
{
    double least, greatest;
    int64_t whole;

    if (!json_whole_get(data, i, &whole))
        return false;
    element_type_range(type, &least, &greatest);
    return type->size == 8 ? least < 0 || whole >= 0
                           : (double)whole >= least && (double)whole <= greatest;
}

bool inference_numbers_take(struct inference_input *input, const struct json_body_value *data,
                            char why[WHY_SIZE])
{
    const struct element_type *type = input->layout.type;
    const bool real = element_type_is_real(type);
    char got[JSON_GOT_SIZE];
    int len = 0;

    if (type->dtype == PE_F16 || type->dtype == PE_BF16)
        len = snprintf(why, WHY_SIZE, "inputs %.40s: data of FP16 and BF16 must come in binary",
                       input->name);
    else if (data->kind != JSON_BODY_NUMBERS)
        len = snprintf(why, WHY_SIZE,
                       "inputs %.40s: data must be an array of numbers, flat or nested; got %s",
                       input->name, json_got(data, got));
    else if ((uint64_t)data->rows * data->cols != input->count)
        len = snprintf(why, WHY_SIZE,
                       "inputs %.40s: data must have as many numbers as shape has elements, "
                       "%" PRIu64 "; got %" PRIu64,
                       input->name, input->count, (uint64_t)data->rows * data->cols);
    for (uint64_t i = 0; len == 0 && !real && i < input->count; i++)
        if (!is_of(type, data, (size_t)i))
            len = snprintf(why, WHY_SIZE,
                           "inputs %.40s: data must be numbers of its datatype, %s; got %s at "
                           "%" PRIu64,
                           input->name, type->inference, json_whole_print(data, (size_t)i, got),
                           i);
    input->numbers = data->numbers;
    input->rests = data->rests;
    return len == 0;
}
