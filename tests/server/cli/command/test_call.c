/* SPDX-License-Identifier: Apache-2.0
 * test_call.c - the words of a call told apart. What is wrong with words is said on
 * standard error: tests/http/test_command_line.py reads it. */
#include <string.h>

#include "server/cli/command/call.h"
#include "tests/support/suite.h"

static struct call call;

#define CALL(COMMAND, ...)                                                                     \
    do {                                                                                       \
        static char *words[] = {__VA_ARGS__, NULL};                                            \
        int count = 0;                                                                         \
                                                                                               \
        while (words[count])                                                                   \
            count++;                                                                           \
        call_read(&call, command_at(COMMAND), count, words);                                   \
    } while (0)

static void expect_operands(const char *first, const char *second)
{
    ck_assert_uint_eq(call.wrong, 0);
    ck_assert_uint_eq(call.count, second ? 2 : 1);
    ck_assert_str_eq(call.word[0], first);
    if (second)
        ck_assert_str_eq(call.word[1], second);
}

START_TEST(options_stand_before_between_and_behind_operands)
{
    CALL(COMMAND_COMPUTE, "-o", "a.npy", "one", "--max-elements=5", "two=2");
    expect_operands("one", "two=2");
    ck_assert_str_eq(call.value[COMMAND_OPTION_OUTPUT], "a.npy");
    ck_assert_str_eq(call.value[COMMAND_OPTION_MAX_ELEMENTS], "5");
    ck_assert_ptr_null(call.value[COMMAND_OPTION_MAX_TEXT_ELEMENTS]);
}
END_TEST

START_TEST(an_option_has_its_value_in_any_of_four_forms)
{
    CALL(COMMAND_COMPUTE, "x", "--output", "-");
    ck_assert_str_eq(call.value[COMMAND_OPTION_OUTPUT], "-");
    CALL(COMMAND_COMPUTE, "x", "--output=a=b");
    ck_assert_str_eq(call.value[COMMAND_OPTION_OUTPUT], "a=b");
    CALL(COMMAND_COMPUTE, "x", "-oa");
    ck_assert_str_eq(call.value[COMMAND_OPTION_OUTPUT], "a");
    CALL(COMMAND_COMPUTE, "x", "--output=");
    ck_assert_str_eq(call.value[COMMAND_OPTION_OUTPUT], "");
    expect_operands("x", NULL);
}
END_TEST

START_TEST(a_switch_takes_no_word)
{
    CALL(COMMAND_VERIFY, "--json", "a", "b=1");
    expect_operands("a", "b=1");
    ck_assert_ptr_nonnull(call.value[COMMAND_OPTION_VERIFY_JSON]);
}
END_TEST

START_TEST(a_dash_is_the_standard_input_and_two_end_the_options)
{
    CALL(COMMAND_VERIFY, "-", "-:cos");
    expect_operands("-", "-:cos");
    CALL(COMMAND_VERIFY, "--", "--json", "-x");
    expect_operands("--json", "-x");
    CALL(COMMAND_VERIFY, "--", "--help", "-h");
    ck_assert(!call.wants_help);
    expect_operands("--help", "-h");
}
END_TEST

START_TEST(a_call_for_help_keeps_its_words)
{
    CALL(COMMAND_COMPUTE, "one", "--nothing", "-h");
    ck_assert(call.wants_help);
    ck_assert_uint_eq(call.wrong, 0);
    ck_assert_uint_eq(call.count, 3);
}
END_TEST

START_TEST(flags_and_words_for_scripts_are_not_told_apart)
{
    CALL(COMMAND_SERVE, "--threads", "2");
    ck_assert_uint_eq(call.count, 2);
    CALL(COMMAND_COMPLETE, "compute", "--help");
    ck_assert_uint_eq(call.count, 2);
    ck_assert(!call.wants_help);
}
END_TEST

SUITE(call, TEST(options_stand_before_between_and_behind_operands),
      TEST(an_option_has_its_value_in_any_of_four_forms), TEST(a_switch_takes_no_word),
      TEST(a_dash_is_the_standard_input_and_two_end_the_options),
      TEST(a_call_for_help_keeps_its_words),
      TEST(flags_and_words_for_scripts_are_not_told_apart));
