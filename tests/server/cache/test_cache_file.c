/* SPDX-License-Identifier: Apache-2.0
 * test_cache_file.c - entries whose bodies move into files: which do, in whose place, and what
 * is counted. */
#include <stdlib.h>
#include <string.h>

#include "server/cache/body_file.h"
#include "server/cache/cache.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { BUDGET = 32 << 20, LEN = BODY_FILE_LEAST + 5 };

static struct cache *cache;

static void start(void)
{
    cache = cache_new(BUDGET);
    cache_allow_files(cache, 2);
}

static void stop(void)
{
    cache_free(cache); /* asserts that nothing is held */
}

/* An entry of this key and length, made if need be, and held. */
static struct cache_entry *entry_of(const char *key, size_t len)
{
    struct cache_entry *entry = NULL;
    struct cache_answer answer = {.len = len, .elements = 7};

    if (cache_get(cache, &entry, cache_key(cache, key, strlen(key)), NULL) == CACHE_READY)
        return entry;
    answer.bytes = calloc(1, len);
    answer.headers = strdup("A: b\n");
    memcpy(answer.bytes, key, strlen(key));
    cache_finish(cache, entry, &answer);
    return entry;
}

/* Whether an entry of this length moves. */
static bool moves(const char *key, size_t len)
{
    struct cache_entry *entry = entry_of(key, len);
    struct cache_entry *moved = cache_move_to_file(cache, entry);

    cache_entry_unref(cache, entry);
    cache_entry_unref(cache, moved);
    return moved != NULL;
}

START_TEST(an_entry_with_a_file_takes_the_place_of_the_one_without)
{
    struct cache_entry *old = entry_of("k", LEN), *moved, *found;
    struct cache_stats before = cache_stats(cache), after;
    const struct cache_answer *answer;

    moved = cache_move_to_file(cache, old);
    ck_assert_ptr_nonnull(moved);
    answer = cache_entry_answer(moved);
    ck_assert_ptr_nonnull(answer->file);
    ck_assert_ptr_eq(answer->bytes, answer->file->bytes);
    ck_assert_uint_eq(answer->len, LEN);
    ck_assert_mem_eq(answer->bytes, cache_entry_answer(old)->bytes, LEN);
    ck_assert_str_eq(answer->headers, "A: b\n");
    ck_assert_uint_eq(answer->elements, 7);
    found = cache_find(cache, cache_key(cache, "k", 1));
    ck_assert_ptr_eq(found, moved);
    ck_assert(cache_entry_evicted(old));
    ck_assert(!cache_entry_evicted(moved));
    after = cache_stats(cache);
    ck_assert_uint_eq(after.entries, before.entries);
    ck_assert_uint_eq(after.evictions, 0);
    ck_assert_uint_eq(after.replacements, 1);
    ck_assert_uint_eq(after.bytes, before.bytes - LEN + body_file_memory(LEN));
    ck_assert_uint_eq(after.lent, before.bytes); /* its readers keep it */
    ck_assert_uint_eq(cache_file_bytes(cache), body_file_memory(LEN));
    cache_entry_unref(cache, old);
    ck_assert_uint_eq(cache_lent(cache), 0);
    cache_entry_unref(cache, found);
    cache_entry_unref(cache, moved);
}
END_TEST

START_TEST(only_bodies_of_fitting_length_move)
{
    ck_assert(!moves("short", BODY_FILE_LEAST - 1));
    ck_assert(moves("least", BODY_FILE_LEAST));
    ck_assert(moves("most", BODY_FILE_MOST));
    cache_shrink(cache, 1);
    ck_assert(!moves("long", BODY_FILE_MOST + 1));
}
END_TEST

START_TEST(an_entry_moves_once_and_only_while_it_is_kept)
{
    struct cache_entry *old = entry_of("k", LEN), *moved = cache_move_to_file(cache, old);

    ck_assert_ptr_nonnull(moved);
    ck_assert_ptr_null(cache_move_to_file(cache, moved));
    ck_assert_ptr_null(cache_move_to_file(cache, old));
    cache_entry_unref(cache, old);
    cache_entry_unref(cache, moved);
    cache_admit(cache, false);
    ck_assert(!moves("under pressure", LEN));
    cache_admit(cache, true);
    ck_assert(moves("later", LEN));
}
END_TEST

START_TEST(as_many_entries_move_as_files_are_allowed_and_an_evicted_one_makes_room)
{
    ck_assert(moves("one", LEN));
    ck_assert(moves("two", LEN));
    ck_assert(!moves("three", LEN));
    ck_assert_uint_gt(cache_shrink(cache, 1), 0);
    ck_assert_uint_eq(cache_file_bytes(cache), 0);
    ck_assert(moves("three", LEN));
    cache_free(cache);
    cache = cache_new(BUDGET);
    ck_assert(!moves("none is allowed", LEN));
}
END_TEST

START_TEST(a_file_that_would_exceed_an_entrys_share_is_not_made_to_stay)
{
    enum { SHARE = 68 << 10 }; /* seventeen pages, of which the overhead takes a part */

    cache_free(cache);
    cache = cache_new(16 * SHARE);
    cache_allow_files(cache, 2);
    ck_assert(!moves("in whole pages too long", SHARE - 1000));
    ck_assert_uint_eq(cache_file_bytes(cache), 0);
    ck_assert(moves("k", BODY_FILE_LEAST));
    ck_assert_uint_le(cache_stats(cache).bytes, 16 * SHARE);
}
END_TEST

START_TEST(without_memory_the_entry_stays_as_it_was)
{
    struct cache_entry *old = entry_of("k", LEN), *moved = NULL;
    bool reached = true;

    for (size_t n = 0; reached && !moved; n++) {
        alloc_fail_start(n);
        moved = cache_move_to_file(cache, old);
        reached = alloc_fail_stop();
        ck_assert(moved || !cache_entry_evicted(old));
        ck_assert(moved || alloc_fail_live() == 0);
    }
    ck_assert_ptr_nonnull(moved);
    cache_entry_unref(cache, old);
    cache_entry_unref(cache, moved);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(an_entry_with_a_file_takes_the_place_of_the_one_without),
    TEST(only_bodies_of_fitting_length_move),
    TEST(an_entry_moves_once_and_only_while_it_is_kept),
    TEST(as_many_entries_move_as_files_are_allowed_and_an_evicted_one_makes_room),
    TEST(a_file_that_would_exceed_an_entrys_share_is_not_made_to_stay),
    TEST(without_memory_the_entry_stays_as_it_was),
};

const struct suite cache_file_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
