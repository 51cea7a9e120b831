/* SPDX-License-Identifier: Apache-2.0
 * request_words.c - see request_words.h. The words become a query, so that what is wrong
 * with them is said as over HTTP. */
#include "server/cli/request_words.h"

#include <stdio.h>
#include <string.h>

#include "proto/request/option.h"
#include "proto/request/param_names.h"
#include "server/cli/cli_encoding.h"
#include "server/cli/command/say.h"
#include "server/cli/query_word.h"
#include "server/cli/tensors/param_files.h"
#include "server/cli/tensors/position_list.h"

enum { ENCODING_SIZE = 128 };

struct setting {
    struct request *request;
    const struct call *call;
    struct buffer query;
    struct param_files files;
    struct pe_errors *errors;
};

const struct pe_encoding *request_words_encoding(const struct call *call)
{
    const char *word = call->word[0];
    char name[ENCODING_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "?"), word);
    return cli_encoding_find(name, "encoding");
}

/* ---- files --------------------------------------------------------------------------- */

/* Returns the row of the parameter that reads a file, NULL for any other word. */
static const struct pe_param *file_param(const struct setting *setting,
                                         const struct query_word *word)
{
    return word->value[0] == '@' ? param_names_find(request_encoding(setting->request),
                                                    word->name, word->name_len)
                                 : NULL;
}

static enum pe_status refuse_file(const struct setting *setting, const struct pe_param *param)
{
    return pe_fail(setting->errors, PE_BAD_VALUE, param->name,
                   "is not read from a file; @FILE is for tensors, lists and positions");
}

/* Returns whether the parameter of word number `at` is given by an earlier word, or as text. */
static bool is_repeated(const struct setting *setting, const struct pe_param *param, size_t at)
{
    const struct pe_encoding *enc = request_encoding(setting->request);
    struct query_word word;

    for (size_t i = 1; i < setting->call->count; i++)
        if (i != at && query_word_split(setting->call->word[i], &word) &&
            param_names_find(enc, word.name, word.name_len) == param &&
            (i < at || word.value[0] != '@'))
            return true;
    return false;
}

/* Gives a parameter of positions the numbers of the tensor that was read last. */
static enum pe_status take_positions(struct setting *setting, const struct query_word *word)
{
    struct tensor_set *set = &setting->files.set;
    struct tensor *tensor = &set->at[set->count - 1];
    struct buffer text = {0};
    enum pe_status status = PE_OK;

    if (!position_list_write(&text, tensor))
        status = pe_fail(setting->errors, PE_BAD_VALUE, tensor->name,
                         "must be a list of positions; %.100s has %zu axes", word->value + 1,
                         tensor->info.rank);
    else if (text.failed)
        status = pe_fail(setting->errors, PE_NO_MEMORY, NULL, "out of memory");
    else
        query_word_add(&setting->query, word, text.bytes, text.len);
    buffer_fini(&text);
    set->count--;
    struct tensor_set last = {.count = 1, .at = {*tensor}};
    tensor_set_fini(&last);
    return status;
}

static void set_file(struct setting *setting, const struct query_word *word, size_t at,
                     const struct pe_param *param)
{
    if (!param_files_take(param))
        (void)refuse_file(setting, param);
    else if (is_repeated(setting, param, at))
        (void)pe_fail(setting->errors, PE_REPEATED_PARAMETER, param->name,
                      "is given twice; give it once");
    else if (param_files_read(&setting->files, param, word->value + 1, setting->errors) !=
             PE_OK)
        pe_args_refuse(request_args(setting->request), param);
    else if (param->type == PE_POSITIONS)
        (void)take_positions(setting, word);
}

/* ---- all words ----------------------------------------------------------------------- */

static void add_query(struct setting *setting, size_t *wrong)
{
    const struct call *call = setting->call;
    const char *question = strchr(call->word[0], '?');
    struct query_word word;

    if (question)
        buffer_add_text(&setting->query, question + 1);
    for (size_t i = 1; i < call->count; i++) {
        if (!query_word_split(call->word[i], &word)) {
            say_error(CLI_USAGE, "\"%.60s\" must be NAME=VALUE", call->word[i]);
            ++*wrong;
        } else if (!file_param(setting, &word)) {
            query_word_add(&setting->query, &word, word.value, strlen(word.value));
        }
    }
}

static void read_files(struct setting *setting)
{
    const struct call *call = setting->call;
    const struct pe_param *param;
    struct query_word word;

    for (size_t i = 1; i < call->count; i++)
        if (query_word_split(call->word[i], &word) && (param = file_param(setting, &word)))
            set_file(setting, &word, i, param);
}

/* Tells what raw bytes are; in_dtype= or shape= of their own may be wrong. */
static void describe_raw(struct setting *setting)
{
    struct param_files *files = &setting->files;
    const struct buffer *query = &setting->query;
    struct query_word word;

    files->headerless =
        request_headerless_tensor(files->enc, query->len > 0 ? query->bytes : "", query->len);
    for (size_t i = 1; i < setting->call->count; i++)
        files->described |= query_word_split(setting->call->word[i], &word) &&
                            option_find(word.name, word.name_len) == OPTION_SHAPE;
}

/* A parameter that was written as an option is wrong, but not missing. */
static void refuse_meant(const struct setting *setting)
{
    const struct pe_encoding *enc = request_encoding(setting->request);

    for (size_t i = 0; i < setting->call->meant_count; i++) {
        const char *name = setting->call->meant[i]->name;
        const struct pe_param *param = pe_param_find(enc, name, strlen(name));

        if (param)
            pe_args_refuse(request_args(setting->request), param);
    }
}

void request_words_set(struct request *request, const struct call *call,
                       struct request_words *words, struct pe_errors *errors)
{
    struct setting setting = {
        .request = request,
        .call = call,
        .files = {.enc = request_encoding(request), .max_elements = words->max_elements},
        .errors = errors};

    add_query(&setting, &words->wrong);
    if (!setting.query.failed) {
        describe_raw(&setting);
        read_files(&setting);
    }
    if (setting.query.failed)
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    else
        (void)request_set_query(request, setting.query.len > 0 ? setting.query.bytes : "",
                                setting.query.len, errors);
    refuse_meant(&setting);
    if (setting.files.format)
        (void)request_set_tensors(request, setting.files.format, &setting.files.set, errors);
    buffer_fini(&setting.query);
    words->undescribed = setting.files.undescribed;
    words->unread = setting.files.wrong;
    words->file_code = setting.files.code;
}
