/* SPDX-License-Identifier: Apache-2.0
 * hf_beside.c - adds the rows of hf_besides.def whose key is present. An encoding that would
 * make no legal request gets a note; it does not refuse a model whose rotation can be read. */
#include "proto/models/hf/hf_beside.h"

#include <string.h>

#include "proto/describe/model_use_text.h"
#include "proto/http/problem.h"
#include "proto/models/hf/hf_direction.h"
#include "proto/models/hf/hf_layers.h"
#include "proto/models/hf/hf_pattern.h"

enum place { TOP, TYPED, GROUP, DICT, OWN };

static const struct row {
    enum place place;
    enum hf_direction direction;
    const char *key, *encoding, *layer_type, *pattern, *left_out;
} rows[] = {
#define HF_BESIDE(PLACE, DIRECTION, ...) {PLACE, HF_##DIRECTION, __VA_ARGS__},
#include "proto/models/hf/hf_besides.def"
#undef HF_BESIDE
};
enum { ROWS = sizeof rows / sizeof rows[0] };

void hf_beside_keep_if_legal(struct hf_reader *reader, const struct model_use *use)
{
    const struct model *model = &reader->config->model;
    const char *from = model->besides[model->beside_count - 1].from;
    struct pe_errors errors = {0};

    if (model_use_text_check(use, &errors))
        return;
    if (problem_kind_of(&errors) == PROBLEM_OVERLOADED)
        pe_fail(reader->errors, PE_NO_MEMORY, NULL, "out of memory");
    hf_reader_note(reader, "%.100s is not read: %.20s %.100s", from, errors.at[0].parameter,
                   errors.at[0].detail);
    hf_reader_drop(reader);
}

/* ---- keys ------------------------------------------------------------------------------- */

static bool says_something(const struct json_body_value *value)
{
    return (value->kind == JSON_BODY_NUMBER && value->number > 0) ||
           value->kind == JSON_BODY_OBJECT || (value->kind == JSON_BODY_BOOL && value->flag);
}

/* Returns whether layers have no window, because a switch (which a class may need) is off. */
static bool is_switched_off(struct hf_reader *reader, const struct row *row)
{
    struct json_body_value value;
    double first, layers = (double)reader->config->model.layers;

    if (strcmp(row->key, "sliding_window") != 0)
        return false;
    bool found = hf_reader_find(reader, NULL, "use_sliding_window", &value);
    if (found)
        (void)hf_reader_is(reader, "use_sliding_window", true); /* which says what it must be */
    bool off = found ? value.kind == JSON_BODY_BOOL && !value.flag
                     : hf_class_has(reader->class, HF_SWITCHED);
    return off ||
           (layers > 0 && hf_class_has(reader->class, HF_SWITCHED) &&
            hf_reader_number(reader, NULL, "max_window_layers", &first) && first >= layers);
}

/* Finds the type of layers that the row is about; false if the model has no such layers, or, as
 * its layers are alike, a row before this one is about all of them. */
static bool find_layers(const struct model *model, const struct row *row, const char **type)
{
    bool again = row > rows && strcmp(row[-1].key, row->key) == 0 &&
                 strcmp(row[-1].encoding, row->encoding) == 0;

    *type = model->pattern_len > 0 || row->place == GROUP ? row->layer_type : NULL;
    if (row->place == GROUP)
        return true;
    if (row->place == TYPED && !*type)
        return false;
    return *type ? hf_layers_have(model, *type) : !again;
}

static bool find_object(struct hf_reader *reader, const struct row *row,
                        struct json_body_value *object)
{
    return (hf_reader_find(reader, NULL, "rope_parameters", object) ||
            hf_reader_find(reader, NULL, "rope_scaling", object)) &&
           row->place == DICT && object->kind == JSON_BODY_OBJECT;
}

/* Says that a key is not read whose value is of another kind than its own, or negative. Returns
 * whether it is read. */
static bool check_type(struct hf_reader *reader, const struct row *row,
                       const struct json_body_value *value)
{
    const bool is_number = row->place != OWN && strstr(row->pattern, row->key);
    const bool wrong = value->kind == JSON_BODY_STRING || value->kind == JSON_BODY_NUMBERS ||
                       value->kind == JSON_BODY_OTHER ||
                       (value->kind == JSON_BODY_NUMBER && row->place == OWN) ||
                       (value->kind == JSON_BODY_NUMBER && value->number < 0) ||
                       (value->kind == JSON_BODY_BOOL && value->flag && is_number);

    if (wrong)
        hf_reader_note(reader, "%.60s is not read: it must be %s", row->key,
                       row->place == OWN ? "an object" : "a number, 0 or above");
    return !wrong;
}

/* Finds what the row is about, its own value or its class's; false if there is nothing. */
static bool find_value(struct hf_reader *reader, const struct row *row,
                       const struct json_body_value *object, struct json_body_value *value)
{
    double number;

    if (!hf_reader_find(reader, object, row->key, value))
        return !hf_reader_is_null(reader, row->key) && !is_switched_off(reader, row) &&
               (row->place == OWN ? hf_class_default(reader->class, row->key, &number)
                                  : hf_reader_default(reader, row->key, &number));
    if (is_switched_off(reader, row))
        return false;
    return check_type(reader, row, value) && says_something(value);
}

static void add_row(struct hf_reader *reader, const struct row *row,
                    enum hf_direction direction)
{
    struct json_body_value dict, value = {0};
    const char *type;
    bool in_dict = find_object(reader, row, &dict);

    if (row->place == DICT && !in_dict)
        return;
    if (!find_layers(&reader->config->model, row, &type))
        return;
    if (!find_value(reader, row, in_dict ? &dict : NULL, &value))
        return;
    if (row->place == OWN && value.name && value.kind != JSON_BODY_OBJECT)
        return;
    if (row->direction != HF_EITHER && direction == HF_WINDOW_OPEN)
        hf_reader_note(reader,
                       "%.60s is not read: queries see both ways, and how the class counts its "
                       "window is not known",
                       row->key);
    if (row->direction != HF_EITHER && row->direction != direction)
        return;
    struct model_use *use = hf_reader_beside(reader, &value, row->encoding, type);
    const struct json_body_value *object = row->place == DICT                ? &dict
                                           : row->place == OWN && value.name ? &value
                                                                             : NULL;
    if (use)
        use->left_out = row->left_out;
    if (use && hf_pattern_set(reader, use, object, row->pattern))
        hf_beside_keep_if_legal(reader, use);
}

void hf_beside_add(struct hf_reader *reader)
{
    const size_t before = reader->errors->count;
    struct hf_direction_said said;
    const enum hf_direction direction = hf_direction_read(reader, &said);

    if (said.encoding)
        (void)hf_reader_beside(
            reader, &said.from, said.encoding,
            hf_layers_have(&reader->config->model, "full_attention") ? "full_attention" : NULL);
    for (size_t i = 0; i < ROWS && reader->errors->count == before; i++)
        add_row(reader, &rows[i], direction);
}
