/* SPDX-License-Identifier: Apache-2.0
 * test_seen.c - tests tables that are seen in another shape than they came in: squares on
 * their side, batches. */
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

/* Exchanges the rows and columns of a tensor of [rows, rows]. */
static void turn_square(struct verify_case *made, size_t tensor)
{
    const uint64_t rows = made->tensor[tensor].info.dims[0];

    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < i; j++) {
            const double kept = verify_case_get(made, tensor, i * rows + j);

            verify_case_set(made, tensor, i * rows + j,
                            verify_case_get(made, tensor, j * rows + i));
            verify_case_set(made, tensor, j * rows + i, kept);
        }
}

START_TEST(a_square_table_on_its_side_is_right)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=16&pos=0:8&out=cos,sin&dtype=f32");
    turn_square(&made, 0);
    turn_square(&made, 1);
    verify_case_claim(&made, "rope?dim=16&pos=0:8");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    ck_assert_str_eq(verdict->tensor[0].fits, "columns first");
    ck_assert_str_eq(verdict->tensor[1].fits, "columns first");
    pe_verdict_free(verdict);
    turn_square(&made, 1); /* beside one that stands there is none such */
    verdict = verify_case_verdict(&made);
    ck_assert_int_gt(verdict->kind, PE_PROFILE);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_batch_is_judged_by_the_positions_of_the_claim_for_each_sequence)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=64&pos=0:20,9:29&out=cos,sin&dtype=f32");
    for (size_t i = 0; i < made.count; i++) {
        made.tensor[i].info.rank = 3;
        memcpy(made.tensor[i].info.dims, (const uint64_t[]){2, 20, 32}, 3 * sizeof(uint64_t));
    }
    verify_case_claim(&made, "rope?dim=64&pos=0:20");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_ptr_nonnull(strstr(verdict->says, "rows 20:40 are those of positions 9:29"));
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(seen, TEST(a_square_table_on_its_side_is_right),
      TEST(a_batch_is_judged_by_the_positions_of_the_claim_for_each_sequence));
