/* SPDX-License-Identifier: Apache-2.0
 * test_mask_empty.c - rows without a key: found by few looks, and said beforehand where many
 * looks are needed. Rows that the matrix shows to be empty are rows of empty.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/math/mask/mask.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { KEYS = 4096 };

struct counted {
    uint64_t looks;
};

static bool sees_later(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    struct counted *counted = (void *)(uintptr_t)context;

    counted->looks++;
    return key > query;
}

static int64_t last_key(const void *context, int64_t query)
{
    return KEYS - 1;
}

START_TEST(a_witness_decides_a_row_by_one_look)
{
    static const struct mask_rule rule = {.sees = sees_later, .witness = last_key};
    struct counted counted = {0};
    const struct mask mask = {.rule = &rule,
                              .context = &counted,
                              .queries = KEYS,
                              .keys = KEYS};

    ck_assert(mask_is_empty(&mask, KEYS - 1));
    ck_assert(!mask_is_empty(&mask, 0));
    ck_assert_uint_eq(counted.looks, 2);
}
END_TEST

static size_t spans_later(const void *context, uint64_t batch, int64_t query,
                          struct mask_span out[MASK_MOST_SPANS])
{
    out[0] = (struct mask_span){query + 1, MASK_LAST};
    return 1;
}

START_TEST(spans_decide_a_row_of_descending_keys_without_a_look)
{
    static const struct mask_rule rule = {.sees = sees_later, .spans = spans_later, .most = 1};
    struct counted counted = {0};
    const char keys[] = "4096:0:-1";
    struct pe_errors errors = {.count = 0};
    struct pe_positions *k = NULL;
    struct mask mask = {.rule = &rule, .context = &counted, .queries = 2 * KEYS, .keys = KEYS};

    ck_assert_int_eq(positions_parse(&k, "k", keys, strlen(keys), false, &errors), PE_OK);
    mask.k = k;
    for (uint64_t row = 0; row < mask.queries; row++)
        ck_assert_msg(mask_is_empty(&mask, row) == (row >= KEYS), "row %zu", (size_t)row);
    ck_assert_uint_eq(counted.looks, 0);
    positions_free(k);
}
END_TEST

START_TEST(a_stopped_search_ends_without_a_key)
{
    static const struct mask_rule rule = {.sees = sees_later};
    struct pe_stop stop = {0};
    struct counted counted = {0};
    const struct mask mask = {.rule = &rule,
                              .context = &counted,
                              .queries = (uint64_t)1 << 40,
                              .keys = (uint64_t)1 << 40,
                              .stop = &stop};

    pe_stop_set(&stop);
    ck_assert_uint_eq(mask_look(&mask, mask.queries - 1, 0), MASK_NOTHING);
    ck_assert_uint_le(counted.looks, 2 << 20);
}
END_TEST

/* A mask that looks at few keys is counted as cheap, one that may look at every pair of a
 * query and a key as expensive. */
static const struct {
    const char *encoding, *query;
    double least, most; /* million operations */
} costs[] = {
    {"padding-mask", "attention_mask=0,0,1&q=0:65536", 1, 10},
    {"dilated-mask", "len=65536&half_window=1&dilation=7", 1, 10},
    {"dilated-mask", "q=65536:131072&k=0:65536&half_window=1&dilation=7", 10000, 40000},
    {"sparse-strided-mask", "q=65536:131072&k=0:65536&stride=7", 10000, 40000},
    {"document-mask", "document_ids=-1&q=0:65536&k=0:65536", 1, 10},
    {"sparse-strided-mask", "q=0:4,0:4,0:4,0:4&k=0:8&stride=3&attention_mask=0,0,0,0,1,1,1,1",
     13e-4, 14e-4}, /* 16 rows of 4 keys */
    /* A look that searches among 4096 globals counts for 30 operations, one that divides in a
     * grid for 24, in place of 6. */
    {"global-local-mask", "q=8192:16384&k=0:8192&half_window=0", 400, 410},
    {"global-local-mask", "q=8192:16384&k=0:8192&half_window=0&global_tokens=100000:104096",
     2000, 2100},
    {"natten-mask", "grid=2x4&kernel_size=1&attention_mask=0,0,0,0,1,1,1,1", 8e-4, 9e-4},
};

START_TEST(a_mask_says_how_many_keys_it_may_look_at)
{
    struct pe_args *args =
        core_query_checked(core_query_find(costs[_i].encoding), costs[_i].query);
    const double operations = pe_args_operations(args) / 1e6;

    ck_assert_msg(operations >= costs[_i].least && operations <= costs[_i].most, "%s %s: %g",
                  costs[_i].encoding, costs[_i].query, operations);
    pe_args_free(args);
}
END_TEST

SUITE(mask_empty, TEST_EACH(a_mask_says_how_many_keys_it_may_look_at, costs),
      TEST(a_witness_decides_a_row_by_one_look),
      TEST(spans_decide_a_row_of_descending_keys_without_a_look),
      TEST(a_stopped_search_ends_without_a_key));
