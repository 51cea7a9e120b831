/* SPDX-License-Identifier: Apache-2.0
 * test_if_none_match.c - lists of entity tags. */

#include "server/http/if_none_match.h"
#include "tests/support/suite.h"

static const struct {
    const char *value;
    enum if_none_match expected;
} rows[] = {
    {"\"a1\"", IF_NONE_MATCH_MATCH},
    {"W/\"a1\"", IF_NONE_MATCH_MATCH},
    {"\"x\", \"a1\"", IF_NONE_MATCH_MATCH},
    {"\"x,y\",W/\"z\" ,\t\"a1\" , \"w\"", IF_NONE_MATCH_MATCH},
    {" , ,\"a1\",", IF_NONE_MATCH_MATCH},
    {"\"a1\", nonsense", IF_NONE_MATCH_MATCH},
    {"*", IF_NONE_MATCH_ANY},
    {"  * ", IF_NONE_MATCH_ANY},
    {"", IF_NONE_MATCH_NONE},
    {",", IF_NONE_MATCH_NONE},
    {"a1", IF_NONE_MATCH_NONE},
    {"\"a1", IF_NONE_MATCH_NONE},
    {"\"a\", \"1\"", IF_NONE_MATCH_NONE},
    {"\"a1x\"", IF_NONE_MATCH_NONE},
    {"\"a\"", IF_NONE_MATCH_NONE},
    {"w/\"a1\"", IF_NONE_MATCH_NONE},
    {"\"x\" \"a1\"", IF_NONE_MATCH_NONE},
    {"nonsense, \"a1\"", IF_NONE_MATCH_NONE},
    {"*, \"a1\"", IF_NONE_MATCH_NONE},
    {"\"*\"", IF_NONE_MATCH_NONE},
};

START_TEST(a_list_is_compared_tag_by_tag)
{
    ck_assert_msg(if_none_match_check(rows[_i].value, "\"a1\"") == rows[_i].expected, "%s",
                  rows[_i].value);
}
END_TEST

START_TEST(without_the_header_there_is_no_condition)
{
    ck_assert_int_eq(if_none_match_check(NULL, "\"a1\""), IF_NONE_MATCH_NONE);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_list_is_compared_tag_by_tag, rows),
    TEST(without_the_header_there_is_no_condition),
};

const struct suite if_none_match_suite = {SUITE_TESTS(tests)};
