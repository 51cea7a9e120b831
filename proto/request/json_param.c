/* SPDX-License-Identifier: Apache-2.0
 * json_param.c - turns JSON types into values of parameters. The parameter's row decides which
 * numbers and words are right; this file decides which JSON types are. */
#include "proto/request/json_param.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/args/args_parse.h"
#include "proto/text/json_got.h"
#include "proto/text/json_whole.h"

enum { SLICE_PARTS = 3 };

/* Ends and steps of slices are whole, and as large as in the text of a slice; the positions
 * between them are judged by core. */
#define SLICE_MAX (INT64_C(1) << 62)
struct slice {
    int64_t at[SLICE_PARTS]; /* start, stop, step */
    bool has_stop;
};

static const char *const slice_parts[SLICE_PARTS] = {"start", "stop", "step"};

static void put_pointer(struct pe_problem *problem, const char *pointer)
{
    if (strncmp(problem->parameter, "#/", 2) != 0) {
        size_t len = strnlen(pointer, sizeof problem->parameter - 1); /* cut if longer */

        memcpy(problem->parameter, pointer, len);
        problem->parameter[len] = '\0';
    }
}

/* Reads one part of a slice: "start", "stop" or "step". */
static enum pe_status read_part(const struct json_body *body,
                                const struct json_body_value *part, struct slice *slice,
                                struct pe_errors *errors)
{
    enum pe_status status = PE_BAD_VALUE;
    size_t before = errors->count, i = 0;
    char got[JSON_GOT_SIZE];
    int64_t whole;

    while (i < SLICE_PARTS && strcmp(slice_parts[i], part->name) != 0)
        i++;
    if (i == SLICE_PARTS) {
        status = pe_fail(errors, PE_UNKNOWN_PARAMETER, part->name,
                         "unknown member of positions; they have start, stop and step");
    } else if (part->kind != JSON_BODY_NUMBER || !json_whole_get(part, 0, &whole) ||
               whole > SLICE_MAX || whole < -SLICE_MAX) {
        pe_fail(errors, PE_BAD_VALUE, part->name, "must be a whole number, -2^62..2^62; got %s",
                json_got(part, got));
    } else {
        slice->at[i] = whole;
        slice->has_stop |= i == 1;
        status = PE_OK;
    }
    json_param_mark(body, part, errors, before);
    return status;
}

/* Reads {"start": 0, "stop": 128, "step": 4} as the slice "0:128:4". */
static enum pe_status read_slice(struct json_param *read, const struct json_body *body,
                                 const struct json_body_value *value, struct pe_errors *errors)
{
    struct slice slice = {.at = {0, 0, 1}};
    enum pe_status status = PE_OK;
    struct json_body_value part;

    for (json_body_walk(body, value, &part); json_body_next(body, &part);) {
        enum pe_status found = read_part(body, &part, &slice, errors);
        status = status == PE_OK ? found : status;
    }
    if (status == PE_OK && !slice.has_stop)
        status = pe_fail(errors, PE_MISSING_PARAMETER, value->name,
                         "must have \"stop\", as in {\"start\": 0, \"stop\": 128}");
    if (status != PE_OK)
        return status;
    int len = snprintf(read->slice, sizeof read->slice, "%" PRId64 ":%" PRId64 ":%" PRId64,
                       slice.at[0], slice.at[1], slice.at[2]);
    read->given = (struct pe_given){.text = read->slice, .len = (size_t)len};
    return PE_OK;
}

/* Reads ["cos", "sin"] as the text "cos,sin"; false if an item is no name, or they are too long
 * to be names of choices. */
static bool read_names(struct json_param *read, const struct json_body_value *value)
{
    size_t len = 0, count = json_body_item_count(value);

    for (size_t i = 0; i < count; i++) {
        const char *name = json_body_item_text(value, i);
        size_t name_len = name ? strlen(name) : 0;

        if (name_len == 0 || strchr(name, ',') || len + 1 + name_len >= sizeof read->names)
            return false;
        if (i > 0)
            read->names[len++] = ',';
        memcpy(read->names + len, name, name_len);
        len += name_len;
    }
    read->given = (struct pe_given){.text = read->names, .len = len};
    return true;
}

static enum pe_status refuse_fraction(const struct pe_param *param, struct pe_errors *errors)
{
    return pe_fail(
        errors, PE_OUT_OF_RANGE, param->name,
        "must not have a number with a fraction at 2^53 and beyond, where doubles are "
        "whole");
}

static enum pe_status refuse_kind(const struct json_body_value *value,
                                  const struct pe_param *param, struct pe_errors *errors)
{
    if (param->type == PE_POSITIONS)
        return pe_fail(errors, PE_BAD_VALUE, value->name,
                       "must be positions: \"0:128\", [5, 9, 12] or {\"start\": 0, "
                       "\"stop\": 128, \"step\": 1}");
    return pe_fail(errors, PE_BAD_VALUE, value->name,
                   value->kind == JSON_BODY_OBJECT
                       ? "must not be an object; what is in it are parameters of their own"
                   : value->rank > 2 ? "must not be nested deeper than rows of numbers"
                   : param->type == PE_CHOICE
                       ? "must be a name, or an array of names, as [\"cos\", \"sin\"]"
                       : "must not be an array of anything but numbers");
}

/* Returns whether number i of the value is another one as a double, where the row says that its
 * numbers are taken exactly. */
static bool is_inexact(const struct pe_param *param, const struct json_body_value *value,
                       size_t i)
{
    return value->rests && value->rests[i] != 0 && args_parse_is_exact(param);
}

/* Gives a number alone: as text if no double holds it, so that its row judges all digits. */
static enum pe_status give_number(struct json_param *read, const struct pe_param *param,
                                  const struct json_body_value *value, struct pe_errors *errors)
{
    read->given.kind = PE_GIVEN_NUMBER;
    read->given.number = value->number;
    if (!is_inexact(param, value, 0))
        return PE_OK;
    if (value->rests[0] == JSON_WHOLE_FRACTION)
        return refuse_fraction(param, errors);
    read->given.kind = PE_GIVEN_TEXT;
    read->given.text = json_whole_print(value, 0, read->slice);
    read->given.len = strlen(read->slice);
    return PE_OK;
}

/* Refuses a number of an array, with the sentence that it gets alone. */
static enum pe_status refuse_item(const struct pe_param *param, const char *number,
                                  struct pe_errors *errors)
{
    union {
        struct pe_reals reals;
        struct pe_positions *positions;
    } field = {{0}};
    enum pe_status status = pe_parse_text(param, &field, number, strlen(number), errors);

    pe_parse_drop(param, &field);
    return status != PE_OK ? status
                           : pe_fail(errors, PE_OUT_OF_RANGE, param->name,
                                     "must have numbers below 2^63 in size; got %s", number);
}

/* Gives an array, unless one of its numbers is another one as a double. */
static enum pe_status give_numbers(struct json_param *read, const struct pe_param *param,
                                   const struct json_body_value *value,
                                   struct pe_errors *errors)
{
    const size_t count = value->rests ? value->rows * value->cols : 0;

    read->given = (struct pe_given){.kind = PE_GIVEN_REALS,
                                    .values = value->numbers,
                                    .rows = value->rows,
                                    .cols = value->cols};
    for (size_t i = 0; i < count; i++) {
        if (!is_inexact(param, value, i))
            continue;
        return value->rests[i] == JSON_WHOLE_FRACTION
                   ? refuse_fraction(param, errors)
                   : refuse_item(param, json_whole_print(value, i, read->slice), errors);
    }
    return PE_OK;
}

/* Returns the index of the array's number that the row forbids, for the error's pointer. */
static int64_t find_wrong(const struct pe_param *param, const struct json_body_value *value)
{
    size_t count = value->rows * value->cols;

    for (size_t i = 0; i < count; i++) {
        double x = value->numbers[i];
        bool wrong = param->type == PE_POSITIONS
                         ? fabs(x) > 0x1p53 || (!param->fractions && x != floor(x))
                         : param->type == PE_REALS && (x > param->max || x < param->min ||
                                                       (param->above_min && x == param->min));

        if (wrong || is_inexact(param, value, i))
            return (int64_t)i;
    }
    return JSON_BODY_NO_ITEM;
}

enum pe_status json_param_read(struct json_param *read, const struct pe_param *param,
                               const struct json_body *body,
                               const struct json_body_value *value, struct pe_errors *errors)
{
    struct pe_given *given = &read->given;

    *given = (struct pe_given){.text = value->text, .len = value->text_len};
    switch (value->kind) {
    case JSON_BODY_NUMBER:
        return give_number(read, param, value, errors);
    case JSON_BODY_BOOL:
        given->text = value->flag ? "true" : "false";
        given->len = strlen(given->text);
        return PE_OK;
    case JSON_BODY_STRING:
        return PE_OK;
    case JSON_BODY_NUMBERS:
        if (value->rank > 2)
            break;
        return give_numbers(read, param, value, errors);
    case JSON_BODY_OBJECT:
        if (param->type != PE_POSITIONS)
            break;
        return read_slice(read, body, value, errors);
    case JSON_BODY_OTHER:
        if (param->type != PE_CHOICE || !read_names(read, value))
            break;
        return PE_OK;
    case JSON_BODY_NULL: /* the caller leaves it out */
        break;
    }
    return refuse_kind(value, param, errors);
}

void json_param_mark_item(const struct pe_param *param, const struct json_body *body,
                          const struct json_body_value *value, struct pe_problem *problem)
{
    char pointer[JSON_BODY_POINTER_SIZE];

    json_body_pointer(body, value, find_wrong(param, value), pointer);
    put_pointer(problem, pointer);
}

void json_param_mark(const struct json_body *body, const struct json_body_value *value,
                     struct pe_errors *errors, size_t before)
{
    char pointer[JSON_BODY_POINTER_SIZE];

    json_body_pointer(body, value, JSON_BODY_NO_ITEM, pointer);
    for (size_t i = before; i < errors->count; i++)
        put_pointer(&errors->at[i], pointer);
}

void json_param_mark_name(struct pe_problem *problem)
{
    /* Names of parameters contain neither "~" nor "/", so that nothing needs an escape. */
    char pointer[sizeof problem->parameter + 2];
    snprintf(pointer, sizeof pointer, "#/%s", problem->parameter);
    put_pointer(problem, pointer);
}
