/* SPDX-License-Identifier: Apache-2.0
 * test_findings.c - what is read of numbers is the same whatever memory there is, or there is
 * no verdict. */
#include "core/verify/solve/findings.h"

#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

/* Numbers of which each solver reads something. */
static const struct {
    const char *made, *claim, *axis;
} solved[] = {
    {"rope?dim=4&pos=0,1,1,1&out=cos,sin", "rope?dim=4&pos=0:4", "rows"},
    {"alibi?heads=4&len=3&slopes=1,1,1,1&out=bias", "alibi?heads=4&len=3", "heads"},
    {"alibi?heads=2&len=3&slopes=0.00390625,0.0625&out=bias", "alibi?heads=2&len=3", "heads"},
    {"sliding-window-mask?len=4&window=2&out=mask", "causal-mask?len=4", "mask"},
};

START_TEST(without_memory_nothing_else_is_read)
{
    struct verify_case made;
    bool fired = true;

    verify_case_of(&made, solved[_i].made);
    verify_case_claim(&made, solved[_i].claim);
    struct pe_verdict *right = verify_case_verdict(&made), *verdict;
    ck_assert_uint_gt(right->finding_count, 0);
    ck_assert_str_eq(right->finding[0].axis, solved[_i].axis);
    for (size_t n = 0; fired; n += 1 + n / 16) {
        struct pe_errors errors = {.count = 0};

        alloc_fail_start(n);
        enum pe_status status = verify_case_try(&made, &verdict, &errors);
        fired = alloc_fail_stop();
        if (status != PE_OK) {
            ck_assert_int_eq(status, PE_NO_MEMORY);
            continue;
        }
        ck_assert_str_eq(verdict->says, right->says);
        ck_assert_uint_eq(verdict->finding_count, right->finding_count);
        pe_verdict_free(verdict);
    }
    pe_verdict_free(right);
    verify_case_free(&made);
}
END_TEST

SUITE(findings, TEST_EACH(without_memory_nothing_else_is_read, solved));
