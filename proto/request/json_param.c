/* SPDX-License-Identifier: Apache-2.0
 * json_param.c - JSON's types into parameters. What a number or a word may be is said by the
 * parameter's own row; here is only what its JSON form may be. */
#include "proto/request/json_param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text/float_text.h"

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

static const struct pe_param *find_param(const struct pe_args *args,
                                         const struct json_body_value *value)
{
    size_t count;
    const struct pe_param *params = pe_params(pe_args_encoding(args), &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(params[i].name, value->name) == 0)
            return &params[i];
    return NULL;
}

/* Which part of a slice the member is, and its value. */
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
        numbers[i] = part->number + 0.0; /* -0 is 0 */
        status = PE_OK;
    }
    json_param_mark(body, part, errors, before);
    return status;
}

/* {"start": 0, "stop": 128, "step": 4} is the slice "0:128:4". */
static enum pe_status set_slice(struct pe_args *args, const struct json_body *body,
                                const struct json_body_value *value, struct pe_errors *errors)
{
    double numbers[SLICE_PARTS] = {0, NAN, 1};
    enum pe_status status = PE_OK;
    struct json_body_value part;

    for (bool more = json_body_first(body, value, &part); more;
         more = json_body_next(body, &part)) {
        enum pe_status read = read_part(body, &part, numbers, errors);
        status = status == PE_OK ? read : status;
    }
    if (status == PE_OK && isnan(numbers[1])) {
        status = pe_fail(errors, PE_MISSING_PARAMETER, value->name,
                         "must have \"stop\", as in {\"start\": 0, \"stop\": 128}");
    }
    if (status != PE_OK)
        return status;
    char text[80];
    int len = snprintf(text, sizeof text, "%.0f:%.0f:%.0f", numbers[0], numbers[1], numbers[2]);
    return pe_args_set_text(args, value->name, value->name_len, text, (size_t)len, errors);
}

static enum pe_status refuse_kind(const struct json_body_value *value,
                                  const struct pe_param *param, struct pe_errors *errors)
{
    if (value->kind == JSON_BODY_NULL) {
        return pe_fail(errors, PE_BAD_VALUE, value->name,
                       "must not be null; leave it out for its default");
    }
    if (param && param->type == PE_POSITIONS) {
        return pe_fail(errors, PE_BAD_VALUE, value->name,
                       "must be positions: \"0:128\", [5, 9, 12] or {\"start\": 0, "
                       "\"stop\": 128, \"step\": 1}");
    }
    return pe_fail(errors, PE_BAD_VALUE, value->name,
                   value->kind == JSON_BODY_OBJECT
                       ? "must not be an object; what is in it are parameters of their own"
                   : value->rank > 2 ? "must not be nested deeper than rows of numbers"
                                     : "must not be an array of anything but numbers; "
                                       "names are joined as in \"cos,sin\"");
}

/* The item of an array that its row forbids, to point at it. */
static int64_t find_wrong(const struct pe_param *param, const struct json_body_value *value)
{
    size_t count = param ? value->rows * value->cols : 0;

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

static enum pe_status set_numbers(struct pe_args *args, const struct json_body *body,
                                  const struct json_body_value *value, struct pe_errors *errors)
{
    size_t before = errors->count;
    char pointer[JSON_BODY_POINTER_SIZE];
    enum pe_status status = pe_args_set_reals(args, value->name, value->name_len,
                                              value->numbers, value->rows, value->cols, errors);

    if (status != PE_OK && errors->count > before) {
        int64_t item = find_wrong(find_param(args, value), value);

        json_body_pointer(body, value, item, pointer);
        put_pointer(&errors->at[before], pointer);
    }
    return status;
}

enum pe_status json_param_set(struct pe_args *args, const struct json_body *body,
                              const struct json_body_value *value, struct pe_errors *errors)
{
    const struct pe_param *param = find_param(args, value);

    switch (value->kind) {
    case JSON_BODY_NUMBER:
        return pe_args_set_number(args, value->name, value->name_len, value->number, errors);
    case JSON_BODY_BOOL:
        return pe_args_set_bool(args, value->name, value->name_len, value->flag, errors);
    case JSON_BODY_STRING:
        return pe_args_set_text(args, value->name, value->name_len, value->text,
                                value->text_len, errors);
    case JSON_BODY_NUMBERS:
        if (value->rank > 2)
            break;
        return set_numbers(args, body, value, errors);
    case JSON_BODY_OBJECT:
        if (!param || param->type != PE_POSITIONS)
            break;
        return set_slice(args, body, value, errors);
    case JSON_BODY_NULL:
    case JSON_BODY_OTHER:
        break;
    }
    return refuse_kind(value, param, errors);
}

enum pe_status json_param_set_option(struct option_values *values, enum option_id id,
                                     const struct json_body_value *value,
                                     struct pe_errors *errors)
{
    char number[FLOAT_TEXT_F64_MAX], list[PE_MAX_RANK * (FLOAT_TEXT_F64_MAX + 1)];
    const char *text = "an array or an object";
    size_t len = strlen(text);

    if (value->kind == JSON_BODY_NULL)
        return refuse_kind(value, NULL, errors);
    if (value->kind == JSON_BODY_STRING) {
        text = value->text;
        len = value->text_len;
    } else if (value->kind == JSON_BODY_NUMBER) {
        text = number;
        len = (size_t)(float_text_f64(number, value->number) - number);
    } else if (value->kind == JSON_BODY_BOOL) {
        text = value->flag ? "true" : "false";
        len = strlen(text);
    } else if (option_at(id)->param.type == PE_REALS && value->kind == JSON_BODY_NUMBERS &&
               value->rank == 1 && value->cols > 0 && value->cols <= PE_MAX_RANK) {
        text = list;
        len = (size_t)(float_text_f64_list(list, value->numbers, value->cols) - list);
    }
    return option_set(values, id, text, len, errors);
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
    /* Names of parameters hold neither "~" nor "/": nothing to escape. */
    char pointer[sizeof problem->parameter + 2];
    snprintf(pointer, sizeof pointer, "#/%s", problem->parameter);
    put_pointer(problem, pointer);
}
