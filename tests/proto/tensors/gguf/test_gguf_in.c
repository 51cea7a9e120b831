/* SPDX-License-Identifier: Apache-2.0
 * test_gguf_in.c - files of llama.cpp: what metadata, lists and tensors become. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/proto/support/gguf_bytes.h"
#include "tests/proto/support/reading.h"
#include "tests/support/suite.h"

enum { BOOL = 7, LIST = 9, I64 = 11, F64 = 12 };

/* ---- files ------------------------------------------------------------------------------- */

static void plain(void)
{
    gguf_bytes_begin(3, 0, 2);
    gguf_bytes_add_u32("llama.rope.dimension_count", 4);
    gguf_bytes_add_f32("llama.rope.freq_base", 100);
}

static void with_factors(void)
{
    static const float factors[] = {1, 4};

    gguf_bytes_begin(3, 2, 3);
    gguf_bytes_add_u32("llama.rope.dimension_count", 4);
    gguf_bytes_add_f32("llama.rope.freq_base", 100);
    gguf_bytes_add_u32("general.alignment", 64);
    gguf_bytes_add_tensor("token_embd.weight", 12, 256, 0);
    gguf_bytes_add_tensor("rope_freqs.weight", 0, 2, 192);
    gguf_bytes_pad(64);
    for (int i = 0; i < 192; i++)
        gguf_bytes_add("w", 1);
    gguf_bytes_add(factors, sizeof factors);
    gguf_bytes_add("the rest is passed over", 23);
}

static void of_heads(void)
{
    gguf_bytes_begin(2, 0, 6);
    gguf_bytes_add_word("general.architecture", "llama");
    gguf_bytes_add_key("tokenizer.ggml.tokens", LIST);
    gguf_bytes_add_whole(GGUF_TEXT, 4);
    gguf_bytes_add_whole(3, 8);
    gguf_bytes_add_text("a");
    gguf_bytes_add_text("");
    gguf_bytes_add_text("the");
    gguf_bytes_add_key("tokenizer.ggml.scores", LIST);
    gguf_bytes_add_whole(GGUF_F32, 4);
    gguf_bytes_add_whole(3, 8);
    gguf_bytes_add("0123456789ab", 12);
    gguf_bytes_add_u32("llama.embedding_length", 12);
    gguf_bytes_add_u32("llama.attention.head_count", 3);
    gguf_bytes_add_key("tokenizer.ggml.add_bos_token", BOOL);
    gguf_bytes_add_whole(1, 1);
}

static void linear(void)
{
    const double factor = 2;

    gguf_bytes_begin(3, 0, 4);
    gguf_bytes_add_key("a.attention.key_length", I64);
    gguf_bytes_add_whole(4, 8);
    gguf_bytes_add_f32("a.rope.freq_base", 100);
    gguf_bytes_add_word("a.rope.scaling.type", "linear");
    gguf_bytes_add_key("a.rope.scaling.factor", F64);
    gguf_bytes_add(&factor, sizeof factor);
}

static void linear_by_default(void)
{
    gguf_bytes_begin(3, 0, 3);
    gguf_bytes_add_u32("a.rope.dimension_count", 4);
    gguf_bytes_add_f32("a.rope.freq_base", 100);
    gguf_bytes_add_f32("a.rope.scaling.factor", 2);
}

static void by_an_old_key(void)
{
    gguf_bytes_begin(3, 0, 3);
    gguf_bytes_add_u32("a.rope.dimension_count", 4);
    gguf_bytes_add_f32("a.rope.freq_base", 100);
    gguf_bytes_add_f32("a.rope.scale_linear", 4);
}

/* Both divide: 4 of the file's factor, and 1 and 4 of the tensor. */
static void linear_with_factors(void)
{
    static const float factors[] = {1, 4};

    gguf_bytes_begin(3, 1, 4);
    gguf_bytes_add_u32("a.rope.dimension_count", 4);
    gguf_bytes_add_f32("a.rope.freq_base", 100);
    gguf_bytes_add_word("a.rope.scaling.type", "linear");
    gguf_bytes_add_f32("a.rope.scaling.factor", 4);
    gguf_bytes_add_tensor("rope_freqs.weight", 0, 2, 0);
    gguf_bytes_pad(32);
    gguf_bytes_add(factors, sizeof factors);
}

/* The first pair turns more than beta_fast times in the context, the last less than once. */
static void yarn(void)
{
    gguf_bytes_begin(3, 0, 7);
    gguf_bytes_add_u32("a.rope.dimension_count", 4);
    gguf_bytes_add_f32("a.rope.freq_base", 10000);
    gguf_bytes_add_word("a.rope.scaling.type", "yarn");
    gguf_bytes_add_f32("a.rope.scaling.factor", 4);
    gguf_bytes_add_u32("a.context_length", 128);
    gguf_bytes_add_f32("a.rope.scaling.yarn_beta_fast", 8);
    gguf_bytes_add_f32("a.rope.scaling.yarn_beta_slow", 1);
}

static void not_finite(void)
{
    gguf_bytes_begin(3, 0, 2);
    gguf_bytes_add_u32("a.rope.dimension_count", 4);
    gguf_bytes_add_f32("a.rope.freq_base", NAN);
}

static void unscaled(void)
{
    gguf_bytes_begin(3, 0, 3);
    gguf_bytes_add_u32("a.rope.dimension_count", 4);
    gguf_bytes_add_f32("a.rope.freq_base", 100);
    gguf_bytes_add_word("a.rope.scaling.type", "none");
}

static void long_names(void)
{
    char name[300];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    gguf_bytes_begin(3, 1, 4);
    gguf_bytes_add_word(name, name);
    gguf_bytes_add_word("", "");
    gguf_bytes_add_u32("llama.rope.dimension_count", 4);
    gguf_bytes_add_f32("llama.rope.freq_base", 100);
    gguf_bytes_add_tensor(name, 0, 1, 0);
}

static void cut(void)
{
    with_factors();
    gguf_bytes.len -= 24; /* a byte of the factors too */
}

static void cut_in_its_head(void)
{
    plain();
    gguf_bytes.len--;
}

static void of_version_1(void)
{
    gguf_bytes_begin(1, 0, 0);
}

static void of_another_kind(void)
{
    plain();
    gguf_bytes.at[3] = 'X';
}

static void without_rotation(void)
{
    gguf_bytes_begin(3, 0, 1);
    gguf_bytes_add_word("general.architecture", "bert");
}

static void with_an_odd_size(void)
{
    gguf_bytes_begin(3, 0, 1);
    gguf_bytes_add_u32("llama.rope.dimension_count", 5);
}

static void with_too_many_factors(void)
{
    gguf_bytes_begin(3, 1, 1);
    gguf_bytes_add_u32("llama.rope.dimension_count", 4);
    gguf_bytes_add_tensor("rope_freqs.weight", 0, 1025, 0);
}

static void with_other_factors(void)
{
    const float factor = 1;

    gguf_bytes_begin(3, 1, 1);
    gguf_bytes_add_u32("llama.rope.dimension_count", 4);
    gguf_bytes_add_tensor("rope_freqs.weight", 0, 1, 0);
    gguf_bytes_pad(32);
    gguf_bytes_add(&factor, sizeof factor);
}

static void with_lists(void)
{
    gguf_bytes_begin(3, 2, 1);
    gguf_bytes_add_u32("phi3.rope.dimension_count", 4);
    gguf_bytes_add_tensor("rope_factors_long.weight", 0, 2, 0);
    gguf_bytes_add_tensor("rope_factors_short.weight", 0, 2, 32);
}

static void with_another_type(void)
{
    gguf_bytes_begin(3, 0, 1);
    gguf_bytes_add_key("a", 13);
}

static void with_a_list_of_lists(void)
{
    gguf_bytes_begin(3, 0, 1);
    gguf_bytes_add_key("a", LIST);
    gguf_bytes_add_whole(LIST, 4);
    gguf_bytes_add_whole(1, 8);
}

static void with_an_endless_list(void)
{
    gguf_bytes_begin(3, 0, 1);
    gguf_bytes_add_key("a", LIST);
    gguf_bytes_add_whole(F64, 4);
    gguf_bytes_add_whole(UINT64_MAX / 4, 8);
}

static void with_no_alignment(void)
{
    gguf_bytes_begin(3, 0, 1);
    gguf_bytes_add_u32("general.alignment", 0);
}

static void with_five_axes(void)
{
    gguf_bytes_begin(3, 1, 0);
    gguf_bytes_add_text("a");
    gguf_bytes_add_whole(5, 4);
}

static const struct {
    void (*write)(void);
    const char *says; /* the numbers, or the error */
} rows[] = {
    {plain, "1 0.1"},
    {with_factors, "1 0.025"},
    {of_heads, "1 0.01"},
    {linear, "0.5 0.05"},
    {linear_by_default, "0.5 0.05"},
    {by_an_old_key, "0.25 0.025"},
    {linear_with_factors, "0.25 0.00625"},
    {yarn, "1 0.0025"},
    {not_finite, "a number of the metadata about rotation is not finite"},
    {unscaled, "1 0.1"},
    {long_names, "1 0.1"},
    {cut, "the file ends before rope_freqs.weight"},
    {cut_in_its_head, "the file ends within its metadata and list of tensors"},
    {of_version_1, "GGUF files of versions 2 and 3 are read, little-endian"},
    {of_another_kind, "a GGUF file begins with GGUF"},
    {without_rotation,
     "the metadata has no .rope.dimension_count and no .attention.key_length"},
    {with_an_odd_size, "the metadata gives no rotation: dim must be an even number, "
                       "2..65536; got 5"},
    {with_too_many_factors, "rope_freqs.weight must be a list of 1 to 1024 numbers"},
    {with_other_factors, "the metadata gives no rotation: freq_factors must have one divisor a "
                         "pair, 2; got 1"},
    {with_lists, "the file has rope_factors_long.weight, whose frequencies depend on the "
                 "length: send the inv_freq of one length"},
    {with_another_type, "a value has a type that GGUF does not know"},
    {with_a_list_of_lists, "a list of values has a type that is not read"},
    {with_an_endless_list, "a list has more values than a file can have"},
    {with_no_alignment, "general.alignment must be from 1 to 1048576"},
    {with_five_axes, "a tensor has more than 4 axes"},
};

START_TEST(a_file_is_the_frequencies_that_it_gives)
{
    static const size_t pieces[] = {1, 7, 64, sizeof gguf_bytes.at};

    rows[_i].write();
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        struct reading reading;
        char text[240] = "";
        size_t at = 0;

        reading_init(&reading);
        reading_any(&reading);
        reading_run(&reading, "application/x-gguf", gguf_bytes.at, gguf_bytes.len, pieces[p]);
        if (reading.state == TENSOR_OK) {
            const struct tensor *tensor = &reading.set.at[0];

            ck_assert_uint_eq(reading.set.count, 1);
            ck_assert_str_eq(tensor->name, "inv_freq");
            for (size_t i = 0; i < tensor->info.dims[0]; i++)
                at += (size_t)snprintf(text + at, sizeof text - at, "%s%g", i > 0 ? " " : "",
                                       (double)((const float *)tensor->data)[i]);
        }
        ck_assert_str_eq(reading.state == TENSOR_OK ? text : reading.error, rows[_i].says);
        reading_fini(&reading);
    }
}
END_TEST

START_TEST(a_file_beyond_the_limit_is_refused)
{
    struct reading reading;

    plain();
    reading_init(&reading);
    reading_any(&reading);
    reading.source.max_bytes = gguf_bytes.len - 1;
    reading_run(&reading, "application/x-gguf", gguf_bytes.at, gguf_bytes.len, 16);
    ck_assert_int_eq(reading.state, TENSOR_TOO_LARGE);
    reading_fini(&reading);
}
END_TEST

SUITE(gguf_in, TEST(a_file_beyond_the_limit_is_refused),
      TEST_EACH(a_file_is_the_frequencies_that_it_gives, rows));
