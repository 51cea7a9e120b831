/* SPDX-License-Identifier: Apache-2.0
 * test_learned.c - worked examples of lookups and offsets, laws, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *numbers;
} examples[] = {
    {"table=1,2;3,5&pos=1,0", "3 5 1 2"},
    {"table=1,2;3,5&pos=0&offset=1", "3 5"},
    {"table=1,2;3,5&pos=1&offset=-1&convention=gpt2", "1 2"},
    {"table=1,2;3,5&pos=-5,0,1,9&out_of_range=clamp", "1 2 1 2 3 5 3 5"},
    {"table=1,2;3,5&pos=-1,2,3&out_of_range=wrap", "3 5 1 2 3 5"},
    {"table=1,2;3,5&pos=-1,1,2&out_of_range=zero", "0 0 3 5 0 0"},
    {"table=1,2;3,5&pos=0:4&out_of_range=hierarchical", "1 2 3 5 2.33333 4 4.33333 7"},
    {"table=1,2;3,5&pos=3&out_of_range=hierarchical&alpha=0.25&dtype=f64",
     "3.6666666666666667 6"},
    /* the first token of each convention, and its padding */
    {"table=0;1;2;3;4&attention_mask=0,1,1;1,1,1&convention=roberta", "1 2 3 2 3 4"},
    {"table=0;1;2;3;4&attention_mask=1,1,0&convention=roberta&zero_padding_row=1", "2 3 0"},
    {"table=0;1;2;3;4&attention_mask=0,1,0&convention=fairseq&padding_idx=3", "3 4 3"},
    {"table=0;1;2;3;4&attention_mask=0,1,1&convention=opt", "1 2 3"},
    {"table=0;1;2;3;4&pos=0:3&convention=bart", "2 3 4"},
    {"table=0;1;2;3;4&pos=0:2&convention=opt", "2 3"},
    {"table=7;1;2&pos=0:3&zero_padding_row=1&padding_idx=0", "0 1 2"},
    {"table=3,4;6,8;0,0&pos=0:3&l2norm=1", "0.600000 0.800000 0.600000 0.800000 0 0"},
    {"table=3,4;6,8&pos=1&l2norm=1&scale=10", "6 8"},
    {"table=3,4;6,8&pos=1&scale=0.5", "3 4"},
    {"table=3,4;6,8&pos=0&scale=rsqrt_dim", "2.121320 2.828427"},
    {"table=1,2,3,4;5,6,7,8&pos=1&scale=rsqrt_dim", "2.5 3 3.5 4"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("learned", examples[_i].query, "rows", examples[_i].numbers);
}
END_TEST

/* Beyond the table the mixture is continuous in nothing, but within it is the table itself. */
START_TEST(the_table_itself_is_what_its_hierarchy_begins_with)
{
    double *table = core_query_values("learned", "table=f32:7x5&pos=0:7", "rows", NULL);
    double *mixed = core_query_values(
        "learned", "table=f32:7x5&pos=0:49&out_of_range=hierarchical", "rows", NULL);

    for (size_t i = 0; i < 35; i++)
        ck_assert_double_eq(mixed[i], table[i]);
    for (size_t i = 35; i < 245; i++) { /* position i / 5 = 7 high + low */
        size_t low = i / 5 % 7 * 5 + i % 5, high = i / 35 * 5 + i % 5;
        double step = (table[high] - table[i % 5]) * (0.4 / 0.6);

        ck_assert_double_eq_tol(mixed[i], table[low] + step, 1e-6);
    }
    free(table);
    free(mixed);
}
END_TEST

START_TEST(rows_of_length_one_have_length_one_at_any_size)
{
    static const char *const tables[] = {"3e-30,4e-30;1,0", "3e30,4e30;1,0", "f64:2x700"};

    for (size_t t = 0; t < PE_LEN(tables); t++) {
        char query[96];
        size_t count;
        double *rows, squares = 0;

        snprintf(query, sizeof query, "table=%s&pos=0&l2norm=1&dtype=f64", tables[t]);
        rows = core_query_values("learned", query, "rows", &count);
        for (size_t i = 0; i < count; i++)
            squares += rows[i] * rows[i];
        if (t > 0) /* below 1e-12 nothing is made longer than x / 1e-12 */
            ck_assert_double_eq_tol(squares, 1, 1e-14);
        else
            ck_assert_double_lt(squares, 1e-30);
        free(rows);
    }
}
END_TEST

START_TEST(the_last_position_is_said)
{
    struct pe_plan *plan = core_query_plan(core_query_find("learned"),
                                           "table=f32:514x2&pos=0:512&convention=roberta");

    ck_assert_str_eq(pe_plan_fact(plan, 0)->name, "max_position");
    ck_assert_double_eq(pe_plan_fact(plan, 0)->number, 511);
    pe_plan_free(plan);
}
END_TEST

static const struct core_refusal refused[] = {
    {"pos=0", PE_MISSING_PARAMETER, "table", "is required", ""},
    {"table=1,2;3,5", PE_MISSING_PARAMETER, "pos", "is required, or attention_mask", ""},
    {"table=1,2&pos=0", PE_CONFLICT, "table", "must have 2 axes, rows,dim", ""},
    {"table=i64:2x2&pos=0", PE_CONFLICT, "table", "must hold reals", ""},
    {"table=f32:0x4&pos=0", PE_CONFLICT, "table", "none of them empty", ""},
    {"table=1,2;3,5&pos=0:3", PE_OUT_OF_RANGE, "pos",
     "must ask for positions 0..1, whose rows table has; got 2", ""},
    {"table=1,2;3,5&pos=-1:1", PE_OUT_OF_RANGE, "pos", "0..1, whose rows table has; got -1",
     ""},
    {"table=1,2;3,5&pos=0,4&out_of_range=hierarchical", PE_OUT_OF_RANGE, "pos",
     "0..3, whose rows alpha and table has; got 4", ""},
    {"table=f32:4x1&attention_mask=1,1,1&convention=roberta", PE_OUT_OF_RANGE, "attention_mask",
     "must ask for positions -2..1", ""},
    {"table=1,2;3,5&pos=0&attention_mask=1,1&convention=opt", PE_CONFLICT, "attention_mask",
     "give it or pos", ""},
    {"table=1,2;3,5&attention_mask=1,1", PE_CONFLICT, "attention_mask",
     "has no effect with convention=none", ""},
    {"table=f32:9x1&attention_mask=1,0.5&convention=opt", PE_BAD_VALUE, "attention_mask",
     "must hold 0 and 1; got 0.5", ""},
    {"table=f32:9x1&pos=0&convention=opt&offset=1", PE_CONFLICT, "offset",
     "is 2 by convention=opt; got 1", ""},
    {"table=1,2;3,5&pos=0&zero_padding_row=1", PE_MISSING_PARAMETER, "padding_idx",
     "is required with zero_padding_row", ""},
    {"table=1,2;3,5&pos=0&padding_idx=1", PE_CONFLICT, "padding_idx",
     "has no effect without zero_padding_row=1", ""},
    {"table=1,2;3,5&pos=0&alpha=0.3", PE_CONFLICT, "alpha",
     "has no effect with out_of_range=error", ""},
    {"table=1,2;3,5&pos=0&out_of_range=hierarchical&alpha=0.5", PE_OUT_OF_RANGE, "alpha",
     "must be between 0 and 1, and not 0.5", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("learned"), &refused[_i]);
}
END_TEST

/* A table decides no dtype and is no output: its answer is as that of other encodings. */
START_TEST(the_answers_dtype_does_not_follow_the_table)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find("learned"), "table=bf16:3x4&pos=0:2");

    ck_assert_uint_eq(pe_plan_tensor_count(plan), 1);
    ck_assert_int_eq(pe_plan_tensor(plan, 0)->dtype, PE_F32);
    pe_plan_free(plan);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST(the_table_itself_is_what_its_hierarchy_begins_with),
    TEST(rows_of_length_one_have_length_one_at_any_size),
    TEST(the_last_position_is_said),
    TEST(the_answers_dtype_does_not_follow_the_table),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite learned_suite = {SUITE_TESTS(tests)};
