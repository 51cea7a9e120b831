/* SPDX-License-Identifier: Apache-2.0
 * test_completion.c - how a last word may end; tests/http/test_command_line.py asks in bash,
 * tests/clients in every shell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "server/cli/command/command.h"
#include "server/cli/completion.h"
#include "server/cli/completion_script.h"
#include "server/config/config.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

#define COMPLETE(...)                                                                          \
    complete((const char *const[]){__VA_ARGS__},                                               \
             sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static struct buffer text;

static const char *complete(const char *const *words, size_t count)
{
    buffer_fini(&text);
    completion_write(&text, words, count);
    ck_assert(!text.failed);
    return text.bytes;
}

/* The number of candidates. */
static size_t candidates(void)
{
    size_t lines = 0;

    for (size_t i = 0; i < text.len; i++)
        lines += text.bytes[i] == '\n';
    return lines - 1;
}

static void expect_candidate(const char *word)
{
    char line[200];

    snprintf(line, sizeof line, "\n%s\t", word);
    ck_assert_msg(strstr(text.bytes, line) != NULL, "no %s in %s", word, text.bytes);
}

START_TEST(every_command_option_and_flag_is_a_candidate)
{
    COMPLETE("");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (command_at(i)->reading != COMMAND_READING_HIDDEN)
            expect_candidate(command_at(i)->name);
    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
        char option[64];

        COMPLETE(command_at(command_option_at(i)->command)->name, "-");
        snprintf(option, sizeof option, "--%s", command_option_at(i)->name);
        expect_candidate(option);
        expect_candidate("--help");
    }
    COMPLETE("serve", "--");
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        char flag[64];

        snprintf(flag, sizeof flag, "--%s", config_row_at(i)->name);
        expect_candidate(flag);
    }
}
END_TEST

START_TEST(every_parameter_and_choice_of_an_encoding_is_a_candidate)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);
    char word[160];

    for (size_t i = 0; i < count; i++) {
        COMPLETE("compute", pe_name(enc), "");
        snprintf(word, sizeof word, "%s=", param[i].name);
        expect_candidate(word);
        COMPLETE("compute", pe_name(enc), word);
        for (const struct pe_choice *c = param[i].choices; c && c->name; c++) {
            char value[200];

            snprintf(value, sizeof value, "%s=%s", param[i].name, c->name);
            expect_candidate(value);
        }
    }
}
END_TEST

START_TEST(a_name_that_is_given_is_no_candidate)
{
    COMPLETE("compute", "rope", "dim=8", "dim");
    ck_assert_ptr_null(strstr(text.bytes, "\ndim="));
    COMPLETE("compute", "rope", "dim");
    expect_candidate("dim=");
}
END_TEST

START_TEST(outputs_are_listed_once_each)
{
    COMPLETE("compute", "rope", "out=cos,");
    ck_assert_ptr_null(strstr(text.bytes, "\nout=cos,cos\t"));
    expect_candidate("out=cos,sin");
}
END_TEST

START_TEST(the_first_line_says_what_follows_a_word)
{
    ck_assert_mem_eq(COMPLETE("compute", "rope", "pairing"), "no-space\n", 9);
    ck_assert_mem_eq(COMPLETE("compute", "rope", "pairing=h"), "words\n", 6);
    ck_assert_str_eq(COMPLETE("compute", "rope", "-o", ""), "files \n");
    ck_assert_str_eq(COMPLETE("compute", "rope/apply", "x=@a"), "files x=@\n");
    ck_assert_str_eq(COMPLETE("compute", "rope/apply", "x=1"), "words\n");
    ck_assert_str_eq(COMPLETE("serve", "--warm=a"), "files --warm=\n");
    ck_assert_mem_eq(COMPLETE("verify", "ab"), "files \n", 7);
}
END_TEST

START_TEST(what_takes_no_word_has_no_candidate)
{
    ck_assert_str_eq(COMPLETE("version", ""), "words\n");
    ck_assert_str_eq(COMPLETE("help", "rope", ""), "words\n");
    ck_assert_str_eq(COMPLETE("nothing", ""), "words\n");
    ck_assert_str_eq(COMPLETE("complete", ""), "words\n");
    ck_assert_str_eq(COMPLETE("compute", "nothing", ""), "words\n");
    ck_assert_str_eq(COMPLETE("health", "--url", ""), "words\n");
    buffer_fini(&text);
    completion_write(&text, NULL, 0);
    ck_assert_str_eq(text.bytes, "words\n");
}
END_TEST

START_TEST(a_name_of_a_model_that_was_begun_may_be_any_of_its_names)
{
    COMPLETE("models", "");
    const size_t ids = candidates();
    ck_assert_ptr_null(strstr(text.bytes, "\nmistralai/"));
    COMPLETE("compute", "rope", "model=mistralai/");
    ck_assert_ptr_nonnull(strstr(text.bytes, "\nmodel=mistralai/"));
    ck_assert_uint_gt(ids, candidates());
}
END_TEST

START_TEST(a_line_has_a_word_and_a_summary)
{
    COMPLETE("compute", "rope", "");
    for (char *line = strchr(text.bytes, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        const size_t len = strcspn(line, "\n"), word = strcspn(line, "\t");

        ck_assert_uint_lt(word, len);
        ck_assert_uint_eq(strcspn(line + word + 1, "\t\n"), len - word - 1);
    }
}
END_TEST

START_TEST(every_shell_has_a_script_that_asks_the_program)
{
    ck_assert_uint_eq(completion_script_count(), 3);
    for (size_t i = 0; i < completion_script_count(); i++)
        ck_assert_ptr_nonnull(
            strstr(completion_script_find(completion_script_shell(i)), "complete"));
    ck_assert_ptr_null(completion_script_find("csh"));
}
END_TEST

START_TEST(a_lack_of_memory_fails_the_whole)
{
    const char *const words[] = {"compute", "rope", "model=l"};
    bool asked = true;

    for (size_t n = 0; asked; n += n < 20 ? 1 : 17) {
        struct buffer out = {0};

        alloc_fail_start(n);
        completion_write(&out, words, 3);
        const bool failed = out.failed;
        buffer_fini(&out);
        asked = alloc_fail_stop();
        ck_assert(failed == asked);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
END_TEST

static void end(void)
{
    buffer_fini(&text);
}

static const struct suite_test tests[] = {
    TEST(every_command_option_and_flag_is_a_candidate),
    TEST_COUNTED(every_parameter_and_choice_of_an_encoding_is_a_candidate, pe_count),
    TEST(a_name_that_is_given_is_no_candidate),
    TEST(outputs_are_listed_once_each),
    TEST(the_first_line_says_what_follows_a_word),
    TEST(what_takes_no_word_has_no_candidate),
    TEST(a_name_of_a_model_that_was_begun_may_be_any_of_its_names),
    TEST(a_line_has_a_word_and_a_summary),
    TEST(every_shell_has_a_script_that_asks_the_program),
    TEST(a_lack_of_memory_fails_the_whole),
};
const struct suite completion_suite = {SUITE_TESTS(tests), .teardown = end};
