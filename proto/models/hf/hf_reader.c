/* SPDX-License-Identifier: Apache-2.0
 * hf_reader.c - look-ups that find contradictions, and the store of texts. */
#include "proto/models/hf/hf_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/text/json_whole.h"

const char *hf_reader_keep(struct hf_reader *reader, const char *text, size_t len)
{
    struct hf_text *kept = malloc(sizeof *kept + len + 1);

    if (!kept) {
        pe_fail(reader->errors, PE_NO_MEMORY, NULL, "out of memory");
        return "";
    }
    memcpy(kept->bytes, text, len);
    kept->bytes[len] = '\0';
    kept->next = reader->config->texts;
    reader->config->texts = kept;
    return kept->bytes;
}

enum { SENTENCE_MAX = 300 };

void hf_reader_note(struct hf_reader *reader, const char *format, ...)
{
    char text[SENTENCE_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < reader->config->note_count; i++)
        if (strcmp(reader->config->notes[i], text) == 0)
            return;
    if (reader->config->note_count == HF_NOTES_MAX)
        return;
    if (reader->config->note_count == HF_NOTES_MAX - 1)
        snprintf(text, sizeof text, "there is more to say than %d notes", HF_NOTES_MAX);
    reader->config->notes[reader->config->note_count++] =
        hf_reader_keep(reader, text, strlen(text));
}

void hf_reader_fail(struct hf_reader *reader, const struct json_body_value *value,
                    enum pe_status status, const char *format, ...)
{
    char text[SENTENCE_MAX], pointer[JSON_BODY_POINTER_SIZE] = "";
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (value)
        json_body_pointer(reader->body, value, JSON_BODY_NO_ITEM, pointer);
    pe_fail(reader->errors, status, pointer[0] != '\0' ? pointer : NULL, "%s", text);
}

void hf_reader_refuse_many(struct hf_reader *reader, const struct json_body_value *value,
                           const char *things, size_t count, size_t most)
{
    struct pe_errors *errors = reader->errors;
    size_t before = errors->count;

    hf_reader_fail(reader, value, PE_TOO_LARGE, "at most %zu %s are read", most, things);
    if (errors->count > before) {
        errors->at[before].limit = most;
        errors->at[before].requested = count;
    }
}

/* ---- look-ups --------------------------------------------------------------------------- */

static bool find(const struct hf_reader *reader, const struct json_body_value *object,
                 const char *name, struct json_body_value *value)
{
    return json_body_find(reader->body, object ? object : reader->outer, name, value) &&
           value->kind != JSON_BODY_NULL;
}

/* Returns whether a problem with the member has been added. */
static bool is_told(const struct hf_reader *reader, const struct json_body_value *value)
{
    char pointer[JSON_BODY_POINTER_SIZE];
    size_t i = 0;

    json_body_pointer(reader->body, value, JSON_BODY_NO_ITEM, pointer);
    while (i < reader->errors->count &&
           strncmp(reader->errors->at[i].parameter, pointer,
                   sizeof reader->errors->at[i].parameter - 1) != 0)
        i++;
    return i < reader->errors->count;
}

/* Refuses a number that is read and that no double holds, once. */
static void check_exact(struct hf_reader *reader, const struct json_body_value *value)
{
    const size_t count = value->kind == JSON_BODY_NUMBER ? 1 : value->rows * value->cols;
    char got[JSON_WHOLE_TEXT_SIZE];
    size_t i = 0;

    while (value->rests && i < count && value->rests[i] == 0)
        i++;
    if (!value->rests || i == count || is_told(reader, value))
        return;
    hf_reader_fail(reader, value, PE_OUT_OF_RANGE,
                   "must have whole numbers that float64 holds, as all up to 2^53; got %s",
                   json_whole_print(value, i, got));
}

/* Returns whether a number outside of the nested part is of another part, or of all parts
 * together, as CLAP's num_hidden_layers. */
static bool is_of_whole(const char *name)
{
    return strcmp(name, "hidden_size") == 0 || strcmp(name, "num_hidden_layers") == 0;
}

bool hf_reader_find(struct hf_reader *reader, const struct json_body_value *object,
                    const char *name, struct json_body_value *value)
{
    struct json_body_value outer;
    const bool nested = !object && reader->nested && find(reader, &reader->inner, name, value);

    if (!nested && !find(reader, object, name, value))
        return false;
    hf_reads_add(&reader->reads, value->name);
    check_exact(reader, value);
    if (nested && value->kind == JSON_BODY_NUMBER && !is_of_whole(name) &&
        find(reader, NULL, name, &outer) && outer.kind == JSON_BODY_NUMBER &&
        outer.number != value->number && !is_told(reader, &outer))
        hf_reader_fail(reader, &outer, PE_CONFLICT, "is %g here and %g in %s; make them agree",
                       outer.number, value->number, reader->inner.name);
    return true;
}

bool hf_reader_peek(const struct hf_reader *reader, const char *name,
                    struct json_body_value *value)
{
    return (reader->nested && find(reader, &reader->inner, name, value)) ||
           find(reader, NULL, name, value);
}

bool hf_reader_is_null(const struct hf_reader *reader, const char *name)
{
    struct json_body_value value;

    return (reader->nested && json_body_find(reader->body, &reader->inner, name, &value) &&
            value.kind == JSON_BODY_NULL) ||
           (json_body_find(reader->body, reader->outer, name, &value) &&
            value.kind == JSON_BODY_NULL);
}

bool hf_reader_number(struct hf_reader *reader, const struct json_body_value *object,
                      const char *name, double *number)
{
    struct json_body_value value;

    if (!hf_reader_find(reader, object, name, &value))
        return false;
    if (value.kind != JSON_BODY_NUMBER || !isfinite(value.number) || value.number < 0) {
        hf_reader_fail(reader, &value, PE_BAD_VALUE, "must be a number, 0 or above");
        return false;
    }
    *number = value.number;
    return true;
}

bool hf_reader_number_of(struct hf_reader *reader, const struct json_body_value *object,
                         const char *const *names, double *number)
{
    const char *first = NULL;

    for (; *names; names++) {
        double here;
        struct json_body_value value;

        if (!hf_reader_number(reader, object, *names, &here))
            continue;
        if (first && here != *number) {
            (void)hf_reader_find(reader, object, *names, &value);
            hf_reader_fail(reader, &value, PE_CONFLICT,
                           "is %g and %s is %g, but they say the same thing; make them agree",
                           here, first, *number);
        } else if (!first) {
            first = *names;
            *number = here;
        }
    }
    return first != NULL;
}

bool hf_reader_integer_of(struct hf_reader *reader, const char *const *names, double *number)
{
    struct json_body_value value;
    double here;

    if (!hf_reader_number_of(reader, NULL, names, &here))
        return false;
    if (here != trunc(here)) {
        while (!hf_reader_find(reader, NULL, *names, &value))
            names++;
        hf_reader_fail(reader, &value, PE_BAD_VALUE, "must be a whole number; got %g", here);
        return false;
    }
    *number = here;
    return true;
}

bool hf_reader_default(struct hf_reader *reader, const char *key, double *number)
{
    if (!hf_class_default(reader->class, key, number))
        return false;
    hf_reader_note(reader, "%s is absent: %.10g is taken, as for every %s", key, *number,
                   reader->class->name);
    return true;
}

bool hf_reader_is(struct hf_reader *reader, const char *name, bool flag)
{
    struct json_body_value value;

    if (!hf_reader_find(reader, NULL, name, &value))
        return false;
    if (value.kind != JSON_BODY_BOOL)
        hf_reader_note(reader, "%.60s is not read: it must be true or false", name);
    return value.kind == JSON_BODY_BOOL && value.flag == flag;
}

const char *hf_reader_text(struct hf_reader *reader, const char *name)
{
    struct json_body_value value;

    return hf_reader_find(reader, NULL, name, &value) && value.kind == JSON_BODY_STRING
               ? value.text
               : NULL;
}

/* ---- uses ------------------------------------------------------------------------------- */

struct model_use *hf_reader_use(struct hf_reader *reader, const char *encoding,
                                const char *layer_type)
{
    struct model *model = &reader->config->model;

    if (model->use_count == HF_USES_MAX) {
        hf_reader_refuse_many(reader, NULL, "layer types", HF_USES_MAX + 1, HF_USES_MAX);
        return NULL;
    }
    struct model_use *use = &reader->config->uses[model->use_count];
    *use = (struct model_use){.encoding = encoding,
                              .layer_type = layer_type,
                              .settings = reader->config->settings[model->use_count]};
    model->use_count++;
    return use;
}

struct model_use *hf_reader_beside(struct hf_reader *reader, const struct json_body_value *from,
                                   const char *encoding, const char *layer_type)
{
    struct hf_config *config = reader->config;
    struct model *model = &config->model;
    char pointer[JSON_BODY_POINTER_SIZE];

    if (model->beside_count == HF_BESIDES_MAX)
        return NULL;
    size_t row = HF_USES_MAX + model->beside_count;
    struct model_use *use = &config->uses[row];
    *use = (struct model_use){.encoding = encoding,
                              .layer_type = layer_type,
                              .settings = config->settings[row]};
    json_body_pointer(reader->body, from, JSON_BODY_NO_ITEM, pointer);
    config->besides[model->beside_count++] =
        (struct model_beside){hf_reader_keep(reader, pointer, strlen(pointer)), use};
    model->besides = config->besides;
    return use;
}

void hf_reader_drop(struct hf_reader *reader)
{
    reader->config->model.beside_count--;
}

void hf_reader_set(struct hf_reader *reader, struct model_use *use, const char *name,
                   const char *text)
{
    size_t row = (size_t)(use - reader->config->uses);

    if (use->count < HF_SETTINGS_MAX)
        reader->config->settings[row][use->count++] = (struct model_setting){name, text};
}

void hf_reader_set_number(struct hf_reader *reader, struct model_use *use, const char *name,
                          double number)
{
    char text[FLOAT_TEXT_F64_MAX];

    if (!isfinite(number)) { /* the number follows from a value that was refused already */
        hf_reader_fail(reader, NULL, PE_OUT_OF_RANGE, "%s must be a finite number", name);
        return;
    }
    size_t len = (size_t)(float_text_f64(text, number) - text);
    hf_reader_set(reader, use, name, hf_reader_keep(reader, text, len));
}
