/* SPDX-License-Identifier: Apache-2.0
 * hf_layer_type.c - see hf_layer_type.h. */
#include "proto/models/hf/hf_layer_type.h"

#include <stddef.h>
#include <string.h>

bool hf_layer_type_has_no_positions(const char *type)
{
    static const char *const none[] = {"linear_attention", "mamba", "mamba2",         "conv",
                                       "recurrent",        "rwkv",  "cross_attention"};

    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strcmp(type, none[i]) == 0)
            return true;
    return false;
}
