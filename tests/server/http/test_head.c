/* SPDX-License-Identifier: Apache-2.0
 * test_head.c - the sets of characters, spelt out, and refusals; head.txt has values of Host
 * and percent escapes of a path. */
#include <string.h>

#include "server/http/head.h"
#include "tests/support/suite.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static void expect_set(const struct head_set *set, const char *others)
{
    for (int c = 0; c < 256; c++) {
        bool in = c != 0 && (strchr(letters, c) || strchr(others, c));

        ck_assert_msg(head_set_has(set, (unsigned char)c) == in, "0x%02x", (unsigned)c);
    }
}

START_TEST(a_token_has_the_characters_of_rfc_9110)
{
    expect_set(&head_token_set, "!#$%&'*+-.^_`|~");
}
END_TEST

START_TEST(a_target_has_visible_ascii_without_delimiters)
{
    expect_set(&head_target_set, "!$&'()*+,-./:;=?@[]_~");
}
END_TEST

START_TEST(a_name_has_unreserved_characters_delimiters_and_escapes)
{
    expect_set(&head_host_set, "-._~!$&'()*+,;=%");
}
END_TEST

START_TEST(the_first_refusal_is_kept_until_the_head_is_cleared)
{
    static struct head head;

    head_refuse(&head, 400, "first");
    head_refuse(&head, 413, "second");
    ck_assert_uint_eq(head.refused, 400);
    ck_assert_str_eq(head.refused_why, "first");
    head_clear(&head);
    ck_assert_uint_eq(head.refused, 0);
}
END_TEST

START_TEST(the_length_decides_where_a_host_ends_not_a_nul)
{
    ck_assert(head_host_valid("x/y", 1));
    ck_assert(!head_host_valid("x\0y", 3));
}
END_TEST

SUITE(head, TEST(a_token_has_the_characters_of_rfc_9110),
      TEST(a_target_has_visible_ascii_without_delimiters),
      TEST(a_name_has_unreserved_characters_delimiters_and_escapes),
      TEST(the_first_refusal_is_kept_until_the_head_is_cleared),
      TEST(the_length_decides_where_a_host_ends_not_a_nul));
