/* SPDX-License-Identifier: Apache-2.0
 * test_api_keys.c - which lines are keys, which keys are found, and that no text has one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/files/api_keys.h"
#include "server/quota/client_table.h"
#include "tests/support/suite.h"

#define KEY "0123456789abcdef"

static char why[300];

static const struct quota_bounds bounds = {.inflight = 100, .work_ms = 120000};

static struct api_keys *parse(const char *text)
{
    why[0] = '\0';
    return api_keys_parse(text, strlen(text), &bounds, why, sizeof why);
}

static bool have(const struct api_keys *keys, const char *key)
{
    return api_keys_have(keys, key, strlen(key));
}

static void refused(const char *text, const char *said)
{
    ck_assert_ptr_null(parse(text));
    ck_assert_msg(strstr(why, said) != NULL, "no \"%s\" in \"%s\"", said, why);
}

START_TEST(every_line_is_a_key_but_comments_and_empty_ones)
{
    struct api_keys *keys = parse("# ours\n" KEY "\n\n" KEY "-second \t\r\n" KEY "~third==");

    ck_assert_msg(keys != NULL, "%s", why);
    ck_assert_uint_eq(api_keys_count(keys), 3);
    ck_assert(have(keys, KEY));
    ck_assert(have(keys, KEY "-second"));
    ck_assert(have(keys, KEY "~third=="));
    ck_assert(!have(keys, "# ours"));
    ck_assert(!have(keys, ""));
    api_keys_drop(keys);
}
END_TEST

START_TEST(only_a_whole_key_is_found)
{
    char text[] = KEY, changed[] = KEY;
    struct api_keys *keys = parse(text);

    for (size_t i = 0; i < strlen(text); i++) {
        changed[i] ^= 1;
        ck_assert(!have(keys, changed));
        changed[i] ^= 1;
        ck_assert(!api_keys_have(keys, text, i));
    }
    ck_assert(have(keys, changed));
    ck_assert(!have(keys, KEY "0"));
    api_keys_drop(keys);
}
END_TEST

START_TEST(an_invalid_key_is_refused_by_its_line_number_without_its_text)
{
    refused("", "at least one key");
    refused("# nothing\n", "at least one key");
    refused(KEY "\n123456789012345\n", "line 2: must be a key of 16 to 256");
    refused(KEY " with-a-blank", "line 1: behind a key may be name=, expires=, requests=, "
                                 "bytes=, inflight=, work= and endpoints=, each once");
    refused("\n\n" KEY "\xc3\xa9", "line 3: must be a key");
    ck_assert_ptr_null(strstr(why, KEY));
}
END_TEST

START_TEST(the_longest_key_is_256_bytes)
{
    char text[API_KEYS_LEN_MAX + 2];
    struct api_keys *keys;

    memset(text, 'k', sizeof text);
    text[API_KEYS_LEN_MAX] = '\0';
    keys = parse(text);
    ck_assert(have(keys, text));
    api_keys_drop(keys);
    text[API_KEYS_LEN_MAX] = 'k';
    text[API_KEYS_LEN_MAX + 1] = '\0';
    refused(text, "line 1: must be a key");
}
END_TEST

START_TEST(more_keys_than_allowed_are_refused)
{
    enum { LINE = sizeof KEY }; /* with its newline */
    char *text = malloc((API_KEYS_MAX + 1) * LINE + 1);
    struct api_keys *keys;

    for (size_t i = 0; i <= API_KEYS_MAX; i++)
        snprintf(text + i * LINE, LINE + 1, "%016zu\n", i);
    refused(text, "line 1025");
    text[API_KEYS_MAX * LINE] = '\0';
    keys = parse(text);
    ck_assert_uint_eq(api_keys_count(keys), API_KEYS_MAX);
    api_keys_drop(api_keys_share(keys));
    api_keys_drop(keys);
    free(text);
}
END_TEST

static const struct api_key *find(const struct api_keys *keys, const char *key)
{
    return api_keys_find(keys, key, strlen(key));
}

START_TEST(a_key_has_a_name_where_its_line_gives_one)
{
    struct api_keys *keys =
        parse("# ours\n" KEY "\n" KEY "-2 name=team-a\t\r\n" KEY "-3 \t name=team-a");

    ck_assert_msg(keys != NULL, "%s", why);
    ck_assert_str_eq(find(keys, KEY)->name, "");
    ck_assert_uint_eq(find(keys, KEY)->line, 2);
    ck_assert_str_eq(find(keys, KEY "-2")->name, "team-a");
    ck_assert_str_eq(find(keys, KEY "-3")->name, "team-a");
    ck_assert_uint_eq(find(keys, KEY "-3")->line, 4);
    ck_assert_ptr_null(find(keys, KEY "-2 name=team-a"));
    ck_assert_ptr_null(find(keys, "team-a"));
    api_keys_drop(keys);
}
END_TEST

START_TEST(a_wrong_name_is_refused_by_its_line_number)
{
    static const char *const wrong[] = {
        "name=",    "name",          "name=a b", "name=a name=b", "name=a\"b",
        "name=a/b", "name=\x1b[31m", "Name=a",   "limit=10",      "name=" KEY KEY KEY KEY "5"};
    char text[200];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "\n" KEY " %s\n", wrong[i]);
        refused(text, "line 2: ");
        ck_assert_msg(strstr(why, "behind a key may be name=, expires=, requests=, bytes=, ") ||
                          strstr(why, "name= must be 1 to 64 letters, digits or -._"),
                      "%s", why);
        ck_assert_ptr_null(strstr(why, KEY));
    }
}
END_TEST

START_TEST(a_name_is_no_key_since_it_is_logged)
{
    refused(KEY "\n" KEY "-2 name=" KEY "\n", "line 2: the name must be no key");
    refused(KEY " name=" KEY, "line 1: the name must be no key");
    ck_assert_ptr_null(strstr(why, KEY));
}
END_TEST

START_TEST(equal_sets_have_the_same_keys_names_and_lines)
{
    static const char *const others[] = {KEY "\n",
                                         "\n" KEY " name=a\n",
                                         KEY " name=b\n",
                                         KEY "x name=a\n",
                                         KEY " name=a\n" KEY "x\n",
                                         KEY " name=a requests=1\n",
                                         KEY " name=a expires=2030-01-01\n",
                                         "certificate subject=a name=a\n"};
    struct api_keys *keys = parse(KEY " name=a\n"), *same = parse(KEY "  name=a\n# a comment");

    ck_assert(api_keys_equal(keys, same));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct api_keys *other = parse(others[i]);

        ck_assert_msg(!api_keys_equal(keys, other), "%s", others[i]);
        api_keys_drop(other);
    }
    api_keys_drop(keys);
    api_keys_drop(same);
}
END_TEST

START_TEST(rows_may_be_certificates_and_those_without_a_key)
{
    struct api_keys *keys = parse(KEY " requests=5\ncertificate subject=spiffe://a/b name=a "
                                      "inflight=3\naddress work=500ms\n");

    ck_assert_msg(keys != NULL, "%s", why);
    ck_assert_uint_eq(api_keys_find_subject(keys, "spiffe://a/b")->quota.inflight, 3);
    ck_assert_ptr_null(api_keys_find_subject(keys, "spiffe://a"));
    ck_assert_uint_eq(api_keys_find_keyless(keys)->quota.work_ms, 500);
    ck_assert_uint_eq(api_keys_find_keyless(keys)->line, 3);
    ck_assert_uint_eq(find(keys, KEY)->quota.requests, 5);
    ck_assert(!have(keys, "certificate"));
    api_keys_drop(keys);
}
END_TEST

START_TEST(rows_that_do_not_agree_are_refused)
{
    refused(KEY " name=a requests=1\n" KEY "-2 name=a\n",
            "line 2: must have the limits of line 1, which has the same name");
    refused("address\naddress requests=1\n", "line 2: says again what line 1 is about");
    refused("certificate subject=a\ncertificate subject=a\n",
            "line 2: says again what line 1 is about");
    refused(KEY " name=a requests=1\n\n" KEY " name=b\n",
            "line 3: says again what line 1 is about");
    ck_assert_ptr_null(strstr(why, KEY));
}
END_TEST

START_TEST(a_file_of_a_token_has_keys_and_names_alone)
{
    static const char *const wrong[] = {"address\n", "certificate subject=a\n",
                                        KEY " requests=1\n"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        why[0] = '\0';
        ck_assert_ptr_null(api_keys_parse(wrong[i], strlen(wrong[i]), NULL, why, sizeof why));
        ck_assert_msg(strstr(why, "line 1: must be a key of 16 to 256") ||
                          strstr(why, "line 1: behind a key may be name=, each once"),
                      "%s", why);
    }
}
END_TEST

static void expect_label(struct client *client, const char *label)
{
    char got[QUOTA_NAME_MAX + 1];

    client_copy_label(client, got);
    ck_assert_str_eq(got, label);
}

START_TEST(rows_refer_to_clients_that_a_newer_file_names_too)
{
    struct client_table *clients = client_table_new(1);
    struct api_keys *keys = parse(KEY "\n" KEY "-2 name=a\n" KEY "-3 name=a\n");
    struct api_keys *newer = parse("# moved\n" KEY "\n" KEY "-4 name=a\naddress\n");

    ck_assert(api_keys_bind(keys, clients) && api_keys_bind(newer, clients));
    ck_assert_ptr_eq(find(keys, KEY)->client, find(newer, KEY)->client);
    ck_assert_ptr_eq(find(keys, KEY "-2")->client, find(keys, KEY "-3")->client);
    ck_assert_ptr_eq(find(keys, KEY "-2")->client, find(newer, KEY "-4")->client);
    expect_label(find(newer, KEY)->client, "line 2");
    expect_label(find(newer, KEY "-4")->client, "a");
    expect_label(api_keys_find_keyless(newer)->client, "no key");
    api_keys_drop(keys);
    api_keys_drop(newer);
    client_table_free(clients);
}
END_TEST

SUITE(api_keys, TEST(rows_may_be_certificates_and_those_without_a_key),
      TEST(rows_that_do_not_agree_are_refused),
      TEST(a_file_of_a_token_has_keys_and_names_alone),
      TEST(rows_refer_to_clients_that_a_newer_file_names_too),
      TEST(a_key_has_a_name_where_its_line_gives_one),
      TEST(a_wrong_name_is_refused_by_its_line_number),
      TEST(a_name_is_no_key_since_it_is_logged),
      TEST(equal_sets_have_the_same_keys_names_and_lines),
      TEST(every_line_is_a_key_but_comments_and_empty_ones), TEST(only_a_whole_key_is_found),
      TEST(an_invalid_key_is_refused_by_its_line_number_without_its_text),
      TEST(the_longest_key_is_256_bytes), TEST(more_keys_than_allowed_are_refused));
