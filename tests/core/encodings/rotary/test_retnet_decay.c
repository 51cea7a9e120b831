/* SPDX-License-Identifier: Apache-2.0
 * test_retnet_decay.c - retention: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"retnet-decay", "heads=4&out=gammas", "gammas", ".96875 .984375 .9921875 .99609375"},
    {"retnet-decay", "heads=1&len=3", "decay", "1 0 0 .96875 1 0 0.938477 .96875 1"},
    {"retnet-decay", "heads=1&q=2&k=0:3&row_norm=sqrt_sum", "decay",
     "0.550407 0.568162 0.586490"},
    {"retnet-decay", "heads=1&q=2&k=3:5&row_norm=sqrt_sum", "decay", "0 0"},
    {"retnet-decay", "heads=1&q=1&k=0:3&out=log_decay&mask_value=-inf", "log_decay",
     "-0.0317487 0 -inf"},
    {"retnet-decay", "dim=6&out=inv_freq&dtype=f64", "inv_freq", "1 0.01 0.0001"},
    {"retnet-decay", "dim=2&out=inv_freq", "inv_freq", "1"},
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
    {"retnet-decay", {"heads=1&q=0:2", PE_MISSING_PARAMETER, "k", "is required, or len", ""}},
    {"retnet-decay",
     {"len=4", PE_MISSING_PARAMETER, "heads", "is required: number of heads", ""}},
    {"retnet-decay",
     {"heads=41&len=4", PE_OUT_OF_RANGE, "heads", "must be a whole number, 1..40; got 41", ""}},
    {"retnet-decay",
     {"heads=1&len=4&out=log_decay&mask_value=1e300&dtype=f16", PE_CONFLICT, "mask_value",
      "must be within +-65504, the range of the dtype; got 1e+300", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(rows_are_over_the_root_of_their_sums_whatever_the_order_of_keys)
{
    static const char *const keys[] = {"0:7", "6,5,4,3,2,1,0", "0,2,4,6,1,3,5", "6:-1:-1"};

    for (size_t i = 0; i < PE_LEN(keys); i++) {
        char query[96];
        double sum = 0, *plain, *normal;

        snprintf(query, sizeof query, "heads=3&q=5&k=%s&dtype=f64", keys[i]);
        plain = core_query_values("retnet-decay", query, "decay", NULL);
        snprintf(query, sizeof query, "heads=3&q=5&k=%s&dtype=f64&row_norm=sqrt_sum", keys[i]);
        normal = core_query_values("retnet-decay", query, "decay", NULL);
        for (size_t head = 0; head < 3; head++) {
            sum = 0;
            for (size_t j = 0; j < 7; j++)
                sum += plain[7 * head + j];
            for (size_t j = 0; j < 7; j++)
                ck_assert(fabs(normal[7 * head + j] * sqrt(sum) - plain[7 * head + j]) < 1e-15);
        }
        free(plain);
        free(normal);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(rows_are_over_the_root_of_their_sums_whatever_the_order_of_keys),
};

const struct suite retnet_decay_suite = {SUITE_TESTS(tests)};
