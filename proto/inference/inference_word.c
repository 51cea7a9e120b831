/* SPDX-License-Identifier: Apache-2.0
 * inference_word.c - see inference_word.h. */
#include "proto/inference/inference_word.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *name;
    enum inference_word kind;
    const char *advice;
} words[] = {
#define WORD(NAME, KIND, ADVICE) {NAME, INFERENCE_##KIND, ADVICE},
#include "proto/inference/inference_words.def"
#undef WORD
};

enum { WORDS = sizeof words / sizeof words[0] };

enum inference_word inference_word_of(const char *name, const char **advice)
{
    for (size_t i = 0; i < WORDS; i++) {
        size_t len = strlen(words[i].name);
        bool begins = words[i].name[len - 1] == '_';

        if (begins ? strncmp(name, words[i].name, len) != 0 : strcmp(name, words[i].name) != 0)
            continue;
        if (advice)
            *advice = words[i].advice;
        return words[i].kind;
    }
    return INFERENCE_NAMES;
}

const char *inference_word_elsewhere(size_t i)
{
    for (size_t at = 0; at < WORDS; at++)
        if (words[at].kind == INFERENCE_ELSEWHERE && i-- == 0)
            return words[at].name;
    return NULL;
}
