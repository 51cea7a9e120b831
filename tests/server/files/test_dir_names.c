/* SPDX-License-Identifier: Apache-2.0
 * test_dir_names.c - the names in a folder, in order. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/files/dir_names.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { MANY = 40 };

static struct scratch *scratch;
static int dir;

static void start(void)
{
    scratch = scratch_new();
    dir = open(scratch_folder(scratch), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(dir, 0);
}

static void stop(void)
{
    close(dir);
    scratch_free(scratch);
}

/* Writes two empty files. */
static void write_two(const char *first, const char *second)
{
    scratch_write(scratch, first, "");
    scratch_write(scratch, second, "");
}

static bool is_shown(const char *name)
{
    return name[0] != '.';
}

START_TEST(names_come_in_the_order_of_their_bytes)
{
    struct dir_names names;

    for (int i = 0; i < MANY; i++) {
        char name[16];

        snprintf(name, sizeof name, "%c%d", i % 2 ? 'a' : 'B', 99 - i);
        scratch_write(scratch, name, "");
    }
    ck_assert(dir_names_read(dir, is_shown, &names));
    ck_assert_uint_eq(names.count, MANY);
    ck_assert_str_eq(names.at[0], "B61");
    ck_assert_str_eq(names.at[MANY - 1], "a98");
    for (size_t i = 1; i < names.count; i++)
        ck_assert_int_lt(strcmp(names.at[i - 1], names.at[i]), 0);
    dir_names_free(&names);
}
END_TEST

START_TEST(a_name_that_is_not_wanted_is_left_out)
{
    struct dir_names names;

    write_two(".hidden", "shown");
    ck_assert(dir_names_read(dir, is_shown, &names));
    ck_assert_uint_eq(names.count, 1);
    ck_assert_str_eq(names.at[0], "shown");
    dir_names_free(&names);
}
END_TEST

START_TEST(the_folder_can_be_read_again)
{
    struct dir_names names;

    for (int i = 0; i < 2; i++) {
        ck_assert(dir_names_read(dir, is_shown, &names));
        ck_assert_uint_eq(names.count, (size_t)i);
        dir_names_free(&names);
        scratch_write(scratch, "new", "");
    }
}
END_TEST

START_TEST(what_is_no_folder_is_refused_with_its_reason)
{
    struct dir_names names;

    ck_assert(!dir_names_read(-1, is_shown, &names));
    ck_assert_int_eq(errno, EBADF);
    dir_names_free(&names);
}
END_TEST

START_TEST(without_memory_the_names_are_not_half_a_list)
{
    struct dir_names names;

    write_two("a", "b");
    for (size_t n = 0; n < 3; n++) { /* the list, and each of its names */
        alloc_fail_start(n);
        bool read = dir_names_read(dir, is_shown, &names);
        int why = errno;

        dir_names_free(&names);
        alloc_fail_stop();
        ck_assert(!read);
        ck_assert_int_eq(why, ENOMEM);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(names_come_in_the_order_of_their_bytes),
    TEST(a_name_that_is_not_wanted_is_left_out),
    TEST(the_folder_can_be_read_again),
    TEST(what_is_no_folder_is_refused_with_its_reason),
    TEST(without_memory_the_names_are_not_half_a_list),
};

const struct suite dir_names_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
