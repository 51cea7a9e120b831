/* SPDX-License-Identifier: Apache-2.0
 * hf_layers_dense.c - see hf_layers_dense.h; configuration_cohere2_moe.py of Hugging Face. */
#include "proto/models/hf/hf_layers_dense.h"

#include <string.h>

/* Reads how many of the first layers are dense: by the types of their networks, or a number. */
static size_t count_dense(struct hf_reader *reader)
{
    struct json_body_value types;
    double number = 0;
    size_t count = 0;

    if (!hf_reader_find(reader, NULL, "mlp_layer_types", &types)) {
        (void)hf_reader_integer_of(reader, WORDS("first_k_dense_replace"), &number);
        return number < 0x1p31 ? (size_t)number : 0;
    }
    while (count < json_body_item_count(&types)) {
        const char *item = json_body_item_text(&types, count);

        if (!item || strcmp(item, "dense") != 0)
            break;
        count++;
    }
    return count;
}

static size_t read_period(struct hf_reader *reader, const char *name, double period)
{
    (void)hf_reader_integer_of(reader, WORDS(name), &period);
    return period >= 1 && period < 0x1p31 ? (size_t)period : 1;
}

void hf_layers_dense_read(struct hf_reader *reader, hf_layers_set *set)
{
    const struct model *model = &reader->config->model;
    const size_t layers = (size_t)model->layers, dense = count_dense(reader);
    const size_t first = read_period(reader, "prefix_dense_sliding_window_pattern", 1);
    const size_t rest =
        read_period(reader, "sliding_window_pattern", (double)reader->class->period);
    struct json_body_value types;
    const bool said = hf_reader_find(reader, NULL, "layer_types", &types);

    if (layers == 0 || (said && model->pattern_len != layers))
        return;
    const char **pattern = said ? reader->config->pattern : set(reader, layers);
    for (size_t i = 0; pattern && i < layers; i++) {
        const bool full = i < dense ? (i + 1) % first == 0 : (i - dense + 1) % rest == 0;

        if (!said)
            pattern[i] = full ? "full_attention" : "sliding_attention";
        if (i < dense && first == 1 && strcmp(pattern[i], "full_attention") == 0)
            pattern[i] = "dense_full_attention";
    }
}
