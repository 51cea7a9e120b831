/* SPDX-License-Identifier: Apache-2.0
 * test_example.c - examples as drafts of claims. */
#include "core/verify/sight/example.h"

#include <string.h>

#include "tests/support/suite.h"

static const struct pe_encoding *mask(void)
{
    return pe_find("sliding-window-mask", strlen("sliding-window-mask"));
}

START_TEST(an_example_loses_its_outputs_and_its_sizes)
{
    static const char example[] = "len=6&convention=flash&left=2&right=1&out=additive";
    char query[EXAMPLE_QUERY];

    ck_assert(example_query(query, mask(), example, true));
    ck_assert_ptr_null(strstr(query, "nothing="));
    ck_assert_ptr_nonnull(strstr(query, "len=6"));
    ck_assert(example_query(query, mask(), example, false));
    ck_assert_ptr_nonnull(strstr(query, "convention=flash"));
    ck_assert_ptr_null(strstr(query, "left=")); /* a whole number that must be given */
    ck_assert_ptr_nonnull(strstr(query, "right=1"));
}
END_TEST

START_TEST(a_value_is_that_of_the_first_example_that_has_one)
{
    const struct pe_param *window = pe_param_find(mask(), "window", 6);
    const struct pe_param *left = pe_param_find(mask(), "left", 4);
    char value[16];

    ck_assert(example_value(value, sizeof value, mask(), window));
    ck_assert_str_eq(value, "3");
    ck_assert(example_value(value, sizeof value, mask(), left));
    ck_assert_str_eq(value, "2");
    ck_assert(!example_value(value, 1, mask(), window)); /* no room for it */
}
END_TEST

START_TEST(a_parameter_without_an_example_has_no_value)
{
    const struct pe_param *padding = pe_param_find(mask(), "attention_mask", 14);
    char value[16];

    ck_assert_ptr_nonnull(padding);
    ck_assert(!example_value(value, sizeof value, mask(), padding));
}
END_TEST

SUITE(example, TEST(an_example_loses_its_outputs_and_its_sizes),
      TEST(a_value_is_that_of_the_first_example_that_has_one),
      TEST(a_parameter_without_an_example_has_no_value));
