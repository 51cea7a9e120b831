/* SPDX-License-Identifier: Apache-2.0
 * test_path.c - percent escapes of a path. */
#include <stdlib.h>
#include <string.h>

#include "server/http/path.h"
#include "tests/support/suite.h"

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

static const struct suite_test tests[] = {
    TEST_EACH(escapes_become_bytes, rows),
};

const struct suite path_suite = {SUITE_TESTS(tests)};
