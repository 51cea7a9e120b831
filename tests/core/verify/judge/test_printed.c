/* SPDX-License-Identifier: Apache-2.0
 * test_printed.c - numbers that were printed and read again are right, and those printed so of
 * another claim are not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

static const struct {
    const char *request, *claim, *format, *verdict;
} rows[] = {
    {"rope?dim=16&pos=0:12&out=cos,sin", "rope?dim=16&pos=0:12", "%.6f", "profile decimals=6"},
    {"rope?dim=16&pos=0:12&out=cos,sin", "rope?dim=16&pos=0:12", "%.3f", "profile decimals=3"},
    {"rope?dim=16&pos=0:12&out=cos,sin&dtype=f64", "rope?dim=16&pos=0:12", "%.5f",
     "profile decimals=5"},
    {"rope?dim=16&out=inv_freq", "rope?dim=16", "%.3e", "profile digits=4"},
    {"rope?dim=16&out=inv_freq&dtype=f64", "rope?dim=16", "%.4g", "profile digits=4"},
    {"sinusoidal?dim=16&pos=0:12", "sinusoidal?dim=16&pos=0:12", "%.4f", "profile decimals=4"},
    {"rope?dim=16&pos=0:12&out=cos,sin", "rope?dim=16&pos=1:13", "%.6f", "unexplained"},
};

START_TEST(printed_numbers_are_right_by_their_places)
{
    struct verify_case made;
    char number[40];

    verify_case_of(&made, rows[_i].request);
    for (size_t tensor = 0; tensor < made.count; tensor++)
        for (uint64_t i = 0; i < verify_case_elements(&made, tensor); i++) {
            snprintf(number, sizeof number, rows[_i].format, verify_case_get(&made, tensor, i));
            verify_case_set(&made, tensor, i, strtod(number, NULL));
        }
    verify_case_claim(&made, rows[_i].claim);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);

    ck_assert_msg(strcmp(text, rows[_i].verdict) == 0, "%s in %s is %s", rows[_i].request,
                  rows[_i].format, text);
    if (verdict->kind == PE_PROFILE)
        ck_assert_ptr_nonnull(strstr(verdict->says, "right; printed in "));
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(printed_numbers_are_right_by_their_places, rows),
};

const struct suite printed_suite = {SUITE_TESTS(tests), .timeout = 60};
