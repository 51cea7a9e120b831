/* SPDX-License-Identifier: Apache-2.0
 * test_command.c - what holds for every row of commands.def. */
#include <string.h>

#include "server/cli/command/command.h"
#include "tests/support/suite.h"

START_TEST(every_command_is_found_by_its_name_alone)
{
    const struct command *command = command_at((size_t)_i);

    ck_assert_ptr_eq(command_find(command->name), command);
    ck_assert_ptr_null(command_find("comput"));
    ck_assert_uint_eq(strspn(command->name, "abcdefghijklmnopqrstuvwxyz-"),
                      strlen(command->name));
}
END_TEST

START_TEST(a_summary_is_half_a_sentence_and_a_paragraph_is_whole_ones)
{
    const struct command *command = command_at((size_t)_i);
    const size_t len = strlen(command->about);

    ck_assert_uint_gt(strlen(command->summary), 10);
    ck_assert(command->summary[strlen(command->summary) - 1] != '.');
    ck_assert(command->summary[0] >= 'a' && command->summary[0] <= 'z');
    ck_assert_uint_gt(len, 10);
    ck_assert(command->reading == COMMAND_READING_HIDDEN || command->about[len - 1] == '.' ||
              command->about[len - 1] == '-');
}
END_TEST

START_TEST(operands_are_shown_where_a_command_takes_them)
{
    const struct command *command = command_at((size_t)_i);

    ck_assert((command->most > 0) == (command->first != COMMAND_WORD_NONE));
    ck_assert(command->reading != COMMAND_READING_WORDS ||
              (command->most > 0) == (*command->operands != '\0'));
    ck_assert(command->most > 1 || command->rest == COMMAND_WORD_NONE);
}
END_TEST

START_TEST(options_of_a_command_differ_and_none_is_helps)
{
    const struct command_option *option = command_option_at((size_t)_i);
    const struct command *command = command_at(option->command);

    ck_assert(command_has(command, (size_t)_i));
    ck_assert_str_ne(option->name, "help");
    ck_assert_str_ne(option->letter, "h");
    ck_assert_uint_le(strlen(option->letter), 1);
    ck_assert(!option->value == (option->kind == COMMAND_WORD_NONE));
    for (size_t i = 0; i < (size_t)_i; i++) {
        const struct command_option *other = command_option_at(i);

        if (other->command != option->command)
            continue;
        ck_assert_str_ne(other->name, option->name);
        ck_assert(*option->letter == '\0' || strcmp(other->letter, option->letter) != 0);
    }
}
END_TEST

START_TEST(help_lists_every_command_but_the_hidden_one)
{
    const char *names[COMMAND_COUNT];
    const size_t count = command_names(names);

    ck_assert_uint_eq(count, COMMAND_COUNT - 1);
    for (size_t i = 0; i < count; i++)
        ck_assert_str_ne(names[i], command_at(COMMAND_COMPLETE)->name);
}
END_TEST

START_TEST(exit_codes_ascend)
{
    for (size_t i = 1; i < command_exit_count(); i++)
        ck_assert_int_gt(command_exit_at(i)->code, command_exit_at(i - 1)->code);
}
END_TEST

SUITE(command, TEST_RANGE(every_command_is_found_by_its_name_alone, 0, COMMAND_COUNT),
      TEST_RANGE(a_summary_is_half_a_sentence_and_a_paragraph_is_whole_ones, 0, COMMAND_COUNT),
      TEST_RANGE(operands_are_shown_where_a_command_takes_them, 0, COMMAND_COUNT),
      TEST_RANGE(options_of_a_command_differ_and_none_is_helps, 0, COMMAND_OPTION_COUNT),
      TEST(help_lists_every_command_but_the_hidden_one), TEST(exit_codes_ascend));
