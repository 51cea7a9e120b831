/* SPDX-License-Identifier: Apache-2.0
 * when_clause.h - the condition in a parameter's row, read as clauses: by core to apply it, by
 * proto to describe it.
 *
 *     when = all *("," all)     all = clause *("&" clause)
 *     clause = ["!"] name ["=" word *("|" word)] */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A clause, as text of the row. */
struct when_clause {
    const char *name; /* name_len bytes */
    size_t name_len;
    const char *words; /* words_len bytes, "bicubic|linear"; NULL: any value */
    size_t words_len;
    bool negated;
    bool last; /* the next clause begins another alternative, or there is none */
};

/* Reads the clause at *text and moves *text to the next or to the end; false at the end, and
 * for a row without a condition (NULL). */
static inline bool when_clause_next(const char **text, struct when_clause *clause)
{
    if (!*text || **text == '\0')
        return false;
    const bool negated = **text == '!';
    const char *at = *text + negated, *end = at + strcspn(at, "&,");
    const char *equals = memchr(at, '=', (size_t)(end - at));

    *clause = (struct when_clause){.name = at,
                                   .name_len = (size_t)((equals ? equals : end) - at),
                                   .negated = negated,
                                   .last = *end != '&'};
    if (equals) {
        clause->words = equals + 1;
        clause->words_len = (size_t)(end - clause->words);
    }
    *text = *end ? end + 1 : end;
    return true;
}

/* Takes the first word off the clause's words; false: there is none left. */
static inline bool when_clause_word(struct when_clause *clause, const char **word, size_t *len)
{
    if (clause->words_len == 0)
        return false;
    const char *bar = memchr(clause->words, '|', clause->words_len);

    *word = clause->words;
    *len = bar ? (size_t)(bar - *word) : clause->words_len;
    clause->words += *len + (bar != NULL);
    clause->words_len -= *len + (bar != NULL);
    return true;
}
