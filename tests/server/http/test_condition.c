/* SPDX-License-Identifier: Apache-2.0
 * test_condition.c - lists of entity tags. */

#include "server/http/condition.h"
#include "tests/support/suite.h"

static const struct {
    const char *value;
    enum condition expected;
} rows[] = {
    {"\"a1\"", CONDITION_MATCH},
    {"W/\"a1\"", CONDITION_MATCH},
    {"\"x\", \"a1\"", CONDITION_MATCH},
    {"\"x,y\",W/\"z\" ,\t\"a1\" , \"w\"", CONDITION_MATCH},
    {" , ,\"a1\",", CONDITION_MATCH},
    {"\"a1\", nonsense", CONDITION_MATCH},
    {"*", CONDITION_ANY},
    {"  * ", CONDITION_ANY},
    {"", CONDITION_NONE},
    {",", CONDITION_NONE},
    {"a1", CONDITION_NONE},
    {"\"a1", CONDITION_NONE},
    {"\"a\", \"1\"", CONDITION_NONE},
    {"\"a1x\"", CONDITION_NONE},
    {"\"a\"", CONDITION_NONE},
    {"w/\"a1\"", CONDITION_NONE},
    {"\"x\" \"a1\"", CONDITION_NONE},
    {"nonsense, \"a1\"", CONDITION_NONE},
    {"*, \"a1\"", CONDITION_NONE},
    {"\"*\"", CONDITION_NONE},
};

START_TEST(a_list_is_walked_tag_by_tag)
{
    ck_assert_msg(condition_check(rows[_i].value, "\"a1\"") == rows[_i].expected, "%s",
                  rows[_i].value);
}
END_TEST

START_TEST(without_the_header_there_is_no_condition)
{
    ck_assert_int_eq(condition_check(NULL, "\"a1\""), CONDITION_NONE);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_list_is_walked_tag_by_tag, rows),
    TEST(without_the_header_there_is_no_condition),
};

const struct suite condition_suite = {SUITE_TESTS(tests)};
