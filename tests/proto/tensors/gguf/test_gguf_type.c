/* SPDX-License-Identifier: Apache-2.0
 * test_gguf_type.c - rope_freqs.weight in each type of ggml: read, or refused by its name. */
#include "proto/tensors/gguf/gguf_type.h"

#include <stdio.h>
#include <string.h>

#include "tests/proto/support/gguf_bytes.h"
#include "tests/proto/support/reading.h"
#include "tests/support/suite.h"

/* Writes a file of two pairs of base 100, whose factors are these two numbers. */
static void write_file(unsigned type, const void *factors, size_t size)
{
    gguf_bytes_begin(3, 1, 2);
    gguf_bytes_add_u32("llama.rope.dimension_count", 4);
    gguf_bytes_add_f32("llama.rope.freq_base", 100);
    gguf_bytes_add_tensor("rope_freqs.weight", type, 2, 0);
    gguf_bytes_pad(32);
    gguf_bytes_add(factors, size);
}

static const uint16_t halves[] = {0x3c00, 0x4400}, brains[] = {0x3f80, 0x4080};
static const float singles[] = {1, 4};
static const double doubles[] = {1, 4};
static const int32_t words[] = {1, 4};
static const int64_t longs[] = {1, 4};

static const struct {
    unsigned type;
    const void *factors;
    size_t size;
    const char *says; /* the frequencies, or the error */
} rows[] = {
    {0, singles, sizeof singles, "1 0.025"},
    {1, halves, sizeof halves, "1 0.025"},
    {30, brains, sizeof brains, "1 0.025"},
    {28, doubles, sizeof doubles, "1 0.025"},
    {24, "\1\4", 2, "1 0.025"},
    {25, "\1\0\4", 4, "1 0.025"},
    {26, words, sizeof words, "1 0.025"},
    {27, longs, sizeof longs, "1 0.025"},
    {28, doubles, sizeof doubles - 1, "the file ends before rope_freqs.weight"},
    {12, "quantised", 9,
     "rope_freqs.weight is quantised in blocks (Q4_K), which are not read: convert it to F32, "
     "as llama.cpp writes it"},
    {31, "unknown", 7,
     "rope_freqs.weight has type 31 of ggml, which is not known: convert it to F32"},
};

START_TEST(factors_of_a_plain_type_are_read_and_others_are_named)
{
    struct reading reading;
    char text[240] = "";

    write_file(rows[_i].type, rows[_i].factors, rows[_i].size);
    reading_init(&reading);
    reading_any(&reading);
    reading_run(&reading, "application/x-gguf", gguf_bytes.at, gguf_bytes.len, 64);
    if (reading.state == TENSOR_OK) {
        const float *inv_freq = reading.set.at[0].data;

        snprintf(text, sizeof text, "%g %g", (double)inv_freq[0], (double)inv_freq[1]);
    }
    ck_assert_str_eq(reading.state == TENSOR_OK ? text : reading.error, rows[_i].says);
    reading_fini(&reading);
}
END_TEST

START_TEST(each_plain_type_is_one_of_those_that_are_read)
{
    for (uint32_t number = 0; number < 64; number++) {
        const struct gguf_type *type = gguf_type_find(number);

        if (type && type->element)
            ck_assert_ptr_nonnull(element_type_find(type->element));
    }
}
END_TEST

SUITE(gguf_type, TEST_EACH(factors_of_a_plain_type_are_read_and_others_are_named, rows),
      TEST(each_plain_type_is_one_of_those_that_are_read));
