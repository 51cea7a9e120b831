/* SPDX-License-Identifier: Apache-2.0
 * model_text.c - writes JSON of models. The resolved parameters are those of the request that
 * the first URL makes, so that they are what the response has. */
#include "proto/describe/model_text.h"

#include <inttypes.h>
#include <string.h>

#include "proto/describe/model_urls.h"
#include "proto/http/problem.h"
#include "proto/request/canonical.h"
#include "proto/request/request.h"

static void add_text(struct buffer *out, const char *text)
{
    buffer_add_json(out, text, strlen(text));
}

static void add_member(struct buffer *out, const char *name, const char *text)
{
    if (text) {
        buffer_add_format(out, ",\"%s\":", name);
        add_text(out, text);
    }
}

/* Writes a list of words, or nothing if there are none. */
static void write_words(struct buffer *out, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(out, i == 0 ? "[" : ",");
        add_text(out, words[i]);
    }
    buffer_add_text(out, count > 0 ? "]" : "");
}

static size_t count_words(const char *const *words)
{
    size_t count = 0;

    while (words && words[count])
        count++;
    return count;
}

/* Lists each encoding once, in the order of the uses. */
static size_t encodings_of(const struct model *model, const char *names[], size_t max)
{
    size_t count = 0;

    for (size_t i = 0; i < model->use_count && count < max; i++) {
        const char *name = model->uses[i].encoding;
        size_t j = 0;

        while (name && j < count && strcmp(names[j], name) != 0)
            j++;
        if (name && j == count)
            names[count++] = name;
    }
    return count;
}

/* ---- the members of a model's entry ----------------------------------------------------- */

#define TEXT_FIELD(NAME)                                                                       \
    static void write_##NAME(struct buffer *out, const void *entry)                            \
    {                                                                                          \
        const struct model *model = entry;                                                     \
                                                                                               \
        if (model->NAME)                                                                       \
            add_text(out, model->NAME);                                                        \
    }
#define NUMBER_FIELD(NAME)                                                                     \
    static void write_##NAME(struct buffer *out, const void *entry)                            \
    {                                                                                          \
        const struct model *model = entry;                                                     \
                                                                                               \
        if (model->NAME > 0)                                                                   \
            buffer_add_format(out, "%" PRId64, model->NAME);                                   \
    }
TEXT_FIELD(id)
TEXT_FIELD(name)
TEXT_FIELD(organisation)
TEXT_FIELD(family)
NUMBER_FIELD(max_position_embeddings)
NUMBER_FIELD(layers)
#undef TEXT_FIELD
#undef NUMBER_FIELD

/* The name that a person reads: "Qwen3-4B (Qwen)", or "Qwen3-4B" alone. */
static void write_title(struct buffer *out, const void *entry)
{
    const struct model *model = entry;
    struct buffer title = {0};

    buffer_add_text(&title, model->name ? model->name : model->id);
    if (model->organisation)
        buffer_add_format(&title, " (%s)", model->organisation);
    if (title.failed)
        buffer_fail(out);
    else
        add_text(out, title.bytes);
    buffer_fini(&title);
}

/* The length of the context, in tokens, that the model's configuration states. */
static void write_window(struct buffer *out, const void *entry)
{
    write_max_position_embeddings(out, entry);
}

static void write_aliases(struct buffer *out, const void *entry)
{
    const struct model *model = entry;

    write_words(out, model->aliases, count_words(model->aliases));
}

static void write_encodings(struct buffer *out, const void *entry)
{
    const char *names[8];

    write_words(out, names, encodings_of(entry, names, 8));
}

static void write_url(struct buffer *out, const void *entry)
{
    const struct model *model = entry;

    buffer_add_format(out, "\"/v1/models/%s\"", model->id);
}

/* The first FACTS rows begin the page of a model too. */
enum { FACTS = 9 };
static const struct fields_row rows[] = {
    {"id", write_id},           {"name", write_name},
    {"title", write_title},     {"organisation", write_organisation},
    {"family", write_family},   {"window", write_window},
    {"aliases", write_aliases}, {"max_position_embeddings", write_max_position_embeddings},
    {"layers", write_layers},   {"encodings", write_encodings},
    {"url", write_url},
};
const struct fields model_text_fields = {rows, sizeof rows / sizeof rows[0]};

void model_text_list(struct buffer *out, const struct models *models, uint64_t set)
{
    buffer_add_text(out, "{\"models\":[");
    for (size_t i = 0; i < models_count(models); i++) {
        buffer_add_text(out, i == 0 ? "" : ",");
        fields_write(out, &model_text_fields, set, models_at(models, i));
    }
    buffer_add_text(out, "]}\n");
}

/* ---- one use --------------------------------------------------------------------------- */

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
static void add_settings(struct buffer *out, const struct model_use *use,
                         const struct pe_encoding *enc)
{
    buffer_add_text(out, ",\"parameters\":{");
    for (size_t i = 0; i < use->count; i++) {
        const struct model_setting *setting = &use->settings[i];
        enum pe_type type = type_of(enc, setting->name);

        buffer_add_format(out, "%s\"%s\":", i == 0 ? "" : ",", setting->name);
        if (type == PE_INT || type == PE_REAL)
            buffer_add_text(out, setting->text);
        else if (type == PE_BOOL)
            buffer_add_text(out, strcmp(setting->text, "1") == 0 ? "true" : "false");
        else if (type == PE_REALS)
            buffer_add_format(out, "[%s]", setting->text);
        else
            add_text(out, setting->text);
    }
    buffer_add_text(out, "}");
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
        buffer_add_text(out, ",\"resolved\":");
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

    buffer_add_text(out, named ? ",\"named_urls\":[" : ",\"urls\":[");
    for (size_t i = 0; i < count; i++) {
        if (queries[i].failed)
            buffer_fail(out);
        else
            buffer_add_format(out, "%s\"/v1/%s?%s\"", i == 0 ? "" : ",", pe_name(enc),
                              queries[i].bytes);
        buffer_fini(&queries[i]);
    }
    buffer_add_text(out, "]");
}

/* Writes the layers that a use is about, if the model's layers have types. */
static void add_layers(struct buffer *out, const struct model *model,
                       const struct model_use *use)
{
    if (!use->layer_type || model->layers == 0 || model->pattern_len == 0)
        return;
    const char *comma = "";
    buffer_add_text(out, ",\"layers\":[");
    for (int64_t i = 0; i < model->layers; i++) {
        if (strcmp(models_layer_type(model, i), use->layer_type) == 0) {
            buffer_add_format(out, "%s%" PRId64, comma, i);
            comma = ",";
        }
    }
    buffer_add_text(out, "]");
}

/* Writes a use. from: the key of the configuration that names an encoding beside the uses;
 * NULL: a use of the model. */
static void add_use(struct buffer *out, const struct model *model, const struct model_use *use,
                    const char *from, bool named)
{
    const struct pe_encoding *enc = model_urls_encoding(use);

    buffer_add_text(out, "{\"encoding\":");
    if (!use->encoding)
        buffer_add_text(out, "null");
    else
        add_text(out, use->encoding);
    add_member(out, "from", from);
    add_member(out, "layer_type", use->layer_type);
    add_layers(out, model, use);
    if (enc) {
        add_settings(out, use, enc);
        add_resolved(out, use, enc);
        add_urls(out, use, enc, NULL);
        if (named)
            add_urls(out, use, enc, model);
    }
    buffer_add_text(out, "}");
}

static void add_besides(struct buffer *out, const struct model *model)
{
    for (size_t i = 0; i < model->beside_count; i++) {
        const struct model_beside *beside = &model->besides[i];

        buffer_add_text(out, i == 0 ? ",\"besides\":[" : ",");
        add_use(out, model, beside->use, beside->from, false);
    }
    buffer_add_text(out, model->beside_count > 0 ? "]" : "");
}

/* ---- the model's page
 * --------------------------------------------------------------------- */

static void add_source(struct buffer *out, const char *name, const struct model_source *source)
{
    if (source->repository) {
        buffer_add_format(out, ",\"%s\":{\"repository\":", name);
        add_text(out, source->repository);
        add_member(out, "path", source->path);
        add_member(out, "commit", source->commit);
        buffer_add_text(out, "}");
    }
}

void model_text_one(struct buffer *out, const struct model *model, bool named,
                    const char *const *notes, size_t note_count)
{
    fields_write_open(out, &model_text_fields, (UINT64_C(1) << FACTS) - 1, model);
    buffer_add_text(out, ",\"uses\":[");
    for (size_t i = 0; i < model->use_count; i++) {
        buffer_add_text(out, i == 0 ? "" : ",");
        add_use(out, model, &model->uses[i], NULL, named);
    }
    buffer_add_text(out, "]");
    add_besides(out, model);
    add_source(out, "source", &model->source);
    add_source(out, "length_source", &model->length_source);
    add_source(out, "pairing_source", &model->pairing_source);
    add_member(out, "notes", model->notes);
    if (note_count > 0) {
        buffer_add_text(out, ",\"warnings\":");
        write_words(out, notes, note_count);
    }
    buffer_add_text(out, "}\n");
}

bool model_text_check_use(const struct model_use *use, struct pe_errors *errors)
{
    const struct pe_encoding *enc = model_urls_encoding(use);
    const size_t before = errors->count;
    struct buffer query = {0};

    if (use->encoding && !enc) {
        pe_fail(errors, PE_BAD_VALUE, NULL, "%s is no encoding of this version", use->encoding);
    } else if (enc) {
        model_urls_query(use, &query);
        request_free(ask(enc, &query, errors));
        buffer_fini(&query);
    }
    return errors->count == before;
}

bool model_text_check(const struct model *model, struct pe_errors *errors)
{
    for (size_t i = 0; i < model->use_count; i++)
        (void)model_text_check_use(&model->uses[i], errors);
    return errors->count == 0;
}
