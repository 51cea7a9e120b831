/* SPDX-License-Identifier: Apache-2.0
 * test_first_process.c - the flags of process 1 are found where it is this program that
 * serves. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/first_process.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct scratch *scratch;
static struct first_process process;

/* Writes the words, each but the last ended by '|', as the kernel shows them. */
static void write_words(const char *words)
{
    FILE *file = fopen(scratch_path(scratch, "cmdline"), "w");

    ck_assert_ptr_nonnull(file);
    for (const char *at = words; *at; at++)
        fputc(*at == '|' ? '\0' : *at, file);
    if (*words)
        fputc('\0', file);
    fclose(file);
}

static void expect_flags(const char *words, const char *wanted)
{
    char found[256] = "";
    size_t at = 0;

    write_words(words);
    ck_assert(first_process_read(&process, scratch_folder(scratch),
                                 scratch_path(scratch, "posencd")));
    for (int i = 0; i < process.count; i++)
        at += (size_t)snprintf(found + at, sizeof found - at, "%s%s", i ? "|" : "",
                               process.word[i]);
    ck_assert_str_eq(found, wanted);
    first_process_free(&process);
}

static void run_program(const char *name)
{
    (void)unlink(scratch_path(scratch, "exe"));
    ck_assert_int_eq(symlink(scratch_path(scratch, name), scratch_path(scratch, "exe")), 0);
}

static void setup(void)
{
    scratch = scratch_new();
    scratch_write(scratch, "posencd", "program");
    scratch_write(scratch, "init", "another");
    run_program("posencd");
}

static void teardown(void)
{
    scratch_free(scratch);
}

START_TEST(a_service_that_is_process_1_tells_its_flags)
{
    expect_flags("posencd|serve|--listen|127.0.0.1:9999|--ui=off",
                 "--listen|127.0.0.1:9999|--ui=off");
    expect_flags("posencd|serve", "");
    expect_flags("/usr/bin/posencd", "");
}
END_TEST

START_TEST(serve_is_the_default_command)
{
    expect_flags("posencd|--listen=[::]:1", "--listen=[::]:1");
}
END_TEST

START_TEST(another_command_serves_nothing)
{
    expect_flags("posencd|compute|rope|--listen|x", "");
}
END_TEST

START_TEST(an_init_program_is_followed_by_the_call)
{
    char words[512];

    run_program("init");
    snprintf(words, sizeof words, "%s|--|%s|serve|--listen|127.0.0.1:7",
             scratch_path(scratch, "init"), scratch_path(scratch, "posencd"));
    expect_flags(words, "--listen|127.0.0.1:7");
}
END_TEST

START_TEST(another_program_has_no_flags_of_ours)
{
    run_program("init");
    expect_flags("/sbin/init|serve|--listen|127.0.0.1:7", "");
    expect_flags("posencd|serve|--listen|127.0.0.1:7", ""); /* another file of that name */
    ck_assert_int_eq(unlink(scratch_path(scratch, "exe")),
                     0); /* as of another user's process */
    expect_flags("posencd|serve|--listen|127.0.0.1:7", "");
}
END_TEST

START_TEST(words_that_cannot_be_read_are_none)
{
    expect_flags("", "");
    ck_assert_int_eq(unlink(scratch_path(scratch, "cmdline")), 0);
    ck_assert(first_process_read(&process, scratch_folder(scratch), "nowhere"));
    ck_assert_int_eq(process.count, 0);
    first_process_free(&process);
}
END_TEST

START_TEST(long_words_are_read_whole)
{
    char words[20000] = "posencd|serve|";
    size_t start = strlen(words);

    memset(words + start, 'x', sizeof words - 1 - start);
    words[sizeof words - 1] = '\0';
    write_words(words);
    ck_assert(first_process_read(&process, scratch_folder(scratch),
                                 scratch_path(scratch, "posencd")));
    ck_assert_int_eq(process.count, 1);
    ck_assert_uint_eq(strlen(process.word[0]), sizeof words - 1 - start);
    first_process_free(&process);
}
END_TEST

START_TEST(memory_that_is_short_is_said)
{
    const char *const folder = scratch_folder(scratch);
    const char *const program = scratch_path(scratch, "posencd");
    bool whole;

    write_words("posencd|serve|--listen|127.0.0.1:7");
    for (size_t n = 0;; n++) {
        alloc_fail_start(n);
        whole = first_process_read(&process, folder, program);
        if (whole)
            first_process_free(&process);
        if (!alloc_fail_stop()) {
            ck_assert_uint_ge(n, 2); /* the text and the array */
            break;
        }
        ck_assert(!whole);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_service_that_is_process_1_tells_its_flags),
    TEST(serve_is_the_default_command),
    TEST(another_command_serves_nothing),
    TEST(an_init_program_is_followed_by_the_call),
    TEST(another_program_has_no_flags_of_ours),
    TEST(words_that_cannot_be_read_are_none),
    TEST(long_words_are_read_whole),
    TEST(memory_that_is_short_is_said),
};
const struct suite first_process_suite = {SUITE_TESTS(tests), .setup = setup,
                                          .teardown = teardown};
