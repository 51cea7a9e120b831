/* SPDX-License-Identifier: Apache-2.0
 * param_names.c - looks up names, and suggests a known name for an unknown one. */
#include "proto/request/param_names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "proto/request/option.h"
#include "proto/tensors/tensor.h"
#include "proto/text/word.h"

enum { ECHO_MAX = 40, WORD_MIN = 4, SYNONYMS_MAX = 24 };

static bool has_option(const struct pe_encoding *enc, size_t i)
{
    return !option_at(i)->of_tensors || !enc || tensor_param_unnamed(enc);
}

static void add(struct param_names *vocabulary, const struct pe_param *row)
{
    assert(vocabulary->count < PARAM_NAMES_MAX);
    vocabulary->at[vocabulary->count++] = row;
}

void param_names_init(struct param_names *vocabulary, const struct pe_encoding *enc)
{
    size_t params = 0, outputs = 0;
    const struct pe_param *param = enc ? pe_params(enc, &params) : NULL;
    const struct pe_output *output = enc ? pe_outputs(enc, &outputs) : NULL;

    *vocabulary = (struct param_names){.own = params};
    for (size_t i = 0; i < params; i++)
        add(vocabulary, &param[i]);
    for (size_t i = 0; i < outputs; i++) {
        vocabulary->outputs[i] =
            (struct pe_choice){.name = output[i].name, .summary = output[i].summary};
    }
    for (size_t i = 0; i < PE_DTYPE_COUNT; i++)
        vocabulary->dtypes[i] = (struct pe_choice){.name = pe_dtype_name((enum pe_dtype)i)};
    vocabulary->out = *pe_param_find(NULL, "out", 3);
    vocabulary->out.choices = vocabulary->outputs;
    vocabulary->dtype = *pe_param_find(NULL, "dtype", 5);
    vocabulary->dtype.choices = vocabulary->dtypes;
    add(vocabulary, &vocabulary->out);
    add(vocabulary, &vocabulary->dtype);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (has_option(enc, i))
            add(vocabulary, &option_at(i)->param);
}

const struct pe_param *param_names_find(const struct pe_encoding *enc, const char *name,
                                        size_t len)
{
    const enum option_id option = option_find(name, len); /* no parameter has such a name */

    if (option != OPTION_COUNT && has_option(enc, option))
        return &option_at(option)->param;
    return pe_param_find(enc, name, len);
}

static bool is_one_of(const char *const *words, const char *name, size_t len)
{
    while (*words && !word_is(*words, name, len))
        words++;
    return *words != NULL;
}

/* Returns the parameter that an unknown name, another library's word, means. */
static const char *find_synonym(const struct pe_encoding *enc, const char *name, size_t len)
{
    static const char *const rows[][SYNONYMS_MAX + 1] = {
#define SYNONYMS(...) {__VA_ARGS__, NULL},
#include "proto/request/synonyms.def"
#undef SYNONYMS
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!is_one_of(rows[i], name, len))
            continue;
        for (const char *const *word = rows[i]; *word; word++) {
            const struct pe_param *known = param_names_find(enc, *word, strlen(*word));

            if (known)
                return known->name;
        }
    }
    return NULL;
}

/* Finds a parameter whose summary holds the word. */
static const char *find_in_summaries(const struct param_names *vocabulary, const char *word,
                                     size_t len)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";

    for (size_t i = 0; len >= WORD_MIN && i < vocabulary->own; i++) {
        const char *at = pe_param_summary(vocabulary->at[i]);

        while (*(at += strcspn(at, letters)) != '\0') {
            size_t here = strspn(at, letters);

            if (here == len && memcmp(at, word, len) == 0)
                return vocabulary->at[i]->name;
            at += here;
        }
    }
    return NULL;
}

enum pe_status param_names_refuse(const struct pe_encoding *enc, const char *name, size_t len,
                                  struct pe_errors *errors)
{
    struct param_names vocabulary;
    const char *names[PARAM_NAMES_MAX];
    char echo[ECHO_MAX + 1];

    param_names_init(&vocabulary, enc);
    for (size_t i = 0; i < vocabulary.count; i++)
        names[i] = vocabulary.at[i]->name;
    snprintf(echo, sizeof echo, "%.*s", (int)(len < ECHO_MAX ? len : ECHO_MAX), name);
    pe_fail(errors, PE_UNKNOWN_PARAMETER, echo, "unknown parameter of %s", pe_name(enc));
    const char *near = find_synonym(enc, name, len);
    near = !near ? pe_suggest(name, len, names, vocabulary.count) : near;
    near = !near ? find_in_summaries(&vocabulary, name, len) : near;
    if (near)
        pe_hint(errors, "did you mean %s?", near);
    else
        pe_hint(errors, "/v1/encodings/%s lists its parameters", pe_name(enc));
    return PE_UNKNOWN_PARAMETER;
}
