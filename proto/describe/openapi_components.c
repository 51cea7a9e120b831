/* SPDX-License-Identifier: Apache-2.0
 * openapi_components.c - the schemas of schemas/ and those that follow from tables: names, the
 * parameters that all encodings share, answers, problems. */
#include "proto/describe/openapi_components.h"

#include <string.h>

#include "core/posenc_verify.h"
#include "proto/describe/openapi_answer.h"
#include "proto/describe/openapi_responses.h"
#include "proto/describe/schema.h"
#include "proto/http/answer_header.h"
#include "proto/http/problem.h"
#include "proto/request/param_names.h"

struct openapi_schema {
    const char *name, *text;
};
#include "schema_rows.h" /* schema_rows[]: made from schemas/ */

/* ---- names as enumerations --------------------------------------------------------------- */

static void print_encoding(struct buffer *out, size_t i)
{
    buffer_add_text(out, pe_name(pe_at(i)));
}

static void print_dtype(struct buffer *out, size_t i)
{
    buffer_add_text(out, pe_dtype_name((enum pe_dtype)i));
}

static void print_family(struct buffer *out, size_t i)
{
    buffer_add_text(out, pe_family_name((enum pe_family)i));
}

static void print_verdict(struct buffer *out, size_t i)
{
    buffer_add_text(out, pe_verdict_name((enum pe_verdict_kind)i));
}

static void print_problem(struct buffer *out, size_t i)
{
    buffer_add_format(out, "/problems/%s", problem_slug((enum problem_kind)i));
}

/* Writes "Dtype":{"type":"string","description":"...","enum":["f64",...]}, */
static void add_names(struct buffer *out, const char *schema, const char *description,
                      size_t count, void (*print)(struct buffer *out, size_t i))
{
    buffer_add_format(out, "\"%s\":{\"type\":\"string\",\"description\":\"%s\",\"enum\":[",
                      schema, description);
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(out, i == 0 ? "\"" : ",\"");
        print(out, i);
        buffer_add_text(out, "\"");
    }
    buffer_add_text(out, "]},");
}

/* ---- schemas, parameters, headers -------------------------------------------------------- */

static void add_shared(struct buffer *out)
{
    struct param_names common;

    param_names_init(&common, NULL);
    for (size_t i = 0; i < common.count; i++) {
        const struct pe_param *param = common.at[i];

        if (param == &common.out) /* each encoding has its own out */
            continue;
        buffer_add_format(out, ",\"%s\":", schema_shared_name(param));
        schema_write(out, param, SCHEMA_BODY);
    }
}

static void add_schemas(struct buffer *out, const bool *wanted)
{
    buffer_add_text(out, "\"schemas\":{");
    add_names(out, "EncodingName", "The name of an encoding.", pe_count(), print_encoding);
    add_names(out, "Dtype", "An element type.", PE_DTYPE_COUNT, print_dtype);
    add_names(out, "Family", "A family of encodings.", PE_GRAPH + 1, print_family);
    add_names(out, "VerdictName", "What is found of numbers.", PE_UNEXPLAINED + 1,
              print_verdict);
    add_names(out, "ProblemType", "The kind of problem, as the path of its page.",
              PROBLEM_COUNT, print_problem);
    for (size_t i = 0; i < sizeof schema_rows / sizeof schema_rows[0]; i++)
        buffer_add_format(out, "%s\"%s\":%s", i == 0 ? "" : ",", schema_rows[i].name,
                          schema_rows[i].text);
    add_shared(out);
    for (size_t i = 0; i < pe_count(); i++) {
        if (wanted[i]) {
            buffer_add_text(out, ",");
            openapi_answer_write_schemas(out, pe_at(i));
        }
    }
    buffer_add_text(out, "}");
}

static void add_parameters(struct buffer *out)
{
    struct param_names common;
    const char *comma = "";

    param_names_init(&common, NULL);
    buffer_add_text(out, ",\"parameters\":{");
    for (size_t i = 0; i < common.count; i++) {
        const struct pe_param *param = common.at[i];

        if (param == &common.out) /* each encoding has its own out */
            continue;
        buffer_add_format(out, "%s\"%s\":{\"name\":\"%s\",\"in\":\"query\",%s\"description\":",
                          comma, param->name, param->name,
                          schema_is_list(param) ? "\"style\":\"form\",\"explode\":false," : "");
        buffer_add_json(out, pe_param_summary(param), strlen(pe_param_summary(param)));
        buffer_add_text(out, ",\"schema\":");
        schema_write(out, param, SCHEMA_QUERY);
        buffer_add_text(out, "}");
        comma = ",";
    }
    buffer_add_text(out, "}");
}

static void add_headers(struct buffer *out)
{
    buffer_add_text(out, ",\"headers\":{\"ETag\":{\"description\":\"strong; made from the "
                         "canonical request\",\"schema\":{\"type\":\"string\"}},"
                         "\"Canonical\":{\"description\":\"the canonical URL of the answer\","
                         "\"schema\":{\"type\":\"string\"}}");
    for (size_t i = 0; i < ANSWER_HEADER_COUNT; i++) {
        const struct answer_header *header = answer_header_at((enum answer_header_id)i);

        buffer_add_format(out, ",\"%s\":{\"description\":", header->name);
        buffer_add_json(out, header->summary, strlen(header->summary));
        buffer_add_text(out, ",\"schema\":{\"type\":\"string\"}}");
    }
    buffer_add_text(out, "}");
}

void openapi_components_write(struct buffer *out, const bool *wanted)
{
    buffer_add_text(out, "{");
    add_schemas(out, wanted);
    add_parameters(out);
    buffer_add_text(out, ",\"responses\":{");
    openapi_responses_write(out);
    buffer_add_text(out, ",");
    openapi_answer_write_partial(out);
    for (size_t i = 0; i < pe_count(); i++) {
        if (wanted[i]) {
            buffer_add_text(out, ",");
            openapi_answer_write_response(out, pe_at(i));
        }
    }
    buffer_add_text(out, "}");
    add_headers(out);
    buffer_add_text(out, ",\"securitySchemes\":{\"key\":{\"type\":\"http\","
                         "\"scheme\":\"bearer\",\"description\":\"where the operator asks for "
                         "one\"}}}");
}
