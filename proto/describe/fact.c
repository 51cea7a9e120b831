/* SPDX-License-Identifier: Apache-2.0
 * fact.c - see fact.h. */
#include "proto/describe/fact.h"

#include <assert.h>
#include <string.h>

static const struct fact facts[] = {
#define FACT(NAME, TYPE, ENCODINGS, SUMMARY) {NAME, TYPE, ENCODINGS, SUMMARY},
#include "proto/describe/facts.def"
#undef FACT
};

size_t fact_count(void)
{
    return sizeof facts / sizeof facts[0];
}

const struct fact *fact_at(size_t i)
{
    assert(i < fact_count());
    return &facts[i];
}

/* Returns whether a word means the name: "rope" means itself, "rope/" also "rope/apply". */
static bool means(const char *word, size_t len, const char *name)
{
    bool folder = len > 0 && word[len - 1] == '/';
    size_t own = folder ? len - 1 : len;

    return strncmp(name, word, own) == 0 && (name[own] == '\0' || (folder && name[own] == '/'));
}

bool fact_is_of(const struct fact *fact, const struct pe_encoding *enc)
{
    const char *family = pe_family_name(pe_family_of(enc));

    for (const char *word = fact->encodings; *word != '\0'; word += *word == ' ') {
        size_t len = strcspn(word, " ");

        if (means(word, len, pe_name(enc)) || means(word, len, family))
            return true;
        word += len;
    }
    return false;
}
