/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_reader.c - the header decides how many bytes may follow and how much memory is
 * allocated for them. */
#include <stdio.h>
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

START_TEST(the_only_tensor_has_the_name_that_the_source_gives)
{
    static const char *const names[] = {NULL, "", "cos", "a name"};
    struct reading reading;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        reading_init(&reading);
        reading_any(&reading);
        reading.source.only_name = names[i];
        tell(&reading, PE_F32, 2, 3);
        run(&reading, sizeof numbers);
        ck_assert_int_eq(reading.state, TENSOR_OK);
        ck_assert_str_eq(reading.set.at[0].name, names[i] ? names[i] : "");
        ck_assert_str_eq(reading.set.at[0].type, "f32");
        ck_assert(!reading.set.at[0].complex);
        reading_fini(&reading);
    }
    reading_init(&reading);
    reading_any(&reading);
    char name[TENSOR_NAME_SIZE + 1] = "";
    memset(name, 'a', TENSOR_NAME_SIZE);
    reading.source.only_name = name;
    tell(&reading, PE_F32, 2, 3);
    run(&reading, sizeof numbers);
    ck_assert_str_eq(reading.error, "the name of a tensor has 1 to 255 printable characters of "
                                    "ASCII; that of tensor 1 has not");
    reading_fini(&reading);
}
END_TEST

/* Writes safetensors, or npy, whose elements begin at a multiple of 8 bytes or `shift`
 * later. */
static size_t write_lasting(char body[READING_MAX], bool named, size_t shift)
{
    char head[READING_MAX];
    const char *text = named
                           ? "{\"x\":{\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[0,24]},"
                             "\"y\":{\"dtype\":\"U16\",\"shape\":[0],\"data_offsets\":[24,24]}}"
                           : "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}";
    const size_t before = named ? 8 : 11, len = before + strlen(text);

    snprintf(head, sizeof head, "%s%*s%s", text, (int)(8 - len % 8 + shift), "",
             named ? "" : "\n");
    return named ? reading_safetensors(body, head, numbers, sizeof numbers)
                 : reading_npy(body, 1, head, numbers, sizeof numbers);
}

static const struct {
    const char *type;
    bool named;
    size_t shift, chunk;
    bool borrowed;
} lasting[] = {
    {"application/x-npy", false, 0, READING_MAX, true},
    {"application/x-npy", false, 1, READING_MAX, false}, /* not aligned */
    {"application/x-npy", false, 0, 80, false},          /* in two pieces */
    {"application/x-safetensors", true, 0, READING_MAX, true},
    {"application/x-safetensors", true, 1, READING_MAX, false},
    {"text/csv", false, 0, READING_MAX, false},
};

START_TEST(elements_that_last_are_borrowed_where_they_are_the_same_in_memory)
{
    static char body[READING_MAX] __attribute__((aligned(64)));
    const bool csv = strcmp(lasting[_i].type, "text/csv") == 0;
    struct reading reading;
    size_t len;

    reading_init(&reading);
    reading_any(&reading);
    reading.source.lasting = true;
    len = csv ? (size_t)snprintf(body, sizeof body, "x\n1\n2\n3\n4\n5\n6\n")
              : write_lasting(body, lasting[_i].named, lasting[_i].shift);
    reading_run(&reading, lasting[_i].type, body, len, lasting[_i].chunk);
    ck_assert_msg(reading.state == TENSOR_OK, "%s", reading.error);
    const struct tensor *tensor = &reading.set.at[0];
    const char *data = tensor->data;
    ck_assert_int_eq(tensor->borrowed, lasting[_i].borrowed);
    ck_assert_int_eq(data >= body && data < body + sizeof body, lasting[_i].borrowed);
    ck_assert_int_eq(tensor->info.dtype, PE_F32);
    ck_assert_mem_eq(data, numbers, sizeof numbers);
    for (size_t i = 0; i < reading.set.count; i++)
        ck_assert_ptr_nonnull(reading.set.at[i].data);
    ck_assert_uint_eq(reading.reserved < sizeof numbers, lasting[_i].borrowed);
    reading_fini(&reading);
}
END_TEST

SUITE(tensor_reader,
      TEST_EACH(elements_that_last_are_borrowed_where_they_are_the_same_in_memory, lasting),
      TEST(bytes_are_what_the_query_says),
      TEST_EACH(too_much_and_too_little_are_refused_before_memory_is_taken, refused),
      TEST(a_body_that_nobody_tells_of_is_refused),
      TEST(the_only_tensor_has_the_name_that_the_source_gives));
