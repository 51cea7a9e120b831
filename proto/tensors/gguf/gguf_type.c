/* SPDX-License-Identifier: Apache-2.0
 * gguf_type.c - see gguf_type.h. */
#include "proto/tensors/gguf/gguf_type.h"

#include <stddef.h>

static const struct gguf_type types[] = {
#define GGUF_TYPE(NUMBER, NAME, ELEMENT) {NUMBER, NAME, ELEMENT},
#include "proto/tensors/gguf/gguf_types.def"
#undef GGUF_TYPE
};

const struct gguf_type *gguf_type_find(uint32_t number)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].number == number)
            return &types[i];
    return NULL;
}
