/* SPDX-License-Identifier: Apache-2.0
 * inference_message.c - see inference_message.h. A sentence names the input or output that is
 * wrong. */
#include "proto/inference/inference_message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/inference/inference_numbers.h"
#include "proto/inference/inference_word.h"
#include "proto/text/json_got.h"
#include "proto/text/json_whole.h"

/* ---- parts that inputs and outputs have -------------------------------------------------- */

/* A member of an input or an output, or of its parameters; `of` names the owner in errors. */
struct place {
    const char *list; /* "inputs" or "outputs" */
    size_t index;
    const char *name; /* "" until it is known */
    char *why;
};

static bool refuse(const struct place *place, const char *member, const char *sentence)
{
    if (*place->name)
        return why_refuse(place->why, "%s %.40s: %s %s", place->list, place->name, member,
                          sentence);
    return why_refuse(place->why, "%s[%zu]: %s %s", place->list, place->index, member,
                      sentence);
}

/* Refuses a value, and says which one came. */
static bool refuse_value(const struct place *place, const char *member, const char *sentence,
                         const struct json_body_value *value)
{
    char got[JSON_GOT_SIZE], whole[WHY_SIZE];

    snprintf(whole, sizeof whole, "%s; got %s", sentence, json_got(value, got));
    return refuse(place, member, whole);
}

/* Returns the problem of a parameter that an input or output cannot have. */
static bool refuse_parameter(const struct place *place, const char *name)
{
    char quoted[64];

    snprintf(quoted, sizeof quoted, "%.60s", name);
    if (inference_word_of(name, NULL) == INFERENCE_UNSUPPORTED)
        return refuse(place, quoted, "is not served here");
    return refuse(place, quoted,
                  place->list[0] == 'i'
                      ? "is no parameter of an input; it may have "
                        "binary_data_size"
                      : "is no parameter of an output; it may have binary_data");
}

/* Walks over the objects of a list that may be missing or empty. */
static bool is_list(const struct json_body_value *value)
{
    return value->kind == JSON_BODY_OTHER ||
           (value->kind == JSON_BODY_NUMBERS && value->rows * value->cols == 0 &&
            value->rank == 1);
}

static bool read_name(const struct json_body *body, const struct json_body_value *object,
                      struct place *place)
{
    struct json_body_value name;

    if (!json_body_find(body, object, "name", &name) || name.kind != JSON_BODY_STRING ||
        name.text_len == 0)
        return refuse(place, "name", "must be there, as a string");
    place->name = name.text;
    return true;
}

/* ---- inputs ----------------------------------------------------------------------------- */

static bool read_shape(const struct json_body_value *value, struct tensor_layout *layout,
                       const struct place *place)
{
    if (value->kind != JSON_BODY_NUMBERS || value->rank != 1)
        return refuse_value(place, "shape", "must be an array of lengths, as [4, 128]", value);
    if (value->cols > TENSOR_LAYOUT_RANK)
        return refuse(place, "shape", "must have at most 8 lengths");
    layout->rank = value->cols;
    for (size_t i = 0; i < value->cols; i++) {
        char got[JSON_WHOLE_TEXT_SIZE], sentence[WHY_SIZE];

        if (json_whole_length(value, i, &layout->dims[i]))
            continue;
        snprintf(sentence, sizeof sentence, "must have whole lengths, 0..2^53; got %s",
                 json_whole_print(value, i, got));
        return refuse(place, "shape", sentence);
    }
    return true;
}

static bool read_datatype(const struct json_body_value *value, struct tensor_layout *layout,
                          const struct place *place)
{
    layout->type =
        value->kind == JSON_BODY_STRING ? element_type_find_inference(value->text) : NULL;
    return layout->type ||
           refuse_value(
               place, "datatype",
               "must be one of BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, "
               "FP16, BF16, FP32, FP64",
               value);
}

/* Reads the parameters of an input, of which binary_data_size makes it binary. */
static bool read_input_parameters(const struct json_body *body,
                                  const struct json_body_value *object,
                                  struct inference_input *input, const struct place *place)
{
    struct json_body_value at;

    if (object->kind != JSON_BODY_OBJECT)
        return refuse_value(place, "parameters", "must be an object", object);
    for (json_body_walk(body, object, &at); json_body_next(body, &at);) {
        if (inference_word_of(at.name, NULL) == INFERENCE_IGNORED)
            continue;
        if (strcmp(at.name, "binary_data_size") != 0)
            return refuse_parameter(place, at.name);
        if (at.kind != JSON_BODY_NUMBER || !json_whole_length(&at, 0, &input->bytes))
            return refuse_value(place, "binary_data_size", "must be a whole number of bytes",
                                &at);
        input->binary = true;
    }
    return true;
}

static bool read_input_members(const struct json_body *body,
                               const struct json_body_value *object,
                               struct inference_input *input, struct json_body_value *data,
                               const struct place *place)
{
    bool has_shape = false, has_type = false;
    struct json_body_value at;

    for (json_body_walk(body, object, &at); json_body_next(body, &at);) {
        bool ok = true;

        if (strcmp(at.name, "shape") == 0)
            ok = has_shape = read_shape(&at, &input->layout, place);
        else if (strcmp(at.name, "datatype") == 0)
            ok = has_type = read_datatype(&at, &input->layout, place);
        else if (strcmp(at.name, "parameters") == 0 && at.kind != JSON_BODY_NULL)
            ok = read_input_parameters(body, &at, input, place);
        else if (strcmp(at.name, "data") == 0)
            *data = at;
        else if (strcmp(at.name, "name") != 0 && strcmp(at.name, "parameters") != 0)
            ok = refuse(place, "an input",
                        "has name, shape, datatype, parameters and data, and nothing else");
        if (!ok)
            return false;
    }
    if (!has_shape)
        return refuse(place, "shape", "must be there, as [4, 128]");
    return has_type || refuse(place, "datatype", "must be there, as \"FP32\"");
}

static bool read_input(const struct json_body *body, const struct json_body_value *object,
                       struct inference_input *input, struct place *place)
{
    struct json_body_value data = {.kind = JSON_BODY_NULL};
    uint64_t bytes;

    *input = (struct inference_input){0};
    if (!read_name(body, object, place) ||
        !read_input_members(body, object, input, &data, place))
        return false;
    input->name = place->name;
    if (!tensor_layout_bytes(&input->layout, &bytes))
        return refuse(place, "shape", "has more elements than can be counted");
    input->count = bytes / input->layout.type->size;
    if (input->binary == (data.kind != JSON_BODY_NULL))
        return refuse(place, "data",
                      input->binary
                          ? "and binary_data_size exclude each other; send one of them"
                          : "must be there, or binary_data_size and bytes behind the JSON");
    if (input->binary && input->bytes != bytes)
        return why_refuse(
            place->why,
            "inputs %.40s: binary_data_size must be that of its shape and datatype, "
            "%" PRIu64 "; got %" PRIu64,
            place->name, bytes, input->bytes);
    if (input->binary)
        return true;
    input->bytes = bytes;
    return inference_numbers_take(input, &data, place->why);
}

/* ---- outputs ---------------------------------------------------------------------------- */

static bool read_output_parameters(const struct json_body *body,
                                   const struct json_body_value *object,
                                   struct inference_output *output, const struct place *place)
{
    struct json_body_value at;

    if (object->kind == JSON_BODY_NULL)
        return true;
    if (object->kind != JSON_BODY_OBJECT)
        return refuse_value(place, "parameters", "must be an object", object);
    for (json_body_walk(body, object, &at); json_body_next(body, &at);) {
        if (inference_word_of(at.name, NULL) == INFERENCE_IGNORED)
            continue;
        if (strcmp(at.name, "binary_data") != 0)
            return refuse_parameter(place, at.name);
        if (at.kind != JSON_BODY_BOOL)
            return refuse_value(place, "binary_data", "must be true or false", &at);
        output->binary = at.flag;
    }
    return true;
}

static bool read_output(const struct json_body *body, const struct json_body_value *object,
                        struct inference_output *output, struct place *place)
{
    struct json_body_value at;

    if (!read_name(body, object, place))
        return false;
    output->name = place->name;
    for (json_body_walk(body, object, &at); json_body_next(body, &at);) {
        if (strcmp(at.name, "parameters") == 0) {
            if (!read_output_parameters(body, &at, output, place))
                return false;
        } else if (strcmp(at.name, "name") != 0) {
            return refuse(place, "an output", "has name and parameters, and nothing else");
        }
    }
    return true;
}

static bool read_output_item(struct inference_message *message, const struct json_body *body,
                             const struct json_body_value *object, struct place *place)
{
    message->outputs[place->index].binary = message->binary;
    if (!read_output(body, object, &message->outputs[place->index], place))
        return false;
    for (size_t i = 0; i < place->index; i++)
        if (strcmp(message->outputs[i].name, place->name) == 0)
            return why_refuse(place->why, "outputs %.40s: must be named once", place->name);
    return true;
}

/* ---- lists ------------------------------------------------------------------------------ */

static bool read_input_item(struct inference_message *message, const struct json_body *body,
                            const struct json_body_value *object, struct place *place)
{
    return read_input(body, object, &message->inputs[place->index], place);
}

/* A list of the message: its member, the most objects, and how one of them is read. */
struct list {
    const char *name;
    size_t most;
    bool (*read)(struct inference_message *message, const struct json_body *body,
                 const struct json_body_value *object, struct place *place);
};

static const struct list inputs = {"inputs", INFERENCE_INPUTS_MAX, read_input_item};
static const struct list outputs = {"outputs", PE_MAX_OUTPUTS, read_output_item};

/* Reads the objects of a list, and sets *count to their number. */
static bool read_list(const struct list *list, struct inference_message *message,
                      const struct json_body *body, const struct json_body_value *value,
                      size_t *count, char *why)
{
    const size_t items = json_body_item_count(value);
    size_t objects = 0;

    if (!is_list(value))
        return why_refuse(why, "%s must be an array of objects", list->name);
    if (items > list->most)
        return why_refuse(why, "%s must be at most %zu; got %zu", list->name, list->most,
                          items);
    for (size_t i = 0; i < items; i++) {
        struct place place = {.list = list->name, .index = i, .name = "", .why = why};
        struct json_body_value object;

        if (!json_body_item(value, i, &objects, &object))
            return why_refuse(why, "%s[%zu] must be an object", list->name, i);
        if (!list->read(message, body, &object, &place))
            return false;
    }
    *count = items;
    return true;
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool read_parameters(struct inference_message *message, const struct json_body *body,
                            const struct json_body_value *object, char *why)
{
    struct json_body_value form;

    if (object->kind == JSON_BODY_NULL)
        return true;
    if (object->kind != JSON_BODY_OBJECT)
        return why_refuse(why, "parameters must be an object");
    message->has_parameters = true;
    message->parameters = *object;
    if (!json_body_find(body, object, "binary_data_output", &form))
        return true;
    if (form.kind != JSON_BODY_BOOL)
        return why_refuse(why, "binary_data_output must be true or false");
    message->binary = form.flag;
    return true;
}

static bool read_id(struct inference_message *message, const struct json_body_value *id,
                    char *why)
{
    if (id->kind == JSON_BODY_NULL)
        return true;
    if (id->kind != JSON_BODY_STRING)
        return why_refuse(why, "id must be a string");
    message->id = id->text_len > 0 ? id->text : NULL;
    return true;
}

bool inference_message_read(struct inference_message *message, const struct json_body *body,
                            char why[WHY_SIZE])
{
    struct json_body_value at, parameters, wanted = {.kind = JSON_BODY_NULL};

    *message = (struct inference_message){0};
    if (json_body_find(body, NULL, "parameters", &parameters) &&
        !read_parameters(message, body, &parameters, why))
        return false;
    for (json_body_walk(body, NULL, &at); json_body_next(body, &at);) {
        bool ok = true;

        if (strcmp(at.name, "id") == 0)
            ok = read_id(message, &at, why);
        else if (strcmp(at.name, "inputs") == 0 && at.kind != JSON_BODY_NULL)
            ok = read_list(&inputs, message, body, &at, &message->input_count, why);
        else if (strcmp(at.name, "outputs") == 0)
            wanted = at;
        else if (strcmp(at.name, "parameters") != 0 && strcmp(at.name, "inputs") != 0 &&
                 strcmp(at.name, "model_name") != 0 && strcmp(at.name, "model_version") != 0)
            ok = why_refuse(
                why,
                "%.40s is no member of a request; it has id, model_name, model_version, "
                "parameters, inputs and outputs",
                at.name);
        if (!ok)
            return false;
    }
    return wanted.kind == JSON_BODY_NULL ||
           read_list(&outputs, message, body, &wanted, &message->output_count, why);
}
