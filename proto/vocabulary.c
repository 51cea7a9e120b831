/* SPDX-License-Identifier: Apache-2.0
 * vocabulary.c - look-up of names, and what an unknown one was meant to be. */
#include "proto/vocabulary.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "proto/option.h"

enum { ECHO_MAX = 40, WORD_MIN = 3 };

size_t vocabulary_list(const struct pe_encoding *enc, const char *names[VOCABULARY_MAX])
{
    size_t params, count = 0;
    const struct pe_param *param = pe_params(enc, &params);
    assert(params + 2 + OPTION_COUNT <= VOCABULARY_MAX);
    for (size_t i = 0; i < params; i++) {
        names[count++] = param[i].name;
    }
    names[count++] = "out";
    names[count++] = "dtype";
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        names[count++] = option_at(i)->param.name;
    }
    return count;
}

const char *vocabulary_find(const struct pe_encoding *enc, const char *name, size_t len)
{
    const char *names[VOCABULARY_MAX];
    size_t count = vocabulary_list(enc, names);
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0) {
            return names[i];
        }
    }
    return NULL;
}

/* The parameter whose summary holds the word, so that "theta" finds base. */
static const char *find_in_summaries(const struct pe_encoding *enc, const char *word,
                                     size_t len)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    size_t params;
    const struct pe_param *param = pe_params(enc, &params);
    for (size_t i = 0; len >= WORD_MIN && i < params; i++) {
        for (const char *at = param[i].summary; *(at += strcspn(at, letters)) != '\0';) {
            size_t here = strspn(at, letters);
            if (here == len && memcmp(at, word, len) == 0) {
                return param[i].name;
            }
            at += here;
        }
    }
    return NULL;
}

enum pe_status vocabulary_refuse(const struct pe_encoding *enc, const char *name, size_t len,
                                 struct pe_errors *errors)
{
    const char *names[VOCABULARY_MAX];
    char echo[ECHO_MAX + 1];
    snprintf(echo, sizeof echo, "%.*s", (int)(len < ECHO_MAX ? len : ECHO_MAX), name);
    pe_fail(errors, PE_UNKNOWN_PARAMETER, echo, "unknown parameter of %s", pe_name(enc));
    const char *near = pe_suggest(name, len, names, vocabulary_list(enc, names));
    near = near == NULL ? find_in_summaries(enc, name, len) : near;
    if (near != NULL) {
        pe_hint(errors, "did you mean %s?", near);
    }
    return PE_UNKNOWN_PARAMETER;
}
