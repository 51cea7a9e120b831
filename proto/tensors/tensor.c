/* SPDX-License-Identifier: Apache-2.0
 * tensor.c - the parameters that take tensors; sizes of tensors, checked before memory is
 * touched, and their memory. */
#include "proto/tensors/tensor.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tensor_bytes(const struct pe_tensor *info, uint64_t *bytes)
{
    uint64_t product = pe_dtype_size(info->dtype);

    for (size_t i = 0; i < info->rank; i++) {
        if (info->dims[i] == 0) { /* no elements, however long the other axes are */
            *bytes = 0;
            return true;
        }
    }
    for (size_t i = 0; i < info->rank; i++)
        if (__builtin_mul_overflow(product, info->dims[i], &product))
            return false;
    *bytes = product;
    return product < SIZE_MAX / 2;
}

bool tensor_holds_reals(enum pe_dtype dtype)
{
    return dtype == PE_F64 || dtype == PE_F32 || dtype == PE_F16 || dtype == PE_BF16;
}

bool tensor_is_name(const char *name)
{
    size_t len = 0;

    while (name[len] >= ' ' && name[len] <= '~')
        len++;
    return name[len] == '\0' && len > 0 && len < TENSOR_NAME_SIZE;
}

/* ---- parameters that take tensors ------------------------------------------------------ */

static bool takes_tensor(const struct pe_param *param)
{
    return param->type == PE_TENSOR || param->type == PE_REALS || param->type == PE_POSITIONS;
}

static const struct pe_param *find_type(const struct pe_encoding *enc, enum pe_type type)
{
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (params[i].type == type)
            return &params[i];
    return NULL;
}

static bool is_required(const struct pe_encoding *enc, const struct pe_param *param)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (outputs[i].by_default && pe_output_requires(&outputs[i], param))
            return true;
    return false;
}

const struct pe_param *tensor_param(const struct pe_encoding *enc, const char *name)
{
    const struct pe_param *param = pe_param_find(enc, name, strlen(name));

    return param && takes_tensor(param) ? param : NULL;
}

const struct pe_param *tensor_param_unnamed(const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);
    const struct pe_param *tensor = find_type(enc, PE_TENSOR);

    for (size_t i = 0; i < count && !tensor; i++)
        if (params[i].type == PE_REALS && is_required(enc, &params[i]))
            tensor = &params[i];
    return tensor;
}

bool tensor_is_taken(const struct pe_encoding *enc)
{
    return find_type(enc, PE_TENSOR) || find_type(enc, PE_REALS) ||
           find_type(enc, PE_POSITIONS);
}

const char *tensor_print_names(const struct pe_encoding *enc, char *text, size_t size)
{
    static const enum pe_type types[] = {PE_TENSOR, PE_REALS, PE_POSITIONS};
    const size_t kinds = sizeof types / sizeof types[0];
    size_t count, len = 0;
    const struct pe_param *params = pe_params(enc, &count);

    text[0] = '\0';
    for (size_t i = 0; i < kinds * count && len < size; i++) {
        const struct pe_param *param = &params[i % count];

        if (param->type == types[i / count])
            len += (size_t)snprintf(text + len, size - len, "%s%s", len > 0 ? ", " : "",
                                    param->name);
    }
    return text;
}

/* ---- sets of tensors ------------------------------------------------------------------- */

struct tensor *tensor_set_add(struct tensor_set *set, const char *name,
                              const struct pe_tensor *info)
{
    struct tensor *tensor = &set->at[set->count];

    assert(set->count < TENSOR_MAX && strlen(name) < TENSOR_NAME_SIZE);
    *tensor = (struct tensor){.info = *info};
    if (!tensor_bytes(info, &tensor->bytes))
        return NULL;
    memcpy(tensor->name, name, strlen(name) + 1);
    set->count++;
    return tensor;
}

uint64_t tensor_set_bytes(const struct tensor_set *set)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < set->count; i++)
        if (__builtin_add_overflow(sum, set->at[i].bytes, &sum))
            return UINT64_MAX;
    return sum;
}

static bool becomes_list(const struct tensor *tensor, const struct pe_encoding *enc)
{
    const struct pe_param *param = tensor_param(enc, tensor->name);

    return param && param->type != PE_TENSOR;
}

uint64_t tensor_set_list_bytes(const struct tensor_set *set, const struct pe_encoding *enc)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < set->count; i++)
        if (becomes_list(&set->at[i], enc))
            sum += set->at[i].bytes / pe_dtype_size(set->at[i].info.dtype) * sizeof(double);
    return sum;
}

uint64_t tensor_set_list_growth(const struct tensor_set *set, const struct pe_encoding *enc)
{
    uint64_t growth = tensor_set_list_bytes(set, enc);

    for (size_t i = 0; i < set->count; i++)
        if (becomes_list(&set->at[i], enc) && set->at[i].info.dtype != PE_F64)
            growth += set->at[i].bytes / pe_dtype_size(set->at[i].info.dtype) * sizeof(double);
    return growth;
}

bool tensor_allocate(struct tensor *tensor)
{
    const size_t size = ((size_t)tensor->bytes / TENSOR_ALIGNMENT + 1) * TENSOR_ALIGNMENT;

    if (!tensor->data)
        tensor->data = aligned_alloc(TENSOR_ALIGNMENT, size);
    return tensor->data != NULL;
}

bool tensor_set_allocate(struct tensor_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (!tensor_allocate(&set->at[i]))
            return false;
    return true;
}

void tensor_drop(struct tensor *tensor)
{
    if (!tensor->borrowed)
        free(tensor->data);
    tensor->data = NULL;
}

void tensor_set_fini(struct tensor_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        tensor_drop(&set->at[i]);
    free(set->config);
    free(set->claim);
    *set = (struct tensor_set){0};
}

void tensor_set_free(struct tensor_set *set)
{
    if (set)
        tensor_set_fini(set);
    free(set);
}
