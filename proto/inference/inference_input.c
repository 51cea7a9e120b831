/* SPDX-License-Identifier: Apache-2.0
 * inference_input.c - see inference_input.h. Numbers in JSON are the same as in binary: both
 * are checked against the input's datatype before. */
#include "proto/inference/inference_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/request/input_list.h"
#include "proto/request/param_names.h"
#include "proto/tensors/tensor.h"
#include "proto/text/json_whole.h"

static bool is_real(const struct inference_input *input)
{
    return element_type_is_real(input->layout.type);
}

/* Checks that every integer of the input is exact as float64, which the request has. */
static enum pe_status check_exact(const struct inference_input *input, struct pe_errors *errors)
{
    const struct json_body_value json = {.kind = JSON_BODY_NUMBERS,
                                         .numbers = input->numbers,
                                         .rests = input->rests};
    enum pe_status status = PE_OK;
    int64_t whole;

    if (input->layout.type->dtype != PE_I64)
        return PE_OK;
    if (input->binary)
        return input_list_check_exact(input->name, input->data, input->count, errors);
    for (size_t i = 0; status == PE_OK && i < input->count; i++)
        if (json_whole_get(&json, i, &whole)) /* the message has refused others */
            status = input_list_check_exact(input->name, &whole, 1, errors);
    return status;
}

/* Gives the numbers of the input as float64: rows of cols numbers. */
static enum pe_status give_numbers(struct request *request, const struct inference_input *input,
                                   size_t rows, size_t cols, struct pe_errors *errors)
{
    struct pe_given given = {.kind = PE_GIVEN_REALS,
                             .values = input->numbers,
                             .rows = rows,
                             .cols = cols};
    double *copy = NULL;
    enum pe_status status = check_exact(input, errors);

    if (status != PE_OK)
        return status;
    if (input->binary) {
        copy = malloc(((size_t)input->count + 1) * sizeof *copy);
        if (!copy)
            return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        pe_dtype_to_f64(input->layout.type->dtype, copy, input->data, (size_t)input->count);
        given.values = copy;
    }
    status = request_give(request, input->name, strlen(input->name), &given, errors);
    free(copy);
    return status;
}

static enum pe_status give_positions(struct request *request, const struct pe_param *param,
                                     const struct inference_input *input,
                                     struct pe_errors *errors)
{
    const struct tensor_layout *layout = &input->layout;
    const enum pe_dtype dtype = layout->type->dtype;

    if (layout->type->keep == ELEMENT_TRUTH || dtype == PE_F16 || dtype == PE_BF16 ||
        (is_real(input) && !param->fractions))
        return pe_fail(errors, PE_BAD_VALUE, input->name,
                       "must have a datatype of integers%s; got %s",
                       param->fractions ? ", FP32 or FP64" : "", layout->type->inference);
    if (layout->rank != 1 && !(layout->rank == 2 && layout->dims[1] == 1))
        return pe_fail(errors, PE_BAD_VALUE, input->name,
                       "must have the shape [n] or [n,1]: positions; got %zu axes",
                       layout->rank);
    return give_numbers(request, input, 1, (size_t)input->count, errors);
}

static enum pe_status give_list(struct request *request, const struct pe_param *param,
                                const struct inference_input *input, struct pe_errors *errors)
{
    const struct tensor_layout *layout = &input->layout;
    const size_t most = param->matrix ? 2 : 1;
    const bool row = layout->rank == 2 && (param->matrix || layout->dims[0] == 1);

    if (layout->rank != 1 && !row)
        return pe_fail(errors, PE_BAD_VALUE, input->name, "must have %s; got %zu axes",
                       most == 2 ? "one axis or two" : "one axis", layout->rank);
    return give_numbers(request, input, row ? (size_t)layout->dims[0] : 1,
                        (size_t)layout->dims[layout->rank - 1], errors);
}

/* Makes the tensor of the numbers in JSON. */
static enum pe_status make_tensor(const struct inference_input *input, struct tensor *tensor,
                                  struct pe_errors *errors)
{
    const enum pe_dtype dtype = tensor->info.dtype;
    const size_t size = (size_t)input->count * pe_dtype_size(dtype);

    tensor->data =
        aligned_alloc(TENSOR_ALIGNMENT, (size / TENSOR_ALIGNMENT + 1) * TENSOR_ALIGNMENT);
    if (!tensor->data)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    pe_dtype_from_f64(dtype, tensor->data, input->numbers, (size_t)input->count);
    return PE_OK;
}

static enum pe_status give_tensor(struct request *request, const struct pe_param *param,
                                  struct inference_input *input, struct pe_errors *errors)
{
    const struct tensor_layout *layout = &input->layout;
    struct tensor_set set = {.count = 1};
    struct tensor *tensor = &set.at[0];
    enum pe_status status = PE_OK;

    if (!is_real(input))
        return pe_fail(errors, PE_BAD_VALUE, input->name,
                       "must have the datatype FP32, FP16, BF16 or FP64; got %s",
                       layout->type->inference);
    if (layout->rank < 1 || layout->rank > PE_MAX_RANK)
        return pe_fail(errors, PE_BAD_VALUE, input->name, "must have 1 to %d axes; got %zu",
                       PE_MAX_RANK, layout->rank);
    if (strlen(param->name) >= sizeof tensor->name)
        return param_names_refuse(request_encoding(request), input->name, strlen(input->name),
                                  errors);
    snprintf(tensor->name, sizeof tensor->name, "%s", param->name);
    tensor->info = (struct pe_tensor){.dtype = layout->type->dtype, .rank = layout->rank};
    memcpy(tensor->info.dims, layout->dims, layout->rank * sizeof *layout->dims);
    tensor->bytes = input->count * pe_dtype_size(layout->type->dtype);
    if (input->binary) {
        tensor->data = input->data;
        input->data = NULL;
    } else {
        status = make_tensor(input, tensor, errors);
    }
    if (status == PE_OK)
        status = request_set_tensors(request, NULL, &set, errors);
    tensor_set_fini(&set);
    return status;
}

uint64_t inference_input_copied(const struct pe_encoding *enc,
                                const struct inference_input *input)
{
    const struct pe_param *param = param_names_find(enc, input->name, strlen(input->name));
    const bool is_list = param && (param->type == PE_POSITIONS || param->type == PE_REALS);

    if (!is_list)
        return 0;
    return (input->binary ? 2 : 1) * sizeof(double) * input->count;
}

enum pe_status inference_input_give(struct request *request, struct inference_input *input,
                                    struct pe_errors *errors)
{
    const size_t len = strlen(input->name);
    const struct pe_param *param =
        param_names_find(request_encoding(request), input->name, len);

    if (!param)
        return param_names_refuse(request_encoding(request), input->name, len, errors);
    if (param->type == PE_POSITIONS)
        return give_positions(request, param, input, errors);
    if (param->type == PE_REALS)
        return give_list(request, param, input, errors);
    if (param->type == PE_TENSOR)
        return give_tensor(request, param, input, errors);
    return pe_fail(errors, PE_BAD_VALUE, input->name,
                   "must be given in parameters: inputs are positions, lists and tensors");
}
