/* SPDX-License-Identifier: Apache-2.0
 * test_choices.c - a table that another value of a choice makes is found, and is no mistake. */
#include "core/verify/sight/choices.h"

#include <string.h>

#include "tests/core/support/sight_case.h"
#include "tests/support/suite.h"

/* Tests the claim's defaults first, which keeps them for the choices. */
static struct pe_args *try_grid(struct sight *sight, struct pe_verify_role *roles)
{
    const struct pe_encoding *enc = pe_find("ids-grid", strlen("ids-grid"));
    struct pe_args *args = sight_try(sight, enc, NULL, SIGHT_SIZES, roles);

    ck_assert_ptr_null(args);
    ck_assert_uint_eq(sight->shaped_count, 1);
    return choices_try(sight, roles);
}

START_TEST(another_order_of_the_axes_is_found_with_its_grid)
{
    struct verify_case made;
    char text[1000];

    verify_case_of(&made, "ids-grid?grid=2x3&axis_order=xy&out=coords");
    sight_case_read(&made, try_grid, text, sizeof text);
    ck_assert_msg(strstr(text, "&axis_order=xy") && strstr(text, "&grid=2x3"), "%s", text);
    verify_case_free(&made);
}
END_TEST

START_TEST(what_no_choice_makes_is_not_found)
{
    struct verify_case made;
    char text[1000];

    verify_case_of(&made, "ids-grid?grid=2x3&axis_order=xy&out=coords");
    verify_case_set(&made, 0, 3, 9);
    sight_case_read(&made, try_grid, text, sizeof text);
    ck_assert_str_eq(text, "");
    verify_case_free(&made);
}
END_TEST

SUITE(choices, TEST(another_order_of_the_axes_is_found_with_its_grid),
      TEST(what_no_choice_makes_is_not_found));
