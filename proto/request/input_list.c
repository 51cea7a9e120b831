/* SPDX-License-Identifier: Apache-2.0
 * input_list.c - see input_list.h. The arguments check range and number of rows, as they do for
 * arrays of JSON. */
#include "proto/request/input_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/tensors/tensor.h"

#define MOST_EXACT (INT64_C(1) << 53) /* whole numbers up to here are exact as float64 */

enum { SHAPE_TEXT_SIZE = PE_MAX_RANK * 22 };

static enum pe_status refuse_shape(const struct pe_param *param, const struct pe_tensor *info,
                                   struct pe_errors *errors)
{
    char shape[SHAPE_TEXT_SIZE];
    size_t len = 0;

    for (size_t i = 0; i < info->rank; i++)
        len += (size_t)snprintf(shape + len, sizeof shape - len, "%s%" PRIu64, i ? "," : "",
                                info->dims[i]);
    return pe_fail(errors, PE_BAD_VALUE, param->name,
                   "must be a tensor of one axis%s, perhaps after axes of length 1; got the "
                   "shape %s",
                   param->matrix ? ", or two" : "", shape);
}

/* Checks the dtype of positions: one of 16 bits has no whole numbers beyond 2048. */
static enum pe_status check_positions(const struct pe_param *param, enum pe_dtype dtype,
                                      struct pe_errors *errors)
{
    if (!tensor_holds_reals(dtype) ||
        (param->fractions && (dtype == PE_F32 || dtype == PE_F64)))
        return PE_OK;
    return pe_fail(errors, PE_BAD_VALUE, param->name,
                   "must have a dtype of integers, as int64%s; got %s",
                   param->fractions ? ", or float32 or float64" : "", pe_dtype_name(dtype));
}

/* Returns the numbers as doubles, in *copy if they are not; NULL when out of memory. */
static const double *as_doubles(enum pe_dtype dtype, const void *data, size_t count,
                                double **copy)
{
    if (dtype == PE_F64)
        return data;
    *copy = malloc((count + 1) * sizeof **copy);
    if (*copy)
        pe_dtype_to_f64(dtype, *copy, data, count);
    return *copy;
}

enum pe_status input_list_check_exact(const char *name, const int64_t *numbers, uint64_t count,
                                      struct pe_errors *errors)
{
    for (uint64_t i = 0; i < count; i++)
        if (numbers[i] > MOST_EXACT || numbers[i] < -MOST_EXACT)
            return pe_fail(errors, PE_OUT_OF_RANGE, name,
                           "must be whole numbers, -2^53..2^53; got %" PRId64, numbers[i]);
    return PE_OK;
}

enum pe_status input_list_set(struct pe_args *args, const struct pe_param *param,
                              const struct pe_tensor *info, const void *data,
                              struct pe_errors *errors)
{
    const uint64_t *dims = info->dims;
    size_t rank = info->rank;
    double *copy = NULL;

    for (; rank > 2 && *dims == 1; rank--)
        dims++;
    if (rank > 2 || (param->type == PE_POSITIONS && rank == 2 && *dims != 1))
        return refuse_shape(param, info, errors);
    if (param->type == PE_POSITIONS && check_positions(param, info->dtype, errors) != PE_OK)
        return PE_BAD_VALUE;
    struct pe_given given = {.kind = PE_GIVEN_REALS,
                             .rows = rank == 2 ? (size_t)dims[0] : 1,
                             .cols = rank > 0 ? (size_t)dims[rank - 1] : 1};
    if (info->dtype == PE_I64 &&
        input_list_check_exact(param->name, data, given.rows * given.cols, errors) != PE_OK)
        return PE_OUT_OF_RANGE;
    given.values = as_doubles(info->dtype, data, given.rows * given.cols, &copy);
    if (!given.values)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    enum pe_status status = pe_args_set(args, param, &given, errors);
    free(copy);
    return status;
}
