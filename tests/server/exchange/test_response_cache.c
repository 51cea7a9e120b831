/* SPDX-License-Identifier: Apache-2.0
 * test_response_cache.c - ready-made responses are found by raw target, told apart by Accept
 * and coding, and dropped when stale. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "server/exchange/response_cache.h"
#include "server/mhd/mhd_shortcut.h"
#include "tests/support/suite.h"

static struct cache *cache;
static struct response_cache *responses;

static void start(void)
{
    cache = cache_new(64 << 20);
    responses = response_cache_new(SHORTCUTS_ALL);
}

static void stop(void)
{
    response_cache_free(responses);
    cache_free(cache); /* asserts that nothing is held */
}

static struct cache_entry *entry_of(const char *key)
{
    struct cache_entry *entry = NULL;
    struct cache_answer answer = {.bytes = strdup(key),
                                  .len = strlen(key),
                                  .headers = strdup("Content-Type: text/plain\nA: b: c\n")};

    ck_assert_int_eq(cache_get(cache, &entry, cache_key(cache, key, strlen(key)), NULL),
                     CACHE_MAKE);
    cache_finish(cache, entry, &answer);
    return entry;
}

static struct response_cache_key key_of(const char *target, const char *accept)
{
    return (struct response_cache_key){.target = target,
                                       .target_len = strlen(target),
                                       .accept = accept};
}

static void add(const char *target, const char *accept, bool by_accept, const char *canonical)
{
    struct response_cache_key key = key_of(target, accept);
    struct cache_entry *entry = entry_of(canonical);
    struct response_cache_answer answer = {.entry = entry,
                                           .len = strlen(canonical),
                                           .meta = {.control = "public",
                                                    .by_accept = by_accept,
                                                    .etag = "\"t\"",
                                                    .location = "/l"}};

    response_cache_add(responses, &key, 1, &answer);
    cache_entry_unref(entry);
}

static const struct response_cache_answer *find(const char *target, const char *accept)
{
    struct response_cache_key key = key_of(target, accept);

    return response_cache_find(responses, &key, 1);
}

/* The response that is found has these bytes; NULL: none is found. */
static void expect(const char *target, const char *accept, const char *canonical)
{
    const struct response_cache_answer *found = find(target, accept);

    if (!canonical) {
        ck_assert_ptr_null(found);
        return;
    }
    ck_assert_ptr_nonnull(found);
    ck_assert_mem_eq(cache_entry_answer(found->entry)->bytes, canonical, strlen(canonical));
}

START_TEST(a_target_is_found_whole)
{
    add("/v1/rope?dim=8", NULL, false, "rope 8");
    add("/v1/rope?dim=88", NULL, false, "rope 88");
    expect("/v1/rope?dim=8", NULL, "rope 8");
    expect("/v1/rope?dim=88", "*/*", "rope 88");
    expect("/v1/rope?dim=", NULL, NULL);
    expect("/v1/rope?dim=888", NULL, NULL);
    ck_assert_uint_eq(response_cache_count(responses), 2);
}
END_TEST

START_TEST(accept_counts_where_format_is_not_given)
{
    add("/a", "text/csv", true, "csv");
    add("/a", "*/*", true, "json");
    expect("/a", "text/csv", "csv");
    expect("/a", "*/*", "json");
    expect("/a", "text/html", NULL);
    expect("/a", NULL, NULL);
    add("/a", NULL, true, "default");
    expect("/a", NULL, "default");
    expect("/a", "", "default");
    expect("/at", "ext/csv", NULL); /* target and Accept are kept apart */
}
END_TEST

/* Adds an answer that has a gzip variant: the variant (packed), or the plain answer. */
static void add_variant(const char *target, const char *accept, bool packed,
                        const char *canonical)
{
    struct response_cache_key key = key_of(target, accept);
    struct cache_entry *entry = entry_of(canonical);
    struct response_cache_answer answer = {
        .entry = entry,
        .len = strlen(canonical),
        .meta = {.control = "public", .by_accept = accept, .by_coding = true, .etag = "\"t\""}};

    key.gzip = packed;
    ck_assert_ptr_nonnull(response_cache_add(responses, &key, 1, &answer));
    cache_entry_unref(entry);
}

static void expect_variant(const char *target, const char *accept, bool packed,
                           const char *canonical)
{
    struct response_cache_key key = key_of(target, accept);
    const struct response_cache_answer *found;

    key.gzip = packed;
    found = response_cache_find(responses, &key, 1);
    ck_assert_int_eq(found != NULL, canonical != NULL);
    if (found)
        ck_assert_mem_eq(cache_entry_answer(found->entry)->bytes, canonical, strlen(canonical));
}

START_TEST(the_coding_counts_where_there_are_two)
{
    add_variant("/a", NULL, true, "gzip");
    expect_variant("/a", NULL, true, "gzip");
    expect_variant("/a", NULL, false, NULL);
    add_variant("/a", NULL, false, "plain");
    expect_variant("/a", NULL, false, "plain");
    add_variant("/a", NULL, true, "gzip again");
    expect_variant("/a", NULL, true, "gzip again");
    expect_variant("/a", NULL, false, "plain");
    ck_assert_uint_eq(response_cache_count(responses), 2);
    add_variant("/b", "text/csv", true, "csv");
    expect_variant("/b", "text/csv", true, "csv");
    expect_variant("/b", "text/csv", false, NULL);
    add("/c", NULL, false, "only one");
    expect_variant("/c", NULL, true, "only one");
    expect_variant("/c", NULL, false, "only one");
}
END_TEST

static void expect_field(struct transport_response *response, const char *name,
                         const char *value)
{
    struct header_block block;
    size_t len;
    const char *found;

    header_block_init(&block);
    transport_response_lines(response, &block);
    found = header_block_find(&block, name, &len);
    ck_assert(!found == !value);
    if (found)
        ck_assert_str_eq(strndupa(found, len), value);
}

START_TEST(it_is_ready_made_with_its_terms)
{
    const struct response_cache_answer *found;

    add("/a", NULL, false, "bytes");
    found = find("/a", NULL);
    ck_assert_str_eq(found->meta.etag, "\"t\"");
    ck_assert_str_eq(found->meta.location, "/l");
    expect_field(found->ok, "Content-Type", "text/plain");
    expect_field(found->ok, "A", "b: c");
    expect_field(found->ok, "Server-Timing", "cache;desc=hit");
    expect_field(found->ok, "ETag", "\"t\"");
    expect_field(found->unchanged, "ETag", "\"t\"");
    expect_field(found->unchanged, "Content-Type", NULL);
}
END_TEST

/* Adds a 304 without an entry, as for an answer that is not computed yet. */
static void add_unchanged(const char *target, uint64_t len)
{
    struct response_cache_key key = key_of(target, NULL);
    struct response_cache_answer answer = {.len = len,
                                           .meta = {.control = "public", .etag = "\"t\""}};

    ck_assert_ptr_nonnull(response_cache_add(responses, &key, 1, &answer));
}

START_TEST(a_304_can_be_known_alone)
{
    const struct response_cache_answer *found;

    add_unchanged("/a", 12345);
    found = find("/a", "*/*");
    ck_assert_ptr_null(found->entry);
    ck_assert_ptr_null(found->ok);
    ck_assert(found->len == 12345);
    expect_field(found->unchanged, "ETag", "\"t\"");
    response_cache_sweep(responses, 1);
    ck_assert_uint_eq(response_cache_count(responses), 1);
    response_cache_sweep(responses, 2);
    ck_assert_uint_eq(response_cache_count(responses), 0);
}
END_TEST

START_TEST(what_is_added_again_takes_the_place_of_what_was)
{
    add_unchanged("/a", 5);
    add_unchanged("/b", 5);
    add("/a", NULL, false, "bytes");
    ck_assert_uint_eq(response_cache_count(responses), 2);
    expect("/a", NULL, "bytes");
    add("/c", "text/csv", true, "csv");
    add("/c", "*/*", true, "json");
    add("/c", "*/*", true, "json again");
    ck_assert_uint_eq(response_cache_count(responses), 4);
    expect("/c", "text/csv", "csv");
    expect("/c", "*/*", "json again");
}
END_TEST

START_TEST(an_older_generation_is_dropped_at_its_next_touch)
{
    struct response_cache_key key = key_of("/a", NULL);

    add("/a", NULL, false, "bytes");
    ck_assert_ptr_null(response_cache_find(responses, &key, 2));
    ck_assert_uint_eq(response_cache_count(responses), 0);
}
END_TEST

START_TEST(what_was_evicted_is_swept)
{
    char canonical[32];

    for (int i = 0; i < 10; i++) {
        snprintf(canonical, sizeof canonical, "/%d", i);
        add(canonical, NULL, false, canonical);
    }
    response_cache_sweep(responses, 1);
    ck_assert_uint_eq(response_cache_count(responses), 10);
    for (int i = 0; i < 200; i++) { /* entries of 1 MiB for 64 MiB, each found once more */
        struct cache_entry *entry = NULL;
        struct cache_answer answer = {.bytes = malloc(1 << 20), .len = 1 << 20};

        snprintf(canonical, sizeof canonical, "large %d", i);
        ck_assert_int_eq(
            cache_get(cache, &entry, cache_key(cache, canonical, strlen(canonical)), NULL),
            CACHE_MAKE);
        cache_finish(cache, entry, &answer);
        cache_entry_unref(entry);
        cache_entry_drop(cache_find(cache, cache_key(cache, canonical, strlen(canonical))));
    }
    response_cache_sweep(responses, 1);
    ck_assert_uint_lt(response_cache_count(responses), 10);
    for (int i = 0; i < 10; i++) {
        snprintf(canonical, sizeof canonical, "/%d", i);
        if (find(canonical, NULL))
            cache_entry_drop(cache_find(cache, cache_key(cache, canonical, strlen(canonical))));
    }
}
END_TEST

START_TEST(a_touch_keeps_its_entry_in_the_cache)
{
    char canonical[32];

    add("/hot", NULL, false, "hot");
    for (int i = 0; i < 1000; i++) {
        struct cache_entry *entry = NULL;
        struct cache_answer answer = {.bytes = malloc(1 << 20), .len = 1 << 20};

        expect("/hot", NULL, "hot");
        snprintf(canonical, sizeof canonical, "flood %d", i);
        ck_assert_int_eq(
            cache_get(cache, &entry, cache_key(cache, canonical, strlen(canonical)), NULL),
            CACHE_MAKE);
        cache_finish(cache, entry, &answer);
        cache_entry_unref(entry);
    }
}
END_TEST

START_TEST(there_are_never_more_than_the_limit)
{
    char target[32];

    add("/kept", NULL, false, "kept");
    for (int i = 0; i < 3 * RESPONSE_CACHE_MAX; i++) {
        snprintf(target, sizeof target, "/%d", i);
        add(target, NULL, false, target);
        expect("/kept", NULL, "kept"); /* found each time, so never evicted */
        ck_assert_uint_le(response_cache_count(responses), RESPONSE_CACHE_MAX);
    }
    ck_assert_uint_eq(response_cache_count(responses), RESPONSE_CACHE_MAX);
}
END_TEST

START_TEST(a_key_that_is_too_long_is_not_kept)
{
    char target[RESPONSE_CACHE_KEY_MAX + 2];

    memset(target, 'a', sizeof target - 1);
    target[sizeof target - 1] = '\0';
    add(target, NULL, false, "long");
    ck_assert_uint_eq(response_cache_count(responses), 0);
    add(target + 1, "x", false, "longer");
    ck_assert_uint_eq(response_cache_count(responses), 0);
    add(target + 1, NULL, false, "just right");
    expect(target + 1, NULL, "just right");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_target_is_found_whole),
    TEST(accept_counts_where_format_is_not_given),
    TEST(the_coding_counts_where_there_are_two),
    TEST(it_is_ready_made_with_its_terms),
    TEST(a_304_can_be_known_alone),
    TEST(what_is_added_again_takes_the_place_of_what_was),
    TEST(an_older_generation_is_dropped_at_its_next_touch),
    TEST(what_was_evicted_is_swept),
    TEST(a_touch_keeps_its_entry_in_the_cache),
    TEST(there_are_never_more_than_the_limit),
    TEST(a_key_that_is_too_long_is_not_kept),
};

const struct suite response_cache_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                           .timeout = 30};
