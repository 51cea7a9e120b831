/* SPDX-License-Identifier: Apache-2.0
 * test_chunks.c - chunks are read the same however they are cut, and other bytes are
 * refused. */
#include <string.h>

#include "server/http/chunks.h"
#include "tests/support/suite.h"

enum { MAX = 1000 };

static char data[4096];
static size_t data_len;
static size_t stop_at; /* the sink wants no more bytes after so many */

static bool take(void *context, const char *bytes, size_t len)
{
    ck_assert_uint_lt(data_len + len, sizeof data);
    memcpy(data + data_len, bytes, len);
    data_len += len;
    data[data_len] = '\0';
    return data_len < stop_at;
}

/* The state after the text, `step` bytes at a time. */
static struct chunks chunks_after(const char *text, size_t len, size_t step)
{
    struct chunks chunks;

    data_len = 0;
    data[0] = '\0';
    stop_at = sizeof data;
    chunks_begin(&chunks, MAX);
    for (size_t at = 0; at < len; at += step)
        chunks_add(&chunks, text + at, step < len - at ? step : len - at, take, NULL);
    return chunks;
}

#define BYTES(TEXT) TEXT, sizeof(TEXT) - 1

static const struct {
    const char *text;
    size_t len;
    const char *body;
} whole[] = {
    {BYTES("0\r\n\r\n"), ""},
    {BYTES("5\r\nhello\r\n0\r\n\r\n"), "hello"},
    {BYTES("5\r\nhello\r\n6\r\n world\r\n000\r\n\r\n"), "hello world"},
    {BYTES("a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n"), "01234567890123456789a"},
    {BYTES("2\r\n\r\n\r\n0\r\n\r\n"), "\r\n"},
    {BYTES("1;\r\nx\r\n0;a=b;c=\"d e\"\r\n\r\n"), "x"},
    {BYTES("1;\ta=\xff\r\nx\r\n0\r\n\r\n"), "x"},
    {BYTES("0000000000000001\r\nx\r\n0\r\n\r\n"), "x"},
    {BYTES("1\r\nx\r\n0\r\nA: b\r\nC:\r\nD:  e\t\r\n\r\n"), "x"},
};

START_TEST(a_whole_body_is_read_however_it_is_cut)
{
    for (size_t step = 1; step <= whole[_i].len; step++) {
        struct chunks chunks = chunks_after(whole[_i].text, whole[_i].len, step);

        ck_assert_int_eq(chunks.state, CHUNKS_WHOLE);
        ck_assert_ptr_null(chunks.error);
        ck_assert_str_eq(data, whole[_i].body);
    }
}
END_TEST

START_TEST(a_part_of_a_body_waits_for_more)
{
    for (size_t len = 0; len < whole[_i].len; len++)
        ck_assert_int_eq(chunks_after(whole[_i].text, len, len + 1).state, CHUNKS_MORE);
}
END_TEST

static const struct {
    const char *text;
    size_t len;
    enum chunks_state state;
    const char *error; /* a part of the chunk */
} wrong[] = {
    {BYTES("\r"), CHUNKS_MALFORMED, "a chunk must be its length in hexadecimal digits"},
    {BYTES(";"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("g"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("+"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("0x"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES(" "), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("1 "), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("1\n"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("1\0"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("1\rx"), CHUNKS_MALFORMED, "and CR LF"},
    {BYTES("00000000000000001"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("1\r\nx\n"), CHUNKS_MALFORMED, "and CR LF"},
    {BYTES("1\r\nx\r\r"), CHUNKS_MALFORMED, "and CR LF"},
    {BYTES("1\r\nxy"), CHUNKS_MALFORMED, "and CR LF"},
    {BYTES("1;a\n"), CHUNKS_MALFORMED, "a chunk's extension must have no control characters"},
    {BYTES("1;a\rb"), CHUNKS_MALFORMED, "a chunk's extension"},
    {BYTES("1;\0"), CHUNKS_MALFORMED, "a chunk's extension"},
    {BYTES("1;\x7f"), CHUNKS_MALFORMED, "a chunk's extension"},
    {BYTES("0\n"), CHUNKS_MALFORMED, "a chunk must be its length"},
    {BYTES("0\r\n\n"), CHUNKS_MALFORMED, "a trailer line must be NAME: VALUE"},
    {BYTES("0\r\n\rx"), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\n:"), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\nA\r"), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\nA "), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\nA\0"), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\nA: b\n"), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\nA: b\rc"), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\nA: b\0"), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("0\r\nA: b\r\n "), CHUNKS_MALFORMED, "a trailer line"},
    {BYTES("3e9"), CHUNKS_TOO_LARGE, "the body is longer than this server takes"},
    {BYTES("8000000000000000"), CHUNKS_TOO_LARGE, "the body is longer"},
    {BYTES("ffffffffffffffff"), CHUNKS_TOO_LARGE, "the body is longer"},
};

START_TEST(a_malformed_chunk_is_refused_at_its_first_wrong_byte)
{
    for (size_t step = 1; step <= wrong[_i].len; step++) {
        struct chunks chunks = chunks_after(wrong[_i].text, wrong[_i].len, step);

        ck_assert_int_eq(chunks.state, wrong[_i].state);
        ck_assert_msg(strstr(chunks.error, wrong[_i].error), "%s", chunks.error);
        chunks_add(&chunks, BYTES("1\r\nx\r\n0\r\n\r\n"), take, NULL);
        ck_assert_int_eq(chunks.state, wrong[_i].state);
    }
    if (wrong[_i].state == CHUNKS_MALFORMED)
        ck_assert_int_eq(chunks_after(wrong[_i].text, wrong[_i].len - 1, 1).state, CHUNKS_MORE);
}
END_TEST

START_TEST(bytes_after_the_end_are_ignored)
{
    static const char text[] = "1\r\nx\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n";

    ck_assert_int_eq(chunks_after(BYTES(text), sizeof text).state, CHUNKS_WHOLE);
    ck_assert_str_eq(data, "x");
}
END_TEST

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
    ck_assert_int_eq(chunks_after(text, text_len, 1).state, CHUNKS_MORE);
    append("0;a");
    ck_assert_str_eq(chunks_after(text, text_len, 1).error,
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
    ck_assert_int_eq(chunks_after(text, text_len, 1).state, CHUNKS_MORE);
    append("a");
    ck_assert_int_eq(chunks_after(text, text_len, 1).state, CHUNKS_TRAILER_TOO_LONG);
    text_len = 3;
    append_many('a', 8192);
    ck_assert_int_eq(chunks_after(text, text_len, 1).state, CHUNKS_MORE);
    append("a");
    chunks = chunks_after(text, text_len, 1);
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
    ck_assert_int_eq(chunks_add(&chunks, BYTES("1\r\nx\r\n1\r\ny\r\n"), take, NULL),
                     CHUNKS_STOPPED);
    ck_assert_ptr_null(chunks.error);
    ck_assert_uint_eq(data_len, 1);
}
END_TEST

static const struct suite_test all_tests[] = {
    TEST_EACH(a_whole_body_is_read_however_it_is_cut, whole),
    TEST_EACH(a_part_of_a_body_waits_for_more, whole),
    TEST_EACH(a_malformed_chunk_is_refused_at_its_first_wrong_byte, wrong),
    TEST(bytes_after_the_end_are_ignored),
    TEST(all_extensions_have_4096_bytes_and_no_more),
    TEST(a_trailer_section_is_no_longer_than_a_head),
    TEST(a_sink_that_wants_no_more_gets_no_more),
};

const struct suite chunks_suite = {SUITE_TESTS(all_tests)};
