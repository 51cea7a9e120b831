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

START_TEST(a_name_is_within_one_line)
{
    struct buffer out = {0};

    printable_add_name(&out, "x\n::error::\tp\xc3\xa9.npy\033");
    ck_assert_str_eq(out.bytes, "x\\x0a::error::\\x09p\xc3\xa9.npy\\x1b");
    buffer_fini(&out);
}
END_TEST

static const struct {
    const char *text, *printed;
} lines[] = {
    {"::error::x", "\\x3a:error::x"},
    {"a::b\n::c\n \t::d\n: :", "a::b\n\\x3a:c\n \t\\x3a:d\n: :"},
    {":::", "\\x3a::"},
    {":", ":"},
};

START_TEST(no_line_is_a_command_of_a_workflow)
{
    struct buffer out = {0};

    printable_add_lines(&out, lines[_i].text, strlen(lines[_i].text));
    ck_assert_str_eq(out.bytes, lines[_i].printed);
    buffer_fini(&out);
}
END_TEST

SUITE(printable, TEST_EACH(controls_and_bytes_that_are_no_text_are_escaped, texts),
      TEST(a_name_is_within_one_line), TEST_EACH(no_line_is_a_command_of_a_workflow, lines));
