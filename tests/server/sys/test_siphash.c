/* SPDX-License-Identifier: Apache-2.0
 * test_siphash.c - the published values; texts chosen to collide under another hash do not
 * collide. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "server/sys/siphash.h"
#include "tests/support/suite.h"

/* Bytes 0, 1, 2 ... under the key of bytes 0 to 15 (SipHasher13 of jedisct1/rust-siphash:
 * src/tests.rs, where the hashes are written byte by byte). */
static const struct {
    size_t len;
    uint64_t hash;
} counted[] = {
    {0, 0xabac0158050fc4dc},  {1, 0xc9f49bf37d57ca93},  {7, 0xd3927d989bb11140},
    {8, 0x369095118d299a8e},  {9, 0x25a48eb36c063de4},  {15, 0xd320d86d2a519956},
    {16, 0xcc4fdd1a7d908b66}, {31, 0x2370dd1f8c21d1bc}, {32, 0x81157b6c16a7b60d},
    {33, 0x4d54b9e57a8ff9bf}, {63, 0x9d199062b7bbb3a8},
};

START_TEST(hashes_equal_the_published_vectors)
{
    const struct siphash_key key = {{0x0706050403020100, 0x0f0e0d0c0b0a0908}};
    unsigned char bytes[64];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        ck_assert_uint_eq(siphash(&key, bytes, counted[i].len), counted[i].hash);
}
END_TEST

/* hash(b"...") of CPython 3.11 with PYTHONHASHSEED=0. */
START_TEST(python_hashes_bytes_alike)
{
    const struct siphash_key zero = {{0, 0}};

    ck_assert_uint_eq(siphash(&zero, "a", 1), 0x407448d2b89b1813);
    ck_assert_uint_eq(siphash(&zero, "siphash", 7), 0x8264ceeccb16bcbe);
}
END_TEST

START_TEST(every_bit_of_text_length_and_key_counts)
{
    const char text[24] = "the same text again and";
    const struct siphash_key key = {{1, 2}};
    uint64_t hash = siphash(&key, text, sizeof text);

    for (size_t bit = 0; bit < 8 * sizeof text; bit++) {
        char other[sizeof text];

        memcpy(other, text, sizeof text);
        other[bit / 8] = (char)(other[bit / 8] ^ 1 << bit % 8);
        ck_assert_uint_ne(siphash(&key, other, sizeof other), hash);
    }
    for (size_t bit = 0; bit < 128; bit++) {
        struct siphash_key other = key;

        other.half[bit / 64] ^= UINT64_C(1) << bit % 64;
        ck_assert_uint_ne(siphash(&other, text, sizeof text), hash);
    }
    ck_assert_uint_ne(siphash(&key, text, sizeof text - 1), hash);
}
END_TEST

START_TEST(each_key_drawn_is_another)
{
    struct siphash_key first = siphash_key_draw(), second = siphash_key_draw();

    ck_assert_uint_ne(first.half[0], second.half[0]);
    ck_assert_uint_ne(first.half[1], second.half[1]);
}
END_TEST

/* ---- a table of buckets ------------------------------------------------------------------ */

enum { BUCKETS = 1024, TEXTS = BUCKETS };

/* Steps to find every text once, if bucket i holds counts[i] of them. */
static size_t steps(const unsigned counts[BUCKETS])
{
    size_t sum = 0;

    for (size_t i = 0; i < BUCKETS; i++)
        sum += (size_t)counts[i] * (counts[i] + 1) / 2;
    return sum;
}

/* Targets that an unkeyed hash puts into one bucket, and as many that it does not. */
START_TEST(texts_that_collide_without_a_key_differ_with_a_key)
{
    const struct siphash_key key = {{0x5eed, 0x5a17}};
    unsigned chosen_unkeyed[BUCKETS] = {0}, chosen[BUCKETS] = {0}, plain[BUCKETS] = {0};
    char text[64];

    for (unsigned pos = 0, found = 0; found < TEXTS; pos++) {
        size_t len = (size_t)snprintf(text, sizeof text, "/v1/rope?dim=64&pos=%u", pos);
        uint64_t unkeyed = XXH3_64bits(text, len) % BUCKETS;

        if (pos < TEXTS)
            plain[siphash(&key, text, len) % BUCKETS]++;
        if (unkeyed != 7)
            continue;
        chosen_unkeyed[unkeyed]++;
        chosen[siphash(&key, text, len) % BUCKETS]++;
        found++;
    }
    ck_assert_uint_eq(steps(chosen_unkeyed), (size_t)TEXTS * (TEXTS + 1) / 2);
    ck_assert_uint_le(steps(plain), 2 * TEXTS);
    ck_assert_uint_le(steps(chosen), 2 * TEXTS);
}
END_TEST

SUITE(siphash, TEST(hashes_equal_the_published_vectors), TEST(python_hashes_bytes_alike),
      TEST(every_bit_of_text_length_and_key_counts), TEST(each_key_drawn_is_another),
      TEST(texts_that_collide_without_a_key_differ_with_a_key));
