/* SPDX-License-Identifier: Apache-2.0
 * model_text.c - writes JSON of models: their facts, and lists of them. */
#include "proto/describe/model_text.h"

#include <inttypes.h>
#include <string.h>

#include "proto/describe/model_component_text.h"
#include "proto/describe/model_use_text.h"
#include "proto/text/json_write.h"

enum { ENCODINGS_MAX = 32 }; /* of a model; more are not listed */

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
        json_write_text(out, NULL, ((const struct model *)entry)->NAME);                       \
    }
#define NUMBER_FIELD(NAME)                                                                     \
    static void write_##NAME(struct buffer *out, const void *entry)                            \
    {                                                                                          \
        const struct model *model = entry;                                                     \
                                                                                               \
        if (model->NAME > 0)                                                                   \
            json_write_integer(out, NULL, (uint64_t)model->NAME);                              \
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
    json_write_buffer(out, NULL, &title);
}

/* The length of the context, in tokens, that the model's configuration states. */
static void write_window(struct buffer *out, const void *entry)
{
    write_max_position_embeddings(out, entry);
}

static void write_aliases(struct buffer *out, const void *entry)
{
    const struct model *model = entry;

    if (model->aliases && model->aliases[0])
        json_write_texts(out, NULL, model->aliases, SIZE_MAX);
}

static void write_encodings(struct buffer *out, const void *entry)
{
    const char *names[ENCODINGS_MAX];
    const size_t count = encodings_of(entry, names, ENCODINGS_MAX);

    if (count > 0)
        json_write_texts(out, NULL, names, count);
}

static void write_url(struct buffer *out, const void *entry)
{
    const struct model *model = entry;

    json_write(out, "'/v1/models/%s'", model->id);
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
const struct fields model_text_fields = {rows, sizeof rows / sizeof rows[0], .searched = true};

void model_text_list(struct buffer *out, const struct models *models,
                     const struct fields_query *asked)
{
    json_write(out, "{'models':[");
    for (size_t i = 0; i < models_count(models); i++)
        if (models_match(models_at(models, i), asked->words))
            fields_write(out, &model_text_fields, asked->set, models_at(models, i));
    json_write(out, "]}\n");
}

static void add_besides(struct buffer *out, const struct model *model)
{
    if (model->beside_count == 0)
        return;
    json_write(out, "'besides':[");
    for (size_t i = 0; i < model->beside_count; i++)
        model_use_text(out, model, model->besides[i].use, model->besides[i].from, false);
    json_write(out, "]");
}

/* ---- one model --------------------------------------------------------------------------- */

static void add_stacks(struct buffer *out, const struct model *model)
{
    if (model->stack_count == 0)
        return;
    json_write(out, "'stacks':{");
    for (size_t i = 0; i < model->stack_count; i++)
        json_write(out, "'%s':%" PRId64, model->stacks[i].name, model->stacks[i].layers);
    json_write(out, "}");
}

void model_text_one(struct buffer *out, const struct model *model, bool named,
                    const char *const *notes, size_t note_count)
{
    fields_write_open(out, &model_text_fields, (UINT64_C(1) << FACTS) - 1, model);
    add_stacks(out, model);
    model_component_text(out, model);
    if (named)
        json_write(out, "'tables':'/v1/models/%s/tables?pos=0:4096'", model->id);
    json_write(out, "'uses':[");
    for (size_t i = 0; i < model->use_count; i++)
        model_use_text(out, model, &model->uses[i], NULL, named);
    json_write(out, "]");
    add_besides(out, model);
    model_use_text_sources(out, model->source, model->sources, model->source_count);
    json_write_text(out, "notes", model->notes);
    if (note_count > 0)
        json_write_texts(out, "warnings", notes, note_count);
    json_write(out, "}\n");
}

bool model_text_check(const struct model *model, struct pe_errors *errors)
{
    for (size_t i = 0; i < model->use_count; i++)
        (void)model_use_text_check(&model->uses[i], errors);
    return errors->count == 0;
}
