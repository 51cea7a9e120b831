/* SPDX-License-Identifier: Apache-2.0
 * openapi_components.c - the schemas of schemas/ and those that follow from tables: names, the
 * parameters that all encodings share, answers, problems. */
#include "proto/describe/openapi_components.h"

#include "core/posenc_verify.h"
#include "proto/describe/openapi_answer.h"
#include "proto/describe/openapi_responses.h"
#include "proto/describe/schema.h"
#include "proto/http/answer_header.h"
#include "proto/http/problem.h"
#include "proto/request/param_names.h"
#include "proto/text/json_write.h"

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

void openapi_components_write(struct buffer *out, const bool *wanted)
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
