/* SPDX-License-Identifier: Apache-2.0
 * request.c - who may set which name, once; then everything is checked at once and the
 * request gets its canonical form, its tag and its plan. */
#include "proto/request/request.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/accept.h"
#include "proto/http/format.h"
#include "proto/models/models.h"
#include "proto/request/inputs_by_name.h"
#include "proto/request/json_param.h"
#include "proto/request/query.h"
#include "proto/request/request_parts.h"
#include "proto/request/text_limit.h"
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
        free(request);
    }
}

void request_set_models(struct request *request, const struct models *models)
{
    request->models = models;
}

void request_set_tables(struct request *request, const struct tables *tables)
{
    request->inputs.tables = tables;
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

bool request_is_packable(const struct request *request)
{
    return content_coding_suits(request->options.format, pe_family_of(request->enc)) &&
           !request_has_tensors(request);
}

/* ---- setting -------------------------------------------------------------------------- */

/* The name is known and was not given before; from now on it is given. */
static enum pe_status claim(struct request *request, const char *name, size_t len, bool in_body,
                            struct pe_errors *errors)
{
    if (len == 0)
        return pe_fail(errors, PE_BAD_VALUE, NULL, "a parameter has no name");
    const char *known = param_names_find(request->enc, name, len);
    if (!known)
        return param_names_refuse(request->enc, name, len, errors);
    for (size_t i = 0; i < request->given_count; i++) {
        if (request->given[i].name == known) {
            return pe_fail(errors, PE_REPEATED_PARAMETER, known,
                           request->given[i].in_body != in_body
                               ? "is given in the query and in the body; give it once"
                               : "is given twice; give it once");
        }
    }
    request->given[request->given_count++] = (struct request_given){known, in_body};
    return PE_OK;
}

/* The parameter of that name, if it is a tensor. */
static const struct pe_param *find_tensor(const struct request *request, const char *name,
                                          size_t len)
{
    const char *known = param_names_find(request->enc, name, len);

    return !known ? NULL : tensor_param(request->enc, known);
}

/* The parameter of that name, if this text of it is read when all is given: a tensor's, or a
 * stored table's name. */
static const struct pe_param *find_deferred(const struct request *request, const char *name,
                                            size_t name_len, const char *text, size_t len)
{
    size_t count;
    const struct pe_param *params = pe_params(request->enc, &count);

    for (size_t i = 0; i < count; i++)
        if (word_is(params[i].name, name, name_len) &&
            (params[i].type == PE_TENSOR || inputs_by_name_is(&params[i], text, len)))
            return &params[i];
    return NULL;
}

enum pe_status request_set_text(struct request *request, const char *name, size_t name_len,
                                const char *text, size_t len, struct pe_errors *errors)
{
    enum pe_status status = claim(request, name, name_len, false, errors);

    if (status != PE_OK)
        return status;
    enum option_id option = option_find(name, name_len);
    if (option != OPTION_COUNT)
        return option_set(&request->options.values, option, text, len, errors);
    const struct pe_param *deferred = find_deferred(request, name, name_len, text, len);
    if (deferred)
        return inputs_put_text(&request->inputs, deferred, text, len, errors);
    return pe_args_set_text(request->args, name, name_len, text, len, errors);
}

enum pe_status request_set_query(struct request *request, const char *query, size_t len,
                                 struct pe_errors *errors)
{
    struct query parsed;
    enum pe_status status = query_parse(&parsed, query, len, errors);

    for (size_t i = 0; i < parsed.count; i++) {
        const struct query_parameter *parameter = &parsed.at[i];
        enum pe_status set = request_set_text(request, parameter->name, parameter->name_len,
                                              parameter->value, parameter->value_len, errors);

        status = status == PE_OK ? set : status;
    }
    query_fini(&parsed);
    return status;
}

static enum pe_status set_member(struct request *request, const struct json_body *body,
                                 const struct json_body_value *value, struct pe_errors *errors)
{
    struct option_values *values = &request->options.values;
    enum option_id option = option_find(value->name, value->name_len);

    if (option != OPTION_COUNT)
        return json_param_set_option(values, option, value, errors);
    const struct pe_param *tensor = find_tensor(request, value->name, value->name_len);
    const struct pe_param *deferred =
        value->kind == JSON_BODY_STRING
            ? find_deferred(request, value->name, value->name_len, value->text, value->text_len)
            : NULL;
    if (deferred) {
        return inputs_put_text(&request->inputs, deferred, value->text, value->text_len,
                               errors);
    }
    if (tensor) {
        return inputs_put_json(&request->inputs, request->args, tensor,
                               (enum pe_dtype)values->value[OPTION_IN_DTYPE], body, value,
                               errors);
    }
    return json_param_set(request->args, body, value, errors);
}

/* The members that are options, or all others. */
static enum pe_status set_members(struct request *request, const struct json_body *body,
                                  bool options, struct pe_errors *errors)
{
    enum pe_status status = PE_OK;
    struct json_body_value value;

    for (bool more = json_body_first(body, NULL, &value); more;
         more = json_body_next(body, &value)) {
        size_t before = errors->count;

        if ((option_find(value.name, value.name_len) != OPTION_COUNT) != options)
            continue;
        enum pe_status set = claim(request, value.name, value.name_len, true, errors);
        if (set == PE_OK)
            set = set_member(request, body, &value, errors);
        json_param_mark(body, &value, errors, before);
        status = status == PE_OK ? set : status;
    }
    return status;
}

enum pe_status request_set_json(struct request *request, const struct json_body *body,
                                struct pe_errors *errors)
{
    size_t members = 0;
    struct json_body_value value;

    request->has_body = true;
    for (bool more = json_body_first(body, NULL, &value); more;
         more = json_body_next(body, &value))
        members++;
    if (members > QUERY_MAX_PARAMETERS)
        return query_refuse_many(members, errors);
    /* Options first: in_dtype says what the numbers of a tensor become. */
    enum pe_status options = set_members(request, body, true, errors);
    enum pe_status others = set_members(request, body, false, errors);
    return options != PE_OK ? options : others;
}

/* ---- tensors -------------------------------------------------------------------------- */

enum pe_status request_set_tensors(struct request *request, const struct tensor_format *format,
                                   struct tensor_set *set, struct pe_errors *errors)
{
    enum pe_status status = PE_OK;

    request->inputs.format = format;
    for (size_t i = 0; i < set->count; i++) {
        struct tensor *tensor = &set->at[i];
        enum pe_status put = claim(request, tensor->name, strlen(tensor->name), true, errors);

        if (put == PE_OK)
            put = inputs_put_tensor(&request->inputs, request->args, tensor, errors);
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

struct pe_tensor request_told(const struct pe_encoding *enc, const char *query, size_t len)
{
    struct pe_tensor told = {.rank = 0};
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(enc);

    if (!request)
        return told;
    const struct option_values *values = &request->options.values;
    request_set_query(request, query, len, &errors);
    told.dtype = (enum pe_dtype)values->value[OPTION_IN_DTYPE];
    if (values->given[OPTION_IN_DTYPE] && errors.count == 0) {
        told.rank = values->shape_rank;
        memcpy(told.dims, values->shape, sizeof told.dims);
    }
    request_free(request);
    return told;
}

/* ---- checking ------------------------------------------------------------------------- */

enum pe_status request_finish(struct request *request, const char *accept, size_t accept_len,
                              struct pe_errors *errors)
{
    struct request_options *options = &request->options;
    struct option_values *values = &options->values;

    assert(!request->key);
    options->format_given = values->given[OPTION_FORMAT];
    options->format = options->format_given ? format_at((size_t)values->value[OPTION_FORMAT])
                                            : accept_choose(accept, accept_len);
    if (options->format)
        values->value[OPTION_FORMAT] = (int64_t)format_index(options->format);
    options->data = (enum request_data)values->value[OPTION_DATA];
    options->pretty = values->value[OPTION_PRETTY] != 0;
    options->rev_pinned = values->given[OPTION_REV];
    options->named = values->given[OPTION_MODEL];
    request_check(request, errors);
    options->named |= request->inputs.movable;
    if (errors->count > 0)
        return errors->at[0].status;
    return !options->format ? PE_OK : request_write_key(request, errors);
}

/* ---- planning ------------------------------------------------------------------------- */

enum pe_status request_plan(const struct request *request, struct pe_plan **plan,
                            struct pe_table *table, const struct request_limits *limits,
                            struct pe_errors *errors)
{
    const struct format *format = request->options.format;
    struct pe_limits allowed = {.max_elements = limits->max_elements,
                                .max_prepared = limits->max_prepared,
                                .reserve = limits->reserve,
                                .context = limits->context,
                                .brief = limits->brief,
                                .max_operations = limits->max_operations,
                                .stop = limits->stop};
    struct pe_plan *made = NULL;

    assert(request->key);
    if (!format->binary && limits->max_text_elements < allowed.max_elements)
        allowed.max_elements = limits->max_text_elements;
    size_t before = errors->count;
    enum pe_status status = pe_plan_new(&made, request->args, table, &allowed, errors);
    if (status == PE_OK && !format->binary)
        status = text_limit_check_text(made, allowed.max_elements, errors);
    if (status == PE_OK && format->check)
        status = format->check(made, request, errors);
    if (status != PE_OK) {
        text_limit_hint(request, limits, errors);
        request_check_mark(request, errors, before);
        pe_plan_free(made);
        return status;
    }
    *plan = made;
    return PE_OK;
}
