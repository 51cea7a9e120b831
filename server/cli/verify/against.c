/* SPDX-License-Identifier: Apache-2.0
 * against.c - see against.h. */
#include "server/cli/verify/against.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_write.h"
#include "proto/verify/verify_url.h"
#include "server/cli/command/printable.h"
#include "server/cli/command/say.h"

/* Adds a word; false where there are too many. */
static bool add_word(struct query *query, const char *name, const char *value)
{
    if (query->count == QUERY_MAX_PARAMETERS)
        return false;
    query->at[query->count++] = (struct query_parameter){.name = name,
                                                         .name_len = strlen(name),
                                                         .value = value,
                                                         .value_len = strlen(value)};
    return true;
}

/* Returns whether a value is of the answer or the arithmetic, which a claim does not say. */
static bool is_of_answer(const char *name)
{
    static const char *const names[] = {"out", "dtype", "profile"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Says checked arguments as the words of a claim; tensors are the other file's own. False where
 * a list is too long for words. */
static bool take_claim(struct against *against)
{
    const struct pe_args *args = against->request.args;
    const struct pe_encoding *enc = pe_args_encoding(args);

    if (!add_word(&against->claim, "encoding", pe_name(enc)))
        return false;
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);
        const struct pe_param *param = pe_param_find(enc, value->name, strlen(value->name));

        if (is_of_answer(value->name) || !param || param->type == PE_TENSOR)
            continue;
        if (!value->text || !add_word(&against->claim, value->name, value->text))
            return false;
    }
    return true;
}

/* Says what the tensors are in the words of a command. */
static void say_claim(struct against *against)
{
    const struct verify_request *request = &against->request;
    struct verify_url url = {.args = request->args,
                             .model = request->model,
                             .layer_type = request->layer_type,
                             .models = request->models};
    struct buffer words = {0};

    if (!verify_url_write_words(&words, &url) || words.failed)
        snprintf(against->says, sizeof against->says, "%s: %s",
                 pe_verdict_name(against->verdict->kind), pe_name(pe_args_encoding(url.args)));
    else
        snprintf(against->says, sizeof against->says, "%s: %.500s",
                 pe_verdict_name(against->verdict->kind), words.bytes);
    buffer_fini(&words);
}

static int judge(struct against *against, const struct query *words, struct pe_errors *errors)
{
    struct verify_source source = {.query = words,
                                   .body = against->tensors.body,
                                   .claim = against->tensors.has_claim ? &against->tensors.claim
                                                                       : NULL,
                                   .tensors = &against->tensors.set,
                                   .models = models_embedded(),
                                   .headerless = against->tensors.headerless,
                                   .named = against->tensors.named};
    struct pe_limits limits = {.max_elements = VERIFY_FILE_ELEMENTS,
                               .max_prepared = PE_DEFAULT_MAX_PREPARED};
    if (verify_request_read(&against->request, &source, errors) != PE_OK)
        return CLI_USAGE;
    if (verify_request_run(&against->request, &against->verdict, &limits, errors) != PE_OK) {
        verify_request_fini(&against->request);
        return CLI_USAGE;
    }
    const struct pe_verdict *verdict = against->verdict;
    against->known = verdict && verdict->kind < PE_MISTAKE && take_claim(against);
    if (against->known)
        say_claim(against);
    else
        snprintf(against->says, sizeof against->says, "%s: %.500s",
                 pe_verdict_name(verdict ? verdict->kind : PE_UNEXPLAINED),
                 verdict ? verdict->says : against->request.unknown);
    return 0;
}

int against_read(struct against *against, const char *path, const struct query *words,
                 const struct verify_body *body, struct pe_errors *errors)
{
    int code;

    *against = (struct against){.path = path};
    pe_errors_clear(errors);
    code = cli_tensors_read(&against->tensors, path, body);
    if (code != 0) {
        pe_fail(errors, PE_BAD_VALUE, NULL, "%s", against->tensors.why);
        return code;
    }
    code = judge(against, words, errors);
    if (code != 0)
        cli_tensors_fini(&against->tensors);
    return code;
}

void against_fini(struct against *against)
{
    pe_verdict_free(against->verdict);
    verify_request_fini(&against->request);
    cli_tensors_fini(&against->tensors);
}

void against_compare(const struct against *against, struct verify_pairs *pairs,
                     const struct tensor_set *set, const struct query *words)
{
    struct pe_errors errors = {.count = 0};
    struct verify_words read;

    verify_words_read(&read, words, NULL, 0, &errors);
    verify_pair_all(pairs, set, &against->tensors.set, read.tolerance.atol,
                    read.tolerance.rtol);
}

/* Returns whether a word is about the file and no part of a claim. */
static bool is_of_file(const struct query_parameter *word)
{
    return verify_body_find(word->name, word->name_len) != VERIFY_BODY_WORDS ||
           verify_words_has(word->name, word->name_len);
}

/* Returns whether a word of the other mask says how it writes a hidden key, which the file does
 * in its own way. */
static bool is_of_hidden(const struct verify_pairs *pairs, const char *name)
{
    bool hides = false;

    for (size_t i = 0; i < pairs->count; i++)
        hides = hides || pairs->at[i].hides;
    return hides && (strcmp(name, "mask_value") == 0 || strcmp(name, "true_means") == 0);
}

/* Returns whether a file of other shapes may have another value, which they say themselves. */
static bool is_of_shape(const char *name)
{
    return strcmp(name, "pos") == 0 || strcmp(name, "width") == 0;
}

void against_words(const struct against *against, struct query *made, const struct query *words,
                   const struct verify_pairs *pairs)
{
    bool fits = true;

    *made = (struct query){.count = 0};
    for (size_t i = 0; i < words->count; i++)
        if (is_of_file(&words->at[i]))
            made->at[made->count++] = words->at[i];
    for (size_t i = 0; i < pairs->count; i++)
        fits = fits && (!pairs->at[i].one || !pairs->at[i].other || pairs->at[i].fits);
    for (size_t i = 0; i < against->claim.count; i++)
        if ((fits || !is_of_shape(against->claim.at[i].name)) &&
            !is_of_hidden(pairs, against->claim.at[i].name))
            add_word(made, against->claim.at[i].name, against->claim.at[i].value);
}

void against_write(const struct against *against, struct buffer *out, const char *file,
                   const struct verify_pairs *pairs)
{
    struct buffer text = {0};

    printable_add_name(&text, file);
    buffer_add_text(&text, " against ");
    printable_add_name(&text, against->path);
    buffer_add_format(&text, " (%s)\n", against->says);
    verify_pair_write(&text, pairs);
    if (!against->known)
        buffer_add_text(&text,
                        "  the other file is not right by a claim that is known, so that no "
                        "cause is named\n");
    if (text.failed)
        buffer_fail(out);
    else
        printable_add(out, text.bytes, text.len);
    buffer_fini(&text);
}

void against_write_json(const struct against *against, struct buffer *out,
                        const struct verify_pairs *pairs)
{
    if (out->len > 0)
        out->len -= strlen("}\n");
    else
        json_write(out, "{'verdict':'%s','says':'%s'", verify_pair_kind(pairs),
                   verify_pair_says(pairs));
    json_write(out, "'against':{'file':'%s','says':'%s'", against->path, against->says);
    verify_pair_write_json(out, "tensors", pairs);
    json_write(out, "}}\n");
}
