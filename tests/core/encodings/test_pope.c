/* SPDX-License-Identifier: Apache-2.0
 * test_pope.c - polar tables: worked examples, a law, refusals. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"pope", "dim=4&out=inv_freq&dtype=f64", "inv_freq", "1 .1 .01 .001"},
    {"pope", "pos=0&dim=3", "cos", "1 1 1"},
    {"pope", "pos=1&dim=2&base=100&dtype=f64", "sin", "0.841470985 0.099833417"},
    {"pope", "pos=1&dim=2&base=100&bias=-1,-0.5;1,-9&dtype=f64", "cos",
     "1 0.921060994 0.540302306 0.995004165"},
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
    {"pope",
     {"pos=0&dim=2&bias=1", PE_CONFLICT, "bias", "must have dim numbers a row, 2; got 1", ""}},
    {"pope",
     {"pos=0", PE_MISSING_PARAMETER, "dim", "is required: width of a head before it is doubled",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(keys_without_a_bias_stand_where_queries_do)
{
    double *plain = core_query_values("pope", "pos=0:9&dim=3&dtype=f64", "sin", NULL);
    double *keys =
        core_query_values("pope", "pos=0:9&dim=3&bias=0,7,-7&dtype=f64", "sin", NULL);

    for (size_t i = 0; i < 27; i++)
        ck_assert(fabs(plain[i] - keys[i]) < 1e-15);
    free(plain);
    free(keys);
}
END_TEST

Suite *pope_suite(void);

Suite *pope_suite(void)
{
    Suite *suite = suite_create("pope");
    TCase *tests = tcase_create("pope");

    tcase_add_loop_test(tests, worked_examples_come_out, 0, PE_LEN(examples));
    tcase_add_loop_test(tests, wrong_requests_are_told_what_would_be_right, 0, PE_LEN(refused));
    tcase_add_test(tests, keys_without_a_bias_stand_where_queries_do);
    suite_add_tcase(suite, tests);
    return suite;
}
