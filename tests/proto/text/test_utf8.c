/* SPDX-License-Identifier: Apache-2.0
 * test_utf8.c - texts are cut between characters. */
#include <string.h>

#include "proto/text/utf8.h"
#include "tests/support/suite.h"

static const struct {
    const char *text;
    size_t size;
    uint32_t code;
} characters[] = {
    {"a", 1, 'a'},
    {"\xc3\xa9", 2, 0xe9},
    {"\xe2\x82\xac", 3, 0x20ac},
    {"\xf0\x9f\x98\x80", 4, 0x1f600},
    {"\xe2\x82", 0, 0},
    {"\xed\xa0\x80", 0, 0},
    {"\xc0\xaf", 0, 0},
    {"\xff", 0, 0},
};

START_TEST(a_character_has_its_code_and_its_bytes)
{
    uint32_t code = 0;

    ck_assert_uint_eq(utf8_character(characters[_i].text, strlen(characters[_i].text), &code),
                      characters[_i].size);
    if (characters[_i].size > 0)
        ck_assert_uint_eq(code, characters[_i].code);
}
END_TEST

START_TEST(the_end_of_a_text_begins_with_a_character)
{
    ck_assert_str_eq(utf8_last("a\xc3\xa9\xe2\x82\xac", 1), "\xe2\x82\xac");
    ck_assert_str_eq(utf8_last("a\xc3\xa9\xe2\x82\xac", 2), "\xc3\xa9\xe2\x82\xac");
    ck_assert_str_eq(utf8_last("a\xc3\xa9", 2), "a\xc3\xa9");
    ck_assert_str_eq(utf8_last("a", 9), "a");
    ck_assert_str_eq(utf8_last("a", 0), "");
    ck_assert_str_eq(utf8_last("", 1), "");
}
END_TEST

SUITE(utf8, TEST_EACH(a_character_has_its_code_and_its_bytes, characters),
      TEST(the_end_of_a_text_begins_with_a_character));
