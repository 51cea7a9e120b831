/* SPDX-License-Identifier: Apache-2.0
 * test_lookup_bias.c - biases by columns of a table, whose numbers the plan keeps or not, are
 * the elements that each pair has alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { DRAWS = 30, ALONE = 300 };

#define T5 "t5", "out=bias&num_buckets=8&max_distance=20&"
static const struct {
    const char *encoding, *query, *more;
} cases[] = {
    {T5, "len=140&table=f32:8x3"}, /* differences are kept */
    {T5, "q=5:700:5&k=-30:600:5&table=bf16:8x2&bias_scale=0.3&head_dim=3&bidirectional=0"},
    {T5, "len=90&table=f64:9x2&convention=tupe"}, /* pairs are kept */
    /* clamped differences are kept */
    {T5, "q=3,1,7,100,50&k=0:9000&table=f16:8x3&bias_scale=3"},
    {T5, "q=-9:9&k=5,-3:9:2,40,-40,7,1000000000,21,-20,19&table=f64:8x2&bidirectional=0"},
    {T5, "q=9007199254740990,9007199254740975,9007199254740960:9007199254740970&"
         "k=9007199254740992,9007199254740960:9007199254740990:3&table=f32:8x2"},
    {T5, "q=9007199254740990,9007199254740985:9007199254740992&"
         "k=9007199254740992,9007199254740985:9007199254740992,9007199254740986&table=f32:8x2"},
    {T5, "q=3,1,7,100,50&k=0:9000,1e12&table=f32:8x3"}, /* rows are made anew: too far */
    {T5, "q=10&k=0:40&table=f32:8x3"},
    {"t5", "out=bias&num_buckets=4096&max_distance=9000&", /* longer rows than the scratch */
     "q=0:20&k=-8500:8500&table=f32:4096x1"},
    {"swin", "", "window_size=7x9&out=bias&table=f32:221x3"},
    {"swin", "", "window_size=38x39&out=bias&table=f16:5775x2"}, /* too many pairs to keep */
    {"beit-index", "", "window_size=5x6&out=bias&table=f32:102x3"},
    {"levit-bias", "", "resolution=8x6&query_stride=2&out=bias&table=f32:3x48"},
    {"levit-bias", "", "resolution=257x256&out=bias&query_stride=50000&table=f32:1x65792"},
    {"swinv2", "", "window_size=6x7&out=bias&w1=1,2;3,-1&w2=1,1;0.5,-1"},
};

/* Elements one by one: too few for a column, so by the definition. */
static void check_alone(const struct pe_plan *plan, const unsigned char *all,
                        struct core_random *random)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, 0);
    const size_t size = pe_dtype_size(tensor->dtype);

    for (int i = 0; i < ALONE; i++) {
        struct pe_rect one = {.rows = 1, .cols = 1};
        unsigned char *element;

        one.row = (uint64_t)core_random_whole(random, 0, (int64_t)tensor->rows - 1);
        one.col = (uint64_t)core_random_whole(random, 0, (int64_t)tensor->cols - 1);
        element = core_query_part(plan, tensor, &one);
        ck_assert_msg(
            memcmp(element, all + (one.row * tensor->cols + one.col) * size, size) == 0,
            "row %llu, column %llu", (unsigned long long)one.row, (unsigned long long)one.col);
        free(element);
    }
}

static void check_parts(const struct pe_plan *plan, const unsigned char *all,
                        struct core_random *random)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, 0);
    const size_t size = pe_dtype_size(tensor->dtype);

    for (int i = 0; i < DRAWS; i++) {
        struct pe_rect rect;
        unsigned char *part;

        rect.row = (uint64_t)core_random_whole(random, 0, (int64_t)tensor->rows - 1);
        rect.rows = (uint64_t)core_random_whole(random, 1, (int64_t)(tensor->rows - rect.row));
        rect.col = (uint64_t)core_random_whole(random, 0, (int64_t)tensor->cols - 1);
        rect.cols = (uint64_t)core_random_whole(random, 1, (int64_t)(tensor->cols - rect.col));
        part = core_query_part(plan, tensor, &rect);
        for (uint64_t r = 0; r < rect.rows; r++)
            ck_assert_mem_eq(part + r * rect.cols * size,
                             all + ((rect.row + r) * tensor->cols + rect.col) * size,
                             rect.cols * size);
        free(part);
    }
}

START_TEST(each_element_is_what_its_pair_has_alone)
{
    static const char *const dtypes[] = {"f32", "bf16", "f16", "f64"};
    struct core_random random = {(uint64_t)_i};

    for (size_t d = 0; d < 4; d++) {
        char query[200];
        struct pe_plan *plan;
        unsigned char *all;

        snprintf(query, sizeof query, "%s%s&dtype=%s", cases[_i].query, cases[_i].more,
                 dtypes[d]);
        plan = core_query_plan(core_query_find(cases[_i].encoding), query);
        all = core_query_bytes(plan, 0);
        check_alone(plan, all, &random);
        check_parts(plan, all, &random);
        free(all);
        pe_plan_free(plan);
    }
}
END_TEST

/* An answer so long that it goes past the caches. */
START_TEST(long_answers_are_the_same)
{
    struct core_random random = {7};
    struct pe_plan *plan = core_query_plan(
        core_query_find("t5"), "out=bias&len=1050&num_buckets=8&max_distance=20&table=f32:8x2");
    unsigned char *all = core_query_bytes(plan, 0);

    check_alone(plan, all, &random);
    free(all);
    pe_plan_free(plan);
}
END_TEST

START_TEST(the_numbers_that_are_kept_count_as_planning)
{
    static const struct {
        const char *encoding, *query, *more;
        bool heavy;
    } plans[] = {
        {T5, "len=140&table=f32:8x3", false},
        {T5, "len=700&table=f32:9x3&convention=tupe", true},
        {T5, "len=1500&table=f32:9x3&convention=tupe", false}, /* too many pairs to keep */
        {T5, "q=0:1000&k=0:200000&table=f32:8x1", true},
        {"t5", "", "q=0:1000&k=0:300000&bidirectional=0&dtype=u8", true},
        {"swin", "", "window_size=26x26&out=index", false},
        {"swin", "", "window_size=26x26&out=bias&table=f32:2601x3", false},
        {"swinv2", "", "window_size=26x26&out=bias&w1=1,2;3,-1&w2=1,1;0.5,-1", true},
        {"deberta", "", "len=4000", true},
        {"deberta", "", "len=4000&position_buckets=-1&max_relative_positions=-1", false},
    };

    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        char query[200];
        struct pe_args *args;

        snprintf(query, sizeof query, "%s%s", plans[i].query, plans[i].more);
        args = core_query_checked(core_query_find(plans[i].encoding), query);
        ck_assert_msg(pe_args_heavy(args) == plans[i].heavy, "%s", query);
        pe_args_free(args);
    }
}
END_TEST

SUITE(lookup_bias, TEST_EACH(each_element_is_what_its_pair_has_alone, cases),
      TEST(long_answers_are_the_same), TEST(the_numbers_that_are_kept_count_as_planning));
