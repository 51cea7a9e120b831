/* SPDX-License-Identifier: Apache-2.0
 * test_chunks.c - the limits of extensions and trailers, and a sink that stops; chunks.txt has
 * the chunks and what is refused. */
#include <string.h>

#include "server/http/chunks.h"
#include "tests/support/suite.h"

enum { MAX = 1000 };

static size_t data_len;
static size_t stop_at; /* the sink wants no more bytes after so many */

static bool take(void *context, const char *bytes, size_t len)
{
    data_len += len;
    return data_len < stop_at;
}

/* The state after the text, a byte at a time. */
static struct chunks chunks_after(const char *text, size_t len)
{
    struct chunks chunks;

    data_len = 0;
    stop_at = SIZE_MAX;
    chunks_begin(&chunks, MAX);
    for (size_t at = 0; at < len; at++)
        chunks_add(&chunks, text + at, 1, take, NULL);
    return chunks;
}

static char text[9000];
static size_t text_len;

static void append(const char *more)
{
    size_t len = strlen(more);

    ck_assert_uint_lt(text_len + len, sizeof text);
    memcpy(text + text_len, more, len);
    text_len += len;
}

static void append_many(char byte, size_t count)
{
    ck_assert_uint_lt(text_len + count, sizeof text);
    memset(text + text_len, byte, count);
    text_len += count;
}

START_TEST(all_extensions_have_4096_bytes_and_no_more)
{
    text_len = 0;
    for (int i = 0; i < 4; i++) {
        append("1;");
        append_many('a', 1024);
        append("\r\nx\r\n");
    }
    ck_assert_int_eq(chunks_after(text, text_len).state, CHUNKS_MORE);
    append("0;a");
    ck_assert_str_eq(chunks_after(text, text_len).error,
                     "the extensions of all chunks must be at most 4096 bytes");
}
END_TEST

START_TEST(a_trailer_section_is_no_longer_than_a_head)
{
    struct chunks chunks;

    text_len = 0;
    append("0\r\n");
    for (int i = 0; i < 100; i++)
        append("a:\r\n");
    ck_assert_int_eq(chunks_after(text, text_len).state, CHUNKS_MORE);
    append("a");
    ck_assert_int_eq(chunks_after(text, text_len).state, CHUNKS_TRAILER_TOO_LONG);
    text_len = 3;
    append_many('a', 8192);
    ck_assert_int_eq(chunks_after(text, text_len).state, CHUNKS_MORE);
    append("a");
    chunks = chunks_after(text, text_len);
    ck_assert_int_eq(chunks.state, CHUNKS_TRAILER_TOO_LONG);
    ck_assert_str_eq(chunks.error,
                     "the trailer section must be at most 100 lines in 8192 bytes");
}
END_TEST

START_TEST(a_sink_that_wants_no_more_gets_no_more)
{
    struct chunks chunks;

    data_len = 0;
    stop_at = 1;
    chunks_begin(&chunks, MAX);
    ck_assert_int_eq(chunks_add(&chunks, "1\r\nx\r\n1\r\ny\r\n", 12, take, NULL),
                     CHUNKS_STOPPED);
    ck_assert_ptr_null(chunks.error);
    ck_assert_uint_eq(data_len, 1);
}
END_TEST

static const struct suite_test all_tests[] = {
    TEST(all_extensions_have_4096_bytes_and_no_more),
    TEST(a_trailer_section_is_no_longer_than_a_head),
    TEST(a_sink_that_wants_no_more_gets_no_more),
};

const struct suite chunks_suite = {SUITE_TESTS(all_tests)};
