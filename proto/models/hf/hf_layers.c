/* SPDX-License-Identifier: Apache-2.0
 * hf_layers.c - reads layer_types, sliding_window_pattern, global_attn_every_n_layers and
 * similar keys as one pattern of names, then merges no_rope_layers into it. */
#include "proto/models/hf/hf_layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/models/hf/hf_layers_listed.h"

enum { LAYERS_MAX = 4096 };

bool hf_layers_have(const struct model *model, const char *type)
{
    for (size_t i = 0; i < model->pattern_len; i++)
        if (strcmp(model->pattern[i], type) == 0)
            return true;
    return false;
}

bool hf_layers_without_positions(const char *type)
{
    static const char *const none[] = {"linear_attention", "mamba", "mamba2", "conv",
                                       "recurrent",        "rwkv"};

    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strcmp(type, none[i]) == 0)
            return true;
    return false;
}

/* Allocates a pattern of count names, which lives as long as the config. */
static const char **new_pattern(struct hf_reader *reader, size_t count)
{
    /* The store of texts aligns for bytes only; a list of pointers needs other memory. */
    const char **pattern = calloc(count, sizeof *pattern);
    if (!pattern) {
        pe_fail(reader->errors, PE_NO_MEMORY, NULL, "out of memory");
        return NULL;
    }
    free(reader->config->pattern);
    reader->config->pattern = pattern;
    reader->config->model.pattern = pattern;
    reader->config->model.pattern_len = count;
    return pattern;
}

/* Reads layer_types: ["sliding_attention", ...], one name a layer. */
static void read_types(struct hf_reader *reader, const struct json_body_value *value)
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
    for (size_t i = 0; pattern && i < count; i++) {
        const char *name = json_body_item_text(value, i);

        if (!name || *name == '\0') {
            hf_reader_fail(reader, value, PE_BAD_VALUE, "must hold names alone");
            model->pattern_len = 0;
            return;
        }
        pattern[i] = hf_reader_keep(reader, name, strlen(name));
    }
    model->layers = (int64_t)count;
}

/* Returns the layer type of the layers without full attention. */
static const char *other_type(const struct hf_reader *reader)
{
    return hf_family_has(reader->family, HF_CHUNKED)  ? "chunked_attention"
           : hf_family_has(reader->family, HF_LINEAR) ? "linear_attention"
                                                      : "sliding_attention";
}

/* Returns whether a count by one of its names is whole and within what patterns may be long; 0
 * counts as absent. Otherwise adds a problem with the member that has it. */
static bool is_count(struct hf_reader *reader, const char *const *names, double number)
{
    struct json_body_value value = {0};

    if (number == trunc(number) && number <= LAYERS_MAX)
        return true;
    while (*names && !hf_reader_find(reader, NULL, *names, &value))
        names++;
    hf_reader_fail(reader, *names ? &value : NULL, PE_BAD_VALUE,
                   "must be a whole number of layers, at most %d", LAYERS_MAX);
    return false;
}

/* Makes a pattern in which the last layer (or the first) of a period has full attention. */
static void make_period(struct hf_reader *reader, double number, bool full_first)
{
    const char *other = other_type(reader);
    size_t period = (size_t)number;

    if (period == 0)
        return;
    const char **pattern = new_pattern(reader, period);
    for (size_t i = 0; pattern && i < period; i++) {
        bool full = full_first ? i == 0 : i == period - 1;

        pattern[i] = full ? "full_attention" : other;
    }
}

/* Reads "LLLG": an L layer has a window, a G layer full attention, as the last layer has
 * (Hugging Face's modular_exaone4.py). */
static void read_letters(struct hf_reader *reader, const struct json_body_value *value)
{
    size_t len = value->text_len, layers = (size_t)reader->config->model.layers;

    if (value->kind != JSON_BODY_STRING || len == 0 || len > LAYERS_MAX ||
        strspn(value->text, "LG") != len) {
        hf_reader_fail(reader, value, PE_BAD_VALUE,
                       "must be a number, or letters L (a window) and G (everything)");
        return;
    }
    size_t count = layers > 0 ? layers : len;
    const char **pattern = new_pattern(reader, count);
    for (size_t i = 0; pattern && i < count; i++) {
        bool full = value->text[i % len] == 'G' || i + 1 == layers;

        pattern[i] = full ? "full_attention" : other_type(reader);
    }
}

/* ---- lists of 0 and 1 ----------------------------------------------------------------- */

/* Checks that the list has one number a layer, and each is 0 or 1. */
static bool check_flags(struct hf_reader *reader, const struct json_body_value *value)
{
    size_t layers = (size_t)reader->config->model.layers, i = 0;
    bool list = value->kind == JSON_BODY_NUMBERS && value->rank == 1 && value->cols > 0 &&
                value->cols <= LAYERS_MAX;

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

/* Reads hybrid_layer_pattern: 1 where a layer has a window. */
static void read_hybrid(struct hf_reader *reader, const struct json_body_value *value)
{
    const char **pattern = check_flags(reader, value) ? new_pattern(reader, value->cols) : NULL;

    for (size_t i = 0; pattern && i < value->cols; i++)
        pattern[i] = value->numbers[i] != 0 ? "sliding_attention" : "full_attention";
}

/* ---- attention of layers -------------------------------------------------------------- */

/* Checks that layer_types agrees with the period, if the configuration has both. */
static void check_period(struct hf_reader *reader, const struct json_body_value *types,
                         double period, bool full_first)
{
    const struct model *model = &reader->config->model;
    size_t n = (size_t)period;

    for (size_t i = 0; n > 0 && i < model->pattern_len; i++) {
        bool full = full_first ? i % n == 0 : (i + 1) % n == 0;

        if (full != (strcmp(model->pattern[i], "full_attention") == 0)) {
            hf_reader_fail(reader, types, PE_CONFLICT,
                           "does not agree with a pattern of %zu layers at layer %zu", n, i);
            return;
        }
    }
}

/* Returns whether the layers of a family with HF_NOPE_HYBRID have no window, because
 * "sliding_window" is null. */
static bool has_no_window(struct hf_reader *reader)
{
    struct json_body_value value;
    const struct json_body_value *parent = reader->nested ? &reader->inner : reader->outer;

    if (!hf_family_has(reader->family, HF_NOPE_HYBRID))
        return false;
    if (!json_body_find(reader->body, parent, "sliding_window", &value)) {
        hf_reader_note(reader, "sliding_window is absent: it is taken as set, as Hugging Face "
                               "does; where it is null every layer rotates");
        return false;
    }
    return value.kind == JSON_BODY_NULL;
}

bool hf_layers_full_rotate(struct hf_reader *reader)
{
    bool hybrid = hf_family_has(reader->family, HF_NOPE_HYBRID) && !has_no_window(reader);

    return !hybrid && !hf_family_has(reader->family, HF_NOPE_FULL);
}

static void read_types_or_period(struct hf_reader *reader)
{
    static const char *const periods[] = {"sliding_window_pattern", "_sliding_window_pattern",
                                          "global_attn_every_n_layers",
                                          "full_attention_interval", NULL};
    bool full_first = hf_family_has(reader->family, HF_FULL_FIRST);
    bool alike = has_no_window(reader);
    struct json_body_value types, flags, pattern;
    double period = 0;
    bool by_number =
        !hf_reader_find(reader, NULL, periods[0], &pattern) || pattern.kind == JSON_BODY_NUMBER;
    bool has_period =
        !alike && by_number && hf_reader_number_of(reader, NULL, periods, &period);

    if (has_period && !is_count(reader, periods, period))
        return;
    if (hf_reader_find(reader, NULL, "layer_types", &types)) {
        read_types(reader, &types);
        if (has_period)
            check_period(reader, &types, period, full_first);
    } else if (hf_layers_listed_read(reader, new_pattern)) {
        return;
    } else if (hf_reader_find(reader, NULL, "hybrid_layer_pattern", &flags)) {
        read_hybrid(reader, &flags);
    } else if (has_period) {
        make_period(reader, period, full_first);
    } else if (!alike && !by_number) {
        read_letters(reader, &pattern);
    }
}

/* ---- rotation of layers --------------------------------------------------------------- */

struct rotation {
    /* One flag a layer, 0 for a layer that does not rotate; NULL: every count-th layer does not
     * rotate. */
    const double *flags;
    size_t count; /* 0: the configuration does not say which layers rotate */
};

static bool rotates(const struct rotation *rotation, size_t layer)
{
    layer %= rotation->count;
    return rotation->flags ? rotation->flags[layer] != 0 : layer + 1 != rotation->count;
}

/* Reads no_rope_layers: [1, 1, 1, 0, ...] (an empty list counts as absent), else the interval,
 * whose default is the family's. */
static struct rotation read_rotation(struct hf_reader *reader)
{
    struct json_body_value list;
    double interval = 0;

    if (hf_reader_find(reader, NULL, "no_rope_layers", &list) &&
        !(list.kind == JSON_BODY_NUMBERS && list.cols == 0)) {
        return check_flags(reader, &list) ? (struct rotation){list.numbers, list.cols}
                                          : (struct rotation){NULL, 0};
    }
    if (!hf_reader_number(reader, NULL, "no_rope_layer_interval", &interval)) {
        interval =
            hf_family_has(reader->family, HF_NOPE_LAYERS) ? (double)reader->family->period : 0;
    } else if (interval < 1 || interval != trunc(interval)) {
        (void)hf_reader_find(reader, NULL, "no_rope_layer_interval", &list);
        hf_reader_fail(reader, &list, PE_BAD_VALUE, "must be a whole number, 1 or above");
        return (struct rotation){NULL, 0};
    }
    return (struct rotation){NULL, interval <= LAYERS_MAX ? (size_t)interval : 0};
}

/* Returns the type of a layer that does or does not rotate; type: its attention, NULL if the
 * configuration has none. */
static const char *name_layer(const struct hf_reader *reader, const char *type, bool turns,
                              bool full_rotate)
{
    if (!type && hf_family_has(reader->family, HF_CHUNKED))
        return turns ? "chunked_attention" : "full_attention";
    if (!type)
        return turns ? "rotation" : "no_rotation";
    bool still = hf_layers_without_positions(type) ||
                 (strcmp(type, "full_attention") == 0 && !full_rotate);
    return turns || still ? type : "no_rotation";
}

/* Returns the number of layers until both patterns begin again, at most all layers. */
static size_t common_length(const struct model *model, size_t count)
{
    size_t len = model->pattern_len > 0 ? model->pattern_len : 1, both = len;

    while (both % count != 0)
        both += len;
    size_t most = model->layers > 0 ? (size_t)model->layers : LAYERS_MAX;
    return both < most ? both : most;
}

static void lay_over(struct hf_reader *reader, const struct rotation *rotation)
{
    struct model *model = &reader->config->model;
    const char **types = reader->config->pattern;
    size_t len = model->pattern_len, count = common_length(model, rotation->count);
    size_t conflicts = 0;

    reader->config->pattern = NULL;
    const char **pattern = new_pattern(reader, count);
    bool full_rotate = hf_layers_full_rotate(reader);
    for (size_t i = 0; pattern && i < count; i++) {
        const char *type = len > 0 ? types[i % len] : NULL;
        bool turns = rotates(rotation, i);

        pattern[i] = name_layer(reader, type, turns, full_rotate);
        if (turns && type && !full_rotate && strcmp(type, "full_attention") == 0 &&
            conflicts++ == 0)
            hf_reader_fail(reader, NULL, PE_CONFLICT,
                           "layer %zu is full_attention, which does not rotate in a %.60s, but "
                           "no_rope_layers says that it does",
                           i, reader->family->name);
    }
    if (!pattern)
        model->pattern_len = 0;
    free(types);
}

/* Reads depths, the layers of each stage (Swin), as their sum: num_layers is the number of
 * stages there. Returns false if there is no list of whole numbers by that name. */
static bool read_depths(struct hf_reader *reader)
{
    struct json_body_value depths;
    double sum = 0;

    if (!hf_reader_find(reader, NULL, "depths", &depths) || depths.kind != JSON_BODY_NUMBERS ||
        depths.rank != 1 || depths.dims[0] == 0)
        return false;
    for (size_t i = 0; i < depths.dims[0]; i++) {
        if (depths.numbers[i] != trunc(depths.numbers[i]) || depths.numbers[i] < 0)
            return false;
        sum += depths.numbers[i];
    }
    if (sum > LAYERS_MAX)
        return false;
    reader->config->model.layers = (int64_t)sum;
    return true;
}

void hf_layers_read(struct hf_reader *reader)
{
    static const char *const counts[] = {"num_hidden_layers", "n_layer", "n_layers",
                                         "num_layers", NULL};
    const struct model *model = &reader->config->model;
    double number = 0;

    if (!read_depths(reader) && hf_reader_integer_of(reader, counts, &number) &&
        is_count(reader, counts, number))
        reader->config->model.layers = (int64_t)number;
    read_types_or_period(reader);
    struct rotation rotation = read_rotation(reader);
    if (rotation.count > 0) {
        lay_over(reader, &rotation);
    } else if (model->pattern_len == 0 && reader->family && reader->family->period > 0 &&
               !hf_family_has(reader->family, HF_NOPE_LAYERS) && !has_no_window(reader)) {
        make_period(reader, (double)reader->family->period,
                    hf_family_has(reader->family, HF_FULL_FIRST));
    }
}
