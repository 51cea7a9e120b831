/* SPDX-License-Identifier: Apache-2.0
 * completion_word.c - see completion_word.h. */
#include "server/cli/completion_word.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/describe/catalog.h"
#include "proto/models/models.h"
#include "proto/output/model_param.h"
#include "proto/request/option.h"
#include "proto/request/param_names.h"
#include "proto/verify/verify_body.h"
#include "server/cli/completion_script.h"
#include "server/cli/tensors/param_files.h"

enum { PREFIX_SIZE = 256, SUMMARY_MAX = 90 };

/* ---- candidates ---------------------------------------------------------------------- */

void completion_word_add(struct completion_word *word, const char *prefix, const char *text,
                         size_t len, const char *suffix, const char *summary)
{
    struct buffer whole = {0};
    const size_t typed = strlen(word->current);

    buffer_add_text(&whole, prefix);
    buffer_add(&whole, text, len == SIZE_MAX ? strlen(text) : len);
    buffer_add_text(&whole, suffix);
    if (whole.failed) {
        buffer_fail(&word->lines);
    } else if (whole.len >= typed &&
               (typed == 0 || memcmp(whole.bytes, word->current, typed) == 0)) {
        buffer_add_format(&word->lines, "%s\t%.*s\n", whole.bytes, SUMMARY_MAX, summary);
        word->has_no_space |= *suffix != '\0';
        word->has_space |= *suffix == '\0';
    }
    buffer_fini(&whole);
}

void completion_word_files(struct completion_word *word, const char *prefix)
{
    word->has_files = true;
    buffer_add_text(&word->files, prefix);
}

void completion_word_finish(struct completion_word *word, struct buffer *out)
{
    const bool no_space = word->has_no_space && !word->has_space;

    buffer_add_text(out, word->has_files ? "files " : no_space ? "no-space" : "words");
    buffer_add(out, word->files.bytes, word->files.len);
    buffer_add_text(out, "\n");
    buffer_add(out, word->lines.bytes, word->lines.len);
    if (word->lines.failed || word->files.failed)
        buffer_fail(out);
    buffer_fini(&word->lines);
    buffer_fini(&word->files);
}

static void add_encodings(struct completion_word *word, const char *prefix)
{
    for (size_t i = 0; i < pe_count(); i++)
        completion_word_add(word, prefix, pe_name(pe_at(i)), SIZE_MAX, "", pe_title(pe_at(i)));
}

/* Adds every id, and the other names where one of them was begun. */
static void add_models(struct completion_word *word, const char *prefix)
{
    const struct models *models = models_embedded();
    const bool begun = strlen(word->current) > strlen(prefix);

    for (size_t i = 0; i < models_count(models); i++) {
        const struct model *model = models_at(models, i);
        const char *title = model->name ? model->name : model->id;

        completion_word_add(word, prefix, model->id, SIZE_MAX, "", title);
        for (const char *const *alias = model->aliases; begun && alias && *alias; alias++)
            completion_word_add(word, prefix, *alias, SIZE_MAX, "", title);
    }
}

/* ---- NAME=VALUE ---------------------------------------------------------------------- */

/* Returns whether one of the earlier words gives the name. */
static bool is_given(const struct completion_word *word, const char *name)
{
    const size_t len = strlen(name);

    for (size_t i = 0; i + 1 < word->count; i++)
        if (strncmp(word->words[i], name, len) == 0 && word->words[i][len] == '=')
            return true;
    return false;
}

static void add_name(struct completion_word *word, const char *name, const char *summary)
{
    if (!is_given(word, name))
        completion_word_add(word, "", name, SIZE_MAX, "=", summary);
}

/* Returns whether "out=cos,sin," lists the name. */
static bool is_listed(const char *prefix, const char *name)
{
    const size_t len = strlen(name);

    for (const char *at = prefix + strcspn(prefix, "="); *at; at += strcspn(at, ",")) {
        at++;
        if (strncmp(at, name, len) == 0 && at[len] == ',')
            return true;
    }
    return false;
}

/* Adds the values of a parameter behind NAME=, and behind the commas of a list of outputs. */
static void add_values(struct completion_word *word, const struct param_names *names,
                       const struct pe_param *param)
{
    const char *comma = param == &names->out ? strrchr(word->current, ',') : NULL;
    const size_t len = comma ? (size_t)(comma - word->current) + 1 : strlen(param->name) + 1;
    char prefix[PREFIX_SIZE];

    if (len >= sizeof prefix)
        return;
    snprintf(prefix, sizeof prefix, "%.*s", (int)len, word->current);
    for (const struct pe_choice *c = param->choices; c && c->name; c++)
        if (!comma || !is_listed(prefix, c->name))
            completion_word_add(word, prefix, c->name, SIZE_MAX, "",
                                c->summary ? c->summary : "");
    for (const struct pe_word *w = param->words; w && w->word; w++)
        completion_word_add(word, prefix, w->word, SIZE_MAX, "", "");
    for (size_t i = 0; param->type == PE_BOOL && i < 2; i++)
        completion_word_add(word, prefix, i == 0 ? "0" : "1", SIZE_MAX, "",
                            i == 0 ? "no" : "yes");
    if (param == &option_at(OPTION_MODEL)->param)
        add_models(word, prefix);
    if (param_files_take(param) && word->current[len] == '@') {
        memcpy(prefix + len, "@", 2);
        completion_word_files(word, prefix);
    } else if (param_files_take(param)) {
        completion_word_add(word, prefix, "", 0, "@",
                            "a file: npy, npz, safetensors, raw, or -");
    }
}

/* Returns the row of NAME in the current word NAME=..., NULL if it is none of the names. */
static const struct pe_param *find_row(const struct completion_word *word,
                                       const struct param_names *names)
{
    const size_t len = strcspn(word->current, "=");

    for (size_t i = 0; word->current[len] == '=' && i < names->count; i++)
        if (strlen(names->at[i]->name) == len &&
            memcmp(names->at[i]->name, word->current, len) == 0)
            return names->at[i];
    return NULL;
}

static void add_parameters(struct completion_word *word, const struct pe_encoding *enc)
{
    struct param_names names;
    const struct pe_param *row;

    param_names_init(&names, enc);
    row = find_row(word, &names);
    if (row)
        add_values(word, &names, row);
    for (size_t i = 0; !strchr(word->current, '=') && i < names.count; i++)
        add_name(word, names.at[i]->name, pe_param_summary(names.at[i]));
}

static void write_parameter(struct completion_word *word)
{
    const struct pe_encoding *enc =
        word->first ? pe_find(word->first, strlen(word->first)) : NULL;

    if (enc)
        add_parameters(word, enc);
}

/* The names of a claim: the encoding, the model, its parameters, and what raw bytes are. */
static void write_claim(struct completion_word *word)
{
    static const char claim[] = "encoding=", tensor[] = "tensor";
    const struct pe_encoding *enc = NULL;

    if (strncmp(word->current, claim, sizeof claim - 1) == 0) {
        add_encodings(word, claim);
        return;
    }
    for (size_t i = 0; i + 1 < word->count; i++)
        if (strncmp(word->words[i], claim, sizeof claim - 1) == 0)
            enc = pe_find(word->words[i] + sizeof claim - 1,
                          strlen(word->words[i]) - (sizeof claim - 1));
    if (!strchr(word->current, '=')) {
        completion_word_files(word, "");
        if (!enc)
            completion_word_add(word, "", "encoding", SIZE_MAX, "=",
                                "what the tensors should be");
        if (verify_body_find(tensor, sizeof tensor - 1) != VERIFY_BODY_WORDS)
            add_name(word, tensor, "the output that a tensor without a name should be");
    }
    add_parameters(word, enc);
}

/* The names of all tables of a model, and the values of those that have a list of them. */
static void write_tables(struct completion_word *word)
{
    const size_t len = strcspn(word->current, "=");
    const struct model_param *given =
        word->current[len] == '=' ? model_param_find(word->current, len) : NULL;
    char prefix[PREFIX_SIZE];

    for (size_t i = 0; word->current[len] == '\0' && i < MODEL_PARAM_COUNT; i++)
        add_name(word, model_param_at(i)->name, model_param_at(i)->summary);
    if (!given)
        return;
    snprintf(prefix, sizeof prefix, "%s=", given->name);
    for (const char *const *choice = given->choices; choice && *choice; choice++)
        completion_word_add(word, prefix, *choice, SIZE_MAX, "", "");
    if (given == model_param_at(MODEL_PARAM_DTYPE))
        add_parameters(word, NULL);
}

/* ---- kinds --------------------------------------------------------------------------- */

static void write_none(struct completion_word *word)
{
}

static void write_file(struct completion_word *word)
{
    completion_word_files(word, "");
}

static void write_encoding(struct completion_word *word)
{
    add_encodings(word, "");
}

static void write_model(struct completion_word *word)
{
    add_models(word, "");
}

static void write_fields(struct completion_word *word)
{
    const char *comma = strrchr(word->current, ',');
    char prefix[PREFIX_SIZE] = "";

    if (comma && comma - word->current + 1 < PREFIX_SIZE)
        snprintf(prefix, sizeof prefix, "%.*s", (int)(comma - word->current + 1),
                 word->current);
    for (size_t i = 0; i < catalog_fields.count; i++)
        completion_word_add(word, prefix, catalog_fields.rows[i].name, SIZE_MAX, "", "");
}

static void write_shell(struct completion_word *word)
{
    for (size_t i = 0; i < completion_script_count(); i++)
        completion_word_add(word, "", completion_script_shell(i), SIZE_MAX, "", "");
}

static void write_command(struct completion_word *word)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (command_at(i)->reading != COMMAND_READING_HIDDEN)
            completion_word_add(word, "", command_at(i)->name, SIZE_MAX, "",
                                command_at(i)->summary);
}

static void write_topic(struct completion_word *word)
{
    write_command(word);
    write_encoding(word);
}

void completion_word_write(struct completion_word *word, enum command_word kind)
{
    static void (*const writers[COMMAND_WORD_COUNT])(struct completion_word *) = {
        [COMMAND_WORD_NONE] = write_none,           [COMMAND_WORD_TEXT] = write_none,
        [COMMAND_WORD_FILE] = write_file,           [COMMAND_WORD_ENCODING] = write_encoding,
        [COMMAND_WORD_PARAMETER] = write_parameter, [COMMAND_WORD_CLAIM] = write_claim,
        [COMMAND_WORD_MODEL] = write_model,         [COMMAND_WORD_FIELDS] = write_fields,
        [COMMAND_WORD_SHELL] = write_shell,         [COMMAND_WORD_COMMAND] = write_command,
        [COMMAND_WORD_TOPIC] = write_topic,         [COMMAND_WORD_TABLES] = write_tables,
    };

    writers[kind](word);
}
