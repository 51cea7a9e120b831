/* SPDX-License-Identifier: Apache-2.0
 * test_shape_refuse.c - tensors of another shape than the claim's are refused by a sentence. */
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

START_TEST(a_shape_that_nothing_near_the_claim_has_is_refused_with_both_shapes)
{
    static const double zeros[35];
    struct verify_case made = {.enc = pe_find("rope", 4)};
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;

    verify_case_add(&made, "cos", PE_F64, 2, (const uint64_t[]){5, 7}, zeros);
    verify_case_claim(&made, "rope?dim=8&pos=0:4");
    ck_assert_int_eq(verify_case_try(&made, &verdict, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].parameter, "cos");
    ck_assert_str_eq(errors.at[0].detail, "must have the shape [4,4], or [4,8] with "
                                          "width=full, of the claim; the tensor has [5,7]");
    verify_case_free(&made);
}
END_TEST

START_TEST(a_row_that_is_no_column_of_the_claim_is_refused_by_its_width)
{
    struct verify_case made;
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;

    verify_case_of(&made, "rope?dim=32&pos=3&out=cos,sin");
    verify_case_claim(&made, "rope?dim=2&pos=0:16");
    ck_assert_int_eq(verify_case_try(&made, &verdict, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].detail,
                     "must have the shape [16,1] of the claim; the tensor has [1,16], as one "
                     "position of dim=32 has, or of dim=16 with full rows");
    verify_case_free(&made);
}
END_TEST

START_TEST(the_tensor_whose_shape_is_wrong_is_named)
{
    static const double zeros[16];
    struct verify_case made = {.enc = pe_find("rope", 4)};
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;

    verify_case_add(&made, "cos", PE_F64, 2, (const uint64_t[]){4, 4}, zeros);
    verify_case_add(&made, "sin", PE_F64, 2, (const uint64_t[]){3, 4}, zeros);
    verify_case_claim(&made, "rope?dim=8&pos=0:4");
    ck_assert_int_eq(verify_case_try(&made, &verdict, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].parameter, "sin");
    ck_assert_str_eq(errors.at[0].detail,
                     "must have the shape [4,4] of the claim; the tensor has [3,4]");
    verify_case_free(&made);
}
END_TEST

SUITE(shape_refuse, TEST(a_shape_that_nothing_near_the_claim_has_is_refused_with_both_shapes),
      TEST(a_row_that_is_no_column_of_the_claim_is_refused_by_its_width),
      TEST(the_tensor_whose_shape_is_wrong_is_named));
