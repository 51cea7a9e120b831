/* SPDX-License-Identifier: Apache-2.0
 * test_mask_edit.c - masks of several terms, of which one is missing, added, shifted or
 * transposed: the term that is named. */
#include "core/verify/solve/mask_edit.h"

#include <string.h>

#include "core/verify/solve/mask_say.h"
#include "tests/support/suite.h"

enum { SIDE = 20 };

/* The terms of a mask: keys after its own that a query sees, a window, the first keys hidden,
 * and where the one picture and the second document begin; 0: it has no such term. */
struct rule {
    int ahead, window, padding, picture, document;
    unsigned turned;
};

enum { PICTURE_SIZE = 5 };

static bool is_picture(const struct rule *rule, int key)
{
    return rule->picture > 0 && key >= rule->picture && key < rule->picture + PICTURE_SIZE;
}

static bool sees(const struct rule *rule, int query, int key)
{
    const int after = key - query;
    const bool causal = (rule->turned & MASK_TURNED_CAUSAL ? -after : after) <= rule->ahead;
    const bool within = (rule->turned & MASK_TURNED_WINDOW ? after : -after) < rule->window;
    const int padded = rule->turned & MASK_TURNED_PADDING ? query : key;

    return (causal || (is_picture(rule, query) && is_picture(rule, key))) &&
           (rule->window == 0 || within) && padded >= rule->padding &&
           (query < rule->document) == (key < rule->document);
}

static void see(struct mask_seen *seen, const struct rule *rule, bool at[SIDE * SIDE])
{
    *seen = (struct mask_seen){.queries = SIDE, .keys = SIDE, .at = at};
    for (int query = 0; query < SIDE; query++)
        for (int key = 0; key < SIDE; key++)
            at[query * SIDE + key] = sees(rule, query, key);
}

static const struct {
    struct rule found, claimed;
    const char *says; /* NULL: no one term gives it */
} pairs[] = {
    {{SIDE, 0, 0, 6, 0, 0},
     {0, 0, 0, 6, 0, 0},
     "every query sees all keys after it: the causal term is missing"},
    {{SIDE, 4, 2, 6, 0, 0},
     {0, 4, 2, 6, 0, 0},
     "every query sees all keys after it: the causal term is missing"},
    {{1, 0, 2, 0, 0, 0},
     {0, 0, 2, 0, 0, 0},
     "a query sees 1 key after it, where the claim is causal: the causal diagonal is shifted "
     "by 1"},
    {{1, 0, 0, 0, 9, 0},
     {0, 0, 0, 0, 9, 0},
     "a query sees 1 key after it, where the claim is causal: the causal diagonal is shifted "
     "by 1"},
    {{-1, 4, 0, 6, 0, 0},
     {0, 4, 0, 6, 0, 0},
     "a query does not see its own key: the causal diagonal is shifted by -1"},
    {{-2, 0, 0, 0, 0, 0},
     {0, 0, 0, 0, 0, 0},
     "a query does not see its own key, nor those just before it: the causal diagonal is "
     "shifted by -2"},
    {{0, 4, 0, 6, 0, MASK_TURNED_CAUSAL},
     {0, 4, 0, 6, 0, 0},
     "the causal term is transposed: a query sees the keys after it where those before it are "
     "right"},
    {{0, 0, 2, 6, 0, 0},
     {0, 4, 2, 6, 0, 0},
     "the window of 4 keys is missing: a query sees all before it"},
    {{0, 5, 2, 6, 0, 0}, {0, 4, 2, 6, 0, 0}, "the window has 5 keys where 4 is right"},
    {{0, 4, 2, 6, 0, 0},
     {0, 0, 2, 6, 0, 0},
     "a window of 4 keys is added, where the claim has none"},
    {{0, 3, 0, 6, 0, MASK_TURNED_WINDOW},
     {0, 3, 0, 6, 0, 0},
     "the window of 3 keys is transposed: it bounds the keys after a query in place of those "
     "before it"},
    {{0, 4, 3, 6, 0, 0},
     {0, 4, 2, 6, 0, 0},
     "keys 0 to 2 are hidden, as padding is, where keys 0 to 1 are right"},
    {{0, 0, 2, 6, 0, MASK_TURNED_PADDING},
     {0, 0, 2, 6, 0, 0},
     "the padding is transposed: it hides all keys from queries 0 to 1, where it is right that "
     "no query sees those keys"},
    {{0, 0, 2, 7, 0, 0},
     {0, 0, 2, 6, 0, 0},
     "keys of a block (of one picture) see each other: 7 to 11, where it is right that keys of "
     "a block (of one picture) see each other: 6 to 10"},
    {{0, 4, 2, 0, 0, 0},
     {0, 4, 2, 6, 0, 0},
     "the mask is causal: the term is missing by which keys of a block (of one picture) see "
     "each other: 6 to 10"},
    {{0, 0, 5, 5, 0, 0},
     {0, 0, 5, 0, 0, 0},
     "a prefix of 5 keys (or a block, as of one picture) is seen by every query, where the "
     "claim is causal"},
    {{0, 0, 2, 0, 10, 0},
     {0, 0, 2, 0, 9, 0},
     "the chunks (or documents) are shifted by 1: their lengths are 10, 10 where 9, 11 is "
     "right"},
    {{0, 6, 0, 0, 9, 0},
     {0, 6, 0, 0, 0, 0},
     "tokens see their own document alone, of documents (or chunks) of 9, 11 tokens, where the "
     "claim has none"},
    {{1, 4, 0, 0, 9, 0}, {0, 0, 2, 6, 0, 0}, NULL},
};

START_TEST(the_one_term_that_differs_is_named)
{
    bool one[SIDE * SIDE], other[SIDE * SIDE], failed = false;
    struct mask_terms found, claimed;
    struct mask_seen seen;
    char text[400];

    see(&seen, &pairs[_i].claimed, other);
    ck_assert(mask_terms_read(&claimed, &seen, &failed));
    see(&seen, &pairs[_i].found, one);
    const bool read = mask_edit_read(&found, &claimed, &seen, &failed);
    ck_assert(!failed);
    ck_assert_int_eq(read, pairs[_i].says != NULL);
    if (read) {
        ck_assert(mask_terms_give(&found, &seen));
        ck_assert_uint_eq(mask_say(&found, &claimed, text, sizeof text), 1);
        ck_assert_str_eq(text, pairs[_i].says);
        mask_terms_fini(&found);
    }
    mask_terms_fini(&claimed);
}
END_TEST

/* Queries of a decode step, the last of a cache, that are taken for the first. */
START_TEST(queries_that_stand_at_the_first_key_are_named)
{
    enum { LAST = 4, FIRST = SIDE - LAST };
    bool one[LAST * SIDE], other[LAST * SIDE], failed = false;
    struct mask_seen seen = {LAST, SIDE, FIRST, other};
    struct mask_terms found, claimed;
    char text[400];

    for (int i = 0; i < LAST * SIDE; i++) {
        one[i] = i % SIDE <= i / SIDE;
        other[i] = i % SIDE <= i / SIDE + FIRST;
    }
    ck_assert(mask_terms_read(&claimed, &seen, &failed));
    seen.at = one;
    ck_assert(mask_edit_read(&found, &claimed, &seen, &failed));
    ck_assert_uint_eq(mask_say(&found, &claimed, text, sizeof text), 1);
    ck_assert_str_eq(text, "the causal diagonal is aligned top-left: the first query stands at "
                           "key 0 where it stands at key 16 by the claim");
    mask_terms_fini(&found);
    mask_terms_fini(&claimed);
}
END_TEST

SUITE(mask_edit, TEST_EACH(the_one_term_that_differs_is_named, pairs),
      TEST(queries_that_stand_at_the_first_key_are_named));
