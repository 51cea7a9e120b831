/* SPDX-License-Identifier: Apache-2.0
 * test_html.c - tests that no text becomes markup. */
#include <stdlib.h>
#include <string.h>

#include "proto/pages/html.h"
#include "tests/support/suite.h"

static void expect(struct buffer *out, const char *html)
{
    ck_assert(!out->failed);
    ck_assert_str_eq(out->bytes, html);
    buffer_fini(out);
}

START_TEST(a_text_is_escaped_in_elements_and_attributes)
{
    struct buffer out = {0};

    html_add(&out, "<a title=\"%s\">%s</a>", "\"><b>", "a < b & 'c'");
    expect(&out, "<a title=\"&quot;&gt;&lt;b&gt;\">a &lt; b &amp; &#39;c&#39;</a>");
}
END_TEST

START_TEST(numbers_and_parts_of_texts_are_written)
{
    struct buffer out = {0};

    html_add(&out, "%u %zu %.*s 100%%", 7U, (size_t)8, 3, "<ab>");
    expect(&out, "7 8 &lt;ab 100%");
}
END_TEST

START_TEST(a_text_between_backquotes_is_code)
{
    struct buffer out = {0};

    html_add_marked(&out, "`a<b` and `c`");
    expect(&out, "<code>a&lt;b</code> and <code>c</code>");
    html_add_marked(&out, "one ` only");
    expect(&out, "one ` only");
}
END_TEST

START_TEST(a_sentence_begins_with_a_capital)
{
    struct buffer out = {0};

    html_add_sentence(&out, "a<b");
    expect(&out, "A&lt;b");
    html_add_sentence(&out, "RoPE turns");
    expect(&out, "RoPE turns");
    html_add_sentence(&out, "2D");
    expect(&out, "2D");
}
END_TEST

START_TEST(an_empty_text_adds_nothing)
{
    struct buffer out = {0};

    html_add(&out, "[%s]", "");
    html_add_marked(&out, "``");
    html_add_sentence(&out, "");
    expect(&out, "[]<code></code>");
}
END_TEST

SUITE(html, TEST(a_sentence_begins_with_a_capital),
      TEST(a_text_is_escaped_in_elements_and_attributes),
      TEST(numbers_and_parts_of_texts_are_written), TEST(a_text_between_backquotes_is_code),
      TEST(an_empty_text_adds_nothing));
