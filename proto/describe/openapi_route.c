/* SPDX-License-Identifier: Apache-2.0
 * openapi_route.c - see openapi_route.h. */
#include "proto/describe/openapi_route.h"

#include <assert.h>
#include <string.h>

#include "proto/batch/batch_answer.h"
#include "proto/describe/catalog.h"
#include "proto/describe/model_text.h"
#include "proto/describe/openapi_name.h"
#include "proto/describe/openapi_responses.h"
#include "proto/describe/openapi_verify.h"
#include "proto/http/format.h"
#include "proto/output/model_param.h"
#include "proto/tensors/tensor_reader.h"

struct route {
    enum endpoint_id endpoint;
    enum endpoint_method method;
    const char *tag;
    const char *answer; /* a schema, or with a slash a media type; NULL: no body */
    const char *body;   /* a schema, or "tensors"; NULL: none */
    const char *description;
};

static const struct route routes[] = {
#define ROUTE(ENDPOINT, METHOD, TAG, ANSWER, BODY, DESCRIPTION)                                \
    {                                                                                          \
        ENDPOINT_##ENDPOINT                                                                    \
        , METHOD_##METHOD, TAG, ANSWER, BODY, DESCRIPTION                                      \
    }                                                                                          \
    ,
#include "proto/describe/openapi_routes.def"
#undef ROUTE
};
enum { ROUTES = sizeof routes / sizeof routes[0] };

/* The lists whose entries a request may have in part. */
static const struct fields *const fields_of[ENDPOINT_COUNT] = {
    [ENDPOINT_ENCODINGS] = &catalog_fields,
    [ENDPOINT_MODELS] = &model_text_fields,
};

static void add_text(struct buffer *out, const char *text)
{
    buffer_add_json(out, text, strlen(text));
}

static const char *verb_of(enum endpoint_method method)
{
    switch (method) {
    case METHOD_POST:
        return "post";
    case METHOD_PUT:
        return "put";
    case METHOD_DELETE:
        return "delete";
    default:
        return "get";
    }
}

/* ---- parameters -------------------------------------------------------------------------- */

/* Writes the parameters of all tables of a model, behind that of the path. Any parameter of an
 * encoding of the model is taken besides. */
static void add_tables_parameters(struct buffer *out)
{
    static const char others[] =
        ",{\"name\":\"parameters\",\"in\":\"query\",\"style\":\"form\",\"explode\":true,"
        "\"description\":\"further parameters of encodings, each for every table that "
        "depends on it: grid=16x16\",\"schema\":{\"type\":\"object\","
        "\"additionalProperties\":{\"type\":\"string\"}}}";

    for (size_t i = 0; i < MODEL_PARAM_COUNT; i++) {
        const struct model_param *param = model_param_at(i);

        buffer_add_format(out, ",{\"name\":\"%s\",\"in\":\"query\"%s,\"description\":\"%s\"",
                          param->name, param->required ? ",\"required\":true" : "",
                          param->summary);
        buffer_add_text(out, ",\"schema\":{\"type\":\"string\"");
        for (const char *const *choice = param->choices; choice && *choice; choice++)
            buffer_add_format(out, "%s\"%s\"", choice == param->choices ? ",\"enum\":[" : ",",
                              *choice);
        if (param->choices)
            buffer_add_format(out, "],\"default\":\"%s\"", param->choices[0]);
        buffer_add_text(out, "}");
        if (param->example)
            buffer_add_format(out, ",\"example\":\"%s\"", param->example);
        buffer_add_text(out, "}");
    }
    buffer_add_text(out, others);
}

/* Writes the template's {hole}, with every value that it takes where the service alone has
 * them: an operator may add models and tables. */
static void add_hole(struct buffer *out, const struct endpoint *endpoint, const char *hole)
{
    buffer_add_text(out, "\"parameters\":[{\"name\":");
    buffer_add_json(out, hole, strcspn(hole, "}"));
    buffer_add_text(out, ",\"in\":\"path\",\"required\":true,\"description\":");
    if (endpoint->id == ENDPOINT_ENCODING_SCHEMA) {
        buffer_add_text(out, "\"the encoding's name\",\"schema\":{\"$ref\":"
                             "\"#/components/schemas/EncodingName\"}}],");
    } else if (endpoint->id == ENDPOINT_PROBLEM) {
        buffer_add_text(out,
                        "\"the kind of problem\",\"schema\":{\"type\":\"string\",\"enum\":[");
        for (size_t i = 0; i < PROBLEM_COUNT; i++)
            buffer_add_format(out, "%s\"%s\"", i == 0 ? "" : ",",
                              problem_slug((enum problem_kind)i));
        buffer_add_text(out, "]}}],");
    } else {
        buffer_add_format(out, "\"%s\",\"schema\":{\"type\":\"string\",\"minLength\":1}}",
                          endpoint->id == ENDPOINT_MODEL ||
                                  endpoint->id == ENDPOINT_MODEL_TABLES
                              ? "the model's id or an alias, as /v1/models lists them"
                              : "the name of a table or of a file, as /v1/tables lists them");
        if (endpoint->id == ENDPOINT_MODEL_TABLES)
            add_tables_parameters(out);
        buffer_add_text(out, "],");
    }
}

/* Writes format=, which chooses among the formats of a batch. */
static void add_batch_format(struct buffer *out)
{
    size_t count;
    const struct format *const *formats = batch_answer_formats(&count);

    buffer_add_text(out, "\"parameters\":[{\"name\":\"format\",\"in\":\"query\","
                         "\"description\":\"the format of all answers; beats the Accept "
                         "header\",\"schema\":{\"type\":\"string\",\"enum\":[");
    for (size_t i = 0; i < count; i++)
        buffer_add_format(out, "%s\"%s\"", i == 0 ? "" : ",", formats[i]->name);
    buffer_add_format(out, "],\"default\":\"%s\"}}],", formats[0]->name);
}

static void add_parameters(struct buffer *out, const struct endpoint *endpoint)
{
    const char *hole = strchr(endpoint->path, '{');

    if (hole)
        add_hole(out, endpoint, hole + 1);
    if (endpoint->id == ENDPOINT_BATCH)
        add_batch_format(out);
    if (endpoint->id == ENDPOINT_OPENAPI)
        buffer_add_text(out,
                        "\"parameters\":[{\"name\":\"encoding\",\"in\":\"query\","
                        "\"style\":\"form\",\"explode\":false,\"description\":\"the encodings "
                        "that the document has, joined by commas; all where it is left "
                        "out\",\"schema\":{\"type\":\"array\",\"minItems\":1,\"items\":{"
                        "\"$ref\":\"#/components/schemas/EncodingName\"}}}],");
    if (fields_of[endpoint->id]) {
        buffer_add_text(out, "\"parameters\":[");
        fields_write_parameters(out, fields_of[endpoint->id]);
        buffer_add_text(out, "],");
    }
}

/* ---- bodies ------------------------------------------------------------------------------ */

static void add_tensor_bodies(struct buffer *out, const char *mark)
{
    for (size_t i = 0; i < tensor_format_count(); i++) {
        const struct tensor_format *format = tensor_format_at(i);

        buffer_add_format(out,
                          "%s\"%s\":{\"schema\":{\"type\":\"string\",\"format\":\"binary\","
                          "\"description\":",
                          i == 0 ? mark : ",", tensor_format_media_type(format));
        add_text(out, tensor_format_summary(format));
        buffer_add_text(out, "}}");
    }
}

/* An example that works, of a body that has one of a schema. */
static const char *example_of(enum endpoint_id endpoint)
{
    return endpoint == ENDPOINT_VERIFY
               ? "{\"tensors\":[{\"name\":\"inv_freq\",\"data\":[1,0.01]}],"
                 "\"claim\":\"encoding=rope&dim=4\"}"
               : "{\"model_type\":\"llama\",\"head_dim\":128,\"rope_theta\":500000}";
}

/* Writes two requests: a path, and the path of another encoding with an id. */
static void add_batch_example(struct buffer *out)
{
    for (size_t i = 0; i < 2; i++) {
        const char *example = pe_examples(pe_at(i))[0];

        buffer_add_format(out,
                          i == 0 ? "{\"requests\":[{\"path\":\"/v1/%s?%s\"}"
                                 : ",{\"id\":\"second\",\"path\":\"/v1/%s?%s\"}]}",
                          pe_name(pe_at(i)), example);
    }
}

static void add_body(struct buffer *out, const struct route *route)
{
    bool tensors = strcmp(route->body, "tensors") == 0;

    buffer_add_text(out, "\"requestBody\":{\"required\":true,\"content\":{");
    if (!tensors) {
        buffer_add_format(out,
                          "\"application/json\":{\"schema\":{\"$ref\":"
                          "\"#/components/schemas/%s\"},\"example\":",
                          route->body);
        if (route->endpoint == ENDPOINT_BATCH)
            add_batch_example(out);
        else
            buffer_add_text(out, example_of(route->endpoint));
        buffer_add_text(out, "}");
    }
    if (tensors || route->endpoint == ENDPOINT_VERIFY)
        add_tensor_bodies(out, tensors ? "" : ",");
    buffer_add_text(out, "}},");
}

/* ---- responses --------------------------------------------------------------------------- */

static uint64_t problems_of(const struct endpoint *endpoint, const struct route *route)
{
    uint64_t problems = OPENAPI_PROBLEMS_OF_ALL;
    bool changes = (route->method & (METHOD_PUT | METHOD_DELETE)) != 0;

    if (!(endpoint->access & (ENDPOINT_OPEN | ENDPOINT_KEYLESS)))
        problems |= OPENAPI_PROBLEM(UNAUTHORIZED);
    if (strchr(endpoint->path, '{') || endpoint->id == ENDPOINT_TABLES ||
        endpoint->access & ENDPOINT_OPERATOR)
        problems |= OPENAPI_PROBLEM(NOT_FOUND);
    if (route->body)
        problems |= OPENAPI_PROBLEM(BODY_TOO_LARGE) | OPENAPI_PROBLEM(UNSUPPORTED_MEDIA_TYPE);
    if (endpoint->id == ENDPOINT_ROOT || endpoint->id == ENDPOINT_BATCH)
        problems |= OPENAPI_PROBLEM(NOT_ACCEPTABLE);
    if (endpoint->id == ENDPOINT_MODEL_TABLES)
        problems |= OPENAPI_PROBLEM(NOT_ACCEPTABLE) | OPENAPI_PROBLEM(RANGE_NOT_SATISFIABLE);
    return problems | (changes ? OPENAPI_PROBLEM(INTERNAL) : 0);
}

/* Writes the formats of a batch that are files. */
static void add_batch_files(struct buffer *out)
{
    size_t count;
    const struct format *const *formats = batch_answer_formats(&count);

    for (size_t i = 0; i < count; i++) {
        if (!formats[i]->binary)
            continue;
        buffer_add_format(out,
                          ",\"%s\":{\"schema\":{\"type\":\"string\",\"format\":\"binary\","
                          "\"description\":",
                          formats[i]->media_type);
        add_text(out, formats[i]->summary);
        buffer_add_text(out, "}}");
    }
}

static void add_content(struct buffer *out, const char *answer, enum endpoint_id endpoint)
{
    if (strchr(answer, '/'))
        buffer_add_format(out, ",\"content\":{\"%s\":{\"schema\":{\"type\":\"string\"}}",
                          answer);
    else
        buffer_add_format(out,
                          ",\"content\":{\"application/json\":{\"schema\":{\"$ref\":"
                          "\"#/components/schemas/%s\"}}",
                          answer);
    if (endpoint == ENDPOINT_BATCH)
        add_batch_files(out);
    buffer_add_text(out, "}");
}

/* Health is text also where it is bad. */
static bool is_health(const struct endpoint *endpoint)
{
    return (endpoint->access & ENDPOINT_OPEN) != 0;
}

static void add_responses(struct buffer *out, const struct endpoint *endpoint,
                          const struct route *route)
{
    uint64_t problems = problems_of(endpoint, route);

    buffer_add_text(out, "\"responses\":{");
    if (!route->answer) {
        buffer_add_text(out, "\"204\":{\"description\":\"Done\"}");
    } else {
        buffer_add_text(out, "\"200\":{\"description\":\"The answer\"");
        add_content(out, route->answer, endpoint->id);
        buffer_add_text(out, "}");
    }
    if (route->method == METHOD_PUT) {
        buffer_add_text(out, ",\"201\":{\"description\":\"There was no file of that name\"");
        add_content(out, route->answer, endpoint->id);
        buffer_add_text(out, "}");
    }
    if (endpoint->id == ENDPOINT_MODEL_TABLES)
        buffer_add_text(out, ",\"206\":{\"$ref\":\"#/components/responses/Partial\"}");
    if (route->method == METHOD_GET && !is_health(endpoint) && endpoint->id != ENDPOINT_METRICS)
        buffer_add_text(out, ",\"304\":{\"$ref\":\"#/components/responses/NotModified\"}");
    if (is_health(endpoint)) {
        problems &= ~OPENAPI_PROBLEM(OVERLOADED);
        buffer_add_text(out, ",\"503\":{\"description\":\"Not ready, or not alive\"");
        add_content(out, route->answer, endpoint->id);
        buffer_add_text(out, "}");
    }
    openapi_responses_write_problems(out, problems);
    buffer_add_text(out, "}");
}

/* ---- the path ---------------------------------------------------------------------------- */

static void add_operation(struct buffer *out, const struct endpoint *endpoint,
                          const struct route *route)
{
    const char *verb = verb_of(route->method);
    char id[OPENAPI_NAME_SIZE];

    buffer_add_format(
        out, "\"%s\":{\"operationId\":\"%s_%s\",\"tags\":[\"%s\"],\"summary\":", verb, verb,
        openapi_name_of_path(strcmp(endpoint->path, "/") == 0 ? "root" : endpoint->path, id),
        route->tag);
    add_text(out, endpoint->summary);
    buffer_add_text(out, ",\"description\":");
    add_text(out, route->description);
    buffer_add_text(out, ",");
    if (endpoint->id == ENDPOINT_VERIFY)
        openapi_verify_write_parameters(out);
    else
        add_parameters(out, endpoint);
    if (route->body)
        add_body(out, route);
    add_responses(out, endpoint, route);
    buffer_add_text(out, "}");
}

bool openapi_route_is_documented(const struct endpoint *endpoint)
{
    return !strstr(endpoint->path, "{encoding}") &&
           !(endpoint->access & (ENDPOINT_PAGE | ENDPOINT_FOREIGN));
}

void openapi_route_write(struct buffer *out, const struct endpoint *endpoint)
{
    const char *comma = "";

    buffer_add_format(out, "\"%s\":{", endpoint->path);
    for (size_t i = 0; i < ROUTES; i++) {
        if (routes[i].endpoint == endpoint->id) {
            buffer_add_text(out, comma);
            add_operation(out, endpoint, &routes[i]);
            comma = ",";
        }
    }
    assert(*comma != '\0'); /* every documented endpoint has a row */
    buffer_add_text(out, "}");
}
