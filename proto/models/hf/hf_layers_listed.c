/* SPDX-License-Identifier: Apache-2.0
 * hf_layers_listed.c - reads compress_ratios of DeepSeek-V4, and lists and counts of attention
 * layers in models that mix attention with other layers. */
#include "proto/models/hf/hf_layers_listed.h"

#include <math.h>

#include "proto/models/hf/hf_per_layer.h"

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
 * Face's configuration_lfm2.py, configuration_bamba.py, configuration_inkling.py,
 * configuration_zamba2.py, configuration_mllama.py, and configuration_hymba.py of
 * nvidia/Hymba). */
static const struct listed {
    const char *key, *type, *other;
} lists[] = {
    {"full_attn_idxs", "full_attention", "conv"},
    {"attn_layer_indices", "full_attention", "mamba"},
    {"global_attn_idx", "full_attention", "sliding_attention"},
    {"local_layer_ids", "hybrid_sliding", "hybrid"},
    {"hybrid_layer_ids", "hybrid", "mamba"},
    {"cross_attention_layers", "cross_attention", "full_attention"},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

/* The keys that have 1 or 0 for each layer, and the types that these stand for (MiMo-V2's and
 * MiniMax-Text-01's configuration classes). */
static const struct flagged {
    const char *key, *one, *zero;
} flags[] = {
    {"hybrid_layer_pattern", "sliding_attention", "full_attention"},
    {"attn_type_list", "full_attention", "linear_attention"},
};
enum { FLAGS = sizeof flags / sizeof flags[0] };

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

    if (layers == 0) {
        hf_reader_note(reader, "%.60s is not read: num_hidden_layers is absent", value->name);
        return false;
    }
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

static bool read_flags(struct hf_reader *reader, const struct json_body_value *value,
                       const struct flagged *flagged, hf_layers_set *set)
{
    const char **pattern = hf_per_layer_flags(reader, value) ? set(reader, value->cols) : NULL;

    for (size_t i = 0; pattern && i < value->cols; i++)
        pattern[i] = value->numbers[i] != 0 ? flagged->one : flagged->zero;
    return true;
}

/* Reads attn_layer_period and attn_layer_offset: every n-th layer has attention (Jamba). */
static bool read_every(struct hf_reader *reader, hf_layers_set *set)
{
    double period, offset = 0;

    if (!hf_reader_integer_of(reader, WORDS("attn_layer_period"), &period))
        return false;
    if (period < 1 || period > HF_LAYERS_MAX) {
        hf_reader_note(reader, "attn_layer_period is not read: it must be from 1 to %d",
                       HF_LAYERS_MAX);
        return false;
    }
    (void)hf_reader_integer_of(reader, WORDS("attn_layer_offset"), &offset);
    const char **pattern = set(reader, (size_t)period);
    for (size_t i = 0; pattern && i < (size_t)period; i++)
        pattern[i] = (double)i == offset ? "full_attention" : "mamba";
    return true;
}

/* Reads max_window_layers: the first layers have no window (Hugging Face's
 * configuration_qwen2.py). */
static bool read_first(struct hf_reader *reader, hf_layers_set *set)
{
    const double layers = (double)reader->config->model.layers;
    struct json_body_value window;
    double first;

    if (!hf_class_has(reader->class, HF_SWITCHED) || layers == 0 ||
        !hf_reader_is(reader, "use_sliding_window", true) ||
        !hf_reader_find(reader, NULL, "sliding_window", &window) ||
        !(hf_reader_integer_of(reader, WORDS("max_window_layers"), &first) ||
          hf_reader_default(reader, "max_window_layers", &first)) ||
        first == 0)
        return false;
    const char **pattern = first < layers ? set(reader, (size_t)layers) : NULL;
    for (size_t i = 0; pattern && i < (size_t)layers; i++)
        pattern[i] = (double)i < first ? "full_attention" : "sliding_attention";
    return pattern != NULL;
}

bool hf_layers_listed_read(struct hf_reader *reader, hf_layers_set *set)
{
    struct json_body_value value;

    if (hf_class_has(reader->class, HF_COMPRESSED) &&
        hf_reader_find(reader, NULL, "compress_ratios", &value))
        return read_ratios(reader, &value, set);
    for (size_t i = 0; i < LISTS; i++)
        if (hf_reader_find(reader, NULL, lists[i].key, &value))
            return read_places(reader, &value, &lists[i], set);
    for (size_t i = 0; i < FLAGS; i++)
        if (hf_reader_find(reader, NULL, flags[i].key, &value))
            return read_flags(reader, &value, &flags[i], set);
    return read_every(reader, set) || read_first(reader, set);
}
