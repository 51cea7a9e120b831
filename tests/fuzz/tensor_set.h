/* SPDX-License-Identifier: Apache-2.0
 * tensor_set.h - the tensors that a fuzzed call of pe_verify is given, and the bytes from which
 * they are made. */
#pragma once

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/posenc_verify.h"

enum { MOST_ELEMENTS = 512 };

/* The bytes of an input, which are zero after its end. */
struct bytes {
    const uint8_t *at;
    size_t left;
};

static inline unsigned take(struct bytes *bytes)
{
    if (bytes->left == 0)
        return 0;
    bytes->left--;
    return *bytes->at++;
}

struct set {
    struct pe_verify_tensor at[PE_VERIFY_TENSORS];
    void *data[PE_VERIFY_TENSORS];
    size_t count;
};

static inline void set_fini(struct set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->data[i]);
}

static inline size_t elements_of(const struct pe_tensor *tensor)
{
    size_t count = 1;

    for (size_t i = 0; i < tensor->rank; i++)
        count *= (size_t)tensor->dims[i];
    return count;
}

/* Adds a tensor of zeros; NULL where it has too many elements, or the set too many tensors. */
static inline void *set_add(struct set *set, const char *name, const struct pe_tensor *info)
{
    const size_t count = elements_of(info);

    if (count > MOST_ELEMENTS || set->count == PE_VERIFY_TENSORS)
        return NULL;
    void *data = calloc(count + 1, pe_dtype_size(info->dtype));
    assert(data);
    set->at[set->count] = (struct pe_verify_tensor){.name = name, .info = *info, .data = data};
    set->data[set->count++] = data;
    return data;
}
