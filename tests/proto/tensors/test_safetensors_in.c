/* SPDX-License-Identifier: Apache-2.0
 * test_safetensors_in.c - tests tensors by name in any chunks, and the error sentences of all
 * bodies that the format's own reader rejects. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proto/text/json_memory.h"
#include "tests/proto/support/reading.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

#define TYPE "application/x-safetensors"

static const uint16_t halves[] = {0x3c00, 0x4000, 0x4200, 0x3c01, 0x4001, 0x4201};

/* The header has k before q, the data q before k; three elements of two bytes leave k at an
 * odd offset. */
static const char two[] =
    "{\"k\":{\"dtype\":\"BF16\",\"shape\":[1,1,3],\"data_offsets\":[6,12]},"
    "\"__metadata__\":{\"format\":\"pt\"},"
    "\"q\":{\"shape\":[3],\"dtype\":\"F16\",\"data_offsets\":[0,6]}}   ";

START_TEST(tensors_are_read_by_name_in_pieces_of_any_size)
{
    char body[READING_MAX];
    size_t len = reading_safetensors(body, two, halves, sizeof halves);

    for (size_t chunk = 1; chunk <= len; chunk++) {
        struct reading reading;

        reading_init(&reading);
        reading_run(&reading, TYPE, body, len, chunk);
        ck_assert_msg(reading.state == TENSOR_OK, "%s", reading.error);
        ck_assert_uint_eq(reading.set.count, 2);
        const struct tensor *q = &reading.set.at[0], *k = &reading.set.at[1];
        ck_assert(strcmp(q->name, "q") == 0 && strcmp(k->name, "k") == 0);
        ck_assert(q->info.dtype == PE_F16 && q->info.rank == 1 && q->info.dims[0] == 3);
        ck_assert(k->info.dtype == PE_BF16 && k->info.rank == 3 && k->info.dims[2] == 3);
        ck_assert_mem_eq(q->data, halves, 6);
        ck_assert_mem_eq(k->data, halves + 3, 6);
        ck_assert_uint_eq((uintptr_t)k->data % TENSOR_ALIGNMENT, 0);
        ck_assert_uint_eq(reading.reserved, sizeof halves);
        reading_fini(&reading);
    }
}
END_TEST

/* Each allocation fails once: the error is the lack of memory, not the header, and no memory is
 * kept. */
START_TEST(memory_that_is_out_is_no_bad_header)
{
    static char body[READING_MAX];
    size_t len = reading_safetensors(body, two, halves, sizeof halves), refusals = 0;
    bool refused = true;

    json_memory_init();
    for (size_t n = 0; refused; n++) {
        struct reading reading;
        enum tensor_state state = TENSOR_NO_MEMORY;

        reading_init(&reading);
        alloc_fail_start(n);
        struct tensor_reader *reader =
            tensor_reader_new(tensor_format_find(TYPE), &reading.source);
        if (reader) {
            tensor_reader_add(reader, body, len);
            state = tensor_reader_finish(reader, &reading.set);
        }
        tensor_reader_free(reader);
        reading_fini(&reading);
        refused = alloc_fail_stop();
        refusals += refused;
        ck_assert_int_eq(state, refused ? TENSOR_NO_MEMORY : TENSOR_OK);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    ck_assert_uint_gt(refusals, 10);
}
END_TEST

START_TEST(a_body_cut_anywhere_is_refused)
{
    char body[READING_MAX];
    size_t len = reading_safetensors(body, two, halves, sizeof halves);

    for (size_t cut = 0; cut < len; cut++) {
        struct reading reading;

        reading_init(&reading);
        reading_run(&reading, TYPE, body, cut, READING_MAX);
        ck_assert_int_eq(reading.state, TENSOR_MALFORMED);
        ck_assert_ptr_nonnull(strstr(reading.error, "the body ends"));
        reading_fini(&reading);
    }
}
END_TEST

#define X(DTYPE, SHAPE, OFFSETS)                                                               \
    "{\"x\":{\"dtype\":\"" DTYPE "\",\"shape\":" SHAPE ",\"data_offsets\":" OFFSETS "}}"
#define UNREAD "the safetensors header is not read: "
#define SHAPE                                                                                  \
    "x: shape must be an array of 1 to 6 whole numbers below 2^53, written as 2, not as 2.0"
#define OFFSETS                                                                                \
    "x: data_offsets must be [begin, end], whole numbers with begin <= end, below 2^53 and "   \
    "written as 16, not as 16.0"
#define SPAN "x: data_offsets must span as many bytes as shape and dtype make"

START_TEST(a_header_of_any_length_is_not_believed)
{
    static const uint64_t lengths[] = {0, 1, (1 << 20) + 1, UINT64_MAX};

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct reading reading;
        char error[160];

        reading_init(&reading);
        reading_run(&reading, TYPE, (const char *)&lengths[i], 8, 8);
        snprintf(error, sizeof error,
                 "the safetensors header has 2 to 1048576 bytes, by the first eight; got %ju",
                 (uintmax_t)lengths[i]);
        ck_assert_str_eq(reading.error, error);
        reading_fini(&reading);
    }
}
END_TEST

/* Each byte of a right body is changed: the body is refused, or read within its bounds. */
START_TEST(no_byte_of_a_header_can_be_changed_to_harm)
{
    char body[READING_MAX];
    size_t len = reading_safetensors(body, two, halves, sizeof halves);

    for (size_t at = 0; at < len - sizeof halves; at++) {
        for (int bit = 0; bit < 8; bit++) {
            struct reading reading;

            reading_init(&reading);
            body[at] = (char)(body[at] ^ 1 << bit);
            reading_run(&reading, TYPE, body, len, READING_MAX);
            if (reading.state == TENSOR_OK)
                ck_assert_uint_eq(tensor_set_bytes(&reading.set), sizeof halves);
            body[at] = (char)(body[at] ^ 1 << bit);
            reading_fini(&reading);
        }
    }
}
END_TEST

SUITE(safetensors_in, TEST(tensors_are_read_by_name_in_pieces_of_any_size),
      TEST(memory_that_is_out_is_no_bad_header), TEST(a_body_cut_anywhere_is_refused),
      TEST(a_header_of_any_length_is_not_believed),
      TEST(no_byte_of_a_header_can_be_changed_to_harm));
