/* SPDX-License-Identifier: Apache-2.0
 * model_use_text.c - writes JSON of one use of a model. The resolved parameters are those of
 * the request that the first URL makes, so that they are what the response has. */
#include "proto/describe/model_use_text.h"

#include <inttypes.h>
#include <string.h>

#include "proto/describe/model_urls.h"
#include "proto/http/problem.h"
#include "proto/models/model_output.h"
#include "proto/models/model_use.h"
#include "proto/request/canonical.h"
#include "proto/request/request.h"
#include "proto/text/json_write.h"

/* ---- sources ---------------------------------------------------------------------------- */

static void add_source(struct buffer *out, const char *name, const struct model_source *source)
{
    json_write_key(out, name);
    json_write(out, "{'repository':'%s'", source->repository);
    json_write_text(out, "path", source->path);
    json_write_text(out, "commit", source->commit);
    json_write(out, "}");
}

void model_use_text_sources(struct buffer *out, const struct model_source *source,
                            const struct model_fact_source *sources, size_t count)
{
    if (source)
        add_source(out, "source", source);
    if (count == 0)
        return;
    json_write(out, "'sources':{");
    for (size_t i = 0; i < count; i++)
        add_source(out, sources[i].fact, sources[i].source);
    json_write(out, "}");
}

/* ---- parameters and URLs ---------------------------------------------------------------- */

static enum pe_type type_of(const struct pe_encoding *enc, const char *name)
{
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(param[i].name, name) == 0)
            return param[i].type;
    return PE_CHOICE;
}

/* Writes the settings with the types that they would have in a JSON body. */
static void add_settings(struct buffer *out, const struct model_setting *settings, size_t count,
                         const struct pe_encoding *enc)
{
    json_write(out, "'parameters':{");
    for (size_t i = 0; i < count; i++) {
        const struct model_setting *setting = &settings[i];
        enum pe_type type = type_of(enc, setting->name);

        json_write_key(out, setting->name);
        if (type == PE_INT || type == PE_REAL)
            buffer_add_text(out, setting->text);
        else if (type == PE_BOOL)
            json_write_flag(out, NULL, strcmp(setting->text, "1") == 0);
        else if (type == PE_REALS)
            buffer_add_format(out, "[%s]", setting->text);
        else
            json_write_text(out, NULL, setting->text);
    }
    json_write(out, "}");
}

/* Makes the request of a query; NULL after adding its problems. */
static struct request *ask(const struct pe_encoding *enc, const struct buffer *query,
                           struct pe_errors *errors)
{
    struct request *request = query->failed ? NULL : request_new(enc);

    if (!request) {
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        return NULL;
    }
    (void)request_set_query(request, query->bytes, query->len, errors);
    if (request_finish(request, NULL, 0, errors) == PE_OK && errors->count == 0)
        return request;
    request_free(request);
    return NULL;
}

static void add_resolved(struct buffer *out, const struct model_use *use,
                         const struct pe_encoding *enc)
{
    struct pe_errors errors = {0};
    struct buffer query = {0};

    model_urls_query(use, &query);
    struct request *request = ask(enc, &query, &errors);
    if (request) {
        json_write_key(out, "resolved");
        canonical_write_json(out, request_args(request), &request_options(request)->values, 0);
    }
    /* "resolved" is absent if the use makes no legal request; lack of memory is a failure. */
    if (!request && problem_kind_of(&errors) == PROBLEM_OVERLOADED)
        buffer_fail(out);
    request_free(request);
    buffer_fini(&query);
}

static void add_urls(struct buffer *out, const struct model_use *use,
                     const struct pe_encoding *enc, const struct model *named)
{
    struct buffer queries[MODEL_URLS_MAX] = {{0}};
    size_t count = model_urls(use, named, queries);

    json_write(out, "'%s':[", named ? "named_urls" : "urls");
    for (size_t i = 0; i < count; i++) {
        if (queries[i].failed)
            buffer_fail(out);
        else
            json_write(out, "'/v1/%s?%s'", pe_name(enc), queries[i].bytes);
        buffer_fini(&queries[i]);
    }
    json_write(out, "]");
}

/* ---- layers, tables and tensors --------------------------------------------------------- */

/* Writes the layers that a use is about, if they are known one by one. */
static void add_layers(struct buffer *out, const struct model *model,
                       const struct model_use *use)
{
    struct model_stack stack;

    if (!model_use_stack(model, use, &stack))
        return;
    json_write(out, "'layers':[");
    for (int64_t i = 0; i < stack.layers; i++)
        if (model_use_has_layer(use, &stack, i))
            json_write_integer(out, NULL, (uint64_t)i);
    json_write(out, "]");
}

/* Writes the names that the use's tables have in the file of all tables. */
static void add_tables(struct buffer *out, const struct model_use *use)
{
    const struct pe_output *outputs[PE_MAX_OUTPUTS];
    size_t count = model_output_tables(use, false, outputs);

    if (count == 0)
        return;
    json_write(out, "'tables':[");
    for (size_t i = 0; i < count; i++)
        json_write(out, "'%s.%s.%s'", model_use_group(use), use->encoding, outputs[i]->name);
    json_write(out, "]");
}

/* Writes what a client must bring for outputs: {"bias":["table"]}. */
static void add_needs(struct buffer *out, const struct model_use *use,
                      const struct pe_encoding *enc)
{
    const char *names[MODEL_OUTPUT_NEEDS_MAX];
    size_t outputs, written = 0;
    const struct pe_output *output = pe_outputs(enc, &outputs);

    for (size_t i = 0; i < outputs; i++) {
        const size_t count = model_output_meant_needs(use, enc, &output[i], names);

        if (count == 0)
            continue;
        if (written++ == 0)
            json_write(out, "'needs':{");
        json_write_texts(out, output[i].name, names, count);
    }
    if (written > 0)
        json_write(out, "}");
}

/* Writes the parameters of tables in libraries that lay them out in another way. */
static void add_layouts(struct buffer *out, const struct model_use *use)
{
    if (use->layout_count == 0)
        return;
    json_write(out, "'layouts':{");
    for (size_t i = 0; i < use->layout_count; i++) {
        const struct model_layout *layout = &use->layouts[i];

        json_write(out, "'%s':{", layout->library);
        add_settings(out, layout->settings, layout->count, model_output_encoding(use));
        add_source(out, "source", layout->source);
        json_write(out, "}");
    }
    json_write(out, "}");
}

static void add_tensors(struct buffer *out, const struct model_use *use)
{
    if (use->tensor_count == 0)
        return;
    json_write(out, "'tensors':{");
    for (size_t i = 0; i < use->tensor_count; i++) {
        const struct model_tensor *tensor = &use->tensors[i];

        json_write(out, "'%s':{'name':'%s'", tensor->parameter, tensor->name);
        if (tensor->shape)
            json_write(out, "'shape':[%s]", tensor->shape);
        json_write_text(out, "layout", tensor->layout);
        json_write(out, "}");
    }
    json_write(out, "}");
}

void model_use_text(struct buffer *out, const struct model *model, const struct model_use *use,
                    const char *from, bool named)
{
    const struct pe_encoding *enc = model_output_encoding(use);

    json_write(out, "{");
    if (use->encoding)
        json_write_text(out, "encoding", use->encoding);
    else
        json_write(out, "'encoding':null");
    json_write_text(out, "from", from);
    json_write_text(out, "group", from ? NULL : model_use_group(use));
    json_write_text(out, "layer_type", use->layer_type);
    add_layers(out, model, use);
    if (enc) {
        add_settings(out, use->settings, use->count, enc);
        add_resolved(out, use, enc);
        add_urls(out, use, enc, NULL);
        if (named) {
            add_urls(out, use, enc, model);
            add_tables(out, use);
        }
        add_needs(out, use, enc);
        add_layouts(out, use);
        add_tensors(out, use);
    }
    json_write_text(out, "note", use->note);
    json_write_text(out, "left_out", use->left_out);
    model_use_text_sources(out, use->source, use->sources, use->source_count);
    json_write(out, "}");
}

/* ---- checks ----------------------------------------------------------------------------- */

/* Forgets the problems that the client must bring something: what the model says is right; and
 * where nothing can be computed without it (`all`), that settings have no effect yet. */
static void forget_needs(struct pe_errors *errors, size_t before, bool all)
{
    size_t kept = before;
    bool missing = false;

    for (size_t i = before; i < errors->count; i++)
        missing |= errors->at[i].status == PE_MISSING_PARAMETER;
    for (size_t i = before; i < errors->count; i++)
        if (errors->at[i].status != PE_MISSING_PARAMETER &&
            !(all && missing && errors->at[i].status == PE_CONFLICT))
            errors->at[kept++] = errors->at[i];
    errors->count = kept;
}

bool model_use_text_check(const struct model_use *use, struct pe_errors *errors)
{
    const struct pe_encoding *enc = model_output_encoding(use);
    const struct pe_output *outputs[PE_MAX_OUTPUTS];
    const size_t before = errors->count;
    struct buffer query = {0};

    if (use->encoding && !enc) {
        pe_fail(errors, PE_BAD_VALUE, NULL, "%s is no encoding of this version", use->encoding);
    } else if (enc) {
        model_urls_query(use, &query);
        request_free(ask(enc, &query, errors));
        buffer_fini(&query);
        const size_t count = model_output_tables(use, true, outputs);
        if (count == 0 || !outputs[0]->by_default) /* a default output needs something */
            forget_needs(errors, before, count == 0);
    }
    return errors->count == before;
}
