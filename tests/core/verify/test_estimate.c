/* SPDX-License-Identifier: Apache-2.0
 * test_estimate.c - a base that is on no list is found from the numbers. */
#include "core/verify/estimate.h"

#include <math.h>

#include "core/encoding.h"
#include "core/verify/observe.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

static const struct {
    const char *made, *claim;
    double claimed, within; /* the base of the claim; relative */
} tables[] = {
    {"rope?dim=128&base=123456.7&pos=0:8&out=cos,sin", "rope?dim=128&base=120000&pos=0:8",
     120000, 1e-6},
    {"rope?dim=128&base=123456.7&pos=0:64&out=cos,sin", "rope?dim=128&pos=0:64", 10000, 1e-6},
    {"rope?dim=128&base=123456.7&pos=0:64&out=cos,sin&dtype=bf16", "rope?dim=128&pos=0:64",
     10000, 1e-2},
    {"rope?dim=128&base=123456.7&pos=0:64&out=cos,sin&dtype=f16", "rope?dim=128&pos=0:64",
     10000, 1e-3},
};

/* A claim whose base is not that of the numbers. */
struct wrong {
    struct verify_case made;
    struct claim claim;
    const struct pe_param *base;
};

static void wrong_begin(struct wrong *wrong, int number)
{
    verify_case_of(&wrong->made, tables[number].made);
    verify_case_claim(&wrong->made, tables[number].claim);
    ck_assert(claim_init(&wrong->claim, wrong->made.claim, wrong->made.tensor,
                         wrong->made.count, wrong->made.role, NULL, &verify_case_limits));
    wrong->base = pe_param_find(wrong->made.enc, "base", 4);
}

static void wrong_end(struct wrong *wrong)
{
    claim_fini(&wrong->claim);
    verify_case_free(&wrong->made);
}

START_TEST(a_base_follows_from_frequencies_that_rows_show)
{
    struct wrong wrong;
    double w[64], value = 0;

    wrong_begin(&wrong, _i);
    struct candidate *base = candidate_new(&wrong.claim, NULL, NULL);
    ck_assert(observe_applies(base));
    ck_assert(observe_frequencies(base, (struct row_buffer){w, 64}));
    ck_assert(estimate_by_frequencies(&wrong.claim, NULL, wrong.base, tables[_i].claimed, w, 64,
                                      &value));
    ck_assert_msg(fabs(value / 123456.7 - 1) < 10 * tables[_i].within, "%.9g", value);
    candidate_free(base);
    wrong_end(&wrong);
}
END_TEST

START_TEST(a_base_follows_from_the_numbers_near_it)
{
    struct wrong wrong;
    double value = 0;

    wrong_begin(&wrong, _i);
    ck_assert(estimate_value(&wrong.claim, NULL, wrong.base, 120000, &value));
    ck_assert_msg(fabs(value / 123456.7 - 1) < tables[_i].within, "%.9g", value);
    wrong_end(&wrong);
}
END_TEST

static const struct {
    double value;
    int digits;
    double rounded;
} rounded[] = {
    {123456.7, 1, 1e5}, {123456.7, 4, 123500}, {123456.7, 9, 123456.7}, {-0.0456, 2, -0.046}};

START_TEST(a_value_is_rounded_to_significant_digits)
{
    ck_assert(estimate_round(rounded[_i].value, rounded[_i].digits) == rounded[_i].rounded);
}
END_TEST

SUITE(estimate, TEST_EACH(a_base_follows_from_frequencies_that_rows_show, tables),
      TEST_EACH(a_base_follows_from_the_numbers_near_it, tables),
      TEST_EACH(a_value_is_rounded_to_significant_digits, rounded));
