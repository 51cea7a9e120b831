/* SPDX-License-Identifier: Apache-2.0
 * openapi.c - writes the paths: every row of endpoints.def, with /v1/{encoding} expanded into
 * one path for each encoding, so that its parameters have types, bounds and defaults. */
#include "proto/describe/openapi.h"

#include <stdlib.h>
#include <string.h>

#include "proto/describe/catalog.h"
#include "proto/describe/model_text.h"
#include "proto/describe/openapi_components.h"
#include "proto/describe/openapi_verify.h"
#include "proto/describe/schema.h"
#include "proto/http/answer_header.h"
#include "proto/http/content_coding.h"
#include "proto/http/endpoint.h"
#include "proto/http/format.h"
#include "proto/http/problem.h"
#include "proto/request/canonical.h"
#include "proto/request/param_names.h"
#include "proto/request/query.h"
#include "proto/request/request.h"
#include "proto/tensors/tensor_reader.h"

static void add_text(struct buffer *out, const char *text)
{
    buffer_add_json(out, text, strlen(text));
}

/* ---- parameters of an encoding ----------------------------------------------------------- */

/* Returns whether every output needs the parameter: no request works without it. */
static bool always_needed(const struct pe_encoding *enc, const struct pe_param *param)
{
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (!pe_output_requires(&output[i], param))
            return false;
    return true;
}

static const char *example_of(const struct query *example, const char *name)
{
    for (size_t i = 0; i < example->count; i++)
        if (strcmp(example->at[i].name, name) == 0)
            return example->at[i].value;
    return NULL;
}

static void add_parameter(struct buffer *out, const struct pe_encoding *enc,
                          const struct pe_param *param, const struct query *example)
{
    const char *value = example_of(example, param->name);
    bool number = param->type == PE_INT || (param->type == PE_REAL && !param->words);

    buffer_add_format(out, "{\"name\":\"%s\",\"in\":\"query\",\"required\":%s,\"description\":",
                      param->name, always_needed(enc, param) ? "true" : "false");
    add_text(out, pe_param_summary(param));
    buffer_add_text(out, ",\"schema\":");
    schema_write(out, param, SCHEMA_QUERY);
    if (value) {
        buffer_add_text(out, ",\"example\":");
        if (number)
            buffer_add_text(out, value);
        else
            add_text(out, value);
    }
    buffer_add_text(out, "}");
}

static void add_parameters(struct buffer *out, const struct param_names *vocabulary,
                           const struct pe_encoding *enc)
{
    struct pe_errors errors = {0};
    struct query example;
    const char *text = pe_examples(enc)[0];

    if (query_parse(&example, text, strlen(text), &errors) == PE_NO_MEMORY)
        buffer_fail(out);
    buffer_add_text(out, "\"parameters\":[");
    for (size_t i = 0; i < vocabulary->own; i++) {
        add_parameter(out, enc, vocabulary->at[i], &example);
        buffer_add_text(out, ",");
    }
    buffer_add_text(out, "{\"name\":\"out\",\"in\":\"query\",\"description\":");
    add_text(out, vocabulary->out.summary);
    buffer_add_text(out, ",\"schema\":");
    schema_write_list(out, &vocabulary->out);
    buffer_add_text(out, "}");
    for (size_t i = vocabulary->own + 1; i < vocabulary->count; i++)
        buffer_add_format(out, ",{\"$ref\":\"#/components/parameters/%s\"}",
                          vocabulary->at[i]->name);
    buffer_add_text(out, "]");
    query_fini(&example);
}

/* ---- responses and bodies ---------------------------------------------------------------- */

static void add_problems(struct buffer *out, const enum problem_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_add_format(out, ",\"%u\":{\"$ref\":\"#/components/responses/Problem\"}",
                          problem_status(kinds[i]));
}

/* Names the formats in which responses of this encoding have a gzip variant. */
static void add_coding(struct buffer *out, const struct pe_encoding *enc)
{
    buffer_add_format(
        out,
        ",\"Content-Encoding\":{\"schema\":{\"type\":\"string\"},"
        "\"description\":\"gzip where Accept-Encoding wants it, from %d bytes on, of",
        CONTENT_CODING_LEAST);
    for (size_t i = 0; i < format_count(); i++)
        if (content_coding_suits(format_at(i), pe_family_of(enc)))
            buffer_add_format(out, " %s", format_at(i)->name);
    buffer_add_text(out, "\"}");
}

/* Writes every format as a media type of the response. */
static void add_answer(struct buffer *out, const struct pe_encoding *enc,
                       const enum problem_kind *kinds, size_t count)
{
    buffer_add_text(out, "\"responses\":{\"200\":{\"description\":\"The tensors\",\"headers\":{"
                         "\"ETag\":{\"$ref\":\"#/components/headers/ETag\"},"
                         "\"Content-Location\":{\"$ref\":\"#/components/headers/Canonical\"}");
    for (size_t i = 0; i < ANSWER_HEADER_COUNT; i++) {
        const char *name = answer_header_at((enum answer_header_id)i)->name;

        buffer_add_format(out, ",\"%s\":{\"$ref\":\"#/components/headers/%s\"}", name, name);
    }
    add_coding(out, enc);
    buffer_add_text(out, "},\"content\":{");
    for (size_t i = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);
        size_t len = strcspn(format->media_type, ";");

        buffer_add_text(out, i == 0 ? "" : ",");
        buffer_add_json(out, format->media_type, len);
        buffer_add_text(out, ":{\"schema\":");
        if (i == 0) {
            buffer_add_text(out, "{\"$ref\":\"#/components/schemas/Answer\"}");
        } else {
            buffer_add_text(out, "{\"description\":");
            add_text(out, format->summary);
            buffer_add_text(out, "}");
        }
        buffer_add_text(out, "}");
    }
    buffer_add_text(out, "}},\"206\":{\"description\":\"The bytes that Range asks for, of a "
                         "binary format\"},"
                         "\"304\":{\"description\":\"If-None-Match names the answer\"}");
    add_problems(out, kinds, count);
    buffer_add_text(out, "}");
}

/* Writes the parameters of the first example, complete: a body that works. */
static void add_body_example(struct buffer *out, const struct pe_encoding *enc)
{
    struct pe_errors errors = {0};
    struct request *request = request_new(enc);
    const char *query = pe_examples(enc)[0];

    if (!request || request_set_query(request, query, strlen(query), &errors) != PE_OK ||
        request_finish(request, NULL, 0, &errors) != PE_OK) {
        buffer_fail(out); /* out of memory, because examples are right */
    } else {
        buffer_add_text(out, ",\"example\":");
        canonical_write_json(out, request_args(request), &request_options(request)->values, 0);
    }
    request_free(request);
}

/* Writes a format of tensors, with the parameters that it may carry. */
static void add_tensor_body(struct buffer *out, const struct tensor_format *format,
                            const struct pe_encoding *enc)
{
    char names[TENSOR_NAMES_SIZE];
    struct buffer text = {0};

    buffer_add_format(&text, "%s; %s %s", tensor_format_summary(format),
                      tensor_format_is_unnamed(format) ? "it is" : "the names are",
                      tensor_format_is_unnamed(format)
                          ? tensor_param_unnamed(enc)->name
                          : tensor_print_names(enc, names, sizeof names));
    buffer_add_format(
        out, ",\"%s\":{\"schema\":{\"description\":", tensor_format_media_type(format));
    if (text.failed)
        buffer_fail(out);
    else
        buffer_add_json(out, text.bytes, text.len);
    buffer_add_text(out, "}}");
    buffer_fini(&text);
}

static void add_body(struct buffer *out, const struct param_names *vocabulary,
                     const struct pe_encoding *enc)
{
    buffer_add_text(out,
                    "\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{"
                    "\"schema\":{\"type\":\"object\",\"additionalProperties\":false,"
                    "\"properties\":{");
    for (size_t i = 0; i < vocabulary->count; i++) {
        const struct pe_param *param = vocabulary->at[i];

        buffer_add_format(out, "%s\"%s\":", i == 0 ? "" : ",", param->name);
        if (param == &vocabulary->out)
            schema_write_list(out, param);
        else
            schema_write(out, param, SCHEMA_BODY);
    }
    buffer_add_text(out, "}}");
    add_body_example(out, enc);
    buffer_add_text(out, "}");
    for (size_t i = 0; i < tensor_format_count(); i++)
        if (tensor_format_suits(tensor_format_at(i), enc))
            add_tensor_body(out, tensor_format_at(i), enc);
    buffer_add_text(out, "}}");
}

/* Writes "/v1/encodings/{id}" or "rope/apply" as the end of an id: v1_encodings_id. */
static void print_id(char *id, size_t size, const char *path)
{
    size_t len = 0;

    for (const char *c = path; *c != '\0' && len + 1 < size; c++) {
        bool letter = !strchr("/.{}", *c);

        if (letter || (len > 0 && id[len - 1] != '_'))
            id[len++] = letter ? *c : '_';
    }
    len -= len > 0 && id[len - 1] == '_';
    id[len] = '\0';
}

static void add_head(struct buffer *out, const char *verb, const char *name, const char *tag,
                     const char *summary)
{
    char id[64] = "";

    print_id(id, sizeof id, name);
    buffer_add_format(out,
                      "\"%s\":{\"operationId\":\"%s_%s\",\"tags\":[\"%s\"],\"summary\":", verb,
                      verb, id, tag);
    add_text(out, summary);
    buffer_add_text(out, ",");
}

static void add_encoding(struct buffer *out, const struct pe_encoding *enc)
{
    static const enum problem_kind get[] = {PROBLEM_INVALID_PARAMETER, PROBLEM_NOT_ACCEPTABLE,
                                            PROBLEM_RANGE_NOT_SATISFIABLE, PROBLEM_OVERLOADED};
    static const enum problem_kind post[] = {
        PROBLEM_INVALID_PARAMETER, PROBLEM_NOT_ACCEPTABLE, PROBLEM_BODY_TOO_LARGE,
        PROBLEM_UNSUPPORTED_MEDIA_TYPE, PROBLEM_OVERLOADED};
    const char *tag = pe_family_name(pe_family_of(enc));
    struct param_names vocabulary;

    param_names_init(&vocabulary, enc);
    buffer_add_format(out, "\"/v1/%s\":{", pe_name(enc));
    add_head(out, "get", pe_name(enc), tag, pe_summary(enc));
    buffer_add_text(out, "\"description\":");
    add_text(out, pe_source(enc));
    buffer_add_text(out, ",");
    add_parameters(out, &vocabulary, enc);
    buffer_add_text(out, ",");
    add_answer(out, enc, get, sizeof get / sizeof get[0]);
    buffer_add_text(out, "},");
    add_head(out, "post", pe_name(enc), tag, pe_summary(enc));
    buffer_add_text(out, "\"description\":\"The same names as a JSON object; some may stay in "
                         "the query. The QUERY method (RFC 10008) is the same, but safe and "
                         "cacheable.\",");
    add_body(out, &vocabulary, enc);
    buffer_add_text(out, ",");
    add_answer(out, enc, post, sizeof post / sizeof post[0]);
    buffer_add_text(out, "}}");
}

/* ---- the other paths --------------------------------------------------------------------*/

/* The media types of endpoints' 200; JSON for an endpoint without one here. */
static const char *const media_types[ENDPOINT_COUNT] = {
    [ENDPOINT_PROBLEM] = "text/html",  [ENDPOINT_LIVEZ] = "text/plain",
    [ENDPOINT_HEALTHZ] = "text/plain", [ENDPOINT_READYZ] = "text/plain",
    [ENDPOINT_METRICS] = "text/plain",
};

/* The lists whose entries a request may have in part. */
static const struct fields *const fields_of[ENDPOINT_COUNT] = {
    [ENDPOINT_ENCODINGS] = &catalog_fields,
    [ENDPOINT_MODELS] = &model_text_fields,
};

/* Writes every value that the template's {hole} takes. */
static void add_hole(struct buffer *out, const struct endpoint *endpoint, const char *hole)
{
    size_t len = strcspn(hole, "}");
    bool problems = endpoint->id == ENDPOINT_PROBLEM;
    /* An operator may add more models and tables. */
    bool open = endpoint->id == ENDPOINT_MODEL || endpoint->id == ENDPOINT_TABLE;
    size_t count = problems ? PROBLEM_COUNT : open ? 0 : pe_count();

    buffer_add_text(out, "\"parameters\":[{\"name\":");
    buffer_add_json(out, hole, len);
    buffer_add_text(out, ",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"");
    buffer_add_text(out, open ? "" : ",\"enum\":[");
    for (size_t i = 0; i < count; i++)
        buffer_add_format(out, "%s\"%s\"", i == 0 ? "" : ",",
                          problems ? problem_slug((enum problem_kind)i) : pe_name(pe_at(i)));
    buffer_add_text(out, open ? "}}]," : "]}}],");
}

/* Writes a body of any members, because a configuration has its own form. */
static void add_free_body(struct buffer *out)
{
    buffer_add_text(out, "\"requestBody\":{\"required\":true,\"content\":{"
                         "\"application/json\":{\"schema\":{\"type\":\"object\"},"
                         "\"example\":{\"model_type\":\"llama\",\"head_dim\":128,"
                         "\"rope_theta\":500000}}}},");
}

static void add_page(struct buffer *out, const struct endpoint *endpoint)
{
    static const enum problem_kind draining = PROBLEM_DRAINING, missing = PROBLEM_NOT_FOUND,
                                   invalid = PROBLEM_INVALID_PARAMETER;
    static const enum problem_kind verified[] = {
        PROBLEM_INVALID_PARAMETER, PROBLEM_BODY_TOO_LARGE, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
        PROBLEM_OVERLOADED};
    bool post = (endpoint->methods & METHOD_POST) != 0,
         verify = endpoint->id == ENDPOINT_VERIFY;
    const char *hole = strchr(endpoint->path, '{');
    const char *type = media_types[endpoint->id];
    buffer_add_format(out, "\"%s\":{", endpoint->path);
    add_head(out, post ? "post" : "get",
             strcmp(endpoint->path, "/") == 0 ? "root" : endpoint->path, "service",
             endpoint->summary);
    if (hole)
        add_hole(out, endpoint, hole + 1);
    if (fields_of[endpoint->id]) {
        buffer_add_text(out, "\"parameters\":[");
        fields_write_parameter(out, fields_of[endpoint->id]);
        buffer_add_text(out, "],");
    }
    if (verify)
        openapi_verify_write_request(out);
    else if (post)
        add_free_body(out);
    buffer_add_format(out,
                      "\"responses\":{\"200\":{\"description\":\"Found\",\"content\":{"
                      "\"%s\":{%s}}}",
                      !type ? "application/json" : type,
                      verify ? "\"schema\":{\"$ref\":\"#/components/schemas/Verdict\"}" : "");
    if (verify)
        add_problems(out, verified, sizeof verified / sizeof verified[0]);
    else
        add_problems(out, post ? &invalid : hole ? &missing : &draining, 1);
    buffer_add_text(out, "}}}");
}

void openapi_write(struct buffer *out, const char *base)
{
    const char *comma = "";

    buffer_add_format(
        out,
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"posenc\",\"version\":\"%s\","
        "\"summary\":\"Positional encodings and attention biases\","
        "\"description\":\"Every answer is a pure function of the request. HEAD "
        "works wherever GET does, OPTIONS everywhere; QUERY (RFC 10008) wherever "
        "POST does, with the same body.\",\"license\":{\"name\":\"Apache-2.0\","
        "\"identifier\":\"Apache-2.0\"}},\"servers\":[{\"url\":\"%s\"}],"
        "\"security\":[{},{\"key\":[]}],\"paths\":{",
        pe_version(), *base ? base : "/");
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        const struct endpoint *endpoint = endpoint_at(i);

        for (size_t j = 0; endpoint->id == ENDPOINT_ENCODING && j < pe_count(); j++) {
            buffer_add_text(out, comma);
            add_encoding(out, pe_at(j));
            comma = ",";
        }
        /* The paths of encodings have been written. */
        if (!strstr(endpoint->path, "{encoding}") && !(endpoint->access & ENDPOINT_PAGE)) {
            buffer_add_text(out, comma);
            add_page(out, endpoint);
            comma = ",";
        }
    }
    buffer_add_text(out, "},\"components\":");
    openapi_components_write(out);
    buffer_add_text(out, "}\n");
}
