/* SPDX-License-Identifier: Apache-2.0
 * hf_layers.c - reads layer_types, sliding_window_pattern, global_attn_every_n_layers and
 * similar keys as one pattern of names, then merges no_rope_layers into it. */
#include "proto/models/hf/hf_layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/models/hf/hf_layer_type.h"
#include "proto/models/hf/hf_layers_dense.h"
#include "proto/models/hf/hf_layers_listed.h"
#include "proto/models/hf/hf_layers_nope.h"
#include "proto/models/hf/hf_per_layer.h"

bool hf_layers_have(const struct model *model, const char *type)
{
    for (size_t i = 0; i < model->pattern_len; i++)
        if (strcmp(model->pattern[i], type) == 0)
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

/* Returns how many of the names are those of layers after the last, which predict further
 * tokens (Step-3.5). */
static size_t count_after(struct hf_reader *reader, const struct json_body_value *value,
                          size_t count)
{
    const double layers = (double)reader->config->model.layers;
    double after = 0;

    if (layers == 0 || (double)count <= layers ||
        !hf_reader_integer_of(reader, WORDS("num_nextn_predict_layers", "num_mtp_layers"),
                              &after) ||
        (double)count != layers + after)
        return 0;
    hf_reader_note(reader, "the last %g of %.40s are of layers that predict further tokens",
                   after, value->name);
    return (size_t)after;
}

/* Reads layer_types: ["sliding_attention", ...], one name a layer, or block_types, which repeat
 * (RecurrentGemma). */
static void read_types(struct hf_reader *reader, const struct json_body_value *value)
{
    size_t count = json_body_item_count(value);
    struct model *model = &reader->config->model;

    if (count == 0 || count > HF_LAYERS_MAX) {
        hf_reader_fail(reader, value, PE_BAD_VALUE, "must be a list of names, one a layer");
        return;
    }
    count -= count_after(reader, value, count);
    const bool repeats = strcmp(value->name, "block_types") == 0;
    if (model->layers > 0 && (uint64_t)model->layers != count && !repeats) {
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
        if (!hf_layer_type_is_known(name))
            hf_reader_note(
                reader,
                "%.60s of %.40s is no type of layers that is known: they are taken to "
                "have attention",
                name, value->name);
    }
    if (!repeats)
        model->layers = (int64_t)count;
}

/* Returns the layer type of the layers without full attention. */
static const char *other_type(const struct hf_reader *reader)
{
    return hf_class_has(reader->class, HF_CHUNKED)  ? "chunked_attention"
           : hf_class_has(reader->class, HF_LINEAR) ? "linear_attention"
                                                    : "sliding_attention";
}

/* Returns whether a count by one of its names is whole and within what patterns may be long; 0
 * counts as absent. Otherwise adds a problem with the member that has it. */
static bool is_count(struct hf_reader *reader, const char *const *names, double number)
{
    struct json_body_value value = {0};

    if (number == trunc(number) && number <= HF_LAYERS_MAX)
        return true;
    while (*names && !hf_reader_find(reader, NULL, *names, &value))
        names++;
    hf_reader_fail(reader, *names ? &value : NULL, PE_BAD_VALUE,
                   "must be a whole number of layers, at most %d", HF_LAYERS_MAX);
    return false;
}

/* Returns whether layer i of a period has full attention: the first of it, or the last, where
 * periods are counted from the last layer backwards or from layer 0. */
static bool is_full(const struct hf_reader *reader, size_t i, size_t period)
{
    const size_t layers = (size_t)reader->config->model.layers;

    if (hf_class_has(reader->class, HF_FULL_FIRST))
        return i % period == 0;
    if (hf_class_has(reader->class, HF_FULL_LAST) && layers > 0)
        return i % period == (layers - 1) % period;
    return (i + 1) % period == 0;
}

/* Makes a pattern in which one layer of a period has full attention. */
static void make_period(struct hf_reader *reader, double number)
{
    const char *other = other_type(reader);
    size_t period = (size_t)number;

    if (period == 0)
        return;
    const char **pattern = new_pattern(reader, period);
    for (size_t i = 0; pattern && i < period; i++)
        pattern[i] = is_full(reader, i, period) ? "full_attention" : other;
}

/* Reads "LLLG": an L layer has a window, a G layer full attention, as the last layer has
 * (Hugging Face's modular_exaone4.py). */
static void read_letters(struct hf_reader *reader, const struct json_body_value *value)
{
    size_t len = value->text_len, layers = (size_t)reader->config->model.layers;

    if (value->kind != JSON_BODY_STRING || len == 0 || len > HF_LAYERS_MAX ||
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

/* ---- attention of layers -------------------------------------------------------------- */

/* Checks that layer_types agrees with the period, if the configuration has both. */
static void check_period(struct hf_reader *reader, const struct json_body_value *types,
                         double period)
{
    const struct model *model = &reader->config->model;
    size_t n = (size_t)period;

    for (size_t i = 0; n > 0 && i < model->pattern_len; i++) {
        if (is_full(reader, i, n) != (strcmp(model->pattern[i], "full_attention") == 0)) {
            hf_reader_fail(reader, types, PE_CONFLICT,
                           "does not agree with a pattern of %zu layers at layer %zu", n, i);
            return;
        }
    }
}

/* Returns whether the layers of a class with HF_NOPE_HYBRID have no window, because
 * "sliding_window" is null. */
static bool has_no_window(struct hf_reader *reader)
{
    struct json_body_value value;
    const struct json_body_value *parent = reader->nested ? &reader->inner : reader->outer;

    if (!hf_class_has(reader->class, HF_NOPE_HYBRID))
        return false;
    if (!json_body_find(reader->body, parent, "sliding_window", &value)) {
        hf_reader_note(reader, "sliding_window is absent: it is taken as set, as Hugging Face "
                               "does; where it is null every layer rotates");
        return false;
    }
    hf_reads_add(&reader->reads, value.name);
    return value.kind == JSON_BODY_NULL;
}

bool hf_layers_full_rotate(struct hf_reader *reader)
{
    bool hybrid = hf_class_has(reader->class, HF_NOPE_HYBRID) && !has_no_window(reader);

    return !hybrid && !hf_class_has(reader->class, HF_NOPE_FULL);
}

/* Finds the list of layer types by any of its names. */
static bool find_types(struct hf_reader *reader, struct json_body_value *types)
{
    return hf_reader_find(reader, NULL, "layer_types", types) ||
           hf_reader_find(reader, NULL, "layers_block_type", types) ||
           hf_reader_find(reader, NULL, "attention_layers", types) ||
           hf_reader_find(reader, NULL, "block_types", types);
}

static void read_types_or_period(struct hf_reader *reader)
{
    static const char *const periods[] = {"sliding_window_pattern", "_sliding_window_pattern",
                                          "global_attn_every_n_layers",
                                          "full_attention_interval", NULL};
    bool alike = has_no_window(reader);
    struct json_body_value types, pattern;
    double period = 0;
    bool by_number =
        !hf_reader_find(reader, NULL, periods[0], &pattern) || pattern.kind == JSON_BODY_NUMBER;
    bool has_period =
        !alike && by_number && hf_reader_number_of(reader, NULL, periods, &period);

    if (has_period && !is_count(reader, periods, period))
        return;
    if (find_types(reader, &types)) {
        read_types(reader, &types);
        if (has_period)
            check_period(reader, &types, period);
    } else if (hf_layers_listed_read(reader, new_pattern)) {
        return;
    } else if (has_period) {
        make_period(reader, period);
    } else if (!alike && !by_number) {
        read_letters(reader, &pattern);
    }
}

/* ---- all keys -------------------------------------------------------------------------- */

/* Reads depths, the layers of each stage (Swin), as their sum: num_layers is the number of
 * stages there. Returns false if there is no list of whole numbers by that name. */
static bool read_depths(struct hf_reader *reader)
{
    struct json_body_value depths;
    double sum = 0, number;

    if (!hf_reader_find(reader, NULL, "depths", &depths) || depths.kind != JSON_BODY_NUMBERS ||
        depths.rank != 1 || depths.dims[0] == 0)
        return false;
    for (size_t i = 0; i < depths.dims[0]; i++) {
        if (depths.numbers[i] != trunc(depths.numbers[i]) || depths.numbers[i] < 0)
            return false;
        sum += depths.numbers[i];
    }
    if (sum > HF_LAYERS_MAX)
        return false;
    if (hf_reader_integer_of(reader, WORDS("num_hidden_layers"), &number) && number != sum)
        hf_reader_fail(reader, &depths, PE_CONFLICT,
                       "adds up to %g layers, and num_hidden_layers is %g; make them agree",
                       sum, number);
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
    if (hf_class_has(reader->class, HF_DENSE_FIRST))
        hf_layers_dense_read(reader, new_pattern);
    if (hf_layers_nope_read(reader, hf_layers_full_rotate(reader), new_pattern))
        return;
    if (model->pattern_len == 0 && reader->class && reader->class->period > 0 &&
        !hf_class_has(reader->class, HF_NOPE_LAYERS) && !has_no_window(reader))
        make_period(reader, (double)reader->class->period);
}
