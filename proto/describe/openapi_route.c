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
#include "proto/http/format.h"
#include "proto/output/model_param.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_write.h"

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
    for (size_t i = 0; i < MODEL_PARAM_COUNT; i++) {
        const struct model_param *param = model_param_at(i);

        json_write(out, "{'name':'%s','in':'query'", param->name);
        if (param->required)
            json_write_flag(out, "required", true);
        json_write(out, "'description':'%s','schema':{'type':'string'", param->summary);
        if (param->choices) {
            json_write_texts(out, "enum", param->choices, SIZE_MAX);
            json_write_text(out, "default", param->choices[0]);
        }
        json_write(out, "}");
        json_write_text(out, "example", param->example);
        json_write(out, "}");
    }
    json_write(out, "{'name':'parameters','in':'query','style':'form','explode':true,"
                    "'description':'further parameters of encodings, each for every table that "
                    "depends on it: grid=16x16','schema':{'type':'object',"
                    "'additionalProperties':{'type':'string'}}}");
}

/* Writes the template's {hole}, with every value that it takes where the service alone has
 * them: an operator may add models and tables. */
static void add_hole(struct buffer *out, const struct endpoint *endpoint, const char *hole)
{
    const bool model = endpoint->id == ENDPOINT_MODEL || endpoint->id == ENDPOINT_MODEL_TABLES;

    json_write(out, "{");
    json_write_string(out, "name", hole, strcspn(hole, "}"));
    json_write(out, "'in':'path','required':true");
    if (endpoint->id == ENDPOINT_ENCODING_SCHEMA) {
        json_write_text(out, "description", "the encoding's name");
        json_write(out, "'schema':{'$ref':'#/components/schemas/EncodingName'}}");
    } else if (endpoint->id == ENDPOINT_PROBLEM) {
        json_write(out,
                   "'description':'the kind of problem','schema':{'type':'string','enum':[");
        for (size_t i = 0; i < PROBLEM_COUNT; i++)
            json_write_text(out, NULL, problem_slug((enum problem_kind)i));
        json_write(out, "]}}");
    } else {
        json_write_text(out, "description",
                        model ? "the model's id or an alias, as /v1/models lists them"
                              : "the name of a table or of a file, as /v1/tables lists them");
        json_write(out, "'schema':{'type':'string','minLength':1}}");
    }
    if (endpoint->id == ENDPOINT_MODEL_TABLES)
        add_tables_parameters(out);
}

/* Writes format=, which chooses among the formats of a batch. */
static void add_batch_format(struct buffer *out)
{
    size_t count;
    const struct format *const *formats = batch_answer_formats(&count);

    json_write(out, "{'name':'format','in':'query','description':'the format of all answers; "
                    "beats the Accept header','schema':{'type':'string','enum':[");
    for (size_t i = 0; i < count; i++)
        json_write_text(out, NULL, formats[i]->name);
    json_write(out, "],'default':'%s'}}", formats[0]->name);
}

static void add_parameters(struct buffer *out, const struct endpoint *endpoint)
{
    const char *hole = strchr(endpoint->path, '{');

    if (!hole && endpoint->id != ENDPOINT_BATCH && endpoint->id != ENDPOINT_OPENAPI &&
        !fields_of[endpoint->id])
        return;
    json_write(out, "'parameters':[");
    if (hole)
        add_hole(out, endpoint, hole + 1);
    if (endpoint->id == ENDPOINT_BATCH)
        add_batch_format(out);
    if (endpoint->id == ENDPOINT_OPENAPI)
        json_write(out, "{'name':'encoding','in':'query','style':'form','explode':false,"
                        "'description':'the encodings that the document has, joined by commas; "
                        "all where it is left out','schema':{'type':'array','minItems':1,"
                        "'items':{'$ref':'#/components/schemas/EncodingName'}}}");
    if (fields_of[endpoint->id])
        fields_write_parameters(out, fields_of[endpoint->id]);
    json_write(out, "]");
}

/* ---- bodies ------------------------------------------------------------------------------ */

/* Writes a media type whose bytes are explained. */
static void add_bytes(struct buffer *out, const char *media_type, const char *summary)
{
    json_write(out, "'%s':{'schema':{'type':'string','format':'binary','description':'%s'}}",
               media_type, summary);
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
    const struct pe_encoding *first = pe_at(0), *second = pe_at(1);

    json_write(out, "{'requests':[{'path':'/v1/%s?%s'},{'id':'second','path':'/v1/%s?%s'}]}",
               pe_name(first), pe_examples(first)[0], pe_name(second), pe_examples(second)[0]);
}

static void add_body(struct buffer *out, const struct route *route)
{
    bool tensors = strcmp(route->body, "tensors") == 0;

    json_write(out, "'requestBody':{'required':true,'content':{");
    if (!tensors) {
        json_write(out,
                   "'application/json':{'schema':{'$ref':'#/components/schemas/%s'},'example':",
                   route->body);
        if (route->endpoint == ENDPOINT_BATCH)
            add_batch_example(out);
        else
            buffer_add_text(out, example_of(route->endpoint));
        json_write(out, "}");
    }
    if (tensors || route->endpoint == ENDPOINT_VERIFY)
        for (size_t i = 0; i < tensor_format_count(); i++)
            add_bytes(out, tensor_format_media_type(tensor_format_at(i)),
                      tensor_format_summary(tensor_format_at(i)));
    json_write(out, "}}");
}

/* ---- responses --------------------------------------------------------------------------- */

static uint64_t problems_of(const struct endpoint *endpoint, const struct route *route)
{
    uint64_t problems = OPENAPI_PROBLEMS_OF_ALL;
    bool changes = (route->method & (METHOD_PUT | METHOD_DELETE)) != 0;

    if (!(endpoint->access & (ENDPOINT_OPEN | ENDPOINT_KEYLESS)))
        problems |= OPENAPI_PROBLEMS_OF_KEYS;
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

    for (size_t i = 0; i < count; i++)
        if (formats[i]->binary)
            add_bytes(out, formats[i]->media_type, formats[i]->summary);
}

/* Writes an answer with a body. */
static void add_answer(struct buffer *out, const char *status, const char *description,
                       const char *answer, enum endpoint_id endpoint)
{
    json_write(out, "'%s':{'description':'%s','content':{", status, description);
    if (strchr(answer, '/'))
        json_write(out, "'%s':{'schema':{'type':'string'}}", answer);
    else
        json_write(out, "'application/json':{'schema':{'$ref':'#/components/schemas/%s'}}",
                   answer);
    if (endpoint == ENDPOINT_BATCH)
        add_batch_files(out);
    json_write(out, "}}");
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

    json_write(out, "'responses':{");
    if (!route->answer)
        json_write(out, "'204':{'description':'Done'}");
    else
        add_answer(out, "200", "The answer", route->answer, endpoint->id);
    if (route->method == METHOD_PUT)
        add_answer(out, "201", "There was no file of that name", route->answer, endpoint->id);
    if (endpoint->id == ENDPOINT_MODEL_TABLES)
        json_write(out, "'206':{'$ref':'#/components/responses/Partial'}");
    if (route->method == METHOD_GET && !is_health(endpoint) && endpoint->id != ENDPOINT_METRICS)
        json_write(out, "'304':{'$ref':'#/components/responses/NotModified'}");
    if (is_health(endpoint)) {
        problems &= ~OPENAPI_PROBLEM(OVERLOADED);
        add_answer(out, "503", "Not ready, or not alive", route->answer, endpoint->id);
    }
    openapi_responses_write_problems(out, problems);
    json_write(out, "}");
}

/* ---- the path ---------------------------------------------------------------------------- */

/* Writes the member "parameters" of /v1/verify. */
static void add_verify_parameters(struct buffer *out)
{
    static const char *const shared[] = {"model", "layer", "layer_type", "shape"};

    json_write(
        out, "'parameters':[{'name':'encoding','in':'query','description':'the claim: whose "
             "numbers they are meant to be; without it and model they are identified',"
             "'schema':{'$ref':'#/components/schemas/EncodingName'}},{'name':'parameters',"
             "'in':'query','style':'form','explode':true,'description':'the claim: parameters "
             "of the encoding, as in a request for it','schema':{'type':'object',"
             "'additionalProperties':{'type':'string'}},'example':{'dim':'128',"
             "'pos':'0:64'}},{'name':'tensor','in':'query','description':'the name of the one "
             "tensor of a body without names','schema':{'type':'string'},'example':'cos'},"
             "{'name':'in_dtype','in':'query','description':'element type of raw bytes',"
             "'schema':{'$ref':'#/components/schemas/Dtype'}}");
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        json_write(out, "{'$ref':'#/components/parameters/%s'}", shared[i]);
    json_write(out, "]");
}

static void add_operation(struct buffer *out, const struct endpoint *endpoint,
                          const struct route *route)
{
    const char *verb = verb_of(route->method);
    char id[OPENAPI_NAME_SIZE];

    json_write(
        out, "'%s':{'operationId':'%s_%s','tags':['%s'],'summary':'%s','description':'%s'",
        verb, verb,
        openapi_name_of_path(strcmp(endpoint->path, "/") == 0 ? "root" : endpoint->path, id),
        route->tag, endpoint->summary, route->description);
    if (endpoint->id == ENDPOINT_VERIFY)
        add_verify_parameters(out);
    else
        add_parameters(out, endpoint);
    if (route->body)
        add_body(out, route);
    add_responses(out, endpoint, route);
    json_write(out, "}");
}

bool openapi_route_is_documented(const struct endpoint *endpoint)
{
    return !strstr(endpoint->path, "{encoding}") &&
           !(endpoint->access & (ENDPOINT_PAGE | ENDPOINT_FOREIGN));
}

void openapi_route_write(struct buffer *out, const struct endpoint *endpoint)
{
    bool any = false;

    json_write(out, "'%s':{", endpoint->path);
    for (size_t i = 0; i < ROUTES; i++) {
        if (routes[i].endpoint == endpoint->id) {
            add_operation(out, endpoint, &routes[i]);
            any = true;
        }
    }
    assert(any); /* every documented endpoint has a row */
    json_write(out, "}");
}
