/* SPDX-License-Identifier: Apache-2.0
 * test_stream_store.c - whatever strokes memory is written by, it is the same bytes, past the
 * caches or not, and nothing beside them. */
#include <stdlib.h>
#include <string.h>

#include "core/math/stream_store.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum {
    GUARD = 128,
    LONG = STREAM_STORE_PAST_FROM + 5000,
    SHORT = 3000,
    SOURCE = 8192,
    MARK = 0xa5
};

/* One stroke of at most `left` bytes with the stream, and by the plainest means. */
static size_t stroke(struct core_random *random, struct stream_store *stream,
                     const unsigned char *source, size_t size, size_t left,
                     unsigned char *plain)
{
    static const size_t most[] = {8, 100, 1000, SOURCE / 2};
    size_t bytes = (size_t)core_random_whole(random, 0, 3);

    bytes = (size_t)core_random_whole(random, 0, (int64_t)(most[bytes] / size)) * size;
    bytes = bytes < left ? bytes : left;
    if (core_random_whole(random, 0, 1)) {
        const unsigned char *from = source + core_random_whole(random, 0, SOURCE / 2);

        stream_store_copy(stream, from, bytes);
        memcpy(plain, from, bytes);
    } else {
        uint64_t word, element = core_random_bits(random) % 3;

        memset(&word, (int)element, sizeof word);
        for (size_t at = 0; element == 2 && at < sizeof word; at += size)
            memcpy((char *)&word + at, source, size);
        stream_store_repeat(stream, word, bytes);
        for (size_t at = 0; at < bytes; at += size)
            memcpy(plain + at, &word, size);
    }
    return bytes;
}

static void check_bytes(struct core_random *random, size_t bytes, size_t size, size_t shift)
{
    unsigned char *memory = aligned_alloc(
        STREAM_STORE_LINE, LONG / STREAM_STORE_LINE * STREAM_STORE_LINE + 2 * GUARD);
    unsigned char *plain = malloc(bytes), *out = memory + GUARD / 2 + shift;
    unsigned char source[SOURCE];
    struct stream_store stream;

    ck_assert(memory && plain);
    for (size_t i = 0; i < SOURCE; i++)
        source[i] = (unsigned char)core_random_bits(random);
    memset(memory, MARK, LONG / STREAM_STORE_LINE * STREAM_STORE_LINE + 2 * GUARD);
    stream_store_begin(&stream, out, bytes);
    for (size_t done = 0; done < bytes;)
        done += stroke(random, &stream, source, size, bytes - done, plain + done);
    stream_store_end(&stream);
    ck_assert_mem_eq(out, plain, bytes);
    for (size_t i = 0; i < GUARD / 2 + shift; i++)
        ck_assert_uint_eq(memory[i], MARK);
    for (size_t i = 0; i < 50; i++)
        ck_assert_uint_eq(out[bytes + i], MARK);
    free(plain);
    free(memory);
}

START_TEST(strokes_write_what_they_say)
{
    static const size_t sizes[] = {1, 2, 4, 8};
    const size_t size = sizes[_i];
    struct core_random random = {(uint64_t)_i + 1};

    for (size_t shift = 0; shift < STREAM_STORE_LINE; shift += size) {
        check_bytes(&random, SHORT / size * size, size, shift);
        if (shift % 24 == 0)
            check_bytes(&random, (LONG - shift - GUARD) / size * size, size, shift);
    }
    check_bytes(&random, STREAM_STORE_PAST_FROM, size, 0);
    check_bytes(&random, STREAM_STORE_PAST_FROM, size, STREAM_STORE_LINE - size);
}
END_TEST

START_TEST(what_ends_in_its_first_line_leaves_the_rest)
{
    unsigned char memory[2 * STREAM_STORE_LINE] __attribute__((aligned(64)));
    struct stream_store stream;

    memset(memory, MARK, sizeof memory);
    stream_store_begin(&stream, memory + 10,
                       STREAM_STORE_PAST_FROM); /* more than is then written */
    stream_store_repeat(&stream, 0, 7);
    stream_store_end(&stream);
    for (size_t i = 0; i < sizeof memory; i++)
        ck_assert_uint_eq(memory[i], i >= 10 && i < 17 ? 0 : MARK);
}
END_TEST

SUITE(stream_store, TEST_RANGE(strokes_write_what_they_say, 0, 4),
      TEST(what_ends_in_its_first_line_leaves_the_rest));
