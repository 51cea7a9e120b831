/* SPDX-License-Identifier: Apache-2.0
 * test_input_file.c - a regular file and what the process was given open are read; nothing else
 * is, and nothing is waited for. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/cli/command/input_file.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct scratch *scratch;

static void begin(void)
{
    scratch = scratch_new();
}

static void end(void)
{
    scratch_free(scratch);
}

static void expect_text(const char *path, const char *wanted)
{
    char text[64] = "";
    const char *why = "";
    FILE *file = input_file_open(path, &why);

    ck_assert_msg(file != NULL, "%s: %s", path, why);
    ck_assert_int_eq(fcntl(fileno(file), F_GETFL) & O_NONBLOCK, 0);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    ck_assert_str_eq(text, wanted);
    input_file_close(file);
}

static void expect_refused(const char *path, const char *wanted)
{
    const char *why = "";

    ck_assert_ptr_null(input_file_open(path, &why));
    ck_assert_str_eq(why, wanted);
}

START_TEST(a_regular_file_is_read)
{
    scratch_write(scratch, "file", "text");
    expect_text(scratch_path(scratch, "file"), "text");
}
END_TEST

START_TEST(a_pipe_that_the_process_was_given_is_read)
{
    int ends[2];
    char path[40];

    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "text", 4), 4);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    expect_text(path, "text");
    close(ends[0]);
}
END_TEST

START_TEST(what_is_not_regular_is_refused_without_waiting)
{
    const char *rule = "must be a regular file; a pipe or a device is read as -, the standard "
                       "input";
    const char *path = scratch_path(scratch, "fifo");

    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_refused(path, rule);
    expect_refused("/dev/zero", rule);
    expect_refused("/", "Is a directory");
    expect_refused(scratch_path(scratch, "none"), "No such file or directory");
}
END_TEST

START_TEST(a_long_regular_file_is_mapped_and_others_are_not)
{
    const char *path = scratch_path(scratch, "file"), *why;
    size_t len = 0;
    FILE *file;

    scratch_write(scratch, "file", "text");
    file = input_file_open(path, &why);
    ck_assert_ptr_null(input_file_map(file, &len));
    ck_assert_int_eq(truncate(path, INPUT_FILE_MAPPED), 0);
    char *bytes = input_file_map(file, &len);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(len, INPUT_FILE_MAPPED);
    ck_assert_mem_eq(bytes, "text\0", 6);
    ck_assert_int_eq(munmap(bytes, len), 0);
    ck_assert_int_eq(fgetc(file), 't');
    ck_assert_ptr_null(input_file_map(file, &len)); /* a part of it was read */
    input_file_close(file);
}
END_TEST

START_TEST(a_mapped_file_that_is_cut_ends_the_process_with_66)
{
    const char *path = scratch_path(scratch, "file"), *why;
    size_t len = 0;
    int status;

    scratch_write(scratch, "file", "text");
    ck_assert_int_eq(truncate(path, INPUT_FILE_MAPPED), 0);
    FILE *file = input_file_open(path, &why);
    volatile char *bytes = input_file_map(file, &len);
    ck_assert_int_eq(truncate(path, 0), 0);
    const pid_t child = fork();
    if (child == 0)
        _exit(bytes[len - 1]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 66);
    ck_assert_int_eq(munmap((void *)bytes, len), 0);
    input_file_close(file);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_long_regular_file_is_mapped_and_others_are_not),
    TEST(a_mapped_file_that_is_cut_ends_the_process_with_66),
    TEST(a_regular_file_is_read),
    TEST(a_pipe_that_the_process_was_given_is_read),
    TEST(what_is_not_regular_is_refused_without_waiting),
};
const struct suite input_file_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
