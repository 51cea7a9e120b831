/* SPDX-License-Identifier: Apache-2.0
 * openapi_encoding.c - writes the path of an encoding: the parameters of GET and the bodies of
 * POST, with types, bounds, defaults and an example that works. */
#include "proto/describe/openapi_encoding.h"

#include <assert.h>
#include <string.h>

#include "proto/describe/openapi_name.h"
#include "proto/describe/openapi_responses.h"
#include "proto/describe/schema.h"
#include "proto/models/models.h"
#include "proto/request/option.h"
#include "proto/request/query.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_write.h"

/* ---- what is offered --------------------------------------------------------------------- */

/* Returns whether a published model uses the encoding, or what "/apply" follows in its name;
 * layered: in layers of one type. */
static bool has_model(const struct pe_encoding *enc, bool layered)
{
    const struct models *models = models_embedded();
    size_t len = strcspn(pe_name(enc), "/");

    for (size_t i = 0; i < models_count(models); i++) {
        const struct model *model = models_at(models, i);

        for (size_t j = 0; j < model->use_count; j++) {
            const struct model_use *use = &model->uses[j];

            if (use->encoding && strlen(use->encoding) == len &&
                memcmp(use->encoding, pe_name(enc), len) == 0 && (!layered || use->layer_type))
                return true;
        }
    }
    return false;
}

bool openapi_encoding_offers(const struct pe_encoding *enc, const struct pe_param *param)
{
    switch (option_of(param)) {
    case OPTION_MODEL:
        return has_model(enc, false);
    case OPTION_LAYER:
    case OPTION_LAYER_TYPE:
        return has_model(enc, true);
    default:
        return true;
    }
}

/* Returns whether no request works without the parameter: every output needs it, and no model
 * gives it. */
static bool always_needed(const struct pe_encoding *enc, const struct pe_param *param)
{
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (!pe_output_requires(&output[i], param))
            return false;
    return !has_model(enc, false);
}

/* ---- the parameters of a query ----------------------------------------------------------- */

static const char *example_of(const struct query *example, const char *name)
{
    for (size_t i = 0; i < example->count; i++)
        if (strcmp(example->at[i].name, name) == 0)
            return example->at[i].value;
    return NULL;
}

static bool is_word(const struct pe_param *param, const char *text)
{
    for (const struct pe_word *word = param->words; word && word->word; word++)
        if (strcmp(word->word, text) == 0)
            return true;
    return false;
}

static void write_names(struct buffer *out, const char *text)
{
    json_write(out, "[");
    for (const char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
        end = strchrnul(text, ',');
        json_write_string(out, NULL, text, (size_t)(end - text));
    }
    json_write(out, "]");
}

/* Writes the text of a query as a JSON value that the parameter's schema allows: 8, true,
 * "0:4", "half"; `several` of a choice's names, joined by commas in the text, become an
 * array. */
static void add_json(struct buffer *out, const struct pe_param *param, const char *text,
                     bool several)
{
    bool number = param->type == PE_INT || (param->type == PE_REAL && !is_word(param, text));

    if (number)
        buffer_add_text(out, text);
    else if (param->type == PE_BOOL || schema_is_truth(param))
        json_write_flag(out, NULL, *text == '1' || *text == 't');
    else if (several && strchr(text, ','))
        write_names(out, text);
    else
        json_write_text(out, NULL, text);
}

/* Writes the value of an example for a parameter, if it has one. */
static void add_value(struct buffer *out, const char *name, const struct pe_param *param,
                      const struct query *example, bool several)
{
    const char *value = example_of(example, param->name);

    if (value) {
        json_write_key(out, name);
        add_json(out, param, value, several);
    }
}

static void add_parameter(struct buffer *out, const struct pe_param *param,
                          const struct query *example, bool required)
{
    json_write(out, "{'name':'%s','in':'query'", param->name);
    if (required)
        json_write_flag(out, "required", true);
    if (schema_is_list(param))
        json_write(out, "'style':'form','explode':false");
    json_write(out, "'description':'%s','schema':", pe_param_summary(param));
    schema_write(out, param, SCHEMA_QUERY);
    add_value(out, "example", param, example, false);
    json_write(out, "}");
}

static void add_out(struct buffer *out, const struct param_names *vocabulary,
                    const struct query *example)
{
    json_write(out,
               "{'name':'out','in':'query','style':'form','explode':false,'description':'%s',"
               "'schema':",
               vocabulary->out.summary);
    schema_write_names(out, &vocabulary->out);
    add_value(out, "example", &vocabulary->out, example, true);
    json_write(out, "}");
}

/* Writes every parameter, for the operations of a path: none is required, since a body may have
 * it. */
static void add_parameters(struct buffer *out, const struct param_names *vocabulary,
                           const struct pe_encoding *enc, const struct query *example)
{
    json_write(out, "'parameters':[");
    for (size_t i = 0; i < vocabulary->count; i++) {
        const struct pe_param *param = vocabulary->at[i];

        if (!openapi_encoding_offers(enc, param))
            continue;
        if (i < vocabulary->own)
            add_parameter(out, param, example, false);
        else if (param == &vocabulary->out)
            add_out(out, vocabulary, example);
        else
            json_write(out, "{'$ref':'#/components/parameters/%s'}", param->name);
    }
    json_write(out, "]");
}

/* Writes the parameters that a request without a body cannot do without. */
static void add_needed(struct buffer *out, const struct param_names *vocabulary,
                       const struct pe_encoding *enc, const struct query *example)
{
    bool any = false;

    for (size_t i = 0; i < vocabulary->own; i++) {
        if (always_needed(enc, vocabulary->at[i])) {
            if (!any)
                json_write(out, "'parameters':[");
            add_parameter(out, vocabulary->at[i], example, true);
            any = true;
        }
    }
    if (any)
        json_write(out, "]");
}

/* ---- the bodies of POST ------------------------------------------------------------------ */

/* Writes the first example as a body. */
static void add_example(struct buffer *out, const struct param_names *vocabulary,
                        const struct query *example)
{
    json_write(out, "'example':{");
    for (size_t i = 0; i < vocabulary->count; i++)
        add_value(out, vocabulary->at[i]->name, vocabulary->at[i], example,
                  vocabulary->at[i] == &vocabulary->out);
    json_write(out, "}");
}

/* Writes a format of tensors, with the parameters that it may carry. */
static void add_tensor_body(struct buffer *out, const struct tensor_format *format,
                            const struct pe_encoding *enc)
{
    const bool unnamed = tensor_format_is_unnamed(format);
    char names[TENSOR_NAMES_SIZE];

    json_write(out,
               "'%s':{'schema':{'type':'string','format':'binary','description':'%s; %s %s'}}",
               tensor_format_media_type(format), tensor_format_summary(format),
               unnamed ? "it is" : "the names are",
               unnamed ? tensor_param_unnamed(enc)->name
                       : tensor_print_names(enc, names, sizeof names));
}

static void add_body(struct buffer *out, const struct param_names *vocabulary,
                     const struct pe_encoding *enc, const struct query *example)
{
    json_write(out, "'requestBody':{'required':true,'content':{'application/json':{'schema':{"
                    "'type':'object','additionalProperties':false,'properties':{");
    for (size_t i = 0; i < vocabulary->count; i++) {
        const struct pe_param *param = vocabulary->at[i];

        if (!openapi_encoding_offers(enc, param))
            continue;
        json_write_key(out, param->name);
        if (param == &vocabulary->out)
            schema_write_names(out, param);
        else if (i < vocabulary->own)
            schema_write(out, param, SCHEMA_BODY);
        else
            json_write(out, "{'$ref':'#/components/schemas/%s'}", schema_shared_name(param));
    }
    json_write(out, "}}");
    add_example(out, vocabulary, example);
    json_write(out, "}");
    for (size_t i = 0; i < tensor_format_count(); i++)
        if (tensor_format_suits(tensor_format_at(i), enc))
            add_tensor_body(out, tensor_format_at(i), enc);
    json_write(out, "}}");
}

/* ---- the path ---------------------------------------------------------------------------- */

static const uint64_t get_problems =
    OPENAPI_PROBLEMS_OF_ALL | OPENAPI_PROBLEMS_OF_KEYS | OPENAPI_PROBLEM(UNKNOWN_REVISION) |
    OPENAPI_PROBLEM(NOT_ACCEPTABLE) | OPENAPI_PROBLEM(RANGE_NOT_SATISFIABLE);
static const uint64_t post_problems =
    OPENAPI_PROBLEMS_OF_ALL | OPENAPI_PROBLEMS_OF_KEYS | OPENAPI_PROBLEM(UNKNOWN_REVISION) |
    OPENAPI_PROBLEM(NOT_ACCEPTABLE) | OPENAPI_PROBLEM(BODY_TOO_LARGE) |
    OPENAPI_PROBLEM(UNSUPPORTED_MEDIA_TYPE);

static void add_head(struct buffer *out, const char *verb, const struct pe_encoding *enc,
                     const char *description)
{
    char id[OPENAPI_NAME_SIZE];

    json_write(out,
               "'%s':{'operationId':'%s_%s','tags':['%s'],'summary':'%s','description':'%s'",
               verb, verb, openapi_name_of_path(pe_name(enc), id),
               pe_family_name(pe_family_of(enc)), pe_summary(enc), description);
}

static void add_responses(struct buffer *out, const struct pe_encoding *enc, uint64_t problems)
{
    char name[OPENAPI_NAME_SIZE];

    json_write(out,
               "'responses':{'200':{'$ref':'#/components/responses/%s'},"
               "'206':{'$ref':'#/components/responses/Partial'},"
               "'304':{'$ref':'#/components/responses/NotModified'}",
               openapi_name_of_encoding(enc, name));
    openapi_responses_write_problems(out, problems);
    json_write(out, "}}");
}

void openapi_encoding_write_path(struct buffer *out, const struct pe_encoding *enc)
{
    struct pe_errors errors = {0};
    struct param_names vocabulary;
    struct query example;
    const char *text = pe_examples(enc)[0];

    param_names_init(&vocabulary, enc);
    if (query_parse(&example, text, strlen(text), &errors) == PE_NO_MEMORY)
        buffer_fail(out);
    json_write(out, "'/v1/%s':{", pe_name(enc));
    add_parameters(out, &vocabulary, enc, &example);
    add_head(out, "get", enc, pe_source(enc));
    add_needed(out, &vocabulary, enc, &example);
    add_responses(out, enc, get_problems);
    add_head(
        out, "post", enc,
        "The same names as a JSON object, or tensors with the names in the query; some may "
        "stay in the query. The QUERY method (RFC 10008) is the same, but safe and "
        "cacheable.");
    add_body(out, &vocabulary, enc, &example);
    add_responses(out, enc, post_problems);
    json_write(out, "}");
    query_fini(&example);
}
