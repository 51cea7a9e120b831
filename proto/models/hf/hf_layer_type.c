/* SPDX-License-Identifier: Apache-2.0
 * hf_layer_type.c - see hf_layer_type.h. */
#include "proto/models/hf/hf_layer_type.h"

#include <stddef.h>
#include <string.h>

static const char *const without[] = {
    "linear_attention", "mamba", "mamba2",          "moe", "conv",
    "recurrent",        "rwkv",  "cross_attention", NULL};
/* Layers with attention, whose positions are those of the model (configuration_utils.py of
 * source TRANSFORMERS_5_16 in classes/sources.def, and older files). */
static const char *const with[] = {"attention",
                                   "chunked_attention",
                                   "compressed_sparse_attention",
                                   "deepseek_sparse_attention",
                                   "full_attention",
                                   "global",
                                   "heavily_compressed_attention",
                                   "hybrid",
                                   "hybrid_sliding",
                                   "local",
                                   "minimax_m3_sparse",
                                   "sliding_attention",
                                   "window_attention",
                                   NULL};

static bool is_among(const char *const *names, const char *type)
{
    while (*names && strcmp(*names, type) != 0)
        names++;
    return *names != NULL;
}

bool hf_layer_type_has_no_positions(const char *type)
{
    return is_among(without, type);
}

bool hf_layer_type_is_known(const char *type)
{
    return is_among(without, type) || is_among(with, type);
}
