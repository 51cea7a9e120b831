/* SPDX-License-Identifier: Apache-2.0
 * test_output_file.c - a file is there whole, or as it was before. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/cli/output_file.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct scratch *scratch;
static struct output_file file;

static void expect_content(const char *name, const char *wanted)
{
    char text[64] = "";
    FILE *in = fopen(scratch_path(scratch, name), "r");

    ck_assert_ptr_nonnull(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    ck_assert_str_eq(text, wanted);
}

static void expect_files(size_t wanted)
{
    DIR *folder = opendir(scratch_folder(scratch));
    size_t count = 0;

    while (readdir(folder))
        count++;
    closedir(folder);
    ck_assert_uint_eq(count - 2, wanted); /* without . and .. */
}

static void begin_file(const char *name, const char *text)
{
    ck_assert(output_file_open(&file, scratch_path(scratch, name)));
    ck_assert(output_file_write(&file, text, strlen(text)));
}

START_TEST(a_new_file_appears_when_it_is_whole)
{
    begin_file("new", "text");
    ck_assert_int_ne(access(scratch_path(scratch, "new"), F_OK), 0);
    ck_assert(output_file_close(&file, true));
    expect_content("new", "text");
    expect_files(1);
}
END_TEST

START_TEST(an_old_file_stays_until_the_new_one_is_whole)
{
    scratch_write(scratch, "old", "before");
    begin_file("old", "after");
    expect_content("old", "before");
    ck_assert(output_file_close(&file, true));
    expect_content("old", "after");
    expect_files(1);
}
END_TEST

START_TEST(a_file_that_is_not_whole_leaves_nothing)
{
    scratch_write(scratch, "old", "before");
    begin_file("old", "aft");
    ck_assert(output_file_close(&file, false));
    expect_content("old", "before");
    expect_files(1);
    begin_file("new", "aft");
    ck_assert(output_file_close(&file, false));
    expect_files(1);
}
END_TEST

START_TEST(two_writers_leave_the_file_of_the_one_that_ended_last)
{
    struct output_file other;

    begin_file("one", "first");
    ck_assert(output_file_open(&other, scratch_path(scratch, "one")));
    ck_assert(output_file_write(&other, "second", 6));
    ck_assert(output_file_close(&other, true));
    ck_assert(output_file_close(&file, true));
    expect_content("one", "first");
    expect_files(1);
}
END_TEST

START_TEST(a_place_that_became_a_folder_is_an_error_that_leaves_nothing)
{
    begin_file("name", "text");
    ck_assert_int_eq(mkdir(scratch_path(scratch, "name"), 0700), 0);
    ck_assert(!output_file_close(&file, true));
    ck_assert_int_eq(errno, EISDIR);
    expect_files(1);
}
END_TEST

START_TEST(bytes_that_do_not_reach_the_disk_leave_the_old_file)
{
    int ends[2];

    scratch_write(scratch, "old", "before");
    begin_file("old", "after");
    ck_assert_int_eq(pipe(ends), 0); /* fsync of a pipe fails */
    ck_assert_int_eq(dup2(ends[1], file.fd), file.fd);
    ck_assert(!output_file_close(&file, true));
    ck_assert_int_eq(errno, EINVAL);
    expect_content("old", "before");
    expect_files(1);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_place_that_cannot_be_is_refused_at_the_start)
{
    static char long_path[2 * OUTPUT_FILE_PATH];

    ck_assert(!output_file_open(&file, scratch_path(scratch, "no/such")));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(!output_file_open(&file, scratch_folder(scratch)));
    ck_assert_int_eq(errno, EISDIR);
    memset(long_path, 'a', sizeof long_path - 1);
    ck_assert(!output_file_open(&file, long_path));
    ck_assert_int_eq(errno, ENAMETOOLONG);
}
END_TEST

START_TEST(a_device_is_written_as_it_is)
{
    ck_assert(output_file_open(&file, "/dev/null"));
    ck_assert(output_file_write(&file, "text", 4));
    ck_assert(output_file_close(&file, true));
    ck_assert(output_file_open(&file, "/dev/full"));
    ck_assert(!output_file_write(&file, "text", 4));
    ck_assert_int_eq(errno, ENOSPC);
    ck_assert(output_file_close(&file, false));
}
END_TEST

static void begin(void)
{
    scratch = scratch_new();
}

static void end(void)
{
    scratch_free(scratch);
}

static const struct suite_test tests[] = {
    TEST(bytes_that_do_not_reach_the_disk_leave_the_old_file),
    TEST(a_new_file_appears_when_it_is_whole),
    TEST(an_old_file_stays_until_the_new_one_is_whole),
    TEST(a_file_that_is_not_whole_leaves_nothing),
    TEST(two_writers_leave_the_file_of_the_one_that_ended_last),
    TEST(a_place_that_became_a_folder_is_an_error_that_leaves_nothing),
    TEST(a_place_that_cannot_be_is_refused_at_the_start),
    TEST(a_device_is_written_as_it_is),
};
const struct suite output_file_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
