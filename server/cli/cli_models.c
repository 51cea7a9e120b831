/* SPDX-License-Identifier: Apache-2.0
 * cli_models.c - posencd models [WORD]: the embedded models whose id, title or other name
 * has the word; with -o, the tables of one. */
#include <string.h>

#include "core/posenc.h"
#include "proto/describe/model_text.h"
#include "proto/models/models.h"
#include "proto/text/json_write.h"
#include "server/cli/cli_model_tables.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"

static bool matches(const struct model *model, const char *words)
{
    return !words || models_match(model, words);
}

/* Writes the line of a model: its id, padded, its title and its other names. */
static void write_line(struct buffer *out, const struct model *model, size_t width)
{
    buffer_add_format(out, "%-*s  %s", (int)width, model->id,
                      model->name ? model->name : model->id);
    if (model->organisation)
        buffer_add_format(out, " (%s)", model->organisation);
    for (const char *const *alias = model->aliases; alias && *alias; alias++)
        buffer_add_format(out, "%s%s", alias == model->aliases ? "; " : ", ", *alias);
    buffer_add_text(out, "\n");
}

static void write_list(struct buffer *out, const struct models *models, const char *word)
{
    size_t width = 0;

    for (size_t i = 0; i < models_count(models); i++)
        if (matches(models_at(models, i), word) && strlen(models_at(models, i)->id) > width)
            width = strlen(models_at(models, i)->id);
    for (size_t i = 0; i < models_count(models); i++)
        if (matches(models_at(models, i), word))
            write_line(out, models_at(models, i), width);
}

static void write_json(struct buffer *out, const struct models *models, const char *word)
{
    json_write(out, "{'models':[");
    for (size_t i = 0; i < models_count(models); i++)
        if (matches(models_at(models, i), word))
            fields_write(out, &model_text_fields, FIELDS_ALL, models_at(models, i));
    json_write(out, "]}\n");
}

static bool any_matches(const struct models *models, const char *word)
{
    for (size_t i = 0; i < models_count(models); i++)
        if (matches(models_at(models, i), word))
            return true;
    return false;
}

/* Says of each word that only the tables of a model take, and returns their number: a list
 * has no parameters. */
static size_t refuse_alone(const struct call *call)
{
    size_t wrong = 0;

    for (size_t i = 0; i < call->count; i++) {
        if (i == 0 && !strchr(call->word[i], '='))
            continue;
        say_error(CLI_USAGE,
                  strchr(call->word[i], '=')
                      ? "\"%.60s\" is for the tables of a model, which -o FILE writes"
                      : "unexpected argument \"%.60s\"; models takes one WORD",
                  call->word[i]);
        wrong++;
    }
    if (call->value[COMMAND_OPTION_MODELS_MAX_ELEMENTS]) {
        say_error(CLI_USAGE,
                  "--max-elements is for the tables of a model, which -o FILE writes");
        wrong++;
    }
    return wrong;
}

int cli_models(const struct call *call)
{
    const struct models *models = models_embedded();
    const char *word = call->count > 0 ? call->word[0] : NULL;
    char near[MODELS_NEAR_TEXT];
    struct buffer text = {0};

    if (call->value[COMMAND_OPTION_MODELS_OUTPUT])
        return cli_model_tables(call, models);
    if (refuse_alone(call) > 0 || call->wrong > 0)
        return CLI_USAGE;
    if (!any_matches(models, word)) {
        models_print_nearest(models, word, strlen(word), near, sizeof near);
        return say_unknown("model", word, *near ? near : NULL, "posencd models");
    }
    if (call->value[COMMAND_OPTION_MODELS_JSON])
        write_json(&text, models, word);
    else
        write_list(&text, models, word);
    return say_text(&text);
}
