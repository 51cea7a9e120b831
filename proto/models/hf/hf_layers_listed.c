/* SPDX-License-Identifier: Apache-2.0
 * hf_layers_listed.c - reads compress_ratios of DeepSeek-V4, and the lists of attention layers
 * in models that mix attention with other layers. */
#include "proto/models/hf/hf_layers_listed.h"

#include <math.h>

/* The layer type for each compression ratio (configuration_deepseek_v4.py of Hugging Face). */
static const struct ratio {
    double ratio;
    const char *type;
} ratios[] = {
    {0, "sliding_attention"},
    {4, "compressed_sparse_attention"},
    {128, "heavily_compressed_attention"},
};
enum { RATIOS = sizeof ratios / sizeof ratios[0] };

/* The keys that list layers by number, their type, and the type of the other layers (Hugging
 * Face's configuration_lfm2.py, configuration_bamba.py and configuration_inkling.py). */
static const struct listed {
    const char *key, *type, *other;
} lists[] = {
    {"full_attn_idxs", "full_attention", "conv"},
    {"attn_layer_indices", "full_attention", "mamba"},
    {"local_layer_ids", "hybrid_sliding", "hybrid"},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

static const char *type_of(double ratio)
{
    for (size_t i = 0; i < RATIOS; i++)
        if (ratios[i].ratio == ratio)
            return ratios[i].type;
    return NULL;
}

/* Reads one ratio a layer; ratios after the last layer belong to layers that predict further
 * tokens. */
static bool read_ratios(struct hf_reader *reader, const struct json_body_value *value,
                        hf_layers_set *set)
{
    size_t layers = (size_t)reader->config->model.layers;
    bool good = value->kind == JSON_BODY_NUMBERS && value->rank == 1 && value->cols > 0 &&
                value->cols >= layers;
    size_t count = layers > 0 ? layers : value->cols;

    for (size_t i = 0; good && i < count; i++)
        good = type_of(value->numbers[i]) != NULL;
    if (!good) {
        hf_reader_fail(reader, value, PE_BAD_VALUE,
                       "must be a list of 0, 4 and 128, one a layer");
        return true;
    }
    const char **pattern = set(reader, count);
    for (size_t i = 0; pattern && i < count; i++)
        pattern[i] = type_of(value->numbers[i]);
    return true;
}

/* Returns whether every number is the index of a layer. */
static bool are_layers(const struct json_body_value *value, size_t layers)
{
    bool good = value->kind == JSON_BODY_NUMBERS && value->rank == 1;

    for (size_t i = 0; good && i < value->cols; i++)
        good = value->numbers[i] >= 0 && value->numbers[i] < (double)layers &&
               value->numbers[i] == trunc(value->numbers[i]);
    return good;
}

static bool read_places(struct hf_reader *reader, const struct json_body_value *value,
                        const struct listed *listed, hf_layers_set *set)
{
    size_t layers = (size_t)reader->config->model.layers;

    if (layers == 0)
        return false;
    if (!are_layers(value, layers)) {
        hf_reader_fail(reader, value, PE_BAD_VALUE,
                       "must be a list of layers, each from 0 and below num_hidden_layers %zu",
                       layers);
        return true;
    }
    const char **pattern = set(reader, layers);
    for (size_t i = 0; pattern && i < layers; i++)
        pattern[i] = listed->other;
    for (size_t i = 0; pattern && i < value->cols; i++)
        pattern[(size_t)value->numbers[i]] = listed->type;
    return true;
}

bool hf_layers_listed_read(struct hf_reader *reader, hf_layers_set *set)
{
    struct json_body_value value;

    if (hf_family_has(reader->family, HF_COMPRESSED) &&
        hf_reader_find(reader, NULL, "compress_ratios", &value))
        return read_ratios(reader, &value, set);
    for (size_t i = 0; i < LISTS; i++)
        if (hf_reader_find(reader, NULL, lists[i].key, &value))
            return read_places(reader, &value, &lists[i], set);
    return false;
}
