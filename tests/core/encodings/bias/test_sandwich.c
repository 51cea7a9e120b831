/* SPDX-License-Identifier: Apache-2.0
 * test_sandwich.c - sums of cosines as a bias: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"sandwich", "heads=8&q=10&k=9,0,10&dtype=f32", "bias",
     "-1.44662 -19.3409 0 -0.723309 -9.67045 0 -0.482206 -6.44697 0 -0.361655 -4.83523 "
     "0 -0.289324 -3.86818 0 -0.241103 -3.22348 0 -0.206660 -2.76299 0 -.180827 "
     "-2.41761 0"},
    {"sandwich", "heads=8&q=100&k=100,99,98,90,0&form=paper&out=bias", "bias",
     "64 62.0937 57.3819 42.8200 30.5435 32 31.046843 28.69093 21.410011 15.271728 "
     "21.333334 20.697895 19.127287 14.273341 10.181151 16 15.523421 14.345465 "
     "10.705006 7.635864 12.800000 12.418736 11.476372 8.564005 6.108691 10.666667 "
     "10.348948 9.563643 7.136671 5.090576 9.142858 8.870526 8.197409 6.117146 "
     "4.363351 8 7.761711 7.172732 5.352503 3.817932"},
    {"sandwich", "heads=1&q=1&k=2,0&dim=2&base=1e18&causal=1&mask_value=-inf", "bias",
     "-inf -6.25000e-38"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"sandwich", {"heads=2&len=4&dim=3", PE_OUT_OF_RANGE, "dim", "must be", ""}},
    {"sandwich",
     {"heads=2&len=4&future=zero", PE_CONFLICT, "future", "has no effect without causal=1",
      ""}},
    {"sandwich",
     {"heads=2&q=9007199254740992&k=0:2", PE_CONFLICT, "q",
      "must be less than 2^53 away from k", ""}},
    {"sandwich",
     {"heads=2&q=-4503599627370496&k=4503599627370496", PE_CONFLICT, "q",
      "must be less than 2^53 away from k", ""}},
    {"sandwich",
     {"len=4", PE_MISSING_PARAMETER, "heads", "is required: number of attention heads", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_forms_differ_by_a_constant_and_a_pair)
{
    double *nemo =
        core_query_values("sandwich", "heads=8&q=0&k=0:64&dim=2&dtype=f64", "bias", NULL);
    double *paper = core_query_values(
        "sandwich", "heads=8&q=0&k=0:64&dim=2&dtype=f64&form=paper", "bias", NULL);

    for (int d = 0; d < 64; d++) {
        ck_assert(fabs(nemo[d] - (cos(d * 1e-4) - 1)) < 0x1p-50);
        ck_assert(fabs(paper[d] - cos(d)) < 0x1p-50);
    }
    free(nemo);
    free(paper);
}
END_TEST

START_TEST(distances_just_below_the_largest_are_exact)
{
    double *far = core_query_values(
        "sandwich", "heads=1&q=4503599627370496&k=-4503599627370495&dim=2&dtype=f64", "bias",
        NULL);
    double *same = core_query_values(
        "sandwich", "heads=1&q=9007199254740991&k=0&dim=2&dtype=f64", "bias", NULL);

    ck_assert(far[0] == same[0]);
    free(far);
    free(same);
}
END_TEST

START_TEST(later_heads_fall_more_slowly)
{
    double *bias = core_query_values("sandwich", "heads=4&q=0&k=7&dtype=f64", "bias", NULL);

    ck_assert(bias[0] / 2 == bias[1] && bias[0] / 4 == bias[3]);
    free(bias);
}
END_TEST

/* *ns: what an element costs. */
static double *by_difference(const char *query, double *ns)
{
    struct pe_plan *plan = core_query_plan(core_query_find("sandwich"), query);
    double *values = core_query_doubles(plan, 0);

    *ns = pe_plan_cost_ns(plan, pe_plan_elements(plan)) / (double)pe_plan_elements(plan);
    pe_plan_free(plan);
    return values;
}

START_TEST(heads_share_a_sum_by_difference_too)
{
    enum { LEN = 200, COUNT = 2 * LEN - 1, HEADS = 8 };
    double shared, alone;
    double *many = by_difference("heads=8&len=200&out=toeplitz&dtype=f64", &shared);
    double *one = by_difference("heads=1&len=200&out=toeplitz&dtype=f64", &alone);
    double *bias =
        core_query_values("sandwich", "heads=8&q=0&k=-199:200&dtype=f64", "bias", NULL);

    for (size_t head = 0; head < HEADS; head++)
        for (size_t t = 0; t < COUNT; t++)
            ck_assert(many[head * COUNT + t] == bias[head * COUNT + COUNT - 1 - t]);
    for (size_t t = 0; t < COUNT; t++)
        ck_assert(one[t] == many[t] / 8); /* the first head's: the sum over 8 / heads */
    ck_assert(alone > 30 * 128 && shared < 100);
    free(many);
    free(one);
    free(bias);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_forms_differ_by_a_constant_and_a_pair),
    TEST(distances_just_below_the_largest_are_exact),
    TEST(heads_share_a_sum_by_difference_too),
    TEST(later_heads_fall_more_slowly),
};

const struct suite sandwich_suite = {SUITE_TESTS(tests)};
