/* SPDX-License-Identifier: Apache-2.0
 * test_path.c - percent escapes of a path. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/http/path.h"

Suite *path_suite(void);

static const struct {
    const char *raw, *path;
} rows[] = {
    {"/v1/rope", "/v1/rope"},
    {"/v1/rop%65", "/v1/rope"},
    {"%2fv1%2Frope", "/v1/rope"},
    {"/a%C3%a4b", "/a\xc3\xa4"
                  "b"},
    {"/+", "/+"},
    {"", ""},
};

START_TEST(escapes_become_bytes)
{
    size_t len = 0;
    char *path = path_decode(rows[_i].raw, strlen(rows[_i].raw), &len);

    ck_assert_str_eq(path, rows[_i].path);
    ck_assert_uint_eq(len, strlen(rows[_i].path));
    free(path);
}
END_TEST

Suite *path_suite(void)
{
    Suite *suite = suite_create("path");
    TCase *tcase = tcase_create("decode");

    tcase_add_loop_test(tcase, escapes_become_bytes, 0, sizeof rows / sizeof rows[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
