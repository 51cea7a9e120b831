/* SPDX-License-Identifier: Apache-2.0
 * test_fact.c - tests that the table of facts has what the examples of encodings state. */
#include <string.h>

#include "proto/describe/fact.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

static const struct fact *find(const char *name, const struct pe_encoding *enc)
{
    for (size_t i = 0; i < fact_count(); i++)
        if (strcmp(fact_at(i)->name, name) == 0 && fact_is_of(fact_at(i), enc))
            return fact_at(i);
    return NULL;
}

START_TEST(facts_of_examples_are_rows)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    const char *const *examples = pe_examples(enc);

    for (size_t i = 0; examples[i]; i++) {
        struct ask ask;

        ask_query(&ask, pe_name(enc), examples[i], NULL);
        ck_assert_ptr_nonnull(ask.plan);
        for (size_t j = 0; j < pe_plan_fact_count(ask.plan); j++) {
            const struct pe_fact *stated = pe_plan_fact(ask.plan, j);
            const struct fact *row = find(stated->name, enc);

            ck_assert_msg(row != NULL, "%s: %s", pe_name(enc), stated->name);
            ck_assert_str_eq(row->type, stated->text ? "string" : "number");
        }
        ask_free(&ask);
    }
}
END_TEST

START_TEST(rows_are_sorted_by_name)
{
    for (size_t i = 1; i < fact_count(); i++)
        ck_assert_str_lt(fact_at(i - 1)->name, fact_at(i)->name);
}
END_TEST

static bool is_of(const char *encodings, const char *name)
{
    const struct fact fact = {.encodings = encodings};

    return fact_is_of(&fact, pe_find(name, strlen(name)));
}

START_TEST(words_mean_encodings_families_and_what_applies_them)
{
    ck_assert(is_of("rope", "rope"));
    ck_assert(!is_of("rope", "rope/apply"));
    ck_assert(!is_of("rope", "rope-nd"));
    ck_assert(is_of("rope/", "rope"));
    ck_assert(is_of("rope/", "rope/apply"));
    ck_assert(!is_of("rope/", "rope-nd/apply"));
    ck_assert(is_of("alibi mask", "causal-mask"));
    ck_assert(is_of("alibi mask", "alibi"));
    ck_assert(!is_of("alibi mask", "t5"));
    ck_assert(!is_of("", "t5"));
}
END_TEST

SUITE(fact, TEST_COUNTED(facts_of_examples_are_rows, pe_count), TEST(rows_are_sorted_by_name),
      TEST(words_mean_encodings_families_and_what_applies_them));
