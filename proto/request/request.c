/* SPDX-License-Identifier: Apache-2.0
 * request.c - gives each name its value, at most once; then checks everything at once and gives
 * the request its canonical form and its tag. */
#include "proto/request/request.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "proto/models/models.h"
#include "proto/request/json_param.h"
#include "proto/request/query.h"
#include "proto/request/request_internal.h"
#include "proto/text/word.h"

struct request *request_new(const struct pe_encoding *enc)
{
    struct request *request = calloc(1, sizeof *request);
    struct pe_args *args = pe_args_new(enc);

    if (!request || !args) {
        free(request);
        pe_args_free(args);
        return NULL;
    }
    request->enc = enc;
    request->args = args;
    request->models = models_embedded();
    option_init(&request->options.values);
    return request;
}

void request_free(struct request *request)
{
    if (request) {
        pe_args_free(request->args);
        inputs_fini(&request->inputs);
        free(request->key);
        if (request->free_context)
            request->free_context(request->format_context);
        free(request);
    }
}

void request_set_models(struct request *request, const struct models *models)
{
    request->models = models;
}

void request_set_tables(struct request *request, const struct tables *tables)
{
    request->inputs.named.tables = tables;
}

const struct pe_encoding *request_encoding(const struct request *request)
{
    return request->enc;
}

const struct request_options *request_options(const struct request *request)
{
    return &request->options;
}

struct pe_args *request_args(const struct request *request)
{
    return request->args;
}

bool request_has_gzip(const struct request *request)
{
    return content_coding_suits(request->options.format, pe_family_of(request->enc)) &&
           request_is_cached(request);
}

/* ---- setting -------------------------------------------------------------------------- */

static enum pe_status refuse_name(const struct request *request, const char *name, size_t len,
                                  struct pe_errors *errors)
{
    return len == 0 ? pe_fail(errors, PE_BAD_VALUE, NULL, "a parameter has no name")
                    : param_names_refuse(request->enc, name, len, errors);
}

static const char *name_of(const struct request_given *given)
{
    return given->spelling ? given->spelling->name : given->param->name;
}

/* Records that the parameter is given, and refuses one that has been given before. */
static enum pe_status record(struct request *request, const struct request_given *given,
                             struct pe_errors *errors)
{
    const struct request_given *before = request->given;

    while (before < request->given + request->given_count && before->param != given->param)
        before++;
    if (before == request->given + request->given_count) {
        request->given[request->given_count++] = *given;
        return PE_OK;
    }
    if (before->spelling != given->spelling)
        return pe_fail(errors, PE_REPEATED_PARAMETER, given->param->name,
                       "is given twice, as %s and as %s; give it once", name_of(before),
                       name_of(given));
    return pe_fail(errors, PE_REPEATED_PARAMETER, given->param->name,
                   before->in_body != given->in_body
                       ? "is given in the query and in the body; give it once"
                       : "is given twice; give it once");
}

/* Finds the parameter of the name in a query or a body; .param is NULL if there is none. */
static struct request_given find_given(const struct request *request, const char *name,
                                       size_t len, bool in_body)
{
    struct request_given given = {.param = param_names_find(request->enc, name, len),
                                  .in_body = in_body};

    if (given.param && !word_is(given.param->name, name, len))
        given.spelling = pe_spelling_find(request->enc, name, len);
    return given;
}

static bool is_dtype(const struct pe_param *param)
{
    return param && strcmp(param->name, "dtype") == 0;
}

/* Numbers of a text are doubles where doubles are asked for, unless in_dtype says otherwise. */
static void take_doubles(struct option_values *values, const struct pe_given *dtype)
{
    enum pe_dtype asked;

    if (dtype->kind == PE_GIVEN_TEXT && pe_dtype_find(dtype->text, dtype->len, &asked) &&
        asked == PE_F64 && !values->given[OPTION_IN_DTYPE])
        values->value[OPTION_IN_DTYPE] = PE_F64;
}

static enum pe_status set_value(struct request *request, const struct pe_param *param,
                                const struct pe_given *given, struct pe_errors *errors)
{
    enum option_id option = option_of(param);

    if (option != OPTION_COUNT)
        return option_set(&request->options.values, option, given, errors);
    /* Numbers of a tensor and names of stored tables are read when everything is given. */
    if (given->kind == PE_GIVEN_TEXT &&
        (param->type == PE_TENSOR || inputs_by_name_is(param, given->text, given->len)))
        return inputs_put_text(&request->inputs, param, given->text, given->len, errors);
    if (is_dtype(param))
        take_doubles(&request->options.values, given);
    return pe_args_set(request->args, param, given, errors);
}

enum pe_status request_give(struct request *request, const char *name, size_t name_len,
                            const struct pe_given *given, struct pe_errors *errors)
{
    struct request_given found = find_given(request, name, name_len, true);
    enum pe_status status = found.param ? record(request, &found, errors)
                                        : refuse_name(request, name, name_len, errors);

    return status == PE_OK ? set_value(request, found.param, given, errors) : status;
}

bool request_is_given(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->given_count; i++)
        if (strcmp(request->given[i].param->name, name) == 0)
            return true;
    return false;
}

enum pe_status request_set_text(struct request *request, const char *name, size_t name_len,
                                const char *text, size_t len, struct pe_errors *errors)
{
    struct request_given given = find_given(request, name, name_len, false);
    enum pe_status status = given.param ? record(request, &given, errors)
                                        : refuse_name(request, name, name_len, errors);

    if (status != PE_OK)
        return status;
    return set_value(request, given.param, &(struct pe_given){.text = text, .len = len},
                     errors);
}

enum pe_status request_set_query(struct request *request, const char *query, size_t len,
                                 struct pe_errors *errors)
{
    struct query parsed;
    enum pe_status status = query_parse_joined(&parsed, request->enc, query, len, errors);

    for (size_t i = 0; i < parsed.count; i++) {
        const struct query_parameter *parameter = &parsed.at[i];
        enum pe_status set = request_set_text(request, parameter->name, parameter->name_len,
                                              parameter->value, parameter->value_len, errors);

        status = status == PE_OK ? set : status;
    }
    query_fini(&parsed);
    return status;
}

static enum pe_status set_member(struct request *request, const struct request_given *given,
                                 const struct json_body *body,
                                 const struct json_body_value *value, struct pe_errors *errors)
{
    const struct pe_param *param = given->param;
    struct json_param read;
    size_t before = errors->count;

    if (value->kind == JSON_BODY_NULL) /* as if it were left out */
        return PE_OK;
    enum pe_status status = record(request, given, errors);
    if (status != PE_OK)
        return status;
    if (param->type == PE_TENSOR && value->kind != JSON_BODY_STRING) {
        int64_t in_dtype = request->options.values.value[OPTION_IN_DTYPE];

        return inputs_put_json(&request->inputs, request->args, param, (enum pe_dtype)in_dtype,
                               body, value, errors);
    }
    status = json_param_read(&read, param, body, value, errors);
    if (status == PE_OK)
        status = set_value(request, param, &read.given, errors);
    if (read.given.kind == PE_GIVEN_REALS && errors->count > before)
        json_param_mark_item(param, body, value, &errors->at[before]);
    return status;
}

/* Sets a member whose name was looked up, and gives its problems a JSON pointer. */
static enum pe_status set_found(struct request *request, const struct request_given *given,
                                const struct json_body *body,
                                const struct json_body_value *value, struct pe_errors *errors)
{
    size_t before = errors->count;
    enum pe_status status = given->param
                                ? set_member(request, given, body, value, errors)
                                : refuse_name(request, value->name, value->name_len, errors);

    json_param_mark(body, value, errors, before);
    return status;
}

enum pe_status request_set_member(struct request *request, const struct json_body *body,
                                  const struct json_body_value *value, struct pe_errors *errors)
{
    struct request_given given = find_given(request, value->name, value->name_len, true);

    return set_found(request, &given, body, value, errors);
}

enum pe_status request_set_json(struct request *request, const struct json_body *body,
                                struct pe_errors *errors)
{
    return request_set_object(request, body, NULL, errors);
}

enum pe_status request_set_object(struct request *request, const struct json_body *body,
                                  const struct json_body_value *object,
                                  struct pe_errors *errors)
{
    struct request_given given[QUERY_MAX_PARAMETERS];
    size_t members = 0;
    enum pe_status status = PE_OK;
    struct json_body_value value;

    request->has_body = true;
    for (json_body_walk(body, object, &value); json_body_next(body, &value);)
        members++;
    if (members > QUERY_MAX_PARAMETERS)
        return query_refuse_many(members, errors);
    /* Options are set first: in_dtype and dtype decide the type of a tensor's numbers. */
    for (int pass = 0; pass < 2; pass++) {
        size_t i = 0;

        for (json_body_walk(body, object, &value); json_body_next(body, &value); i++) {
            if (pass == 0)
                given[i] = find_given(request, value.name, value.name_len, true);
            const struct pe_param *param = given[i].param;
            const bool first = param && (option_of(param) != OPTION_COUNT || is_dtype(param));
            if (first != (pass == 0))
                continue;
            enum pe_status set = set_found(request, &given[i], body, &value, errors);
            status = status == PE_OK ? set : status;
        }
    }
    return status;
}

/* ---- tensors -------------------------------------------------------------------------- */

enum pe_status request_set_tensors(struct request *request, const struct tensor_format *format,
                                   struct tensor_set *set, struct pe_errors *errors)
{
    enum pe_status status = PE_OK;

    request->inputs.format = format;
    for (size_t i = 0; i < set->count; i++) {
        struct tensor *tensor = &set->at[i];
        struct request_given given =
            find_given(request, tensor->name, strlen(tensor->name), true);
        enum pe_status put = record(request, &given, errors);

        if (put == PE_OK)
            put =
                inputs_put_tensor(&request->inputs, request->args, given.param, tensor, errors);
        status = status == PE_OK ? put : status;
    }
    tensor_set_fini(set);
    return status;
}

bool request_has_tensors(const struct request *request)
{
    return request->inputs.in_body > 0;
}

uint64_t request_held(const struct request *request)
{
    return tensor_set_bytes(&request->inputs.set);
}

void request_inputs(const struct request *request, const void *input[TENSOR_MAX])
{
    inputs_list(&request->inputs, request->enc, input);
}

struct pe_tensor request_headerless_tensor(const struct pe_encoding *enc, const char *query,
                                           size_t len)
{
    struct pe_tensor tensor = {.rank = 0};
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(enc);

    if (!request)
        return tensor;
    const struct option_values *values = &request->options.values;
    request_set_query(request, query, len, &errors);
    tensor.dtype = (enum pe_dtype)values->value[OPTION_IN_DTYPE];
    if (values->given[OPTION_IN_DTYPE] && errors.count == 0) {
        tensor.rank = values->shape_rank;
        memcpy(tensor.dims, values->shape, sizeof tensor.dims);
    }
    request_free(request);
    return tensor;
}

/* ---- checking ------------------------------------------------------------------------- */

enum pe_status request_finish(struct request *request, const char *accept, size_t accept_len,
                              struct pe_errors *errors)
{
    struct request_options *options = &request->options;
    const struct option_values *values = &options->values;

    assert(!request->key);
    request_format_choose(request, accept, accept_len);
    options->data = (enum request_data)values->value[OPTION_DATA];
    options->pretty = values->value[OPTION_PRETTY] != 0;
    options->rev_pinned = values->given[OPTION_REV];
    options->named = values->given[OPTION_MODEL];
    request_check(request, errors);
    options->named |= request->inputs.named.movable;
    if (errors->count > 0)
        return errors->at[0].status;
    return !options->format ? PE_OK : request_write_key(request, errors);
}
