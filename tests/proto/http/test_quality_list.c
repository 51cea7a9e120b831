/* SPDX-License-Identifier: Apache-2.0
 * test_quality_list.c - tests the end of a list; quality_list.txt has the lists. */
#include "proto/http/quality_list.h"
#include "tests/support/suite.h"

START_TEST(nothing_is_read_beyond_the_end)
{
    const char text[] = "a;q=0.5,b";
    const char *at = text;
    struct quality_list element;

    ck_assert(quality_list_next(&at, text + 5, &element)); /* the element "a;q=0" */
    ck_assert_uint_eq(element.q, 0);
    ck_assert(!quality_list_next(&at, text + 5, &element));
}
END_TEST

SUITE(quality_list, TEST(nothing_is_read_beyond_the_end));
