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
#include "server/cli/command/terminal.h"

static bool matches(const struct model *model, const char *words)
{
    return !words || models_match(model, words);
}

enum { NARROW = 30 }; /* characters in which a title is not wrapped */

/* Writes the line of a model: its id, padded, its title and its other names. */
static void write_line(struct buffer *out, const struct model *model, size_t width)
{
    buffer_add_format(out, "%-*s  %s", (int)width, model->id,
                      model->name ? model->name : model->id);
    if (model->organisation)
        buffer_add_format(out, " (%s)", model->organisation);
    for (const char *const *alias = model->aliases; alias && *alias; alias++)
        buffer_add_format(out, "%s%s", alias == model->aliases ? "; " : ", ", *alias);
}

/* Writes the text without the spaces at its end. */
static void write_trimmed(struct buffer *out, const char *text, size_t len)
{
    while (len > 0 && text[len - 1] == ' ')
        len--;
    buffer_add(out, text, len);
}

/* Writes the line in lines of so many characters, those behind the first indented as far as the
 * title. columns: 0: there is no end of a line. */
static void write_wrapped(struct buffer *out, const char *line, size_t title, size_t columns)
{
    const size_t indent = columns > title + NARROW ? title : 2;
    size_t left = columns > 0 ? columns : strlen(line);

    for (const char *end; strlen(line) > left;
         line = end + strspn(end, " "), left = columns - indent) {
        for (end = line + left; end > line && *end != ' '; end--)
            continue;
        if (end == line) /* a word that no line holds has a line that is longer */
            end += strcspn(line, " ");
        if (*end == '\0')
            break;
        write_trimmed(out, line, (size_t)(end - line));
        buffer_add_format(out, "\n%*s", (int)indent, "");
    }
    buffer_add_format(out, "%s\n", line);
}

static void write_model(struct buffer *out, const struct model *model, size_t width)
{
    struct buffer line = {0};

    write_line(&line, model, width);
    if (line.failed)
        buffer_fail(out);
    else
        write_wrapped(out, line.bytes, width + 2, terminal_columns());
    buffer_fini(&line);
}

static void write_list(struct buffer *out, const struct models *models, const char *word)
{
    size_t width = 0;

    for (size_t i = 0; i < models_count(models); i++)
        if (matches(models_at(models, i), word) && strlen(models_at(models, i)->id) > width)
            width = strlen(models_at(models, i)->id);
    for (size_t i = 0; i < models_count(models); i++)
        if (matches(models_at(models, i), word))
            write_model(out, models_at(models, i), width);
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
    if (call->value[COMMAND_OPTION_MODELS_JSON]) {
        write_json(&text, models, word);
        return say_json(&text);
    }
    write_list(&text, models, word);
    return say_text(&text);
}
