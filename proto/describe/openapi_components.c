/* SPDX-License-Identifier: Apache-2.0
 * openapi_components.c - the schemas of responses, problems and positions, and the parameters
 * that all encodings share. */
#include "proto/describe/openapi_components.h"

#include <string.h>

#include "proto/describe/openapi_verify.h"
#include "proto/describe/schema.h"
#include "proto/http/answer_header.h"
#include "proto/http/problem.h"
#include "proto/request/param_names.h"

static const char answer[] =
    "\"Answer\":{\"type\":\"object\","
    "\"required\":[\"encoding\",\"rev\",\"params\",\"facts\",\"tensors\"],\"properties\":{"
    "\"encoding\":{\"type\":\"string\"},"
    "\"rev\":{\"type\":\"integer\",\"minimum\":1,"
    "\"description\":\"numeric revision: the same rev, the same bits\"},"
    "\"params\":{\"type\":\"object\","
    "\"description\":\"complete: as a POST body they give the same answer\"},"
    "\"facts\":{\"type\":\"object\"},"
    "\"warnings\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"tensors\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Tensor\"}}}},"
    "\"Tensor\":{\"type\":\"object\",\"required\":[\"name\",\"dtype\",\"shape\",\"data\"],"
    "\"properties\":{\"name\":{\"type\":\"string\"},\"dtype\":{\"type\":\"string\"},"
    "\"shape\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0}},"
    "\"data\":{\"description\":\"numbers nested as the shape says, or flat, or as base64; "
    "infinities are the strings Infinity and -Infinity\"},"
    "\"nonfinite\":{\"type\":\"boolean\",\"description\":\"there are infinities or NaN in it\"}"
    "}},";

static const char problem[] =
    "\"Problem\":{\"type\":\"object\",\"description\":\"RFC 9457\","
    "\"required\":[\"type\",\"title\",\"status\"],\"properties\":{"
    "\"title\":{\"type\":\"string\"},\"status\":{\"type\":\"integer\"},"
    "\"detail\":{\"type\":\"string\"},\"request_id\":{\"type\":\"string\"},"
    "\"limit\":{\"type\":\"integer\"},\"requested\":{\"type\":\"integer\"},"
    "\"available\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"errors\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"detail\"],"
    "\"properties\":{\"parameter\":{\"type\":\"string\"},\"pointer\":{\"type\":\"string\"},"
    "\"detail\":{\"type\":\"string\"},\"hint\":{\"type\":\"string\"},"
    "\"limit\":{\"type\":\"integer\"},\"requested\":{\"type\":\"integer\"}}}},"
    "\"type\":{\"type\":\"string\",\"enum\":[";

static const char positions[] =
    "\"PositionText\":{\"type\":\"string\",\"minLength\":1,"
    "\"pattern\":\"^[-+0-9.eE:]+(,[-+0-9.eE:]+)*$\","
    "\"description\":\"numbers and half-open slices start:stop:step joined by commas, "
    "0:128, 0:128:4 or 5,9,12; a minus sign is a coordinate\"},"
    "\"Positions\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/PositionText\"},"
    "{\"type\":\"number\"},{\"type\":\"array\",\"items\":{\"type\":\"number\"}},"
    "{\"type\":\"object\",\"required\":[\"stop\"],\"additionalProperties\":false,"
    "\"properties\":{\"start\":{\"type\":\"integer\",\"default\":0},"
    "\"stop\":{\"type\":\"integer\"},\"step\":{\"type\":\"integer\",\"default\":1}}}]},"
    "\"Numbers\":{\"oneOf\":[{\"type\":\"string\"},"
    "{\"type\":\"array\",\"items\":{\"type\":\"number\"}},"
    "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}}]},"
    "\"TensorIn\":{\"description\":\"nested arrays of numbers, or flat ones with their "
    "shape, or text as in a query; rounded to in_dtype\",\"oneOf\":[{\"type\":\"string\"},"
    "{\"type\":\"array\"},"
    "{\"type\":\"object\",\"required\":[\"shape\",\"data\"],\"additionalProperties\":false,"
    "\"properties\":{\"shape\":{\"type\":\"array\",\"items\":{\"type\":\"integer\","
    "\"minimum\":0}},\"data\":{\"type\":\"array\"}}}]}";

static void add_parameters(struct buffer *out)
{
    struct param_names common;
    const char *comma = "";

    param_names_init(&common, NULL);
    buffer_add_text(out, "\"parameters\":{");
    for (size_t i = 0; i < common.count; i++) {
        const struct pe_param *param = common.at[i];

        if (param == &common.out) /* each encoding has its own out */
            continue;
        buffer_add_format(out,
                          "%s\"%s\":{\"name\":\"%s\",\"in\":\"query\",\"description\":", comma,
                          param->name, param->name);
        buffer_add_json(out, pe_param_summary(param), strlen(pe_param_summary(param)));
        buffer_add_text(out, ",\"schema\":");
        schema_write(out, param, SCHEMA_QUERY);
        buffer_add_text(out, "}");
        comma = ",";
    }
    buffer_add_text(out, "}");
}

static void add_answer_headers(struct buffer *out)
{
    for (size_t i = 0; i < ANSWER_HEADER_COUNT; i++) {
        const struct answer_header *header = answer_header_at((enum answer_header_id)i);

        buffer_add_format(out, ",\"%s\":{\"description\":", header->name);
        buffer_add_json(out, header->summary, strlen(header->summary));
        buffer_add_text(out, ",\"schema\":{\"type\":\"string\"}}");
    }
}

void openapi_components_write(struct buffer *out)
{
    buffer_add_text(out, "{\"schemas\":{");
    buffer_add_text(out, answer);
    openapi_verify_write_schema(out);
    buffer_add_text(out, problem);
    for (size_t i = 0; i < PROBLEM_COUNT; i++)
        buffer_add_format(out, "%s\"/problems/%s\"", i == 0 ? "" : ",",
                          problem_slug((enum problem_kind)i));
    buffer_add_text(out, "]}}},");
    buffer_add_text(out, positions);
    buffer_add_text(out, "},");
    add_parameters(out);
    buffer_add_format(
        out,
        ",\"responses\":{\"Problem\":{\"description\":\"What is wrong, and what "
        "would be right\",\"content\":{\"%s\":{\"schema\":{"
        "\"$ref\":\"#/components/schemas/Problem\"}}}}},"
        "\"headers\":{\"ETag\":{\"description\":\"strong; made from the canonical "
        "request\",\"schema\":{\"type\":\"string\"}},"
        "\"Canonical\":{\"description\":\"the canonical URL of the answer\","
        "\"schema\":{\"type\":\"string\"}}",
        PROBLEM_MEDIA_TYPE);
    add_answer_headers(out);
    buffer_add_text(
        out, "},\"securitySchemes\":{\"key\":{\"type\":\"http\","
             "\"scheme\":\"bearer\",\"description\":\"where the operator asks for one\"}}}");
}
