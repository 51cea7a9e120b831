/* SPDX-License-Identifier: Apache-2.0
 * test_mask.c - what is painted from spans is what the predicate says, in every size of
 * element and from any column on; rows without a key; numbers of runs. */
#include <stdlib.h>
#include <string.h>

#include "core/math/mask/mask.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { QUERIES = 40, KEYS = 3000, DRAWS = 300 };

struct window {
    int64_t size;
};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct window *window = context;

    return key < 3 || (key <= 64 * query && 64 * query - key < window->size);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct window *window = context;
    int64_t first = 64 * query - window->size + 1;

    out[0] = (struct mask_span){MASK_FIRST, 2};
    out[1] = (struct mask_span){first < 3 ? 3 : first, 64 * query};
    return 2;
}

static const struct mask_rule spanned = {.sees = sees, .spans = spans, .most = 2},
                              plain = {.sees = sees};
static const double values[] = {-123.25, 0};

START_TEST(any_part_of_a_row_is_what_the_predicate_says)
{
    static const enum pe_dtype dtypes[] = {PE_F64, PE_F32, PE_F16, PE_BF16, PE_I64};
    const enum pe_dtype dtype = dtypes[_i % 5];
    struct core_random random = {(uint64_t)_i};
    const double whole[] = {_i % 5 == 4 ? 7 : values[0], 0};
    const struct mask_ink ink = mask_ink_of(dtype, whole);

    ck_assert_uint_eq(ink.size, pe_dtype_size(dtype));
    for (int i = 0; i < DRAWS; i++) {
        static unsigned char out[8 * KEYS + 1], want[8 * KEYS];
        const struct window window = {core_random_whole(&random, 0, 2 * KEYS)};
        const struct mask mask = {.rule = _i < 5 ? &spanned : &plain,
                                  .context = &window,
                                  .queries = QUERIES,
                                  .keys = KEYS};
        uint64_t row = (uint64_t)core_random_whole(&random, 0, QUERIES - 1);
        uint64_t col = (uint64_t)core_random_whole(&random, 0, KEYS);
        uint64_t count = (uint64_t)core_random_whole(&random, 0, KEYS - (int64_t)col);
        struct stream_store stream;

        for (uint64_t j = 0; j < count; j++)
            pe_dtype_from_f64(dtype, want + j * ink.size,
                              &whole[sees(&window, 0, (int64_t)row, (int64_t)(col + j))], 1);
        out[count * ink.size] = 0xa5;
        stream_store_begin(&stream, out, count * ink.size);
        mask_paint(&mask, &ink, row, col, count, &stream);
        stream_store_end(&stream);
        if (memcmp(out, want, count * ink.size) != 0 || out[count * ink.size] != 0xa5)
            ck_abort_msg("row %llu from %llu, %llu keys, window %lld", (unsigned long long)row,
                         (unsigned long long)col, (unsigned long long)count,
                         (long long)window.size);
    }
}
END_TEST

START_TEST(a_row_is_empty_iff_it_sees_no_key)
{
    static const struct mask_rule never = {.sees = sees};
    static double keep[KEYS]; /* all 0: no key is seen */
    const struct pe_reals padding = {keep, 1, KEYS};
    const struct window window = {5};
    struct mask mask = {.rule = &never,
                        .context = &window,
                        .queries = QUERIES,
                        .keys = KEYS,
                        .keep = &padding};

    ck_assert(mask_is_empty(&mask, 3));
    keep[1] = 1;
    ck_assert(!mask_is_empty(&mask, 3));
    ck_assert(mask_sees(&mask, 3, 1) && !mask_sees(&mask, 3, 0));
    ck_assert_int_eq(mask_policy_of(&mask, 3, MASK_KEEP_SELF), MASK_KEEP_SELF);
}
END_TEST

struct diagonal {
    uint64_t looks;
};

static bool sees_diagonal(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    struct diagonal *diagonal = (void *)(uintptr_t)context;

    diagonal->looks++;
    return key == query || key == query + 2;
}

START_TEST(rows_of_a_band_are_known_not_to_be_empty_by_few_looks)
{
    static const struct mask_rule band = {.sees = sees_diagonal};
    static double keep[KEYS]; /* all 0 */
    const struct pe_reals padding = {keep, 1, KEYS};
    struct diagonal diagonal = {0};
    struct mask mask = {.rule = &band, .context = &diagonal, .queries = KEYS, .keys = KEYS};
    uint64_t at = 0;

    for (uint64_t row = 0; row < KEYS; row++) {
        at = mask_look(&mask, row, at);
        ck_assert(at == row || at == row + 2);
    }
    ck_assert_uint_lt(diagonal.looks, UINT64_C(4) * KEYS);
    ck_assert_uint_eq(mask_look(&mask, 5, KEYS - 1), 5); /* from the end on to the beginning */
    mask.keep = &padding;
    ck_assert_uint_eq(mask_look(&mask, 5, 7), MASK_NOTHING);
}
END_TEST

START_TEST(a_row_has_at_most_as_many_runs_as_spans)
{
    const struct window window = {5};
    struct mask mask = {.rule = &spanned, .context = &window, .queries = QUERIES, .keys = KEYS};

    ck_assert_uint_eq(mask_most_runs(&mask), 2);
    mask.rule = &plain;
    ck_assert_uint_eq(mask_most_runs(&mask), KEYS / 2);
    mask.keys = 0;
    ck_assert_uint_eq(mask_most_runs(&mask), 0);
}
END_TEST

SUITE(mask, TEST_RANGE(any_part_of_a_row_is_what_the_predicate_says, 0, 10),
      TEST(a_row_is_empty_iff_it_sees_no_key),
      TEST(rows_of_a_band_are_known_not_to_be_empty_by_few_looks),
      TEST(a_row_has_at_most_as_many_runs_as_spans));
