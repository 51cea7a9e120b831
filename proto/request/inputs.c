/* SPDX-License-Identifier: Apache-2.0
 * inputs.c - reads numbers into tensors. The error of a wrong one says what would be right; the
 * readers of the binary formats have checked their bytes before. */
#include "proto/request/inputs.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/request/input_list.h"
#include "proto/request/json_param.h"
#include "proto/text/buffer.h"
#include "proto/text/elements.h"
#include "proto/text/json_numbers.h"
#include "proto/text/json_whole.h"

enum { ECHO_MAX = 40 };

void inputs_init(struct inputs *inputs)
{
    inputs->set.count = inputs->in_body = inputs->text_count = 0;
    inputs->format = NULL;
    inputs->named.tables = NULL;
    inputs->named.count = 0;
    inputs->named.movable = false;
}

void inputs_fini(struct inputs *inputs)
{
    if (inputs->set.count > 0)
        tensor_set_fini(&inputs->set);
    inputs_by_name_fini(&inputs->named);
    for (size_t i = 0; i < inputs->text_count; i++)
        free(inputs->texts[i].text);
}

static enum pe_status no_memory(struct pe_errors *errors)
{
    return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}

/* ---- numbers --------------------------------------------------------------------------- */

/* Adds the tensor of these numbers; there are as many as its shape has elements. */
static enum pe_status put_numbers(struct inputs *inputs, struct pe_args *args,
                                  const struct pe_param *param, const struct pe_tensor *info,
                                  const double *numbers, struct pe_errors *errors)
{
    struct pe_given given = {.kind = PE_GIVEN_TENSOR, .tensor = info};
    enum pe_status status = pe_args_set(args, param, &given, errors);

    if (status != PE_OK)
        return status;
    struct tensor *tensor = tensor_set_add(&inputs->set, param->name, info);
    assert(tensor); /* there is space: its numbers are in memory */
    if (!tensor_set_allocate(&inputs->set))
        return no_memory(errors);
    size_t count = (size_t)tensor->bytes / pe_dtype_size(info->dtype);
    pe_dtype_from_f64(info->dtype, tensor->data, numbers, count);
    if (elements_have_nonfinite(info->dtype, tensor->data, count))
        return pe_fail(errors, PE_OUT_OF_RANGE, param->name,
                       "must have numbers of at most %.6g in size, the largest %s; in_dtype "
                       "chooses another type",
                       -pe_dtype_lowest(info->dtype), pe_dtype_name(info->dtype));
    return PE_OK;
}

/* ---- text ------------------------------------------------------------------------------ */

enum pe_status inputs_put_text(struct inputs *inputs, const struct pe_param *param,
                               const char *text, size_t len, struct pe_errors *errors)
{
    struct input_text *slot = &inputs->texts[inputs->text_count];

    if (inputs->text_count == TENSOR_MAX)
        return pe_fail(errors, PE_TOO_LARGE, param->name,
                       "is one too many: at most %d tensors and names of tables are read",
                       TENSOR_MAX);
    slot->text = malloc(len + 1);
    if (!slot->text)
        return no_memory(errors);
    memcpy(slot->text, text, len);
    slot->text[len] = ';'; /* so that every number is followed by a byte */
    slot->param = param;
    slot->len = len;
    inputs->text_count++;
    return PE_OK;
}

static enum pe_status refuse_text(const struct input_text *text, struct pe_errors *errors)
{
    return pe_fail(errors, PE_BAD_VALUE, text->param->name,
                   "must be numbers such as 1,0,0,1 or rows such as 1,0;0,1; got %.*s%s",
                   (int)(text->len < ECHO_MAX ? text->len : ECHO_MAX), text->text,
                   text->len == 0         ? "nothing"
                   : text->len > ECHO_MAX ? "..."
                                          : "");
}

/* Reads "1,2;3,4", rows of one length. numbers has space for at least len / 2 + 1 numbers. */
static enum pe_status parse(const struct input_text *text, double *numbers, size_t *count,
                            struct pe_tensor *info, struct pe_errors *errors)
{
    const char *at = text->text, *end = at + text->len + 1;
    size_t rows = 0, cols = 0, row_start = 0;

    *count = 0;
    while (at < end) {
        if (json_numbers_f64(at, end, &numbers[*count], &at) != JSON_NUMBERS_OK ||
            (*at != ',' && *at != ';'))
            return refuse_text(text, errors);
        ++*count;
        if (*at++ == ';') {
            cols = rows == 0 ? *count : cols;
            if (*count - row_start != cols)
                return pe_fail(errors, PE_BAD_VALUE, text->param->name,
                               "must have rows of one length; row %zu differs from the first",
                               rows + 1);
            row_start = *count;
            rows++;
        }
    }
    info->rank = rows > 1 ? 2 : 1;
    info->dims[0] = rows > 1 ? rows : cols;
    info->dims[1] = cols;
    return PE_OK;
}

/* Replaces the shape that the rows give by the shape option. */
static enum pe_status reshape(const struct input_text *text, size_t count,
                              const struct option_values *values, struct pe_tensor *info,
                              struct pe_errors *errors)
{
    char shape[OPTION_TEXT_SIZE];
    uint64_t bytes;

    if (values->shape_rank == 0)
        return PE_OK; /* no shape was given, or it was wrong and has been refused */
    info->rank = values->shape_rank;
    memcpy(info->dims, values->shape, sizeof info->dims);
    if (!tensor_bytes(info, &bytes) || bytes / pe_dtype_size(info->dtype) != count)
        return pe_fail(errors, PE_CONFLICT, "shape",
                       "must have as many elements as %s has numbers, %zu; got %s",
                       text->param->name, count, option_print(values, OPTION_SHAPE, shape));
    return PE_OK;
}

/* Gives the tensor its spelling, whose rows end with semicolons; the canonical form contains
 * the shape too if rows cannot express it. */
static enum pe_status spell(const struct input_text *text, const double *numbers, size_t count,
                            struct pe_args *args, const struct pe_tensor *info,
                            struct option_values *values, struct pe_errors *errors)
{
    struct buffer spelling = {0};
    bool rows = info->rank == 2 && info->dims[0] > 1;

    values->said[OPTION_IN_DTYPE] = true;
    values->said[OPTION_SHAPE] |= info->rank > 1 && !rows;
    for (size_t i = 0; i < count; i++) {
        char number[FLOAT_TEXT_F64_MAX];

        buffer_add_text(&spelling, i == 0 ? "" : rows && i % info->dims[1] == 0 ? ";" : ",");
        buffer_add(&spelling, number, (size_t)(float_text_f64(number, numbers[i]) - number));
    }
    enum pe_status status =
        spelling.failed
            ? no_memory(errors)
            : pe_args_spell_tensor(args, text->param, spelling.bytes, spelling.len, errors);
    buffer_fini(&spelling);
    return status;
}

static enum pe_status read_text(struct inputs *inputs, const struct input_text *text,
                                struct pe_args *args, struct option_values *values,
                                struct pe_errors *errors)
{
    struct pe_tensor info = {.dtype = (enum pe_dtype)values->value[OPTION_IN_DTYPE]};

    if (inputs_by_name_is(text->param, text->text, text->len))
        return inputs_by_name_read(&inputs->named, text->param, text->text, text->len, args,
                                   errors);
    double *numbers = malloc((text->len / 2 + 1) * sizeof *numbers);
    size_t count = 0;
    enum pe_status status = !numbers ? no_memory(errors) : PE_OK;
    if (status == PE_OK)
        status = parse(text, numbers, &count, &info, errors);
    if (status == PE_OK)
        status = reshape(text, count, values, &info, errors);
    if (status == PE_OK)
        status = put_numbers(inputs, args, text->param, &info, numbers, errors);
    if (status == PE_OK)
        status = spell(text, numbers, count, args, &info, values, errors);
    free(numbers);
    return status;
}

/* ---- JSON ------------------------------------------------------------------------------ */

static enum pe_status refuse_json(const struct pe_param *param, struct pe_errors *errors)
{
    return pe_fail(errors, PE_BAD_VALUE, param->name,
                   "must be nested arrays of numbers, or {\"shape\": [2, 2], \"data\": [1, 0, "
                   "0, 1]}");
}

static bool read_shape(const struct json_body_value *value, struct pe_tensor *info)
{
    if (value->kind != JSON_BODY_NUMBERS || value->rank != 1 || value->cols > PE_MAX_RANK)
        return false;
    info->rank = value->cols;
    for (size_t i = 0; i < value->cols; i++)
        if (!json_whole_length(value, i, &info->dims[i]))
            return false;
    return true;
}

/* Reads {"shape": ..., "data": ...}, in which the nesting of the data is ignored. */
static enum pe_status read_object(const struct pe_param *param, const struct json_body *body,
                                  const struct json_body_value *value, struct pe_tensor *info,
                                  struct json_body_value *data, struct pe_errors *errors)
{
    struct json_body_value member;
    bool has_shape = false, has_data = false;
    uint64_t bytes;

    for (json_body_walk(body, value, &member); json_body_next(body, &member);) {
        if (strcmp(member.name, "data") == 0 && member.kind == JSON_BODY_NUMBERS) {
            *data = member;
            has_data = true;
        } else if (strcmp(member.name, "shape") == 0 && read_shape(&member, info)) {
            has_shape = true;
        } else {
            return refuse_json(param, errors);
        }
    }
    if (!has_shape || !has_data)
        return refuse_json(param, errors);
    uint64_t count = (uint64_t)data->rows * data->cols;
    if (!tensor_bytes(info, &bytes) || bytes / pe_dtype_size(info->dtype) != count)
        return pe_fail(errors, PE_BAD_VALUE, param->name,
                       "must have as many numbers in \"data\" as \"shape\" has elements; got "
                       "%" PRIu64,
                       count);
    return PE_OK;
}

enum pe_status inputs_put_json(struct inputs *inputs, struct pe_args *args,
                               const struct pe_param *param, enum pe_dtype in_dtype,
                               const struct json_body *body,
                               const struct json_body_value *value, struct pe_errors *errors)
{
    struct pe_tensor info = {.dtype = in_dtype};
    struct json_body_value data = *value;
    enum pe_status status = PE_OK;

    switch (value->kind) {
    case JSON_BODY_NUMBERS:
        info.rank = value->rank;
        memcpy(info.dims, value->dims, sizeof info.dims);
        break;
    case JSON_BODY_OBJECT:
        status = read_object(param, body, value, &info, &data, errors);
        break;
    case JSON_BODY_STRING: /* inputs_put_text reads strings */
    case JSON_BODY_NUMBER:
    case JSON_BODY_BOOL:
    case JSON_BODY_NULL:
    case JSON_BODY_OTHER:
        status = refuse_json(param, errors);
        break;
    }
    inputs->in_body++;
    return status == PE_OK ? put_numbers(inputs, args, param, &info, data.numbers, errors)
                           : status;
}

/* ---- all tensors ------------------------------------------------------------------------ */

enum pe_status inputs_put_tensor(struct inputs *inputs, struct pe_args *args,
                                 const struct pe_param *param, struct tensor *tensor,
                                 struct pe_errors *errors)
{
    struct pe_given given = {.kind = PE_GIVEN_TENSOR, .tensor = &tensor->info};

    if (param->type != PE_TENSOR)
        return input_list_set(args, param, &tensor->info, tensor->data, errors);
    enum pe_status status = pe_args_set(args, param, &given, errors);
    assert(inputs->set.count < TENSOR_MAX);
    if (status == PE_OK) {
        struct tensor *kept = &inputs->set.at[inputs->set.count++];

        *kept = *tensor;
        snprintf(kept->name, sizeof kept->name, "%s", param->name);
        tensor->data = NULL;
        inputs->in_body++;
    }
    return status;
}

/* Checks in_dtype or shape: the body needs the option, or the option has no effect because
 * the body holds the type or shape itself, or because the encoding takes lists alone. */
static void check_option(const struct inputs *inputs, const struct pe_encoding *enc,
                         enum option_id id, bool has_effect, const struct option_values *values,
                         struct pe_errors *errors)
{
    bool needed = inputs->format && tensor_format_is_headerless(inputs->format);
    const char *name = option_at(id)->param.name;

    if (needed == values->given[id])
        return;
    if (needed)
        pe_fail(errors, PE_MISSING_PARAMETER, name,
                "is required in the query: a body of %s does not contain it",
                tensor_format_media_type(inputs->format));
    else if (!has_effect && (inputs->format || inputs->in_body > 0))
        pe_fail(errors, PE_CONFLICT, name,
                "has no effect: the body has its own %s; leave it out",
                id == OPTION_SHAPE ? "shape" : "dtype");
    else if (tensor_param_unnamed(enc)->type == PE_REALS)
        pe_fail(errors, PE_CONFLICT, name,
                "has no effect: only a body of octets needs it; leave it out");
}

enum pe_status inputs_finish(struct inputs *inputs, struct pe_args *args,
                             struct option_values *values, struct pe_errors *errors)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    enum pe_status status = PE_OK;
    size_t before = errors->count;
    bool json = !inputs->format && inputs->in_body > 0, numbers = false;

    for (size_t i = 0; i < inputs->text_count; i++) {
        const struct input_text *text = &inputs->texts[i];

        numbers |= !inputs_by_name_is(text->param, text->text, text->len);
    }
    check_option(inputs, enc, OPTION_IN_DTYPE, json || numbers, values, errors);
    check_option(inputs, enc, OPTION_SHAPE, numbers, values, errors);
    status = errors->count > before ? errors->at[before].status : PE_OK;
    for (size_t i = 0; i < inputs->text_count; i++) {
        enum pe_status read = read_text(inputs, &inputs->texts[i], args, values, errors);

        status = status == PE_OK ? read : status;
    }
    return status;
}

void inputs_list(const struct inputs *inputs, const struct pe_encoding *enc,
                 const void *input[TENSOR_MAX])
{
    size_t count, next = 0;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++) {
        if (params[i].type != PE_TENSOR)
            continue;
        assert(next < TENSOR_MAX);
        input[next] = inputs_by_name_find(&inputs->named, &params[i]);
        for (size_t j = 0; j < inputs->set.count; j++)
            if (strcmp(inputs->set.at[j].name, params[i].name) == 0)
                input[next] = inputs->set.at[j].data;
        next++;
    }
}
