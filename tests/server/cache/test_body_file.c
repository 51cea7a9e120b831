/* SPDX-License-Identifier: Apache-2.0
 * test_body_file.c - a body in a file of memory: its bytes, which nothing changes, its
 * descriptors, and what it does when there are no more of them. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/cache/body_file.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { LEN = 70001 };

static struct body_file_budget budget;
static char body[LEN];

static void start(void)
{
    atomic_store(&budget.left, 3);
    for (size_t i = 0; i < LEN; i++)
        body[i] = (char)(i * 7 + i / 251);
}

static void stop(void)
{
    ck_assert_uint_eq(atomic_load(&budget.left), 3);
    ck_assert_uint_eq(atomic_load(&budget.bytes), 0);
}

START_TEST(a_file_has_the_bytes_and_counts_whole_pages)
{
    struct body_file *file = body_file_new(&budget, body, LEN);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(file->len, LEN);
    ck_assert_mem_eq(file->bytes, body, LEN);
    ck_assert_uint_eq(atomic_load(&budget.left), 2);
    ck_assert_uint_eq(atomic_load(&budget.bytes), body_file_memory(LEN));
    ck_assert_uint_eq(body_file_memory(LEN) % page, 0);
    ck_assert_uint_eq(body_file_memory(page), page);
    ck_assert_uint_eq(body_file_memory(page + 1), 2 * page);
    body_file_free(file);
    body_file_free(NULL);
}
END_TEST

START_TEST(nothing_can_change_the_bytes)
{
    struct body_file *file = body_file_new(&budget, body, LEN);

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(pwrite(file->fd, "x", 1, 0), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(ftruncate(file->fd, 1), -1);
    ck_assert_int_eq(ftruncate(file->fd, LEN + 1), -1);
    ck_assert_ptr_eq(mmap(NULL, LEN, PROT_WRITE, MAP_SHARED, file->fd, 0), MAP_FAILED);
    ck_assert_int_eq(fcntl(file->fd, F_ADD_SEALS, 0), -1);
    ck_assert_mem_eq(file->bytes, body, LEN);
    body_file_free(file);
}
END_TEST

START_TEST(a_shared_descriptor_outlives_the_file)
{
    struct body_file *file = body_file_new(&budget, body, LEN);
    char read[LEN];
    int fd;

    ck_assert_ptr_nonnull(file);
    fd = body_file_share(file);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_ne(fd, file->fd);
    ck_assert_uint_eq(atomic_load(&budget.left), 1); /* of three: one a file, one a share */
    ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(fcntl(file->fd, F_GETFD), FD_CLOEXEC);
    body_file_end_share(file);
    body_file_free(file);
    ck_assert_int_eq(pread(fd, read, LEN, 0), LEN);
    ck_assert_mem_eq(read, body, LEN);
    close(fd);
}
END_TEST

START_TEST(no_more_files_are_made_than_the_budget_allows)
{
    struct body_file *files[3];

    for (size_t i = 0; i < 3; i++) {
        files[i] = body_file_new(&budget, body, LEN);
        ck_assert_ptr_nonnull(files[i]);
    }
    ck_assert_ptr_null(body_file_new(&budget, body, LEN));
    ck_assert_int_eq(body_file_share(files[0]), -1);
    body_file_free(files[0]);
    files[0] = body_file_new(&budget, body, LEN);
    ck_assert_ptr_nonnull(files[0]);
    for (size_t i = 0; i < 3; i++)
        body_file_free(files[i]);
}
END_TEST

START_TEST(without_a_descriptor_no_file_is_made_and_the_budget_is_whole)
{
    struct body_file *file = body_file_new(&budget, body, LEN);
    struct rlimit before, none;
    int shared;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    shared = body_file_share(file);
    struct body_file *refused = body_file_new(&budget, body, LEN);

    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    ck_assert_int_eq(shared, -1);
    ck_assert_ptr_null(refused);
    body_file_free(file);
}
END_TEST

START_TEST(without_memory_no_file_is_made)
{
    struct body_file *file;

    alloc_fail_start(0);
    file = body_file_new(&budget, body, LEN);
    ck_assert(alloc_fail_stop());
    ck_assert_ptr_null(file);
    ck_assert_int_eq(alloc_fail_live(), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_file_has_the_bytes_and_counts_whole_pages),
    TEST(nothing_can_change_the_bytes),
    TEST(a_shared_descriptor_outlives_the_file),
    TEST(no_more_files_are_made_than_the_budget_allows),
    TEST(without_a_descriptor_no_file_is_made_and_the_budget_is_whole),
    TEST(without_memory_no_file_is_made),
};

const struct suite body_file_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
