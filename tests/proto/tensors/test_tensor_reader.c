/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_reader.c - formats are found by their media types; the header decides how many
 * bytes may follow and how much memory is allocated for them. */
#include <string.h>

#include "tests/proto/support/reading.h"
#include "tests/support/suite.h"

#define RAW "application/octet-stream"

static const float numbers[] = {1, 2, 3, 4, 5, 6};

static void tell(struct reading *reading, enum pe_dtype dtype, uint64_t rows, uint64_t cols)
{
    reading->source.headerless = (struct pe_tensor){dtype, 2, {rows, cols}};
}

static void run(struct reading *reading, size_t len)
{
    reading_run(reading, RAW, (const char *)numbers, len, 5);
}

START_TEST(a_format_is_found_by_its_media_types)
{
    ck_assert_uint_eq(tensor_format_count(), 3);
    for (size_t i = 0; i < tensor_format_count(); i++) {
        const struct tensor_format *format = tensor_format_at(i);

        ck_assert_ptr_eq(tensor_format_find(tensor_format_media_type(format)), format);
        ck_assert_uint_gt(strlen(tensor_format_summary(format)), 10);
        ck_assert_int_eq(tensor_format_is_headerless(format), i == 2);
    }
    ck_assert_ptr_eq(tensor_format_find("Application/NPY; a=b"), tensor_format_at(0));
    ck_assert_ptr_eq(tensor_format_find("application/vnd.safetensors"), tensor_format_at(1));
    ck_assert_ptr_null(tensor_format_find("application/json"));
    ck_assert_ptr_null(tensor_format_find(""));
}
END_TEST

START_TEST(bytes_are_what_the_query_says)
{
    struct reading reading;

    reading_init(&reading);
    tell(&reading, PE_F32, 2, 3);
    reading.source.length = sizeof numbers;
    run(&reading, sizeof numbers);
    ck_assert_int_eq(reading.state, TENSOR_OK);
    ck_assert_str_eq(reading.set.at[0].name, "x");
    ck_assert_mem_eq(reading.set.at[0].data, numbers, sizeof numbers);
    ck_assert_uint_eq(tensor_set_bytes(&reading.set), sizeof numbers);
    reading_fini(&reading);
    reading_init(&reading);
    tell(&reading, PE_F32, 0, 1000);
    run(&reading, 0);
    ck_assert_int_eq(reading.state, TENSOR_OK);
    ck_assert_uint_eq(reading.set.at[0].bytes, 0);
    reading_fini(&reading);
}
END_TEST

static const struct {
    uint64_t rows, cols, length, max, budget;
    size_t sent;
    enum tensor_state state;
    const char *error;
} refused[] = {
    {2, 3, TENSOR_LENGTH_UNKNOWN, 1 << 20, 1 << 20, 23, TENSOR_MALFORMED,
     "the body ends before the 24 bytes of its tensors are there"},
    {1, 3, TENSOR_LENGTH_UNKNOWN, 1 << 20, 1 << 20, 24, TENSOR_MALFORMED,
     "the body goes on after the 12 bytes of its tensors"},
    {0, 3, TENSOR_LENGTH_UNKNOWN, 1 << 20, 1 << 20, 1, TENSOR_MALFORMED,
     "the body goes on after the 0 bytes of its tensors"},
    {2, 3, 23, 1 << 20, 1 << 20, 23, TENSOR_MALFORMED,
     "the tensors have 24 bytes, so the body must have 24; it has 23"},
    {2, 3, TENSOR_LENGTH_UNKNOWN, 23, 1 << 20, 24, TENSOR_TOO_LARGE,
     "a body has at most 23 bytes; its tensors have 24"},
    {2, 3, TENSOR_LENGTH_UNKNOWN, 1 << 20, 23, 24, TENSOR_OVER_BUDGET,
     "too many bodies in memory; try again"},
    {UINT64_MAX / 2, 3, TENSOR_LENGTH_UNKNOWN, UINT64_MAX, UINT64_MAX, 24, TENSOR_TOO_LARGE,
     "x has more elements than can be counted"},
};

START_TEST(too_much_and_too_little_are_refused_before_memory_is_taken)
{
    struct reading reading;

    reading_init(&reading);
    tell(&reading, PE_F32, refused[_i].rows, refused[_i].cols);
    reading.source.length = refused[_i].length;
    reading.source.max_bytes = refused[_i].max;
    reading.budget = refused[_i].budget;
    run(&reading, refused[_i].sent);
    ck_assert_int_eq(reading.state, refused[_i].state);
    ck_assert_str_eq(reading.error, refused[_i].error);
    ck_assert_uint_eq(reading.set.count, 0);
    reading_fini(&reading);
}
END_TEST

START_TEST(a_body_that_nobody_tells_of_is_refused)
{
    struct reading reading;

    reading_init(&reading);
    run(&reading, 24);
    ck_assert_str_eq(reading.error, "the query must say in_dtype and shape, as in "
                                    "in_dtype=bf16&shape=8,128");
    reading_fini(&reading);
}
END_TEST

SUITE(tensor_reader, TEST(a_format_is_found_by_its_media_types),
      TEST(bytes_are_what_the_query_says),
      TEST_EACH(too_much_and_too_little_are_refused_before_memory_is_taken, refused),
      TEST(a_body_that_nobody_tells_of_is_refused));
