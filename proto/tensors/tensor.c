/* SPDX-License-Identifier: Apache-2.0
 * tensor.c - sizes of tensors, checked before memory is touched, and their memory. */
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

const struct pe_param *tensor_param(const struct pe_encoding *enc, const char *name)
{
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (params[i].type == PE_TENSOR && (!name || strcmp(params[i].name, name) == 0))
            return &params[i];
    return NULL;
}

const char *tensor_print_names(const struct pe_encoding *enc, char *text, size_t size)
{
    size_t count, len = 0;
    const struct pe_param *params = pe_params(enc, &count);

    text[0] = '\0';
    for (size_t i = 0; i < count && len < size; i++) {
        if (params[i].type == PE_TENSOR)
            len += (size_t)snprintf(text + len, size - len, "%s%s", len > 0 ? ", " : "",
                                    params[i].name);
    }
    return text;
}

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

bool tensor_set_allocate(struct tensor_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        struct tensor *tensor = &set->at[i];
        size_t size = ((size_t)tensor->bytes / TENSOR_ALIGNMENT + 1) * TENSOR_ALIGNMENT;

        if (!tensor->data)
            tensor->data = aligned_alloc(TENSOR_ALIGNMENT, size);
        if (!tensor->data)
            return false;
    }
    return true;
}

void tensor_set_fini(struct tensor_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->at[i].data);
    *set = (struct tensor_set){0};
}
