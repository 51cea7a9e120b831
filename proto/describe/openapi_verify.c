/* SPDX-License-Identifier: Apache-2.0
 * openapi_verify.c - see openapi_verify.h. */
#include "proto/describe/openapi_verify.h"

#include <string.h>

#include "core/posenc_verify.h"
#include "proto/tensors/tensor_reader.h"

static void add_text(struct buffer *out, const char *text)
{
    buffer_add_json(out, text, strlen(text));
}

static void add_words(struct buffer *out, const char *(*word)(size_t i), size_t count)
{
    buffer_add_text(out, "\"enum\":[");
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(out, i > 0 ? "," : "");
        add_text(out, word(i));
    }
    buffer_add_text(out, "]");
}

static const char *encoding_at(size_t i)
{
    return pe_name(pe_at(i));
}

static const char *dtype_at(size_t i)
{
    return pe_dtype_name((enum pe_dtype)i);
}

static const char *verdict_at(size_t i)
{
    return pe_verdict_name((enum pe_verdict_kind)i);
}

static void add_parameters(struct buffer *out)
{
    static const char *const shared[] = {"model", "layer", "layer_type", "shape"};

    buffer_add_text(out, "\"parameters\":[{\"name\":\"encoding\",\"in\":\"query\","
                         "\"description\":\"the claim: whose numbers they are meant to be; "
                         "without it and model they are identified\",\"schema\":{"
                         "\"type\":\"string\",");
    add_words(out, encoding_at, pe_count());
    buffer_add_text(out,
                    "}},{\"name\":\"parameters\",\"in\":\"query\",\"style\":\"form\","
                    "\"explode\":true,\"description\":\"the claim: parameters of the encoding, "
                    "as in a request for it\",\"schema\":{\"type\":\"object\","
                    "\"additionalProperties\":{\"type\":\"string\"}},\"example\":{"
                    "\"dim\":\"128\",\"pos\":\"0:64\"}},{\"name\":\"tensor\",\"in\":\"query\","
                    "\"description\":\"the name of the one tensor of a body without names\","
                    "\"schema\":{\"type\":\"string\"},\"example\":\"cos\"},{"
                    "\"name\":\"in_dtype\",\"in\":\"query\",\"description\":\"element type of "
                    "raw bytes\",\"schema\":{\"type\":\"string\",");
    add_words(out, dtype_at, PE_DTYPE_COUNT);
    buffer_add_text(out, "}}");
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        buffer_add_format(out, ",{\"$ref\":\"#/components/parameters/%s\"}", shared[i]);
    buffer_add_text(out, "],");
}

static const char json_body[] =
    "\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"tensors\"],"
    "\"additionalProperties\":false,\"properties\":{\"tensors\":{\"type\":\"array\","
    "\"minItems\":1,\"maxItems\":16,\"items\":{\"type\":\"object\",\"required\":[\"data\"],"
    "\"properties\":{\"name\":{\"type\":\"string\"},\"data\":{\"type\":\"array\"},"
    "\"dtype\":{\"type\":\"string\"},\"shape\":{\"type\":\"array\",\"items\":{"
    "\"type\":\"integer\",\"minimum\":0}}}}},\"claim\":{\"description\":\"a claim in place of "
    "one in the query\",\"oneOf\":[{\"type\":\"string\"},{\"type\":\"object\"}]}}},"
    "\"example\":{\"tensors\":[{\"name\":\"inv_freq\",\"data\":[1,0.01]}],"
    "\"claim\":\"encoding=rope&dim=4\"}}";

void openapi_verify_write_request(struct buffer *out)
{
    add_parameters(out);
    buffer_add_text(out, "\"requestBody\":{\"required\":true,\"content\":{");
    buffer_add_text(out, json_body);
    for (size_t i = 0; i < tensor_format_count(); i++) {
        const struct tensor_format *format = tensor_format_at(i);

        buffer_add_format(
            out, ",\"%s\":{\"schema\":{\"description\":", tensor_format_media_type(format));
        add_text(out, tensor_format_summary(format));
        buffer_add_text(out, "}}");
    }
    buffer_add_text(out, "}},");
}

/* The members of the answer behind the verdict. */
static const char members[] =
    "\"says\":{\"type\":\"string\",\"description\":\"one sentence\"},"
    "\"claim\":{\"type\":[\"object\",\"null\"]},"
    "\"identified\":{\"type\":[\"object\",\"null\"],"
    "\"description\":\"what the numbers are; where there was no claim\"},"
    "\"profile\":{\"type\":[\"string\",\"null\"]},"
    "\"agree\":{\"type\":\"number\",\"description\":\"share of elements that are the "
    "profile's\"},"
    "\"warnings\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"mistakes\":{\"$ref\":\"#/components/schemas/Mistakes\"},"
    "\"alternatives\":{\"type\":\"array\",\"description\":\"other explanations of the same "
    "numbers\",\"items\":{\"$ref\":\"#/components/schemas/Mistakes\"}},"
    "\"url\":{\"type\":[\"string\",\"null\"],\"description\":\"the right numbers\"},"
    "\"found_url\":{\"type\":[\"string\",\"null\"],\"description\":\"the numbers that were "
    "sent\"},"
    "\"tensors\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
    "\"tested\":{\"type\":\"integer\"},\"next_best\":{\"type\":[\"object\",\"null\"]},"
    "\"budget\":{\"const\":\"spent\",\"description\":\"the search ended before its end\"}}},";

static const char mistakes[] =
    "\"Mistakes\":{\"type\":\"array\",\"maxItems\":2,\"items\":{\"type\":\"object\","
    "\"required\":[\"mistake\",\"says\",\"repair\",\"evidence\"],\"properties\":{"
    "\"mistake\":{\"type\":\"string\"},\"says\":{\"type\":\"string\"},"
    "\"repair\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
    "\"required\":[\"parameter\",\"found\",\"expected\"],\"properties\":{"
    "\"parameter\":{\"type\":\"string\"},\"found\":{},\"expected\":{},"
    "\"found_range\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}}}},"
    "\"evidence\":{\"type\":\"object\",\"properties\":{\"max_abs\":{\"type\":\"number\"},"
    "\"within\":{\"type\":\"number\",\"description\":\"at most 1: the largest distance in "
    "units of what rounding explains\"},\"rows\":{\"type\":\"integer\"},"
    "\"without\":{\"description\":\"the largest distance from the claim\"}}}}}},";

void openapi_verify_write_schema(struct buffer *out)
{
    buffer_add_text(out,
                    "\"Verdict\":{\"type\":\"object\",\"required\":[\"verdict\",\"says\","
                    "\"claim\",\"profile\",\"mistakes\",\"alternatives\",\"url\",\"found_url\","
                    "\"tensors\",\"tested\",\"next_best\"],\"properties\":{"
                    "\"verdict\":{\"type\":\"string\",");
    add_words(out, verdict_at, PE_UNEXPLAINED + 1);
    buffer_add_text(out, "},");
    buffer_add_text(out, members);
    buffer_add_text(out, mistakes);
}
