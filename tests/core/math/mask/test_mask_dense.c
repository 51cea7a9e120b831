/* SPDX-License-Identifier: Apache-2.0
 * test_mask_dense.c - every element of a mask, repeated for its heads: painted in any dtype and
 * from any corner, it is what the predicate says. */
#include <string.h>

#include "core/math/mask/mask.h"
#include "tests/support/suite.h"

enum { BATCHES = 2, HEADS = 3, QUERIES = 5, KEYS = 21, ROWS = BATCHES * HEADS * QUERIES };

/* In batch b a query sees the keys up to its own but b of them, and always the last key. */
static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    return (key <= query && key >= (int64_t)batch) || key == KEYS - 1;
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    out[0] = (struct mask_span){(int64_t)batch, query};
    out[1] = (struct mask_span){KEYS - 1, KEYS - 1};
    return 2;
}

static const struct mask_rule rules[] = {{.sees = sees, .spans = spans, .most = 2},
                                         {.sees = sees}};
static double keep[BATCHES * KEYS];
static const struct pe_reals padding = {keep, BATCHES, KEYS};

static double right(const struct mask_dense *dense, uint64_t row, uint64_t col)
{
    const uint64_t batch = row / (HEADS * QUERIES), query = row % QUERIES;
    const bool kept = !dense->mask->keep || keep[batch * KEYS + col] != 0;

    return dense->values[kept && sees(NULL, batch, (int64_t)query, (int64_t)col)];
}

static void compare(const struct mask_dense *dense, enum pe_dtype dtype, struct pe_rect rect)
{
    unsigned char typed[8 * ROWS * KEYS + 1], rounded[8 * ROWS * KEYS];
    double doubles[ROWS * KEYS];
    const size_t count = (size_t)(rect.rows * rect.cols), bytes = count * pe_dtype_size(dtype);

    typed[bytes] = 0xa5;
    mask_dense_filler.reference(dense, &rect, (double *[]){doubles}, NULL, NULL);
    ck_assert(mask_dense_filler.typed(dense, &rect, dtype, (void *[]){typed}, NULL));
    pe_dtype_from_f64(dtype, rounded, doubles, count);
    ck_assert_mem_eq(typed, rounded, bytes);
    ck_assert_uint_eq(typed[bytes], 0xa5);
    for (size_t i = 0; i < count; i++)
        ck_assert(doubles[i] ==
                  right(dense, rect.row + i / rect.cols, rect.col + i % rect.cols));
}

START_TEST(every_rectangle_in_every_dtype_is_the_predicate)
{
    const struct mask mask = {.rule = &rules[_i & 1],
                              .queries = QUERIES,
                              .keys = KEYS,
                              .keep = _i & 2 ? &padding : NULL};
    const struct mask_dense booleans = {&mask, HEADS, {0, 1}},
                            reals = {&mask, HEADS, {-1.5, 0}};

    for (size_t i = 0; i < BATCHES * KEYS; i++)
        keep[i] = i % 3 != 0;
    for (uint64_t row = 0; row < ROWS; row += 4) {
        for (uint64_t col = 0; col < KEYS; col += 5) {
            const struct pe_rect rect = {row, row + 7 < ROWS ? 7 : ROWS - row, col, KEYS - col};

            compare(&booleans, PE_BOOL8, rect);
            compare(&booleans, PE_I64, rect);
            for (int dtype = PE_F64; dtype <= PE_BF16; dtype++)
                compare(&reals, (enum pe_dtype)dtype, rect);
        }
    }
}
END_TEST

START_TEST(what_is_not_wanted_is_not_written)
{
    const struct mask mask = {.rule = &rules[0], .queries = QUERIES, .keys = KEYS};
    const struct mask_dense dense = {&mask, HEADS, {0, 1}};
    const struct pe_rect all = {0, ROWS, 0, KEYS};

    ck_assert(mask_dense_filler.typed(&dense, &all, PE_BOOL8, (void *[]){NULL}, NULL));
    mask_dense_filler.reference(&dense, &all, (double *[]){NULL}, NULL, NULL);
}
END_TEST

SUITE(mask_dense, TEST_RANGE(every_rectangle_in_every_dtype_is_the_predicate, 0, 4),
      TEST(what_is_not_wanted_is_not_written));
