/* SPDX-License-Identifier: Apache-2.0
 * model_component_text.c - see model_component_text.h. A use belongs to the part that its group
 * is named after, an encoding beside the uses to the part that holds its key; else both belong
 * to the main part. */
#include "proto/describe/model_component_text.h"

#include <stdbool.h>
#include <string.h>

#include "proto/models/model_use.h"
#include "proto/text/json_write.h"

enum { ENCODINGS_MAX = 32 };

/* Returns whether the text begins with the name, and ends there or goes on with that mark. */
static bool begins(const char *text, const char *name, char mark)
{
    const size_t len = strlen(name);

    return strncmp(text, name, len) == 0 && (text[len] == '\0' || text[len] == mark);
}

static const struct model_component *main_of(const struct model *model)
{
    for (size_t i = 0; i < model->component_count; i++)
        if (model->components[i].is_main)
            return &model->components[i];
    return NULL;
}

static const struct model_component *of_use(const struct model *model,
                                            const struct model_use *use)
{
    for (size_t i = 0; i < model->component_count; i++)
        if (!model->components[i].is_main &&
            begins(model_use_group(use), model->components[i].name, '_'))
            return &model->components[i];
    return main_of(model);
}

static const struct model_component *of_beside(const struct model *model,
                                               const struct model_beside *beside)
{
    for (size_t i = 0; i < model->component_count; i++)
        if (!model->components[i].is_main && model->components[i].from &&
            begins(beside->from, model->components[i].from, '/'))
            return &model->components[i];
    return main_of(model);
}

/* A list of names, each once. */
struct names {
    const char *at[ENCODINGS_MAX];
    size_t count;
};

static void add(struct names *names, const char *name)
{
    size_t i = 0;

    while (i < names->count && strcmp(names->at[i], name) != 0)
        i++;
    if (i == names->count && i < ENCODINGS_MAX)
        names->at[names->count++] = name;
}

static void write_part(struct buffer *out, const struct model *model,
                       const struct model_component *part)
{
    struct names names = {.count = 0};

    for (size_t i = 0; i < model->use_count; i++)
        if (model->uses[i].encoding && of_use(model, &model->uses[i]) == part)
            add(&names, model->uses[i].encoding);
    for (size_t i = 0; i < model->beside_count; i++)
        if (of_beside(model, &model->besides[i]) == part)
            add(&names, model->besides[i].use->encoding);
    json_write(out, "{");
    json_write_text(out, "name", part->name);
    json_write_text(out, "from", part->from);
    if (names.count > 0)
        json_write_texts(out, "encodings", names.at, names.count);
    json_write_text(out, "left_out", part->left_out);
    json_write(out, "}");
}

void model_component_text(struct buffer *out, const struct model *model)
{
    if (model->component_count == 0)
        return;
    json_write(out, "'parts':[");
    for (size_t i = 0; i < model->component_count; i++)
        write_part(out, model, &model->components[i]);
    json_write(out, "]");
}
