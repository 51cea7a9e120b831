/* SPDX-License-Identifier: Apache-2.0
 * test_inflate.c - tests compressed bodies in any chunks: complete, broken, or too large. */
#include <stdlib.h>
#include <string.h>

#include "proto/http/inflate.h"
#include "proto/text/buffer.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/core_random.h"
#include "tests/support/gunzip.h"
#include "tests/support/suite.h"

enum { LEN = 200000, MOST = 1 << 24 };

static const struct {
    const char *coding;
    enum gunzip_framing framing;
} codings[] = {{"gzip", GUNZIP_GZIP}, {"X-Gzip", GUNZIP_GZIP}, {"deflate", GUNZIP_ZLIB}};

static char plain[LEN];
static struct buffer got;

static void begin(void)
{
    struct core_random random = {7};

    for (size_t i = 0; i < LEN; i++) /* is compressed to about a half */
        plain[i] = (char)('0' + core_random_bits(&random) % 16);
    got = (struct buffer){0};
}

static void end(void)
{
    buffer_fini(&got);
}

static bool keep(void *context, const char *bytes, size_t len)
{
    buffer_add(context, bytes, len);
    return true;
}

static void expect_got(const char *bytes, size_t len)
{
    ck_assert_uint_eq(got.len, len);
    ck_assert(len == 0 || memcmp(got.bytes, bytes, len) == 0);
    buffer_fini(&got);
    got = (struct buffer){0};
}

/* Feeds the body in chunks and finishes it; checks for `part` in the sentence of an error. */
static enum inflate_state inflate_all(const char *coding, const char *compressed, size_t len,
                                      size_t chunk, const char *part)
{
    struct inflate *stream = inflate_new(coding, MOST, keep, &got);

    for (size_t at = 0; at < len; at += chunk)
        inflate_add(stream, compressed + at, len - at < chunk ? len - at : chunk);
    enum inflate_state state = inflate_finish(stream);
    ck_assert_msg(state == INFLATE_OK || strstr(inflate_error(stream), part), "%s",
                  inflate_error(stream));
    inflate_free(stream);
    return state;
}

START_TEST(chunks_of_any_length_give_the_same_bytes)
{
    static const size_t chunks[] = {1, 7, 4096, 16384, LEN};
    size_t len;
    char *compressed = gunzip_pack(codings[_i].framing, plain, LEN, &len);

    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        ck_assert_int_eq(inflate_all(codings[_i].coding, compressed, len, chunks[i], ""),
                         INFLATE_OK);
        expect_got(plain, LEN);
    }
    free(compressed);
    compressed = gunzip_pack(codings[_i].framing, "", 0, &len);
    ck_assert_int_eq(inflate_all(codings[_i].coding, compressed, len, 1, ""), INFLATE_OK);
    expect_got("", 0);
    free(compressed);
}
END_TEST

START_TEST(gzip_may_have_members)
{
    static char both[2 * LEN + 1000];
    size_t len;
    char *compressed = gunzip_pack(GUNZIP_GZIP, plain, LEN, &len);

    memcpy(both, compressed, len);
    memcpy(both + len, compressed, len);
    for (size_t chunk = 1; chunk < 3 * len; chunk *= 17) {
        ck_assert_int_eq(inflate_all("gzip", both, 2 * len, chunk, ""), INFLATE_OK);
        ck_assert_uint_eq(got.len, 2 * LEN);
        ck_assert_mem_eq(got.bytes, plain, LEN);
        ck_assert_mem_eq(got.bytes + LEN, plain, LEN);
        end();
        begin();
    }
    ck_assert_int_eq(inflate_all("gzip", both, 2 * len - 1, 4096, "ends too early"),
                     INFLATE_MALFORMED);
    memset(both + len, 0, 8);
    ck_assert_int_eq(inflate_all("gzip", both, len + 8, 4096,
                                 "the bytes behind its end are no other member"),
                     INFLATE_MALFORMED);
    free(compressed);
}
END_TEST

START_TEST(what_is_cut_or_changed_is_malformed)
{
    enum { SHORT = 2000 };
    const char *coding = codings[_i].coding;
    size_t len;
    char *compressed = gunzip_pack(codings[_i].framing, plain, SHORT, &len);
    for (size_t cut = 0; cut < len; cut++)
        ck_assert_int_eq(inflate_all(coding, compressed, cut, 100, "ends too early"),
                         INFLATE_MALFORMED);
    for (size_t i = 0; i < len * 8; i++) {
        end();
        got = (struct buffer){0};
        compressed[i / 8] ^= (char)(1 << i % 8);
        bool complete =
            inflate_all(coding, compressed, len, 100, "the body must be ") == INFLATE_OK;
        ck_assert(!complete || got.len == SHORT);
        if (complete &&
            codings[_i].framing == GUNZIP_GZIP) /* Adler-32 misses more than CRC-32 */
            expect_got(plain, SHORT);
        compressed[i / 8] ^= (char)(1 << i % 8);
    }
    free(compressed);
}
END_TEST

START_TEST(the_sentence_says_what_is_wrong)
{
    size_t len;
    char *compressed = gunzip_pack(GUNZIP_GZIP, plain, 100, &len);

    compressed[len - 8] ^= 1;
    ck_assert_int_eq(inflate_all("gzip", compressed, len, len, "gzip (RFC 1952), as its "),
                     INFLATE_MALFORMED);
    ck_assert_int_eq(inflate_all("gzip", compressed, len, len, "incorrect data check"),
                     INFLATE_MALFORMED);
    compressed[len - 8] ^= 1;
    compressed[len - 4] ^= 1;
    ck_assert_int_eq(inflate_all("gzip", compressed, len, len, "incorrect length check"),
                     INFLATE_MALFORMED);
    ck_assert_int_eq(inflate_all("gzip", "{\"dim\":8}", 9, 9, "incorrect header check"),
                     INFLATE_MALFORMED);
    free(compressed);
    compressed = gunzip_pack(GUNZIP_RAW, plain, 100, &len); /* raw deflate */
    ck_assert_int_eq(inflate_all("deflate", compressed, len, len, "zlib's format (RFC 1950)"),
                     INFLATE_MALFORMED);
    free(compressed);
    compressed = gunzip_pack(GUNZIP_ZLIB, plain, 100, &len);
    compressed = realloc(compressed, len + 1);
    compressed[len] = 0;
    ck_assert_int_eq(inflate_all("deflate", compressed, len + 1, len, "bytes follow its end"),
                     INFLATE_MALFORMED);
    free(compressed);
    ck_assert_int_eq(inflate_all("deflate", "\x78\xbb\0\0\0\0", 6, 6,
                                 "it needs a preset dictionary; compress without one"),
                     INFLATE_MALFORMED);
}
END_TEST

START_TEST(a_limit_is_kept_to_the_byte)
{
    size_t len;
    char *compressed = gunzip_pack(GUNZIP_GZIP, plain, LEN, &len);

    for (uint64_t most = LEN - 1; most <= LEN; most++) {
        struct inflate *stream = inflate_new("gzip", most, keep, &got);

        inflate_add(stream, compressed, len);
        enum inflate_state state = inflate_finish(stream);
        ck_assert_int_eq(state, most < LEN ? INFLATE_TOO_LARGE : INFLATE_OK);
        ck_assert_uint_le(got.len, most);
        if (most < LEN) {
            ck_assert_str_eq(inflate_error(stream), "a body inflates to at most 199999 bytes");
            ck_assert_int_eq(inflate_add(stream, compressed, len), INFLATE_TOO_LARGE);
            ck_assert_int_eq(inflate_finish(stream), INFLATE_TOO_LARGE);
        }
        inflate_free(stream);
        end();
        got = (struct buffer){0};
    }
    free(compressed);
}
END_TEST

static bool count(void *context, const char *bytes, size_t len)
{
    *(uint64_t *)context += len;
    return true;
}

START_TEST(a_bomb_is_stopped_at_its_ratio)
{
    enum { ZEROS = 8 << 20 };
    char *zeros = calloc(1, ZEROS), *compressed;
    uint64_t counted = 0;
    size_t len;
    compressed = gunzip_pack(GUNZIP_GZIP, zeros, ZEROS, &len);
    ck_assert_uint_gt(ZEROS / len, 900);
    struct inflate *stream = inflate_new("gzip", UINT64_MAX, count, &counted);
    ck_assert_int_eq(inflate_add(stream, compressed, len), INFLATE_TOO_LARGE);
    ck_assert_uint_le(counted, INFLATE_FREE + 65536);
    ck_assert_ptr_nonnull(strstr(inflate_error(stream), "at most 200 times its length"));
    inflate_free(stream);
    free(compressed);
    compressed = gunzip_pack(GUNZIP_GZIP, zeros, INFLATE_FREE, &len); /* allowed at any ratio */
    counted = 0;
    stream = inflate_new("gzip", UINT64_MAX, count, &counted);
    ck_assert_int_eq(inflate_add(stream, compressed, len), INFLATE_OK);
    ck_assert_int_eq(inflate_finish(stream), INFLATE_OK);
    ck_assert_uint_eq(counted, INFLATE_FREE);
    inflate_free(stream);
    free(compressed);
    free(zeros);
}
END_TEST

static bool refuse(void *context, const char *bytes, size_t len)
{
    ++*(size_t *)context;
    return false;
}

START_TEST(a_sink_that_wants_no_more_gets_no_more)
{
    size_t len, calls = 0;
    char *compressed = gunzip_pack(GUNZIP_GZIP, plain, LEN, &len);
    struct inflate *stream = inflate_new("gzip", MOST, refuse, &calls);

    inflate_add(stream, compressed, len / 2);
    inflate_add(stream, compressed + len / 2, len - len / 2);
    ck_assert_uint_eq(calls, 1);
    inflate_free(stream);
    free(compressed);
}
END_TEST

START_TEST(lack_of_memory_is_told)
{
    enum inflate_state state = INFLATE_OK;
    uint64_t counted = 0;
    size_t len;
    char *compressed = gunzip_pack(GUNZIP_GZIP, plain, LEN, &len);
    bool more = true;

    for (size_t n = 0; more; n++) {
        alloc_fail_start(n);
        struct inflate *stream = inflate_new("gzip", MOST, count, &counted);
        if (stream)
            state = inflate_add(stream, compressed, len);
        inflate_free(stream);
        more = alloc_fail_stop();
        ck_assert(!more || !stream || state == INFLATE_NO_MEMORY);
        ck_assert_int_eq(alloc_fail_live(), 0);
        ck_assert_uint_lt(alloc_fail_largest(), INFLATE_MEMORY);
    }
    ck_assert_int_eq(state, INFLATE_OK);
    free(compressed);
}
END_TEST

START_TEST(known_codings_are_taken)
{
    ck_assert(inflate_takes("GZIP"));
    ck_assert(inflate_takes("x-gzip"));
    ck_assert(inflate_takes("Deflate"));
    ck_assert(!inflate_takes(""));
    ck_assert(!inflate_takes("gzi"));
    ck_assert(!inflate_takes("br"));
    ck_assert(!inflate_takes("gzip, gzip"));
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(chunks_of_any_length_give_the_same_bytes, 0, 3),
    TEST(gzip_may_have_members),
    TEST_RANGE(what_is_cut_or_changed_is_malformed, 0, 3),
    TEST(the_sentence_says_what_is_wrong),
    TEST(a_limit_is_kept_to_the_byte),
    TEST(a_bomb_is_stopped_at_its_ratio),
    TEST(a_sink_that_wants_no_more_gets_no_more),
    TEST(lack_of_memory_is_told),
    TEST(known_codings_are_taken),
};

const struct suite inflate_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end,
                                    .timeout = 60};
