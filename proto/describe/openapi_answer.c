/* SPDX-License-Identifier: Apache-2.0
 * openapi_answer.c - what OpenAPI says of an encoding's answer: facts, tensors, media types. */
#include "proto/describe/openapi_answer.h"

#include <string.h>

#include "proto/describe/fact.h"
#include "proto/describe/openapi_name.h"
#include "proto/http/answer_header.h"
#include "proto/http/content_coding.h"
#include "proto/http/format.h"

static void add_text(struct buffer *out, const char *text)
{
    buffer_add_json(out, text, strlen(text));
}

static void add_facts(struct buffer *out, const struct pe_encoding *enc)
{
    const char *comma = "";

    buffer_add_text(out, "{\"type\":\"object\",\"description\":\"What follows from the "
                         "parameters, besides the numbers.\",\"properties\":{");
    for (size_t i = 0; i < fact_count(); i++) {
        const struct fact *fact = fact_at(i);

        if (fact_is_of(fact, enc)) {
            buffer_add_format(out, "%s\"%s\":{\"type\":\"%s\",\"description\":", comma,
                              fact->name, fact->type);
            add_text(out, fact->summary);
            buffer_add_text(out, "}");
            comma = ",";
        }
    }
    buffer_add_text(out, "}}");
}

static void add_outputs(struct buffer *out, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);

    buffer_add_text(out, "{\"type\":\"string\",\"description\":\"The output.\",\"enum\":[");
    for (size_t i = 0; i < count; i++)
        buffer_add_format(out, "%s\"%s\"", i == 0 ? "" : ",", output[i].name);
    buffer_add_text(out, "]}");
}

void openapi_answer_write_schemas(struct buffer *out, const struct pe_encoding *enc)
{
    char name[OPENAPI_NAME_SIZE];

    openapi_name_of_encoding(enc, name);
    buffer_add_format(out,
                      "\"%sAnswer\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Answer\"},"
                      "{\"type\":\"object\",\"required\":[\"facts\"],\"properties\":{"
                      "\"encoding\":{\"type\":\"string\","
                      "\"description\":\"The encoding.\",\"const\":\"%s\"},\"facts\":",
                      name, pe_name(enc));
    add_facts(out, enc);
    buffer_add_format(out,
                      ",\"tensors\":{\"type\":\"array\",\"description\":"
                      "\"The tensors that out= asks for.\",\"items\":{\"$ref\":"
                      "\"#/components/schemas/%sTensor\"}}}}]},\"%sTensor\":{\"allOf\":["
                      "{\"$ref\":\"#/components/schemas/Tensor\"},{\"type\":\"object\","
                      "\"properties\":{\"name\":",
                      name, name);
    add_outputs(out, enc);
    buffer_add_text(out, "}}]}");
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

static bool is_text(const struct format *format)
{
    return strncmp(format->media_type, "text/", 5) == 0 || strstr(format->media_type, "+xml");
}

/* Writes every format as a media type; the JSON one has a schema of its own, the others are
 * text or bytes. */
static void add_content(struct buffer *out, const char *name)
{
    for (size_t i = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);

        buffer_add_text(out, i == 0 ? "" : ",");
        buffer_add_json(out, format->media_type, strcspn(format->media_type, ";"));
        if (i == 0) {
            buffer_add_format(out, ":{\"schema\":{\"$ref\":\"#/components/schemas/%sAnswer\"}}",
                              name);
        } else {
            buffer_add_format(out, ":{\"schema\":{\"type\":\"string\"%s,\"description\":",
                              is_text(format) ? "" : ",\"format\":\"binary\"");
            add_text(out, format->summary);
            buffer_add_text(out, "}}");
        }
    }
}

void openapi_answer_write_response(struct buffer *out, const struct pe_encoding *enc)
{
    char name[OPENAPI_NAME_SIZE];

    openapi_name_of_encoding(enc, name);
    buffer_add_format(out,
                      "\"%s\":{\"description\":\"The tensors\",\"headers\":{"
                      "\"ETag\":{\"$ref\":\"#/components/headers/ETag\"},"
                      "\"Content-Location\":{\"$ref\":\"#/components/headers/Canonical\"}",
                      name);
    for (size_t i = 0; i < ANSWER_HEADER_COUNT; i++) {
        const char *header = answer_header_at((enum answer_header_id)i)->name;

        buffer_add_format(out, ",\"%s\":{\"$ref\":\"#/components/headers/%s\"}", header,
                          header);
    }
    add_coding(out, enc);
    buffer_add_text(out, "},\"content\":{");
    add_content(out, name);
    buffer_add_text(out, "}}");
}

void openapi_answer_write_partial(struct buffer *out)
{
    buffer_add_text(out, "\"Partial\":{\"description\":\"The bytes that Range asks for, of a "
                         "binary format\",\"content\":{");
    for (size_t i = 0, written = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);

        if (!is_text(format) && i > 0)
            buffer_add_format(out,
                              "%s\"%s\":{\"schema\":{\"type\":\"string\","
                              "\"format\":\"binary\"}}",
                              written++ == 0 ? "" : ",", format->media_type);
    }
    buffer_add_text(out, "}}");
}
