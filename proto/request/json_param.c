/* SPDX-License-Identifier: Apache-2.0
 * json_param.c - turns JSON types into values of parameters. The parameter's row decides which
 * numbers and words are right; this file decides which JSON types are. */
#include "proto/request/json_param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SLICE_PARTS = 3 };

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
                                const struct json_body_value *part, double numbers[SLICE_PARTS],
                                struct pe_errors *errors)
{
    enum pe_status status = PE_BAD_VALUE;
    size_t before = errors->count, i = 0;

    while (i < SLICE_PARTS && strcmp(slice_parts[i], part->name) != 0)
        i++;
    if (i == SLICE_PARTS) {
        status = pe_fail(errors, PE_UNKNOWN_PARAMETER, part->name,
                         "unknown member of positions; they have start, stop and step");
    } else if (part->kind != JSON_BODY_NUMBER || part->number != floor(part->number) ||
               fabs(part->number) > 0x1p53) {
        pe_fail(errors, PE_BAD_VALUE, part->name, "must be a whole number, -2^53..2^53");
    } else {
        numbers[i] = part->number + 0.0; /* -0 becomes 0 */
        status = PE_OK;
    }
    json_param_mark(body, part, errors, before);
    return status;
}

/* Reads {"start": 0, "stop": 128, "step": 4} as the slice "0:128:4". */
static enum pe_status read_slice(struct json_param *read, const struct json_body *body,
                                 const struct json_body_value *value, struct pe_errors *errors)
{
    double numbers[SLICE_PARTS] = {0, NAN, 1};
    enum pe_status status = PE_OK;
    struct json_body_value part;

    for (bool more = json_body_first(body, value, &part); more;
         more = json_body_next(body, &part)) {
        enum pe_status found = read_part(body, &part, numbers, errors);
        status = status == PE_OK ? found : status;
    }
    if (status == PE_OK && isnan(numbers[1]))
        status = pe_fail(errors, PE_MISSING_PARAMETER, value->name,
                         "must have \"stop\", as in {\"start\": 0, \"stop\": 128}");
    if (status != PE_OK)
        return status;
    int len = snprintf(read->slice, sizeof read->slice, "%.0f:%.0f:%.0f", numbers[0],
                       numbers[1], numbers[2]);
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

        if (wrong)
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
        given->kind = PE_GIVEN_NUMBER;
        given->number = value->number;
        return PE_OK;
    case JSON_BODY_BOOL:
        given->text = value->flag ? "true" : "false";
        given->len = strlen(given->text);
        return PE_OK;
    case JSON_BODY_STRING:
        return PE_OK;
    case JSON_BODY_NUMBERS:
        if (value->rank > 2)
            break;
        given->kind = PE_GIVEN_REALS;
        given->values = value->numbers;
        given->rows = value->rows;
        given->cols = value->cols;
        return PE_OK;
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
