/* SPDX-License-Identifier: Apache-2.0
 * test_scattered.c - scattered positions: an array of them, and biases that have the bytes
 * that each query and key has alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/math/relative/scattered.h"
#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { COUNT = 200, SAMPLES = 150 };

START_TEST(the_array_has_the_positions_of_the_list)
{
    const struct position_slice slices[] = {{5, 1, 9},      {-3, -7, 40}, {100, 0, 1},
                                            {7.5, 0, 1},    {100, 0, 1},  {0x1p53, -3, 20},
                                            {-0x1p53, 1, 8}};
    struct pe_positions *pos = positions_new(slices, NULL, sizeof slices / sizeof *slices);
    const uint64_t count = pe_positions_count(pos);
    double list[100];

    ck_assert_uint_eq(count, 80);
    for (uint64_t from = 0; from < count; from++) {
        scattered_write(pos, from, (size_t)(count - from), list);
        for (uint64_t i = from; i < count; i++)
            ck_assert_double_eq(list[i - from], pe_positions_at(pos, i));
    }
    positions_free(pos);
}
END_TEST

static const struct {
    const char *encoding, *query;
} cases[] = {
    {"alibi", "heads=3"},
    {"alibi", "heads=4&dtype=bf16"},
    {"alibi", "heads=6&distance_kind=signed&dtype=f16"},
    {"alibi", "heads=3&dtype=f64"},
    {"alibi", "heads=5&causal=1&future=masked"},
    {"alibi", "heads=2&distance_kind=tril"},
    {"alibi", "heads=2&distance_kind=key-index&dtype=bf16"},
    {"t5", "out=bias&table=f32:32x3"},
    {"t5", "out=bias&table=f32:33x2&convention=tupe&dtype=bf16"},
    {"t5", "out=buckets&max_distance=500"},
    {"kerple", "a=0.5,1&p=1,0.5"},
    {"sandwich", "heads=2&dim=8"},
};

static void print_list(char *text, size_t size, const int64_t *values)
{
    size_t len = 0;

    for (size_t i = 0; i < COUNT; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%lld", i ? "," : "",
                                (long long)values[i]);
}

START_TEST(each_element_is_that_of_its_query_and_key_alone)
{
    const struct pe_encoding *enc = core_query_find(cases[_i].encoding);
    struct core_random random = {(uint64_t)_i};
    static char q_text[COUNT * 12], k_text[COUNT * 12], query[3 * sizeof q_text];
    int64_t q[COUNT], k[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        q[i] = core_random_whole(&random, 0, i % 2 ? 1000 : 100000);
        k[i] = core_random_whole(&random, 0, i % 3 ? 1000 : 100000);
    }
    print_list(q_text, sizeof q_text, q);
    print_list(k_text, sizeof k_text, k);
    snprintf(query, sizeof query, "%s&q=%s&k=%s", cases[_i].query, q_text, k_text);
    struct pe_plan *plan = core_query_plan(enc, query);
    const struct pe_tensor_info *t = pe_plan_tensor(plan, 0);
    const size_t size = pe_dtype_size(t->dtype);
    const uint64_t heads = t->rows / COUNT;
    char *whole = core_query_bytes(plan, 0);

    for (int sample = 0; sample < SAMPLES; sample++) {
        const uint64_t i = (uint64_t)core_random_whole(&random, 0, COUNT - 1);
        const uint64_t j = (uint64_t)core_random_whole(&random, 0, COUNT - 1);

        snprintf(query, sizeof query, "%s&q=%lld&k=%lld", cases[_i].query, (long long)q[i],
                 (long long)k[j]);
        struct pe_plan *one = core_query_plan(enc, query);
        char *alone = core_query_bytes(one, 0);
        for (uint64_t head = 0; head < heads; head++)
            ck_assert_mem_eq(whole + ((head * COUNT + i) * COUNT + j) * size,
                             alone + head * size, size);
        free(alone);
        pe_plan_free(one);
    }
    free(whole);
    pe_plan_free(plan);
}
END_TEST

SUITE(scattered, TEST(the_array_has_the_positions_of_the_list),
      TEST_EACH(each_element_is_that_of_its_query_and_key_alone, cases));
