/* SPDX-License-Identifier: Apache-2.0
 * test_kerple.c - kernels of the distance: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"kerple", "q=100&k=100,99,98,90,0&a=.5&p=1", "bias",
     "0 -.405465 -.693147 -1.79176 -3.93183"},
    {"kerple", "q=100&k=100,99,98,96,91,0&kind=power&a=.1&p=.5", "bias",
     "0 -.100000 -.141421 -.200000 -.300000 -1.00000"},
    {"kerple", "q=0&k=0,1,3&kind=power&a=1,2&p=1,2", "bias", "0 -1 -3 0 -2 -18"},
    {"kerple", "q=1&k=0&out=weight&a=.01&p=.5", "weight", ".990050"},
    {"kerple", "q=1&k=0,1,2&causal=1&mask_value=-inf&a=.5&p=1", "bias", "-.405465 0 -inf"},
    {"kerple", "q=1&k=0,1,2&causal=1&future=zero&a=.5&p=1", "bias", "-.405465 0 0"},
    {"kerple", "q=1&k=0&a=1e-9&p=1&dtype=f64", "bias", "-9.999999995000000e-10"},
    {"kerple", "q=1&k=0&a=1e-17&p=2&dtype=f64", "bias", "-2e-17"},
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
    {"kerple",
     {"len=4&a=1,2&p=1", PE_CONFLICT, "p", "must have one number a head, as a, 2; got 1", ""}},
    {"kerple",
     {"len=4&a=1&p=3&kind=power", PE_CONFLICT, "p", "must be at most 2 as an exponent; got 3",
      ""}},
    {"kerple",
     {"len=4&a=1&p=3&out=weight", PE_CONFLICT, "p", "must be at most 2 as an exponent; got 3",
      ""}},
    {"kerple",
     {"len=4&a=1&p=1&out=weight&causal=1", PE_CONFLICT, "causal", "has no effect on out=weight",
      "out=bias uses it"}},
    {"kerple", {"len=4&a=0&p=1", PE_OUT_OF_RANGE, "a", "must be", ""}},
    {"kerple",
     {"len=4&a=1&p=1&future=zero", PE_CONFLICT, "future", "has no effect without causal=1",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(weights_are_exponentials_of_the_powers)
{
    double *power = core_query_values("kerple", "len=50&a=.03,.2&p=.7,2&kind=power&dtype=f64",
                                      "bias", NULL);
    double *weight = core_query_values("kerple", "len=50&a=.03,.2&p=.7,2&out=weight&dtype=f64",
                                       "weight", NULL);

    for (int i = 0; i < 2 * 50 * 50; i++)
        ck_assert(fabs(weight[i] - exp(power[i])) <= 0x1p-42 * weight[i]);
    free(power);
    free(weight);
}
END_TEST

START_TEST(a_large_exponent_of_log_is_a_factor)
{
    double *once = core_query_values("kerple", "len=9&a=2&p=1&dtype=f64", "bias", NULL);
    double *more = core_query_values("kerple", "len=9&a=2&p=1024&dtype=f64", "bias", NULL);

    for (int i = 0; i < 81; i++)
        ck_assert(more[i] == 1024 * once[i]);
    free(once);
    free(more);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(weights_are_exponentials_of_the_powers),
    TEST(a_large_exponent_of_log_is_a_factor),
};

const struct suite kerple_suite = {SUITE_TESTS(tests)};
