/* SPDX-License-Identifier: Apache-2.0
 * suggest.c - finds what a misspelt word may have meant: the nearest of a list of names by edit
 * distance (optimal string alignment, where a swap of neighbours is one edit). Where the
 * nearest is two edits away or more, the shortest name that begins with the word is
 * preferred. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "core/posenc.h"

enum {
    SUGGEST_MAX = 40, /* longer words are no misspelling of any name */
    BEGINNING_MIN = 4 /* letters that a word needs to be taken for the beginning of a name */
};

/* Fold case and "-" and "_", whose exchange costs no edit. */
static int fold(char letter)
{
    return letter == '-' ? '_' : tolower((unsigned char)letter);
}

static void fold_all(const char *text, size_t len, char folded[SUGGEST_MAX])
{
    for (size_t i = 0; i < len; i++)
        folded[i] = (char)fold(text[i]);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the edits between a folded word and a name. Where they are more than `most`, the
 * result is some number above `most`: most names are given up after a few letters. */
static size_t distance(const char folded[SUGGEST_MAX], size_t len, const char *name,
                       size_t most)
{
    size_t name_len = strlen(name);
    size_t rows[3][SUGGEST_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2], *spare;
    size_t last_least = 0;
    char other[SUGGEST_MAX];

    if (name_len > SUGGEST_MAX || name_len > len + most || len > name_len + most)
        return SIZE_MAX;
    fold_all(name, name_len, other);
    for (size_t j = 0; j <= name_len; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= len; i++) {
        size_t row_least = i;

        row[0] = i;
        for (size_t j = 1; j <= name_len; j++) {
            size_t same = folded[i - 1] == other[j - 1];

            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && folded[i - 1] == other[j - 2] &&
                folded[i - 2] == other[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
            row_least = least(row_least, row[j]);
        }
        if (least(row_least, last_least) > most) /* later rows are built of these two */
            return SIZE_MAX;
        last_least = row_least;
        spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[name_len];
}

/* True when the name begins with the word; hyphens of the name may be left out: llama3 begins
 * llama-3.1-8b. */
static bool begins(const char *name, const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++, name++) {
        if (fold(*name) == '_' && fold(word[i]) != '_')
            name++;
        if (*name == '\0' || fold(*name) != fold(word[i]))
            return false;
    }
    return true;
}

/* Returns the shortest name that begins with the word. */
static const char *completion(const char *word, size_t len, const char *const *names,
                              size_t count)
{
    const char *best = NULL;

    for (size_t i = 0; len >= BEGINNING_MIN && i < count; i++)
        if (strlen(names[i]) <= SUGGEST_MAX && begins(names[i], word, len) &&
            (!best || strlen(names[i]) < strlen(best)))
            best = names[i];
    return best;
}

/* The number of edits that a misspelling of a word of so many letters may have: one edit in
 * three letters, at least one. */
static size_t most_edits(size_t len)
{
    return len < 6 ? 1 : len / 3;
}

size_t pe_suggest_edits(const char *word, size_t len, const char *name)
{
    size_t name_len = strlen(name), most = most_edits(len);

    if (len == 0 || len > SUGGEST_MAX || name_len > SUGGEST_MAX)
        return SIZE_MAX;
    char folded[SUGGEST_MAX];
    fold_all(word, len, folded);
    bool longer = len >= BEGINNING_MIN && begins(name, word, len);
    size_t edits = distance(folded, len, name, most);
    edits = edits <= most && edits < name_len ? edits : SIZE_MAX;
    return longer && edits > 1 ? 1 : edits;
}

const char *pe_suggest(const char *word, size_t len, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = most_edits(len);
    char folded[SUGGEST_MAX];

    if (len == 0 || len > SUGGEST_MAX)
        return NULL;
    fold_all(word, len, folded);
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(folded, len, names[i], best_distance);

        if (d <= best_distance && d < strlen(names[i]) && (!best || d < best_distance)) {
            best = names[i];
            best_distance = d;
        }
    }
    const char *longer = best && best_distance < 2 ? NULL : completion(word, len, names, count);

    return longer ? longer : best;
}
