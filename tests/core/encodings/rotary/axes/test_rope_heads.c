/* SPDX-License-Identifier: Apache-2.0
 * test_rope_heads.c - each head of a tensor turns as it would turn alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { HEADS = 3, TOKENS = 2, DIM = 4, QUERY_MAX = 300 };

static double *turned(const char *query, const double *x)
{
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    struct pe_plan *plan = core_query_plan(core_query_find("rope-heads/apply"), query);
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

/* The query of all heads, and how one of them is asked for alone. */
static const struct {
    const char *all, *one[HEADS];
} cases[] = {
    {"head_ratios=1,2.5,8&pos=3,-70",
     {"head_ratios=1&pos=%s", "head_ratios=2.5&pos=%s", "head_ratios=8&pos=%s"}},
    {"head_section=1,1,1&pos.t=3,-70&pos.h=3,-70&pos.w=3,-70",
     {"pos=%s", "head_section=0,1&pos=%s", "head_ratios=1&pos=%s"}},
    {"max_ratio=4&pos=3,-70", {"pos=%s", "head_ratios=2&pos=%s", "head_ratios=3&pos=%s"}},
};

START_TEST(each_head_turns_as_it_would_alone)
{
    static const char *const places[TOKENS] = {"3", "-70"};
    double x[TOKENS * HEADS * DIM];
    char query[QUERY_MAX], form[QUERY_MAX];

    for (size_t i = 0; i < TOKENS * HEADS * DIM; i++)
        x[i] = (double)(i * 7 % 23) / 4 - 2.5;
    snprintf(query, sizeof query, "x=f64:2x3x4&seq_axis=0&heads=3&%s", cases[_i].all);
    double *all = turned(query, x);
    for (size_t v = 0; v < TOKENS * HEADS; v++) {
        snprintf(form, sizeof form, "x=f64:4&heads=1&%s", cases[_i].one[v % HEADS]);
        char *at = strstr(form, "%s");
        snprintf(query, sizeof query, "%.*s%s", (int)(at - form), form, places[v / HEADS]);
        double *one = turned(query, x + DIM * v);

        for (size_t i = 0; i < DIM; i++)
            ck_assert_double_eq(all[DIM * v + i], one[i]);
        free(one);
    }
    free(all);
}
END_TEST

SUITE(rope_heads, TEST_EACH(each_head_turns_as_it_would_alone, cases));
