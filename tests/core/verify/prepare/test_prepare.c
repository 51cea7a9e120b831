/* SPDX-License-Identifier: Apache-2.0
 * test_prepare.c - what the tensors decide about a claim: positions that stand beside the
 * tables, and the number that hides a key. */
#include <math.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

START_TEST(position_ids_beside_the_tables_are_their_positions)
{
    static const int64_t ids[] = {0, 1, 0, 1, 2};
    struct verify_case made;

    verify_case_of(&made, "rope?dim=8&pos=0,1,0,1,2&out=cos,sin");
    verify_case_add(&made, "position_ids", PE_I64, 2, (const uint64_t[]){1, 5}, ids);
    verify_case_claim(&made, "rope?dim=8");
    ck_assert_str_eq(made.role[2].param->name, "pos");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

static const struct {
    const char *claim;
    double hidden;
    enum pe_verdict_kind kind;
} hidden[] = {
    {"causal-mask?len=3", -INFINITY, PE_EXACT},
    {"causal-mask?len=3", -1e9, PE_EXACT},
    {"causal-mask?len=3", -0x1.fffffep127, PE_EXACT},
    {"causal-mask?len=3", -3.4028235e38, PE_EXACT}, /* the same, printed */
    {"causal-mask?len=3&mask_value=-inf", -1e9, PE_MISTAKE},
    {"causal-mask?len=3", -1, PE_MISTAKE},
};

START_TEST(a_mask_hides_keys_by_any_very_negative_number_unless_the_claim_says_which)
{
    const double low = hidden[_i].hidden;
    const double mask[] = {0, low, low, 0, 0, low, 0, 0, 0};
    struct verify_case made = {.count = 0};

    verify_case_add(&made, "attention_mask", PE_F64, 2, (const uint64_t[]){3, 3}, mask);
    verify_case_claim(&made, hidden[_i].claim);
    ck_assert_str_eq(made.role[0].name, "additive");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, hidden[_i].kind);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_bias_may_hide_keys_by_infinity_and_a_table_may_begin_with_sines)
{
    struct verify_case made;

    verify_case_of(&made, "alibi?heads=2&len=4&causal=1&mask_value=-inf");
    verify_case_claim(&made, "alibi?heads=2&len=4&causal=1");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verify_case_free(&made);
    verdict = verify_case_compare("alibi?heads=2&len=4&causal=1&mask_value=-1e9",
                                  "alibi?heads=2&len=4"); /* the claim says nothing of it */
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verdict =
        verify_case_compare("alibi?heads=2&len=4&causal=1", "alibi?heads=2&len=4&causal=0");
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    pe_verdict_free(verdict);
    verdict = verify_case_compare("rope?dim=8&pos=0:9&out=table&table_order=sin-cos",
                                  "rope?dim=8&pos=0:9");
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verdict = verify_case_compare("rope?dim=8&pos=0:9&out=table&table_order=sin-cos",
                                  "rope?dim=8&pos=0:9&table_order=cos-sin");
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    pe_verdict_free(verdict);
}
END_TEST

SUITE(prepare, TEST(a_bias_may_hide_keys_by_infinity_and_a_table_may_begin_with_sines),
      TEST(position_ids_beside_the_tables_are_their_positions),
      TEST_EACH(a_mask_hides_keys_by_any_very_negative_number_unless_the_claim_says_which,
                hidden));
