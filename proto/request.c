/* SPDX-License-Identifier: Apache-2.0
 * request.c - who may set which name, once; then everything is checked at once and the
 * request gets its canonical form, its tag and its plan. */
#include "proto/request.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/accept.h"
#include "proto/canonical.h"
#include "proto/format.h"
#include "proto/limit.h"
#include "proto/member.h"
#include "proto/models.h"
#include "proto/query.h"
#include "proto/text/buffer.h"
#include "proto/vocabulary.h"

struct given { /* a known name that was given */
    const char *name;
    bool in_body;
};

struct request {
    const struct pe_encoding *enc;
    struct pe_args *args;
    const struct models *models;
    struct request_options options;
    struct given given[VOCABULARY_MAX];
    size_t given_count;
    bool has_body;
    char *key; /* what the tag is made of; the canonical form is its end */
    size_t canonical_at, key_len;
    char etag[40];
};

struct request *request_new(const struct pe_encoding *enc)
{
    struct request *request = calloc(1, sizeof *request);
    struct pe_args *args = pe_args_new(enc);
    if (request == NULL || args == NULL) {
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
    if (request != NULL) {
        pe_args_free(request->args);
        free(request->key);
        free(request);
    }
}

void request_set_models(struct request *request, const struct models *models)
{
    request->models = models;
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

const char *request_canonical(const struct request *request, size_t *len)
{
    assert(request->key != NULL);
    if (len != NULL) {
        *len = request->key_len - request->canonical_at;
    }
    return request->key + request->canonical_at;
}

const char *request_etag(const struct request *request)
{
    assert(request->key != NULL);
    return request->etag;
}

/* ---- setting -------------------------------------------------------------------------- */

/* The name is known and was not given before; from now on it is given. */
static enum pe_status claim(struct request *request, const char *name, size_t len, bool in_body,
                            struct pe_errors *errors)
{
    if (len == 0) {
        return pe_fail(errors, PE_BAD_VALUE, NULL, "a parameter has no name");
    }
    const char *known = vocabulary_find(request->enc, name, len);
    if (known == NULL) {
        return vocabulary_refuse(request->enc, name, len, errors);
    }
    for (size_t i = 0; i < request->given_count; i++) {
        if (request->given[i].name == known) {
            return pe_fail(errors, PE_REPEATED_PARAMETER, known,
                           request->given[i].in_body != in_body
                               ? "is given in the query and in the body; give it once"
                               : "is given twice; give it once");
        }
    }
    request->given[request->given_count++] = (struct given){known, in_body};
    return PE_OK;
}

enum pe_status request_set_text(struct request *request, const char *name, size_t name_len,
                                const char *text, size_t len, struct pe_errors *errors)
{
    enum pe_status status = claim(request, name, name_len, false, errors);
    if (status != PE_OK) {
        return status;
    }
    enum option_id option = option_find(name, name_len);
    if (option != OPTION_COUNT) {
        return option_set(&request->options.values, option, text, len, errors);
    }
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

enum pe_status request_set_json(struct request *request, const struct json_body *body,
                                struct pe_errors *errors)
{
    enum pe_status status = PE_OK;
    size_t members = 0;
    struct body_value value;
    request->has_body = true;
    for (bool more = json_body_first(body, NULL, &value); more;
         more = json_body_next(body, &value)) {
        members++;
    }
    if (members > QUERY_MAX_PARAMETERS) {
        return query_refuse_many(members, errors);
    }
    for (bool more = json_body_first(body, NULL, &value); more;
         more = json_body_next(body, &value)) {
        size_t before = errors->count;
        enum pe_status set = claim(request, value.name, value.name_len, true, errors);
        enum option_id option = option_find(value.name, value.name_len);
        if (set == PE_OK && option != OPTION_COUNT) {
            set = member_set_option(&request->options.values, option, &value, errors);
        } else if (set == PE_OK) {
            set = member_set(request->args, body, &value, errors);
        }
        member_mark(body, &value, errors, before);
        status = status == PE_OK ? set : status;
    }
    return status;
}

/* ---- checking ------------------------------------------------------------------------- */

/* A problem found by a rule belongs to the body if its parameter came from there, or is
 * missing from it. */
static void mark(const struct request *request, struct pe_errors *errors, size_t before)
{
    for (size_t i = before; request->has_body && i < errors->count; i++) {
        char *parameter = errors->at[i].parameter;
        bool in_query = parameter[0] == '\0';
        for (size_t j = 0; j < request->given_count; j++) {
            in_query |=
                strcmp(request->given[j].name, parameter) == 0 && !request->given[j].in_body;
        }
        if (!in_query) {
            member_mark_name(&errors->at[i]);
        }
    }
}

/* The problem is about the parameter: "dim", "#/dim" or "#/dim/3". */
static bool is_about(const struct pe_problem *problem, const char *name)
{
    const char *at = problem->parameter;
    at += strncmp(at, "#/", 2) == 0 ? 2 : 0;
    size_t len = strlen(name);
    return strncmp(at, name, len) == 0 && (at[len] == '\0' || at[len] == '/');
}

/* A parameter that was given but could not be read is not missing as well. */
static void drop_echoes(struct pe_errors *errors, size_t before)
{
    size_t kept = before;
    for (size_t i = before; i < errors->count; i++) {
        bool echo = false;
        for (size_t j = 0; j < before; j++) {
            echo |= errors->at[i].status == PE_MISSING_PARAMETER &&
                    is_about(&errors->at[j], errors->at[i].parameter);
        }
        if (!echo) {
            errors->at[kept++] = errors->at[i];
        }
    }
    errors->count = kept;
}

static void check_options(const struct request *request, struct pe_errors *errors)
{
    const struct option_values *values = &request->options.values;
    char format[OPTION_TEXT_SIZE];
    option_print(values, OPTION_FORMAT, format);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = option_at(i);
        if (values->given[i] && option->only_format != NULL &&
            strcmp(option->only_format, format) != 0) {
            pe_fail(errors, PE_CONFLICT, option->param.name,
                    "has no effect with format=%s, only with format=%s; leave it out", format,
                    option->only_format);
        }
    }
    unsigned rev = pe_revision(request->enc);
    if (values->given[OPTION_REV] && values->value[OPTION_REV] != 0 &&
        values->value[OPTION_REV] != (int64_t)rev) {
        pe_fail(errors, PE_OUT_OF_RANGE, "rev",
                "must be %u, the current revision of %s; got %" PRId64, rev,
                pe_name(request->enc), values->value[OPTION_REV]);
    }
}

/* The settings of the model that was named, in place of the defaults. */
static enum pe_status expand_model(struct request *request, struct pe_errors *errors)
{
    const struct option_values *values = &request->options.values;
    struct models_layer layer = {.index = -1};
    if (!values->given[OPTION_MODEL]) {
        for (size_t i = OPTION_LAYER; i <= OPTION_LAYER_TYPE; i++) {
            if (values->given[i]) {
                pe_fail(errors, PE_CONFLICT, option_at(i)->param.name,
                        "has no effect without model; leave it out");
            }
        }
        return PE_OK;
    }
    if (values->model[0] == '\0') {
        return PE_BAD_VALUE; /* it could not be read, which is said already */
    }
    const struct model *model =
        models_find(request->models, values->model, strlen(values->model));
    if (model == NULL) {
        return models_refuse(request->models, values->model, strlen(values->model), errors);
    }
    if (values->given[OPTION_LAYER]) {
        layer.index = values->value[OPTION_LAYER];
    }
    if (values->layer_type[0] != '\0') {
        layer.type = values->layer_type;
    }
    const struct model_use *use = models_choose(model, request->enc, &layer, errors);
    const char *given[VOCABULARY_MAX];
    for (size_t i = 0; i < request->given_count; i++) {
        given[i] = request->given[i].name;
    }
    return use == NULL ? PE_BAD_VALUE
                       : models_apply(use, request->args, given, request->given_count, errors);
}

/* A format for one tensor was chosen, and several are wanted. */
static void check_single(const struct request *request, struct pe_errors *errors)
{
    size_t wanted[PE_MAX_OUTPUTS], outputs;
    size_t count = pe_args_wanted(request->args, wanted);
    const struct pe_output *output = pe_outputs(request->enc, &outputs);
    struct buffer names = {0};
    if (!request->options.format->single || count == 1) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        buffer_add_format(&names, "%s%s", i == 0 ? "" : ", ", output[wanted[i]].name);
    }
    if (names.failed) {
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        return;
    }
    pe_fail(errors, PE_CONFLICT, "out",
            "must name one tensor, because format=%s holds one; choose one of %s",
            request->options.format->name, names.bytes);
    pe_hint(errors, "out=%s, or format=%s for several", output[wanted[0]].name,
            format_binary(count)->name);
    buffer_fini(&names);
}

/* The key: "rope 1 1 /v1/rope?...", of which the tag is a hash and the canonical form a part.
 */
static enum pe_status write_key(struct request *request, struct pe_errors *errors)
{
    struct buffer key = {0};
    buffer_add_format(&key, "%s %u %u ", pe_name(request->enc), pe_revision(request->enc),
                      request->options.format->wire_version);
    size_t canonical_at = key.len;
    canonical_write(&key, request->args, &request->options.values);
    char *bytes = buffer_take(&key, &request->key_len);
    if (bytes == NULL) {
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    XXH128_hash_t hash = XXH3_128bits(bytes, request->key_len);
    snprintf(request->etag, sizeof request->etag, "\"%016" PRIx64 "%016" PRIx64 "\"",
             (uint64_t)hash.high64, (uint64_t)hash.low64);
    request->key = bytes;
    request->canonical_at = canonical_at;
    return PE_OK;
}

enum pe_status request_finish(struct request *request, const char *accept, size_t accept_len,
                              struct pe_errors *errors)
{
    struct request_options *options = &request->options;
    struct option_values *values = &options->values;
    size_t before = errors->count;
    assert(request->key == NULL);
    options->format_given = values->given[OPTION_FORMAT];
    options->format = options->format_given ? format_at((size_t)values->value[OPTION_FORMAT])
                                            : accept_choose(accept, accept_len);
    if (options->format != NULL) {
        values->value[OPTION_FORMAT] = (int64_t)format_index(options->format);
        check_options(request, errors);
    }
    options->data = (enum request_data)values->value[OPTION_DATA];
    options->pretty = values->value[OPTION_PRETTY] != 0;
    options->rev_pinned = values->given[OPTION_REV];
    options->named = values->given[OPTION_MODEL];
    if (expand_model(request, errors) == PE_OK &&
        pe_args_check(request->args, errors) == PE_OK && options->format != NULL) {
        check_single(request, errors);
    }
    drop_echoes(errors, before);
    mark(request, errors, before);
    if (errors->count > 0) {
        return errors->at[0].status;
    }
    return options->format == NULL ? PE_OK : write_key(request, errors);
}

/* ---- planning ------------------------------------------------------------------------- */

enum pe_status request_plan(const struct request *request, struct pe_plan **plan,
                            struct pe_table *table, const struct request_limits *limits,
                            struct pe_errors *errors)
{
    const struct format *format = request->options.format;
    struct pe_limits allowed = {limits->max_elements, limits->max_prepared};
    struct pe_plan *made = NULL;
    assert(request->key != NULL);
    if (!format->binary && limits->max_text_elements < allowed.max_elements) {
        allowed.max_elements = limits->max_text_elements;
    }
    size_t before = errors->count;
    enum pe_status status = pe_plan_new(&made, request->args, table, &allowed, errors);
    if (status == PE_OK && !format->binary) {
        status = limit_check_text(made, allowed.max_elements, errors);
    }
    if (status == PE_OK && format->check != NULL) {
        status = format->check(made, request, errors);
    }
    if (status != PE_OK) {
        limit_hint(request, limits, errors);
        mark(request, errors, before);
        pe_plan_free(made);
        return status;
    }
    *plan = made;
    return PE_OK;
}
