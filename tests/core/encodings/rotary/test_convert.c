/* SPDX-License-Identifier: Apache-2.0
 * test_convert.c - orders of the elements: a round trip, and the rows of weights that move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

extern const struct pe_encoding pe_encoding_convert;
static const struct pe_encoding *const convert = &pe_encoding_convert;

static const struct {
    const char *query;
    size_t count;
    double index[12];
} known[] = {
    {"dim=8&from=adjacent&to=half", 8, {0, 2, 4, 6, 1, 3, 5, 7}},
    {"dim=8&from=half&to=adjacent", 8, {0, 4, 1, 5, 2, 6, 3, 7}},
    {"dim=8&from=interleaved&to=half&what=vectors", 8, {0, 2, 4, 6, 1, 3, 5, 7}},
    {"dim=8&from=half&to=half", 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"dim=10&from=half&to=adjacent&rotary_dim=4&offset_dims=3",
     10,
     {0, 1, 2, 3, 5, 4, 6, 7, 8, 9}},
    {"dim=6&from=interleaved&to=concat", 6, {0, 2, 4, 1, 3, 5}},
    {"dim=6&from=concat&to=interleaved", 6, {0, 3, 1, 4, 2, 5}},
    {"dim=6&from=interleaved&to=interleaved-cs", 6, {1, 0, 3, 2, 5, 4}},
    {"dim=6&from=concat&to=concat-cs", 6, {3, 4, 5, 0, 1, 2}},
    /* sh0 sh1 sw0 sw1 ch0 ch1 cw0 cw1 -> sw0 cw0 sh0 ch0 sw1 cw1 sh1 ch1 */
    {"dim=8&from=grouped-2d&to=tiled", 8, {2, 6, 0, 4, 3, 7, 1, 5}},
    {"dim=4&what=weights&from=half&to=adjacent", 4, {0, 2, 1, 3}},
};

START_TEST(index_lists_are_the_published_ones)
{
    char query[200];
    struct pe_plan *plan;
    double *index;

    snprintf(query, sizeof query, "%s&out=index", known[_i].query);
    plan = core_query_plan(convert, query);
    ck_assert_uint_eq(pe_plan_elements(plan), known[_i].count);
    index = core_query_doubles(plan, 0);
    for (size_t i = 0; i < known[_i].count; i++)
        ck_assert(index[i] == known[_i].index[i]);
    free(index);
    pe_plan_free(plan);
}
END_TEST

static void *converted(const char *query, void *input, size_t *bytes)
{
    struct pe_plan *plan = core_query_plan(convert, query);
    const struct pe_tensor_info *t = pe_plan_tensor(plan, 0);
    void *inputs[CORE_TENSOR_MAX] = {input}, *out;

    *bytes = t->rows * t->cols * pe_dtype_size(t->dtype);
    out = core_tensor_bytes(plan, 0, inputs);
    pe_plan_free(plan);
    return out;
}

static const struct {
    const char *x, *one, *other;
} ways[] = {
    {"f32:3x8", "from=interleaved&to=tiled", "from=tiled&to=interleaved"},
    {"f64:2x3x16", "from=grouped-2d&to=concat-cs", "from=concat-cs&to=grouped-2d"},
    {"bf16:4x2x12", "from=half&to=adjacent&rotary_dim=8", "from=adjacent&to=half&rotary_dim=8"},
    {"f16:5x6", "from=adjacent&to=half&what=table", "from=half&to=adjacent&what=table"},
    {"f32:24x5", "what=weights&dim=8&from=half&to=adjacent",
     "what=weights&dim=8&from=adjacent&to=half"},
    {"i64:24", "what=weights&dim=6&from=half&to=adjacent",
     "what=weights&dim=6&from=adjacent&to=half"},
    {"u8:8x2x3", "what=weights&dim=4&from=half&to=adjacent&rotary_dim=4",
     "what=weights&dim=4&from=adjacent&to=half"},
};

START_TEST(a_conversion_and_its_inverse_give_the_bytes_back)
{
    unsigned char data[1024] __attribute__((aligned(64)));
    void *there, *back;
    char query[200];
    size_t bytes;

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 37 + i / 256);
    snprintf(query, sizeof query, "%s&x=%s", ways[_i].one, ways[_i].x);
    there = converted(query, data, &bytes);
    ck_assert_mem_ne(there, data, bytes);
    snprintf(query, sizeof query, "%s&x=%s", ways[_i].other, ways[_i].x);
    back = converted(query, there, &bytes);
    ck_assert_mem_eq(back, data, bytes);
    free(there);
    free(back);
}
END_TEST

START_TEST(rows_of_weights_move_within_their_head)
{
    double w[8 * 2], *got;
    size_t bytes;

    for (size_t i = 0; i < 16; i++)
        w[i] = (double)i;
    got = converted("what=weights&dim=4&from=half&to=adjacent&x=f64:8x2", w, &bytes);
    for (size_t row = 0; row < 8; row++) {
        static const size_t from[] = {0, 2, 1, 3};

        for (size_t col = 0; col < 2; col++)
            ck_assert(got[row * 2 + col] == w[(row / 4 * 4 + from[row % 4]) * 2 + col]);
    }
    free(got);
}
END_TEST

START_TEST(another_dtype_is_rounded_once)
{
    double x[4] = {1, 0x1p-30 + 1, 3, 4};
    size_t bytes;
    float *got = converted("from=half&to=adjacent&dtype=f32&x=f64:4", x, &bytes);

    ck_assert(got[0] == 1 && got[1] == 3 && got[2] == 1 && got[3] == 4);
    free(got);
}
END_TEST

SUITE(convert, TEST_EACH(index_lists_are_the_published_ones, known),
      TEST_EACH(a_conversion_and_its_inverse_give_the_bytes_back, ways),
      TEST(rows_of_weights_move_within_their_head), TEST(another_dtype_is_rounded_once));
