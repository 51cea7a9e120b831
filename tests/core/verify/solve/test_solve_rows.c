/* SPDX-License-Identifier: Apache-2.0
 * test_solve_rows.c - rows at the positions of faulty programs: what a verdict says of them,
 * and what it says of rows that are those of no position. */
#include "core/verify/solve/solve_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/cost.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

#define QWEN "rope?dim=128&base=1000000&"
#define TABLE "learned?table=f32[16,8]&"

/* Numbers of positions, a claim about them, the mistake that is found and what it says. */
static const struct {
    const char *made, *claim, *slug, *says, *found;
} rows[] = {
    /* The offset of a key-value cache counts the new token (fla#766, tiny-llm#46). */
    {QWEN "pos=0:20,21:33&out=cos,sin", QWEN "pos=0:32", "other-positions",
     "rows 20:32 are those of positions 21:33; the other rows are right", "0:20,21:33"},
    /* A step of generation does not see the cache (mlx-vlm#1983). */
    {QWEN "pos=0:20,0,0,0,0,0,0&out=cos,sin", QWEN "pos=0:26", "other-positions",
     "rows 20:26 are those of position 0; the other rows are right", "0:20,0,0,0,0,0,0"},
    /* A window of speculation has the position of its first token (omlx#2363). */
    {QWEN "pos=20,20,20,20&out=cos,sin", QWEN "pos=20:24", "other-positions",
     "every row is that of position 20", "20,20,20,20"},
    /* Left padding is not counted out (TransformerLens#1609). */
    {TABLE "pos=0:8&out=rows", TABLE "pos=0,0,0,0,1,2,3,4", "left-padding",
     "padding is counted as if it were tokens: rows 1:8 are those of positions 1:8; the other "
     "rows are right",
     "0:8"},
    {QWEN "pos=0:6,0:5&out=cos,sin", QWEN "pos=0:11", "packing-ignored",
     "positions begin anew where the claim's run on: positions begin anew at 0 after every 6: "
     "they are taken modulo 6",
     "0:6,0:5"},
    {QWEN "pos=3,1,0,2,5,4&out=cos", QWEN "pos=0:6", "rows-shuffled",
     "the rows are in another order: row 0 is that of position 3, row 2 is that of position 0, "
     "row 3 is that of position 2, and so on in 2 more runs of rows; the other rows are right",
     "3,1,0,2,5,4"},
    {QWEN "pos=0:8,8:20:2&out=cos,sin&dtype=bf16", QWEN "pos=0:14", "other-positions",
     "rows 8:14 are those of positions 8:20:2; the other rows are right", NULL},
    {QWEN "pos=32760:32768,-32768:-32764&out=cos,sin", QWEN "pos=32760:32772",
     "other-positions",
     "positions wrap to -32768 after 32767, as int16 does; the first row that is wrong is 8",
     "32760:32768,-32768:-32764"},
    {"rope/apply?pos=0:6,5:9&x=f32[2,10,16]&seq_axis=1&out=x", "rope/apply?pos=0:10&seq_axis=1",
     "other-positions", "rows 6:10 are those of positions 5:9; the other rows are right",
     "0:6,5:9"},
    {"sinusoidal?dim=16&pos=0:5,9:12&out=rows", "sinusoidal?dim=16&pos=0:8", "other-positions",
     "rows 5:8 are those of positions 9:12; the other rows are right", "0:5,9:12"},
    {"alibi?heads=4&q=0:6,9&k=0:12&out=bias&distance_kind=distance",
     "alibi?heads=4&q=0:7&k=0:12&distance_kind=distance", "other-positions",
     "row 6 is that of position 9; the other rows are right", "0:6,9"},
};

START_TEST(a_verdict_says_which_rows_are_those_of_which_positions)
{
    struct pe_verdict *verdict = verify_case_compare(rows[_i].made, rows[_i].claim);
    const struct pe_mistake *mistake = &verdict->explanation.mistake[0];

    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(mistake->slug, rows[_i].slug);
    ck_assert_str_eq(mistake->says, rows[_i].says);
    ck_assert_uint_ge(mistake->change_count, rows[_i].found ? 1 : 0);
    if (rows[_i].found)
        ck_assert_str_eq(mistake->change[0].found, rows[_i].found);
    pe_verdict_free(verdict);
}
END_TEST

static void expect_finding(const struct pe_verdict *verdict, size_t i, uint64_t from,
                           uint64_t to, bool right, const char *is)
{
    const struct pe_verify_finding *finding = &verdict->finding[i];

    ck_assert_str_eq(finding->axis, "rows");
    ck_assert_uint_eq(finding->from, from);
    ck_assert_uint_eq(finding->to, to);
    ck_assert_int_eq(finding->right, right);
    ck_assert_str_eq(finding->is, is);
}

/* Changes a row of all tensors. */
static void set_row(struct verify_case *made, uint64_t row, double first, double factor)
{
    for (size_t i = 0; i < made->count; i++) {
        const uint64_t cols = made->tensor[i].info.dims[1];

        for (uint64_t col = 0; col < cols; col++)
            verify_case_set(made, i, row * cols + col, first + factor * sin(7.0 * (double)col));
    }
}

START_TEST(numbers_that_nothing_explains_are_told_part_by_part)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=16&pos=0:8,9:12&out=cos,sin");
    set_row(&made, 3, 0.2, 0.3);
    set_row(&made, 5, 0, 0);
    verify_case_claim(&made, "rope?dim=16&pos=0:11");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    ck_assert_ptr_null(verdict->next_slug); /* nothing comes twice as near */
    ck_assert_uint_eq(verdict->finding_count, 6);
    expect_finding(verdict, 0, 0, 3, true, "positions 0:3");
    expect_finding(verdict, 1, 3, 4, false, "of no position");
    expect_finding(verdict, 2, 4, 5, true, "position 4");
    expect_finding(verdict, 3, 5, 6, false, "zeros");
    expect_finding(verdict, 4, 6, 8, true, "positions 6:8");
    expect_finding(verdict, 5, 8, 11, false, "positions 9:12");
    ck_assert_ptr_nonnull(strstr(verdict->says,
                                 ": row 3 is of no position, row 5 was never written: it is "
                                 "zero, rows 8:11 are those of positions 9:12; the other rows "
                                 "are right; the first element that differs is [3, 0]"));
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(rows_of_other_frequencies_are_those_of_no_position_and_of_them_nothing_is_said)
{
    struct pe_verdict *verdict = verify_case_compare(
        "rope?dim=16&base=777&pos=3:40&out=cos,sin", "rope?dim=16&pos=3:40");

    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    for (size_t i = 0; i < verdict->finding_count; i++)
        ck_assert_str_eq(verdict->finding[i].axis, "pairs");
    pe_verdict_free(verdict);
}
END_TEST

/* Reading takes no more than some comparisons of each row. */
START_TEST(reading_rows_takes_a_few_comparisons_of_each)
{
    enum { ROWS = 512, COMPARISONS = 10 };
    const struct pe_param *param;
    struct verify_case made;
    struct row_list list;
    struct claim claim;

    verify_case_of(&made, QWEN "pos=0:500,7:19&out=cos,sin");
    verify_case_claim(&made, QWEN "pos=0:512");
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    const double before = claim.operations;
    ck_assert(solve_rows(&list, base, &param));
    base->warped = true;
    ck_assert_double_lt(claim.operations - before,
                        COMPARISONS * ROWS * (cost_of_row(base, 0) + cost_of_row(base, 1)));
    ck_assert_uint_eq(row_list_right(&list), 500);
    row_list_fini(&list);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

/* Numbers of no position are held against every row that may be meant: 65 million times, if
 * that had no end. */
START_TEST(reading_rows_ends_after_counted_operations)
{
    enum { ROWS = 8000 };
    const struct pe_param *param;
    struct verify_case made;
    struct row_list list;
    struct claim claim;

    verify_case_of(&made, "alibi?heads=1&q=0:8000&k=0:1&out=bias");
    for (uint64_t i = 0; i < ROWS; i++)
        if (i % 3 > 0)
            verify_case_set(&made, 0, i, -(double)(i * 7919 % 8191) - 0.3);
    verify_case_claim(&made, "alibi?heads=1&q=0:8000&k=0:1");
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    ck_assert(!solve_rows(&list, base, &param));
    ck_assert_double_lt(claim.operations, 3e8);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

SUITE(solve_rows, TEST(reading_rows_ends_after_counted_operations),
      TEST_EACH(a_verdict_says_which_rows_are_those_of_which_positions, rows),
      TEST(numbers_that_nothing_explains_are_told_part_by_part),
      TEST(rows_of_other_frequencies_are_those_of_no_position_and_of_them_nothing_is_said),
      TEST(reading_rows_takes_a_few_comparisons_of_each));
