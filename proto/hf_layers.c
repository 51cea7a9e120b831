/* SPDX-License-Identifier: Apache-2.0
 * hf_layers.c - layer_types, sliding_window_pattern, global_attn_every_n_layers and
 * no_rope_layers as one pattern of names. */
#include "proto/hf_layers.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS_MAX = 4096 };

bool hf_layers_have(const struct model *model, const char *type)
{
    for (size_t i = 0; i < model->pattern_len; i++) {
        if (strcmp(model->pattern[i], type) == 0) {
            return true;
        }
    }
    return false;
}

bool hf_layers_without_positions(const char *type)
{
    static const char *const none[] = {"linear_attention", "mamba", "mamba2", "conv",
                                       "recurrent",        "rwkv"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        if (strcmp(type, none[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Room for a pattern of count names, which lives as long as the config. */
static const char **new_pattern(struct hf_reader *reader, size_t count)
{
    /* The store aligns its texts for bytes only: a list of pointers needs its own room. */
    const char **pattern = calloc(count, sizeof *pattern);
    if (pattern == NULL) {
        pe_fail(reader->errors, PE_NO_MEMORY, NULL, "out of memory");
        return NULL;
    }
    free(reader->config->pattern);
    reader->config->pattern = pattern;
    reader->config->model.pattern = pattern;
    reader->config->model.pattern_len = count;
    return pattern;
}

/* layer_types: ["sliding_attention", ...], one a layer. */
static void read_types(struct hf_reader *reader, const struct body_value *value)
{
    size_t count = json_body_item_count(value);
    struct model *model = &reader->config->model;
    if (count == 0 || count > LAYERS_MAX) {
        hf_reader_fail(reader, value, PE_BAD_VALUE, "must be a list of names, one a layer");
        return;
    }
    if (model->layers > 0 && (uint64_t)model->layers != count) {
        hf_reader_fail(reader, value, PE_CONFLICT,
                       "names %zu layers, and num_hidden_layers is %lld; make them agree",
                       count, (long long)model->layers);
        return;
    }
    const char **pattern = new_pattern(reader, count);
    for (size_t i = 0; pattern != NULL && i < count; i++) {
        const char *name = json_body_item_text(value, i);
        if (name == NULL || *name == '\0') {
            hf_reader_fail(reader, value, PE_BAD_VALUE, "must hold names alone");
            model->pattern_len = 0;
            return;
        }
        pattern[i] = hf_reader_keep(reader, name, strlen(name));
    }
    model->layers = (int64_t)count;
}

/* What layers are that have no full attention. */
static const char *other_type(const struct hf_reader *reader)
{
    return hf_family_has(reader, HF_CHUNKED)  ? "chunked_attention"
           : hf_family_has(reader, HF_LINEAR) ? "linear_attention"
                                              : "sliding_attention";
}

/* Every period-th layer has full attention: the last of a period, or the first. */
static void make_period(struct hf_reader *reader, double number, bool full_first)
{
    const char *other = other_type(reader);
    if (number < 1 || number > LAYERS_MAX) {
        return;
    }
    size_t period = (size_t)number;
    const char **pattern = new_pattern(reader, period);
    for (size_t i = 0; pattern != NULL && i < period; i++) {
        bool full = full_first ? i == 0 : i == period - 1;
        pattern[i] = full ? "full_attention" : other;
    }
}

/* A list of 0 and 1, one a layer: the name of each. */
static void read_flags(struct hf_reader *reader, const struct body_value *value,
                       const char *zero, const char *one)
{
    if (value->kind != BODY_NUMBERS || value->rank != 1 || value->cols == 0 ||
        value->cols > LAYERS_MAX) {
        hf_reader_fail(reader, value, PE_BAD_VALUE, "must be a list of 0 and 1, one a layer");
        return;
    }
    const char **pattern = new_pattern(reader, value->cols);
    for (size_t i = 0; pattern != NULL && i < value->cols; i++) {
        pattern[i] = value->numbers[i] != 0 ? one : zero;
    }
}

/* no_rope_layers: [1, 1, 1, 0, ...], 0 where a layer does not rotate. */
static void read_nope(struct hf_reader *reader, const struct body_value *value)
{
    bool chunked = hf_family_has(reader, HF_CHUNKED);
    read_flags(reader, value, chunked ? "full_attention" : "no_rotation",
               chunked ? "chunked_attention" : "rotation");
}

/* What layer_types says agrees with the period, if the configuration has both. */
static void check_period(struct hf_reader *reader, const struct body_value *types,
                         double period, bool full_first)
{
    const struct model *model = &reader->config->model;
    size_t n = period <= LAYERS_MAX ? (size_t)period : LAYERS_MAX + 1; /* none repeats */
    for (size_t i = 0; n > 0 && i < model->pattern_len; i++) {
        bool full = full_first ? i % n == 0 : (i + 1) % n == 0;
        if (full != (strcmp(model->pattern[i], "full_attention") == 0)) {
            hf_reader_fail(reader, types, PE_CONFLICT,
                           "does not agree with a pattern of %zu layers at layer %zu", n, i);
            return;
        }
    }
}

void hf_layers_read(struct hf_reader *reader)
{
    static const char *const counts[] = {"num_hidden_layers", "n_layer", "n_layers",
                                         "num_layers", NULL};
    static const char *const periods[] = {"sliding_window_pattern", "_sliding_window_pattern",
                                          "global_attn_every_n_layers",
                                          "full_attention_interval", NULL};
    const struct hf_family *family = reader->family;
    bool full_first = hf_family_has(reader, HF_FULL_FIRST);
    struct body_value types, flags, pattern;
    double number = 0, period = 0;
    if (hf_reader_number_of(reader, NULL, counts, &number) && number <= LAYERS_MAX) {
        reader->config->model.layers = (int64_t)number;
    }
    bool by_number = hf_reader_find(reader, NULL, periods[0], &pattern) == false ||
                     pattern.kind == BODY_NUMBER;
    bool has_period = by_number && hf_reader_number_of(reader, NULL, periods, &period);
    if (hf_reader_find(reader, NULL, "layer_types", &types)) {
        read_types(reader, &types);
        if (has_period) {
            check_period(reader, &types, period, full_first);
        }
    } else if (hf_reader_find(reader, NULL, "no_rope_layers", &flags)) {
        read_nope(reader, &flags);
    } else if (hf_reader_find(reader, NULL, "hybrid_layer_pattern", &flags)) {
        read_flags(reader, &flags, "full_attention", "sliding_attention");
    } else if (has_period) {
        make_period(reader, period, full_first);
    } else if (hf_reader_number(reader, NULL, "no_rope_layer_interval", &period)) {
        make_period(reader, period, false);
    } else if (family != NULL && family->period > 0) {
        make_period(reader, (double)family->period, full_first);
    }
}
