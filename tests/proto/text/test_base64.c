/* SPDX-License-Identifier: Apache-2.0
 * test_base64.c - tests the vectors of RFC 4648, section 10. */
#include <string.h>

#include "proto/text/base64.h"
#include "tests/support/suite.h"

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

SUITE(base64, TEST_EACH(bytes_become_text, cases));
