/* SPDX-License-Identifier: Apache-2.0
 * hf_layers_nope.c - merges no_rope_layers and no_rope_layer_interval into the types of
 * layers. */
#include "proto/models/hf/hf_layers_nope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/models/hf/hf_layer_type.h"
#include "proto/models/hf/hf_per_layer.h"

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
 * whose default is the class's. */
static struct rotation read_rotation(struct hf_reader *reader)
{
    static const char *const intervals[] = {"no_rope_layer_interval", "nope_layer_interval",
                                            NULL};
    struct json_body_value list;
    double interval = 0;

    if (hf_reader_find(reader, NULL, "no_rope_layers", &list) &&
        !(list.kind == JSON_BODY_NUMBERS && list.cols == 0)) {
        struct json_body_value moot; /* the list counts, and the interval says what made it */

        for (const char *const *name = intervals; *name; name++)
            (void)hf_reader_find(reader, NULL, *name, &moot);
        return hf_per_layer_flags(reader, &list) ? (struct rotation){list.numbers, list.cols}
                                                 : (struct rotation){NULL, 0};
    }
    if (!hf_reader_number_of(reader, NULL, intervals, &interval)) {
        interval =
            hf_class_has(reader->class, HF_NOPE_LAYERS) ? (double)reader->class->period : 0;
    } else if (interval < 1 || interval != trunc(interval)) {
        (void)(hf_reader_find(reader, NULL, intervals[0], &list) ||
               hf_reader_find(reader, NULL, intervals[1], &list));
        hf_reader_fail(reader, &list, PE_BAD_VALUE, "must be a whole number, 1 or above");
        return (struct rotation){NULL, 0};
    }
    return (struct rotation){NULL, interval <= HF_LAYERS_MAX ? (size_t)interval : 0};
}

/* Returns the type of a layer that does or does not rotate; type: its attention, NULL if the
 * configuration has none. */
static const char *name_layer(const struct hf_reader *reader, const char *type, bool turns,
                              bool full_rotate)
{
    if (!type && hf_class_has(reader->class, HF_CHUNKED))
        return turns ? "chunked_attention" : "full_attention";
    if (!type)
        return turns ? "rotation" : "no_rotation";
    bool still = hf_layer_type_has_no_positions(type) ||
                 (strcmp(type, "full_attention") == 0 && !full_rotate);
    return turns || still ? type : "no_rotation";
}

/* Returns the number of layers until both patterns begin again, at most all layers. */
static size_t common_length(const struct model *model, size_t count)
{
    size_t len = model->pattern_len > 0 ? model->pattern_len : 1, both = len;

    while (both % count != 0)
        both += len;
    size_t most = model->layers > 0 ? (size_t)model->layers : HF_LAYERS_MAX;
    return both < most ? both : most;
}

static void lay_over(struct hf_reader *reader, const struct rotation *rotation,
                     bool full_rotate, hf_layers_set *set)
{
    struct model *model = &reader->config->model;
    const char **types = reader->config->pattern;
    size_t len = model->pattern_len, count = common_length(model, rotation->count);
    size_t conflicts = 0;

    reader->config->pattern = NULL;
    const char **pattern = set(reader, count);
    for (size_t i = 0; pattern && i < count; i++) {
        const char *type = len > 0 ? types[i % len] : NULL;
        bool turns = rotates(rotation, i);

        pattern[i] = name_layer(reader, type, turns, full_rotate);
        if (turns && type && !full_rotate && strcmp(type, "full_attention") == 0 &&
            conflicts++ == 0)
            hf_reader_fail(reader, NULL, PE_CONFLICT,
                           "layer %zu is full_attention, which does not rotate in a %.60s, but "
                           "no_rope_layers says that it does",
                           i, reader->class->name);
    }
    if (!pattern)
        model->pattern_len = 0;
    free(types);
}

bool hf_layers_nope_read(struct hf_reader *reader, bool full_rotate, hf_layers_set *set)
{
    struct rotation rotation = read_rotation(reader);

    if (rotation.count > 0)
        lay_over(reader, &rotation, full_rotate, set);
    return rotation.count > 0;
}
