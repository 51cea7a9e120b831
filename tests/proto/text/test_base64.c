/* SPDX-License-Identifier: Apache-2.0
 * test_base64.c - the vectors of RFC 4648, section 10. */
#include <check.h>
#include <string.h>

#include "proto/text/base64.h"

Suite *base64_suite(void);

static const struct {
    const char *bytes, *text;
} cases[] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"\xff\xff\xff", "////"},
    {"\xfb\xef\xbe", "++++"},
};

START_TEST(bytes_become_text)
{
    char text[16];
    const char *bytes = cases[_i].bytes;
    *base64_print(text, (const unsigned char *)bytes, strlen(bytes)) = '\0';
    ck_assert_str_eq(text, cases[_i].text);
}
END_TEST

Suite *base64_suite(void)
{
    Suite *suite = suite_create("base64");
    TCase *tests = tcase_create("base64");
    tcase_add_loop_test(tests, bytes_become_text, 0, sizeof cases / sizeof cases[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
