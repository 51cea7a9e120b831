/* SPDX-License-Identifier: Apache-2.0
 * openapi_answer.c - what OpenAPI says of an encoding's answer: facts, tensors, media types. */
#include "proto/describe/openapi_answer.h"

#include <string.h>

#include "proto/describe/fact.h"
#include "proto/describe/openapi_name.h"
#include "proto/http/answer_header.h"
#include "proto/http/content_coding.h"
#include "proto/http/format.h"
#include "proto/text/json_write.h"

static void add_facts(struct buffer *out, const struct pe_encoding *enc)
{
    json_write(out, "'facts':{'type':'object','description':'What follows from the "
                    "parameters, besides the numbers.','properties':{");
    for (size_t i = 0; i < fact_count(); i++) {
        const struct fact *fact = fact_at(i);

        if (fact_is_of(fact, enc))
            json_write(out, "'%s':{'type':'%s','description':'%s'}", fact->name, fact->type,
                       fact->summary);
    }
    json_write(out, "}}");
}

static void add_outputs(struct buffer *out, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);

    json_write(out, "'name':{'type':'string','description':'The output.','enum':[");
    for (size_t i = 0; i < count; i++)
        json_write_text(out, NULL, output[i].name);
    json_write(out, "]}");
}

void openapi_answer_write_schemas(struct buffer *out, const struct pe_encoding *enc)
{
    char name[OPENAPI_NAME_SIZE];

    openapi_name_of_encoding(enc, name);
    json_write(out,
               "'%sAnswer':{'allOf':[{'$ref':'#/components/schemas/Answer'},{'type':'object',"
               "'required':['facts'],'properties':{'encoding':{'type':'string',"
               "'description':'The encoding.','const':'%s'}",
               name, pe_name(enc));
    add_facts(out, enc);
    json_write(out,
               "'tensors':{'type':'array','description':'The tensors that out= asks for.',"
               "'items':{'$ref':'#/components/schemas/%sTensor'}}}}]},'%sTensor':{'allOf':["
               "{'$ref':'#/components/schemas/Tensor'},{'type':'object','properties':{",
               name, name);
    add_outputs(out, enc);
    json_write(out, "}}]}");
}

/* Names the formats in which responses of this encoding have a gzip variant. */
static void add_coding(struct buffer *out, const struct pe_encoding *enc)
{
    struct buffer text = {0};

    buffer_add_format(&text, "gzip where Accept-Encoding wants it, from %d bytes on, of",
                      CONTENT_CODING_LEAST);
    for (size_t i = 0; i < format_count(); i++)
        if (content_coding_suits(format_at(i), pe_family_of(enc)))
            buffer_add_format(&text, " %s", format_at(i)->name);
    json_write(out, "'Content-Encoding':{'schema':{'type':'string'}");
    json_write_buffer(out, "description", &text);
    json_write(out, "}");
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

        if (!format->accepts[0]) /* its media type is that of a format before it */
            continue;
        json_write_string(out, NULL, format->media_type, strcspn(format->media_type, ";"));
        if (i == 0) {
            json_write(out, ":{'schema':{'$ref':'#/components/schemas/%sAnswer'}}", name);
            continue;
        }
        json_write(out, ":{'schema':{'type':'string'");
        if (!is_text(format))
            json_write(out, "'format':'binary'");
        json_write(out, "'description':'%s'}}", format->summary);
    }
}

void openapi_answer_write_response(struct buffer *out, const struct pe_encoding *enc)
{
    char name[OPENAPI_NAME_SIZE];

    openapi_name_of_encoding(enc, name);
    json_write(out,
               "'%s':{'description':'The tensors','headers':{"
               "'ETag':{'$ref':'#/components/headers/ETag'},"
               "'Content-Location':{'$ref':'#/components/headers/Canonical'}",
               name);
    for (size_t i = 0; i < ANSWER_HEADER_COUNT; i++) {
        const char *header = answer_header_at((enum answer_header_id)i)->name;

        json_write(out, "'%s':{'$ref':'#/components/headers/%s'}", header, header);
    }
    add_coding(out, enc);
    json_write(out, "},'content':{");
    add_content(out, name);
    json_write(out, "}}");
}

void openapi_answer_write_partial(struct buffer *out)
{
    json_write(out, "'Partial':{'description':'The bytes that Range asks for, of a binary "
                    "format','content':{");
    for (size_t i = 1; i < format_count(); i++)
        if (!is_text(format_at(i)) && format_at(i)->accepts[0])
            json_write(out, "'%s':{'schema':{'type':'string','format':'binary'}}",
                       format_at(i)->media_type);
    json_write(out, "}}");
}
