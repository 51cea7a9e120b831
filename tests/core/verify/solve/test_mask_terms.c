/* SPDX-License-Identifier: Apache-2.0
 * test_mask_terms.c - masks as faulty programs make them: the terms that are read, and what a
 * verdict says of those that differ from the claim's. */
#include "core/verify/solve/mask_terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/solve/mask_say.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { SIDE = 12 };

/* A mask by its rule, of queries and keys 0 to 11: padding are the keys 0 and 1, pictures the
 * keys 2 to 4 and 7 to 9, documents begin at 5 and 9. */
static bool pads(int key)
{
    return key < 2;
}

static int picture(int key)
{
    return key >= 2 && key <= 4 ? 1 : key >= 7 && key <= 9 ? 2 : 0;
}

static int document(int key)
{
    return key < 5 ? 0 : key < 9 ? 1 : 2;
}

enum rule {
    CAUSAL,
    EVERY,
    WINDOW,
    BOTH_SIDES,
    DOCUMENTS,
    DOCUMENTS_BOTH_WAYS,
    DOCUMENTS_IN_WINDOW,
    PREFIX,
    PICTURES,
    PICTURES_JOINED,
    PICTURES_IN_WINDOW,
    PICTURES_BEYOND_WINDOW,
    PADDED,
    PADDED_EVERY,
    PADDED_BOTH,
    PADDING_APART,
    UNWRITTEN,
    SCATTERED,
    NOTHING,
};

static bool sees(enum rule rule, int q, int k)
{
    const bool blocks = picture(q) > 0 && picture(q) == picture(k);

    switch (rule) {
    case CAUSAL:
        return k <= q;
    case EVERY:
        return true;
    case WINDOW:
        return k <= q && q - k < 3;
    case BOTH_SIDES:
        return abs(q - k) < 3;
    case DOCUMENTS:
        return k <= q && document(q) == document(k);
    case DOCUMENTS_BOTH_WAYS:
        return document(q) == document(k);
    case DOCUMENTS_IN_WINDOW:
        return k <= q && document(q) == document(k) && q - k < 3;
    case PREFIX:
        return k < 4 || k <= q;
    case PICTURES:
        return k <= q || blocks;
    case PICTURES_JOINED:
        return k <= q || (picture(q) > 0 && picture(k) > 0);
    case PICTURES_IN_WINDOW:
        return (k <= q || blocks) && q - k < 2;
    case PICTURES_BEYOND_WINDOW:
        return (k <= q && q - k < 2) || blocks;
    case PADDED:
        return k <= q && !pads(k);
    case PADDED_EVERY:
        return !pads(k);
    case PADDED_BOTH:
        return !pads(q) && !pads(k);
    case PADDING_APART:
        return pads(q) == pads(k);
    case UNWRITTEN:
        return k <= q && q < 8;
    case SCATTERED:
        return k <= q && (q * 7 + k * 5) % 3 != 0;
    case NOTHING:
        break;
    }
    return false;
}

static void see(struct mask_seen *seen, enum rule rule, bool at[SIDE * SIDE])
{
    *seen = (struct mask_seen){.queries = SIDE, .keys = SIDE, .at = at};
    for (int q = 0; q < SIDE; q++)
        for (int k = 0; k < SIDE; k++)
            at[q * SIDE + k] = sees(rule, q, k);
}

static const struct {
    enum rule rule;
    const char *terms; /* NULL: it has none */
} masks[] = {
    {CAUSAL, "causal"},
    {EVERY, "every query sees all keys after it"},
    {WINDOW, "causal; window 3"},
    {BOTH_SIDES, "a query sees 2 keys after it; window 3"},
    {DOCUMENTS, "causal; documents 5, 4, 3"},
    {DOCUMENTS_BOTH_WAYS, "tokens see those after them in their document; documents 5, 4, 3"},
    {DOCUMENTS_IN_WINDOW, "causal; window 3; documents 5, 4, 3"},
    {PREFIX, "a prefix of 4 keys is seen by every query"},
    {PICTURES, "keys of a block (of one picture) see each other: 2 to 4, 7 to 9"},
    {PICTURES_JOINED, "keys of a block (of one picture) see each other: 2 to 4 with 7 to 9"},
    {PICTURES_IN_WINDOW,
     "keys of a block (of one picture) see each other: 2 to 4, 7 to 9; window 2"},
    {PICTURES_BEYOND_WINDOW,
     "keys of a block (of one picture) see each other: 2 to 4, 7 to 9; window 2"},
    {PADDED, "causal; keys 0 to 1 hidden"},
    {PADDED_EVERY, "every query sees all keys after it; keys 0 to 1 hidden"},
    {PADDED_BOTH, "every query sees all keys after it; keys 0 to 1 hidden"},
    {PADDING_APART, "tokens see those after them in their document; documents 2, 10"},
    {UNWRITTEN, "causal"},
    {SCATTERED, NULL},
    {NOTHING, NULL},
};

START_TEST(a_mask_is_read_as_terms_that_give_it_again)
{
    bool at[SIDE * SIDE], failed = false;
    struct mask_seen seen;
    struct mask_terms terms;
    char text[200];

    see(&seen, masks[_i].rule, at);
    const bool read = mask_terms_read(&terms, &seen, &failed);
    ck_assert(!failed);
    ck_assert_int_eq(read, masks[_i].terms != NULL);
    if (!read)
        return;
    mask_say_terms(&terms, text, sizeof text);
    ck_assert_str_eq(text, masks[_i].terms);
    for (uint64_t q = 0; q < SIDE; q++)
        for (uint64_t k = 0; k < SIDE; k++)
            ck_assert_int_eq(mask_terms_see(&terms, q, k), at[q * SIDE + k]);
    mask_terms_fini(&terms);
}
END_TEST

/* ---- what is said ------------------------------------------------------------------------ */

static const struct {
    enum rule found, claimed;
    const char *says; /* "": they are the same */
} pairs[] = {
    {CAUSAL, CAUSAL, ""},
    {EVERY, CAUSAL,
     "every query sees all keys after it, where the claim is causal: the causal term is "
     "missing"},
    {CAUSAL, EVERY,
     "the mask is causal: the term is missing by which every query sees all keys after it"},
    {CAUSAL, WINDOW, "the window of 3 keys is missing: a query sees all before it"},
    {WINDOW, CAUSAL, "a window of 3 keys is added, where the claim has none"},
    {WINDOW, PICTURES_IN_WINDOW,
     "the mask is causal: the term is missing by which keys of a block (of one picture) see "
     "each other: 2 to 4, 7 to 9; the window has 3 keys where 2 is right"},
    {BOTH_SIDES, WINDOW,
     "a query sees 2 keys after it, where the claim is causal: the causal term is missing"},
    {DOCUMENTS, CAUSAL,
     "tokens see their own document alone, of documents (or chunks) of 5, 4, 3 tokens, where "
     "the claim has none"},
    {CAUSAL, DOCUMENTS,
     "tokens see other documents (or chunks), where the claim has those of 5, 4, 3"},
    {DOCUMENTS_BOTH_WAYS, DOCUMENTS,
     "tokens see those after them in their document, where the claim is causal"},
    {PREFIX, CAUSAL, "a prefix of 4 keys is seen by every query, where the claim is causal"},
    {PICTURES_JOINED, PICTURES,
     "keys of a block (of one picture) see each other: 2 to 4 with 7 to 9, where it is right "
     "that keys of a block (of one picture) see each other: 2 to 4, 7 to 9"},
    {PICTURES_BEYOND_WINDOW, PICTURES_IN_WINDOW,
     "the keys of a block (of one picture: 2 to 4, 7 to 9) see each other beyond the window "
     "too, where the claim bounds them by the window of 2"},
    {PICTURES_IN_WINDOW, PICTURES_BEYOND_WINDOW,
     "the keys of a block (of one picture: 2 to 4, 7 to 9) see each other no farther than the "
     "window, where the claim lets them beyond the window of 2"},
    {PADDED, CAUSAL,
     "keys 0 to 1 are hidden from every query, as padding is, where the claim hides none"},
    {CAUSAL, PADDED, "the padding is seen: the claim hides keys 0 to 1"},
    {PADDING_APART, PADDED_EVERY,
     "padding sees padding: keys 0 to 1 see each other, where the claim hides them from every "
     "query"},
    {PADDED_BOTH, PADDED_EVERY,
     "the rows of queries 0 to 1 see no key, as if they were never written or padding"},
    {UNWRITTEN, CAUSAL,
     "the rows of queries 8 to 11 see no key, as if they were never written or padding"},
    {CAUSAL, UNWRITTEN, "queries see keys that see none by the claim"},
};

START_TEST(what_is_said_are_the_terms_that_differ)
{
    bool one[SIDE * SIDE], other[SIDE * SIDE], failed = false;
    struct mask_terms found, claimed;
    struct mask_seen seen;
    char text[400];

    see(&seen, pairs[_i].found, one);
    ck_assert(mask_terms_read(&found, &seen, &failed));
    see(&seen, pairs[_i].claimed, other);
    ck_assert(mask_terms_read(&claimed, &seen, &failed));
    const size_t count = mask_say(&found, &claimed, text, sizeof text);
    ck_assert_str_eq(text, pairs[_i].says);
    ck_assert_int_eq(count > 0, text[0] != '\0');
    mask_terms_fini(&found);
    mask_terms_fini(&claimed);
}
END_TEST

/* ---- verdicts ---------------------------------------------------------------------------- */

/* Masks by a rule, under the name of an output, and a claim. */
static const struct {
    enum rule rule;
    const char *claim, *slug, *says;
} verdicts[] = {
    /* Keys of left padding under a causal claim (unsloth#9848). */
    {PADDED, "causal-mask?len=12", "mask-terms",
     "keys 0 to 1 are hidden from every query, as padding is, where the claim hides none"},
    /* Equality of flags: padding sees padding (esm#299). */
    {PADDING_APART, "padding-mask?attention_mask=0,0,1,1,1,1,1,1,1,1,1,1&causal=0",
     "mask-terms",
     "padding sees padding: keys 0 to 1 see each other, where the claim hides them from every "
     "query"},
    {CAUSAL, "sliding-window-mask?len=12&window=3", "window-missing",
     "the window of 3 keys is missing: a query sees all before it"},
    {PICTURES_BEYOND_WINDOW,
     "blockwise-or-causal-mask?block_ids=-1,-1,0,0,0,-1,-1,1,1,1,-1,-1&window=2", "mask-terms",
     "the keys of a block (of one picture: 2 to 4, 7 to 9) see each other beyond the window "
     "too, where the claim bounds them by the window of 2"},
};

static void add_mask(struct verify_case *made, enum rule rule, bool additive)
{
    const uint64_t dims[] = {SIDE, SIDE};
    float added[SIDE * SIDE];
    bool at[SIDE * SIDE];
    struct mask_seen seen;

    see(&seen, rule, at);
    for (size_t i = 0; i < SIDE * SIDE; i++)
        added[i] = at[i] ? 0 : -INFINITY;
    if (additive)
        verify_case_add(made, "additive", PE_F32, 2, dims, added);
    else
        verify_case_add(made, "mask", PE_BOOL8, 2, dims, at);
}

static void expect_mask(size_t number, bool additive)
{
    struct verify_case made = {.count = 0};

    add_mask(&made, verdicts[number].rule, additive);
    verify_case_claim(&made, verdicts[number].claim);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    const struct pe_mistake *mistake = &verdict->explanation.mistake[0];
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(mistake->slug, verdicts[number].slug);
    ck_assert_str_eq(mistake->says, verdicts[number].says);
    ck_assert_uint_eq(verdict->finding_count, 1);
    ck_assert_str_eq(verdict->finding[0].axis, "mask");
    pe_verdict_free(verdict);
    verify_case_free(&made);
}

START_TEST(a_verdict_names_the_term_of_a_mask_of_truth_values)
{
    expect_mask((size_t)_i, false);
}
END_TEST

START_TEST(a_verdict_names_the_term_of_a_mask_that_is_added)
{
    expect_mask((size_t)_i, true);
}
END_TEST

/* The sliding layers of Gemma 3 and 4: causal or within one picture, and the window
 * (transformers#46850, vllm#47217). */
START_TEST(pictures_within_a_window_are_right)
{
    struct verify_case made = {.count = 0};

    add_mask(&made, PICTURES_IN_WINDOW, false);
    verify_case_claim(&made, "blockwise-or-causal-mask?block_ids=-1,-1,0,0,0,-1,-1,1,1,1,-1,-1&"
                             "window=2");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(mask_terms, TEST_EACH(a_mask_is_read_as_terms_that_give_it_again, masks),
      TEST_EACH(what_is_said_are_the_terms_that_differ, pairs),
      TEST_EACH(a_verdict_names_the_term_of_a_mask_of_truth_values, verdicts),
      TEST_EACH(a_verdict_names_the_term_of_a_mask_that_is_added, verdicts),
      TEST(pictures_within_a_window_are_right));
