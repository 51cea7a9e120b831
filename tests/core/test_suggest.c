/* SPDX-License-Identifier: Apache-2.0
 * test_suggest.c - which of several near words is found. Single words are rows of
 * suggest.txt. */
#include <string.h>

#include "core/encoding.h"
#include "tests/support/suite.h"

static const char *const names[] = {"dim",   "base", "heads",      "pos", "layout",
                                    "scale", "k",    "rotary_dim", "odd", "length_scale"};

START_TEST(the_nearest_wins_and_the_first_of_equals)
{
    static const char *const near[] = {"abcdeX", "abcdef", "abcdeg"};

    ck_assert_ptr_eq(pe_suggest("abcdef", 6, near, 3), near[1]);
    ck_assert_ptr_eq(pe_suggest("abcdeh", 6, near, 3), near[0]);
}
END_TEST

START_TEST(a_beginning_means_the_shortest_name_that_has_it)
{
    static const char *const models[] = {"llama-3.1-70b", "llama-3-8b", "gemma"};

    ck_assert_ptr_eq(pe_suggest("llama-3", 7, models, 3), models[1]);
    ck_assert_ptr_eq(pe_suggest("llama-3.1", 9, models, 3), models[0]);
    ck_assert_ptr_eq(pe_suggest("Llama3.1", 8, models, 3), models[0]); /* a hyphen left out */
    ck_assert_ptr_eq(pe_suggest("gemmb", 5, models, 3), models[2]);    /* a slip goes first */
}
END_TEST

START_TEST(words_need_no_end_and_may_be_long)
{
    char word[200];
    static const char longer[] = "a_name_that_is_longer_than_any_that_we_would_give";
    static const char *const long_name[] = {longer};

    ck_assert_str_eq(pe_suggest("headsXYZ", 5, names, PE_LEN(names)), "heads");
    memset(word, 'h', sizeof word);
    ck_assert_ptr_null(pe_suggest(word, sizeof word, names, PE_LEN(names)));
    ck_assert_ptr_null(pe_suggest(longer, 40, long_name, 1));
    ck_assert_ptr_null(pe_suggest("dim", 3, names, 0));
}
END_TEST

SUITE(suggest, TEST(the_nearest_wins_and_the_first_of_equals),
      TEST(a_beginning_means_the_shortest_name_that_has_it),
      TEST(words_need_no_end_and_may_be_long));
