/* SPDX-License-Identifier: Apache-2.0
 * test_read_file.c - a file is read whole, or refused with a reason, without waiting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/read_file.h"
#include "tests/support/suite.h"

static char path[] = "/tmp/posenc-file-XXXXXX";
static char why[300];
static int fd;

static void make(void)
{
    memcpy(path + strlen(path) - 6, "XXXXXX", 6);
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
}

static void away(void)
{
    close(fd);
    unlink(path);
}

static void refused(const char *name, const char *said)
{
    size_t len;

    ck_assert_ptr_null(read_file_read(name, READ_FILE_MAX, &len, why, sizeof why));
    ck_assert_msg(strstr(why, said) != NULL, "no \"%s\" in \"%s\"", said, why);
}

START_TEST(a_file_is_read_whole)
{
    size_t len = 0;
    char *bytes;

    ck_assert_int_eq(write(fd, "a\0b\n", 4), 4);
    bytes = read_file_read(path, READ_FILE_MAX, &len, why, sizeof why);
    ck_assert_uint_eq(len, 4);
    ck_assert_mem_eq(bytes, "a\0b\n\0", 5);
    read_file_free(bytes, len);
}
END_TEST

START_TEST(a_large_or_irregular_file_is_refused_at_once)
{
    char fifo[64];

    refused("/tmp/posenc-there-is-none", "No such file");
    refused("/tmp", "must be a regular file of at most 1 MiB");
    refused("/dev/zero", "must be a regular file of at most 1 MiB");
    snprintf(fifo, sizeof fifo, "%s.fifo", path);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    refused(fifo, "must be a regular file of at most 1 MiB");
    unlink(fifo);
    ck_assert_int_eq(ftruncate(fd, READ_FILE_MAX + 1), 0);
    refused(path, "must be a regular file of at most 1 MiB");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_file_is_read_whole),
    TEST(a_large_or_irregular_file_is_refused_at_once),
};

const struct suite read_file_suite = {SUITE_TESTS(tests), .setup = make, .teardown = away};
