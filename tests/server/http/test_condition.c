/* SPDX-License-Identifier: Apache-2.0
 * test_condition.c - lists of entity tags. */
#include <check.h>

#include "server/http/condition.h"

Suite *condition_suite(void);

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

Suite *condition_suite(void)
{
    Suite *suite = suite_create("condition");
    TCase *tcase = tcase_create("if-none-match");

    tcase_add_loop_test(tcase, a_list_is_walked_tag_by_tag, 0, sizeof rows / sizeof rows[0]);
    tcase_add_test(tcase, without_the_header_there_is_no_condition);
    suite_add_tcase(suite, tcase);
    return suite;
}
