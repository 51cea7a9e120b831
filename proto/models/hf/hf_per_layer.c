/* SPDX-License-Identifier: Apache-2.0
 * hf_per_layer.c - see hf_per_layer.h. Code that has a list per layer makes one table for each
 * layer type of it (Hugging Face's configuration_step3p7.py). */
#include "proto/models/hf/hf_per_layer.h"

#include <string.h>

bool hf_per_layer_find(struct hf_reader *reader, const char *name, struct hf_per_layer *list)
{
    const size_t layers = (size_t)reader->config->model.layers;

    list->numbers = NULL;
    if (!hf_reader_find(reader, NULL, name, &list->value) ||
        list->value.kind != JSON_BODY_NUMBERS)
        return false;
    if (list->value.rank != 1 || list->value.cols == 0 || list->value.cols < layers)
        hf_reader_fail(reader, &list->value, PE_BAD_VALUE,
                       "must be a number, or a list of numbers, one a layer");
    else
        list->numbers = list->value.numbers;
    return true;
}

void hf_per_layer_read(struct hf_reader *reader, const char *name, struct hf_per_layer *list)
{
    if (!hf_per_layer_find(reader, name, list) &&
        hf_reader_find(reader, NULL, name, &list->value))
        hf_reader_fail(reader, &list->value, PE_BAD_VALUE,
                       "must be a list of numbers, one a layer");
}

bool hf_per_layer_of(struct hf_reader *reader, const struct hf_per_layer *list,
                     const char *type, double *number)
{
    const struct model *model = &reader->config->model;
    const size_t count = model->layers > 0 ? (size_t)model->layers : list->value.cols;
    size_t first = 0, other;

    while (first < count && strcmp(model->pattern[first % model->pattern_len], type) != 0)
        first++;
    for (other = first; other < count; other++)
        if (strcmp(model->pattern[other % model->pattern_len], type) == 0 &&
            list->numbers[other] != list->numbers[first])
            break;
    if (other < count)
        hf_reader_fail(reader, &list->value, PE_CONFLICT,
                       "is %g for layer %zu and %g for layer %zu, which are both %.40s; give "
                       "layers that differ different layer_types",
                       list->numbers[first], first, list->numbers[other], other, type);
    else if (first < count)
        *number = list->numbers[first];
    return other == count;
}

bool hf_per_layer_flags(struct hf_reader *reader, const struct json_body_value *value)
{
    size_t layers = (size_t)reader->config->model.layers, i = 0;
    bool list = value->kind == JSON_BODY_NUMBERS && value->rank == 1 && value->cols > 0 &&
                value->cols <= HF_LAYERS_MAX;

    while (list && i < value->cols && (value->numbers[i] == 0 || value->numbers[i] == 1))
        i++;
    if (!list || i < value->cols) {
        hf_reader_fail(reader, value, PE_BAD_VALUE, "must be a list of 0 and 1, one a layer");
        return false;
    }
    if (layers > 0 && layers != value->cols) {
        hf_reader_fail(reader, value, PE_CONFLICT,
                       "is for %zu layers, and num_hidden_layers is %zu; make them agree",
                       value->cols, layers);
        return false;
    }
    return true;
}
