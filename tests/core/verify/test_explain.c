/* SPDX-License-Identifier: Apache-2.0
 * test_explain.c - the sentence of a verdict. */
#include "core/verify/explain.h"

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

START_TEST(one_tensor_of_cosines_and_sines_is_said_as_one)
{
    static const float parts[] = {1, 0, 1, 0}; /* of position 0 */
    struct verify_case made = {.count = 0};

    verify_case_add(&made, "freqs_cis", PE_F32, 3, (const uint64_t[]){1, 2, 2}, parts);
    verify_case_claim(&made, "rope?dim=4&pos=0:1");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_str_eq(verdict->says,
                     "freqs_cis is exact: every element is the claim's number rounded once");
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(explain, TEST(one_tensor_of_cosines_and_sines_is_said_as_one));
