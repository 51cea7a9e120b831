/* SPDX-License-Identifier: Apache-2.0
 * test_printable.c - names of files and other texts that would speak to a terminal. */
#include <string.h>

#include "server/cli/command/printable.h"
#include "tests/support/suite.h"

static const struct {
    const char *text, *printed;
} texts[] = {
    {"q.npy", "q.npy"},
    {"two\nlines\tand \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     "two\nlines\tand \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\033]0;title\007", "\\x1b]0;title\\x07"},
    {"\033[2J", "\\x1b[2J"},
    {"a\rb\bc\177", "a\\x0db\\x08c\\x7f"},
    {"\xc2\x9b"
     "31m",
     "\\xc2\\x9b31m"},
    {"\xff\xfe", "\\xff\\xfe"},
    {"\xc3", "\\xc3"},
    {"\xc0\xaf \xe0\x80\xaf \xed\xa0\x80 \xf4\x90\x80\x80",
     "\\xc0\\xaf \\xe0\\x80\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80"},
};

START_TEST(controls_and_bytes_that_are_no_text_are_escaped)
{
    struct buffer out = {0};

    printable_add(&out, texts[_i].text, strlen(texts[_i].text));
    ck_assert_str_eq(out.bytes, texts[_i].printed);
    buffer_fini(&out);
}
END_TEST

SUITE(printable, TEST_EACH(controls_and_bytes_that_are_no_text_are_escaped, texts));
