/* SPDX-License-Identifier: Apache-2.0
 * test_mhd_selftest.c - the request check works with the installed libmicrohttpd, and what the
 * self-test does where a shortcut past its interface does not work. */
#include <string.h>

#include "server/http/transport.h"
#include "server/mhd/mhd_probe.h"
#include "server/mhd/mhd_selftest.h"
#include "tests/support/suite.h"

static struct mhd_selftest found;

static bool has_bytes(void)
{
    return strcmp(transport_version(), "0.9.75") == 0;
}

START_TEST(every_case_passes_with_the_installed_library)
{
    mhd_selftest_run(SHORTCUTS_ALL, &found);
    ck_assert_msg(!found.wrong[0], "%s", found.wrong);
    ck_assert_uint_ge(mhd_selftest_count(), 12);
    ck_assert_uint_eq(transport_has_bytes(found.shortcuts), has_bytes());
    for (int i = SHORTCUT_RAW_HEAD + 1; i < SHORTCUT_COUNT; i++)
        ck_assert_msg(!found.off[i][0], "%s: %s", mhd_shortcut_name((enum mhd_shortcut)i),
                      found.off[i]);
    ck_assert_uint_eq(transport_shortcuts_off(found.shortcuts), has_bytes() ? 0 : 1);
}
END_TEST

/* The other shortcuts stay on. */
START_TEST(a_shortcut_that_does_not_work_is_off_by_itself_and_it_is_safe_to_serve)
{
    const enum mhd_shortcut shortcut = (enum mhd_shortcut)_i;

    mhd_selftest_run(SHORTCUTS_ALL & ~(1u << shortcut), &found);
    ck_assert_msg(!found.wrong[0], "%s", found.wrong);
    ck_assert(!mhd_shortcut_is_in(found.shortcuts, shortcut));
    ck_assert_str_eq(found.off[shortcut], "it is not allowed");
    ck_assert_uint_eq(transport_shortcuts_off(found.shortcuts), has_bytes() ? 1 : 2);
}
END_TEST

START_TEST(without_any_shortcut_but_the_bytes_of_heads_it_is_safe_to_serve)
{
    mhd_selftest_run(1u << SHORTCUT_RAW_HEAD, &found);
    ck_assert_msg(!found.wrong[0], "%s", found.wrong);
    ck_assert_uint_eq(found.shortcuts, has_bytes() ? 1u << SHORTCUT_RAW_HEAD : 0);
}
END_TEST

/* Version 0.9.75 reads leniently: without the bytes nothing shows it. */
START_TEST(without_the_bytes_of_heads_it_is_safe_if_the_library_reads_strictly)
{
    mhd_selftest_run(SHORTCUTS_ALL & ~(1u << SHORTCUT_RAW_HEAD), &found);
    ck_assert_uint_eq(found.wrong[0] != '\0', has_bytes());
}
END_TEST

/* ---- lines that libmicrohttpd has read --------------------------------------------------- */

#define GET "GET /p HTTP/1.1\r\nHost: x\r\n"
#define POST "POST /p HTTP/1.1\r\nHost: x\r\n"
#define CHUNKED POST "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"

/* Every version of the library hands these requests on unchanged, so that the request check
 * refuses those that are wrong. */
static const struct {
    const char *bytes;
    int status;
    unsigned executed;
} asked[] = {
    {GET "\r\n" GET "\r\n", 200, 2},
    {GET "Accept: a\r\nAccept: b\r\n\r\n", 200, 1},
    {POST "Content-Length: 5\r\n\r\nhello" GET "\r\n", 200, 2},
    {CHUNKED "\r\n" GET "\r\n", 200, 1},
    {CHUNKED "X: y\r\n\r\n", 200, 1},
    {CHUNKED "(X): y\r\n\r\n" GET "\r\n", 400, 0},
    {POST "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello" GET "\r\n", 400, 0},
    {POST "Content-Length: 9999999\r\n\r\n", 413, 0},
    {GET "Host: y\r\n\r\n" GET "\r\n", 400, 0},
    {GET "X(A): v\r\n\r\n" GET "\r\n", 400, 0},
    {GET "X: a\x01\r\n\r\n" GET "\r\n", 400, 0},
    {GET "Content-Length: 5\r\n\r\nhello", 400, 0},
    {"GET /p%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400, 0},
    {"FROB /p HTTP/1.1\r\nHost: x\r\n\r\n", 405, 0},
    {"GET /p HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, 0},
};

START_TEST(lines_that_libmicrohttpd_has_read_are_checked_as_strictly_as_bytes)
{
    struct mhd_probe_verdict verdict;
    struct mhd_probe *probe;

    for (unsigned shortcuts = 0; shortcuts <= has_bytes(); shortcuts++) {
        probe = mhd_probe_new(shortcuts << SHORTCUT_RAW_HEAD);
        verdict = mhd_probe_ask(probe, asked[_i].bytes, strlen(asked[_i].bytes));
        mhd_probe_free(probe);
        ck_assert_int_eq(verdict.status, asked[_i].status);
        ck_assert_uint_eq(verdict.executed, asked[_i].executed);
        ck_assert_uint_eq(verdict.right, asked[_i].executed);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(every_case_passes_with_the_installed_library),
    TEST_RANGE(a_shortcut_that_does_not_work_is_off_by_itself_and_it_is_safe_to_serve,
               SHORTCUT_RAW_HEAD + 1, SHORTCUT_COUNT),
    TEST(without_any_shortcut_but_the_bytes_of_heads_it_is_safe_to_serve),
    TEST(without_the_bytes_of_heads_it_is_safe_if_the_library_reads_strictly),
    TEST_EACH(lines_that_libmicrohttpd_has_read_are_checked_as_strictly_as_bytes, asked),
};

const struct suite mhd_selftest_suite = {SUITE_TESTS(tests)};
