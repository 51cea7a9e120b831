/* SPDX-License-Identifier: Apache-2.0
 * openapi.c - writes the document: every row of endpoints.def, with /v1/{encoding} expanded
 * into one path for each encoding, so that its parameters have types, bounds and defaults; and
 * the components: the schemas of schemas/ and those that follow from tables, names, the
 * parameters that all encodings share, answers, problems. */
#include "proto/describe/openapi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc_verify.h"
#include "proto/describe/openapi_answer.h"
#include "proto/describe/openapi_encoding.h"
#include "proto/describe/openapi_responses.h"
#include "proto/describe/openapi_route.h"
#include "proto/describe/schema.h"
#include "proto/http/answer_header.h"
#include "proto/http/problem.h"
#include "proto/request/param_names.h"
#include "proto/request/query.h"
#include "proto/text/json_write.h"

enum { NAME_SHOWN = 60 };

/* The tags of operations: an encoding has that of its family. */
static const struct {
    const char *name, *summary;
} tags[] = {
    {"absolute", "Rows that are added to embeddings"},
    {"rotary", "Rotations of queries and keys"},
    {"bias", "Biases of attention scores"},
    {"index", "Position ids"},
    {"mask", "Attention masks"},
    {"spatial", "Encodings of images, videos and coordinates"},
    {"graph", "Encodings of the nodes and pairs of graphs"},
    {"batch", "Many requests in one"},
    {"models", "Models by their names and configurations"},
    {"verify", "What is right or wrong with numbers of the client's"},
    {"tables", "Learned tables of the operator"},
    {"service", "Descriptions, health and numbers of the service"},
};

static void add_info(struct buffer *out, const char *base)
{
    json_write(
        out,
        "{'openapi':'3.1.0','info':{'title':'posenc','version':'%s',"
        "'summary':'Positional encodings and attention biases',"
        "'description':'Every answer is a pure function of the request. HEAD works "
        "wherever GET does, OPTIONS everywhere; QUERY (RFC 10008) wherever POST does, with "
        "the same body.','contact':{'name':'posenc'},'license':{'name':'Apache-2.0',"
        "'identifier':'Apache-2.0'}},'servers':[{'url':'%s'}],"
        "'security':[{},{'key':[]}],'tags':[",
        pe_version(), *base ? base : "/");
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        json_write(out, "{'name':'%s','description':'%s'}", tags[i].name, tags[i].summary);
    json_write(out, "]");
}

struct openapi_schema {
    const char *name, *text;
};
#include "schema_rows.h" /* schema_rows[]: made from schemas/ */

/* ---- names as enumerations --------------------------------------------------------------- */

static const char *encoding_name(size_t i)
{
    return pe_name(pe_at(i));
}

static const char *dtype_name(size_t i)
{
    return pe_dtype_name((enum pe_dtype)i);
}

static const char *family_name(size_t i)
{
    return pe_family_name((enum pe_family)i);
}

static const char *verdict_name(size_t i)
{
    return pe_verdict_name((enum pe_verdict_kind)i);
}

/* Writes "Dtype":{"type":"string","description":"...","enum":["f64",...]} */
static void add_names(struct buffer *out, const char *schema, const char *description,
                      size_t count, const char *(*name)(size_t i))
{
    json_write(out, "'%s':{'type':'string','description':'%s','enum':[", schema, description);
    for (size_t i = 0; i < count; i++)
        json_write_text(out, NULL, name(i));
    json_write(out, "]}");
}

/* ---- schemas, parameters, headers -------------------------------------------------------- */

static void add_shared(struct buffer *out)
{
    struct param_names common;

    param_names_init(&common, NULL);
    for (size_t i = 0; i < common.count; i++) {
        if (common.at[i] == &common.out) /* each encoding has its own out */
            continue;
        json_write_key(out, schema_shared_name(common.at[i]));
        schema_write(out, common.at[i], SCHEMA_BODY);
    }
}

static void add_schemas(struct buffer *out, const bool *wanted)
{
    json_write(out, "'schemas':{");
    add_names(out, "EncodingName", "The name of an encoding.", pe_count(), encoding_name);
    add_names(out, "Dtype", "An element type.", PE_DTYPE_COUNT, dtype_name);
    add_names(out, "Family", "A family of encodings.", PE_GRAPH + 1, family_name);
    add_names(out, "VerdictName", "What is found of numbers.", PE_UNEXPLAINED + 1,
              verdict_name);
    json_write(out, "'ProblemType':{'type':'string',"
                    "'description':'The kind of problem, as the path of its page.','enum':[");
    for (size_t i = 0; i < PROBLEM_COUNT; i++)
        json_write(out, "'/problems/%s'", problem_slug((enum problem_kind)i));
    json_write(out, "]}");
    for (size_t i = 0; i < sizeof schema_rows / sizeof schema_rows[0]; i++) {
        json_write_key(out, schema_rows[i].name);
        buffer_add_text(out, schema_rows[i].text);
    }
    add_shared(out);
    for (size_t i = 0; i < pe_count(); i++)
        if (wanted[i])
            openapi_answer_write_schemas(out, pe_at(i));
    json_write(out, "}");
}

static void add_parameters(struct buffer *out)
{
    struct param_names common;

    param_names_init(&common, NULL);
    json_write(out, "'parameters':{");
    for (size_t i = 0; i < common.count; i++) {
        const struct pe_param *param = common.at[i];

        if (param == &common.out) /* each encoding has its own out */
            continue;
        json_write(out, "'%s':{'name':'%s','in':'query'", param->name, param->name);
        if (schema_is_list(param))
            json_write(out, "'style':'form','explode':false");
        json_write(out, "'description':'%s','schema':", pe_param_summary(param));
        schema_write(out, param, SCHEMA_QUERY);
        json_write(out, "}");
    }
    json_write(out, "}");
}

static void add_headers(struct buffer *out)
{
    json_write(out,
               "'headers':{'ETag':{'description':'strong; made from the canonical request',"
               "'schema':{'type':'string'}},'Canonical':{'description':'the canonical URL "
               "of the answer','schema':{'type':'string'}}");
    for (size_t i = 0; i < ANSWER_HEADER_COUNT; i++) {
        const struct answer_header *header = answer_header_at((enum answer_header_id)i);

        json_write(out, "'%s':{'description':'%s','schema':{'type':'string'}}", header->name,
                   header->summary);
    }
    json_write(out, "}");
}

/* Writes what the paths refer to: {"schemas":{...},"parameters":{...},"responses":{...},
 * "headers":{...}}; wanted[i]: with the parts of encoding i. */
static void add_components(struct buffer *out, const bool *wanted)
{
    json_write(out, "{");
    add_schemas(out, wanted);
    add_parameters(out);
    json_write(out, "'responses':{");
    openapi_responses_write(out);
    openapi_answer_write_partial(out);
    for (size_t i = 0; i < pe_count(); i++)
        if (wanted[i])
            openapi_answer_write_response(out, pe_at(i));
    json_write(out, "}");
    add_headers(out);
    json_write(out, "'securitySchemes':{'key':{'type':'http','scheme':'bearer',"
                    "'description':'where the operator asks for one'}}}");
}

/* ---- the document ------------------------------------------------------------------------ */

void openapi_write_part(struct buffer *out, const char *base, const struct openapi_part *part)
{
    add_info(out, base);
    json_write(out, "'paths':{");
    for (size_t i = 0; i < pe_count(); i++)
        if (part->wanted[i])
            openapi_encoding_write_path(out, pe_at(i));
    for (size_t i = 0; i < ENDPOINT_COUNT; i++)
        if (openapi_route_is_documented(endpoint_at(i)))
            openapi_route_write(out, endpoint_at(i));
    json_write(out, "},'components':");
    add_components(out, part->wanted);
    json_write(out, "}\n");
}

void openapi_write(struct buffer *out, const char *base)
{
    struct openapi_part all;

    assert(pe_count() <= OPENAPI_ENCODINGS_MAX);
    memset(all.wanted, true, sizeof all.wanted);
    openapi_write_part(out, base, &all);
}

static void refuse_name(const char *name, size_t len, struct pe_errors *errors)
{
    const char *names[OPENAPI_ENCODINGS_MAX], *near;

    for (size_t i = 0; i < pe_count(); i++)
        names[i] = pe_name(pe_at(i));
    near = pe_suggest(name, len, names, pe_count());
    pe_fail(errors, PE_BAD_VALUE, "encoding", "there is no encoding \"%.*s\"",
            (int)(len < NAME_SHOWN ? len : NAME_SHOWN), name);
    if (near)
        pe_hint(errors, "did you mean %s?", near);
    else
        pe_hint(errors, "/v1/encodings lists them");
}

/* Marks the encodings of "rope,alibi". */
static void read_names(const char *text, bool *wanted, struct pe_errors *errors)
{
    for (const char *end; text; text = *end == ',' ? end + 1 : NULL) {
        size_t len = strcspn(text, ",");
        const struct pe_encoding *enc = pe_find(text, len);

        end = text + len;
        if (enc)
            wanted[pe_index(enc)] = true;
        else
            refuse_name(text, len, errors);
    }
}

enum pe_status openapi_part_read(struct openapi_part *part, const char *query, size_t len,
                                 struct pe_errors *errors)
{
    struct query read;

    assert(pe_count() <= OPENAPI_ENCODINGS_MAX);
    *part = (struct openapi_part){.wanted = {false}};
    if (query_parse(&read, query, len, errors) == PE_NO_MEMORY)
        return PE_NO_MEMORY;
    for (size_t i = 0; i < read.count; i++) {
        if (strcmp(read.at[i].name, "encoding") == 0)
            read_names(read.at[i].value, part->wanted, errors);
        else
            pe_fail(errors, PE_UNKNOWN_PARAMETER, read.at[i].name,
                    "unknown parameter; this path takes encoding=rope,alibi");
    }
    query_fini(&read);
    return errors->count > 0 ? errors->at[0].status : PE_OK;
}

void openapi_part_write_names(struct buffer *out, const struct openapi_part *part)
{
    for (size_t i = 0; i < pe_count(); i++)
        if (part->wanted[i])
            buffer_add_format(out, "%s%s", out->len > 0 ? "," : "", pe_name(pe_at(i)));
}
