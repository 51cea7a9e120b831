/* SPDX-License-Identifier: Apache-2.0
 * test_inotify.c - the watcher of a file calls when the file was written or replaced or its
 * permissions changed, and not when other files of the folder were. A watcher of the folder
 * shows when a call would have come. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/inotify.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct {
    struct scratch *scratch;
    uv_loop_t uv;
    struct inotify *file, *folder;
    int of_file, of_folder;
} here;

static void on_file(void *cls)
{
    here.of_file++;
}

static void on_folder(void *cls)
{
    here.of_folder++;
}

static void set_up(void)
{
    const struct timespec old[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    bool watching;

    here.of_file = here.of_folder = 0;
    here.scratch = scratch_new();
    scratch_write(here.scratch, "keys", "one");
    ck_assert_int_eq(utimensat(AT_FDCWD, scratch_path(here.scratch, "keys"), old, 0), 0);
    uv_loop_init(&here.uv);
    here.file =
        inotify_file(&here.uv, scratch_path(here.scratch, "keys"), on_file, NULL, &watching);
    ck_assert(here.file && watching);
    here.folder =
        inotify_folder(&here.uv, scratch_folder(here.scratch), on_folder, NULL, &watching);
    ck_assert(here.folder && watching);
}

static void tear_down(void)
{
    inotify_stop(here.file);
    inotify_stop(here.folder);
    uv_run(&here.uv, UV_RUN_DEFAULT);
    inotify_free(here.file);
    inotify_free(here.folder);
    ck_assert_int_eq(uv_loop_close(&here.uv), 0);
    scratch_free(here.scratch);
}

static void run_until(const int *count, int least)
{
    while (*count < least)
        uv_run(&here.uv, UV_RUN_ONCE);
}

START_TEST(a_change_of_another_file_in_the_folder_is_no_change_of_the_file)
{
    scratch_write(here.scratch, "log", "a line");
    run_until(&here.of_folder, 1);
    scratch_write(here.scratch, "log",
                  "another"); /* the status of the file was read before this */
    run_until(&here.of_folder, 2);
    ck_assert_int_eq(here.of_file, 0);
}
END_TEST

START_TEST(a_file_that_others_may_read_now_has_changed)
{
    ck_assert_int_eq(chmod(scratch_path(here.scratch, "keys"), 0640), 0);
    run_until(&here.of_folder, 1);
    scratch_write(here.scratch, "log",
                  "a line"); /* the status of the file was read before this */
    run_until(&here.of_folder, 2);
    ck_assert_int_eq(here.of_file, 1);
}
END_TEST

START_TEST(a_change_of_another_file_is_no_change_of_a_file_from_the_future)
{
    const struct timespec late[] = {{.tv_sec = 4000000000}, {.tv_sec = 4000000000}};

    ck_assert_int_eq(utimensat(AT_FDCWD, scratch_path(here.scratch, "keys"), late, 0), 0);
    for (int i = 1; i < 4; i++) {
        run_until(&here.of_folder,
                  i); /* the status of the file was read before the last change but one */
        scratch_write(here.scratch, "log", "a line");
    }
    ck_assert_int_eq(here.of_file, 1);
}
END_TEST

START_TEST(a_file_that_is_written_replaced_or_removed_has_changed)
{
    scratch_write(here.scratch, "keys", "two");
    run_until(&here.of_file, 1);
    scratch_replace(here.scratch, "keys", "three", 5);
    run_until(&here.of_file, 2);
    ck_assert_int_eq(unlink(scratch_path(here.scratch, "keys")), 0);
    run_until(&here.of_file, 3);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_change_of_another_file_in_the_folder_is_no_change_of_the_file),
    TEST(a_file_that_others_may_read_now_has_changed),
    TEST(a_change_of_another_file_is_no_change_of_a_file_from_the_future),
    TEST(a_file_that_is_written_replaced_or_removed_has_changed),
};

const struct suite inotify_suite = {SUITE_TESTS(tests), .setup = set_up, .teardown = tear_down,
                                    .timeout = 60};
