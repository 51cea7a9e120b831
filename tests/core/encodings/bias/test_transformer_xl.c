/* SPDX-License-Identifier: Apache-2.0
 * test_transformer_xl.c - Transformer-XL's scores: worked examples, laws, refusals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"transformer-xl", "q=2:4&k=0:4", "distance", "2 1 0 -1 3 2 1 0"},
    {"transformer-xl", "q=2:4&k=0:4&clamp_len=1", "distance", "1 1 0 -1 1 1 1 0"},
    {"transformer-xl",
     "len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&u=1,2&v=0.5,0.25", "scores",
     "6.71751 3.73969 7.09679 6.01041"},
    {"transformer-xl", "len=2&out=raw_bd&order=xlnet&w_r=1,2;3,4&queries=1,0;0,1&v=1,0",
     "raw_bd", "-.678286 4.92476 6 1.55887 -.185136 6.30653 7 1.25770"},
    {"transformer-xl",
     "q=2&k=0:3&out=raw_bd&w_r=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1&queries=1,0,0,1", "raw_bd",
     "1.909097 1.841421 1"},
    {"transformer-xl", "len=3&out=table&dim=4", "table",
     ".909297 .0199987 -.416147 .999800 .841471 .00999983 .540302 .999950 0 0 1 1"},
    {"transformer-xl", "len=3&out=table&dim=2&clamp_len=1", "table",
     ".841471 .540302 .841471 .540302 0 1"},
    {"transformer-xl", "q=1&k=0:2&out=table&dim=2&order=xlnet", "table",
     ".909297 -.416147 .841471 .540302 0 1"},
    {"transformer-xl", "q=0:2&k=0:1&out=table&dim=2&order=xlnet&bi_data=1", "table",
     ".841471 .540302 -.841471 .540302 0 1 0 1 -.841471 .540302 .841471 .540302"},
    {"transformer-xl", "q=0:2&k=0:1&out=table&dim=2&order=xlnet&attn_type=uni&bi_data=1",
     "table", ".841471 .540302 -.841471 .540302 0 1 0 1"},
    {"transformer-xl", "len=2&out=table&dim=4&order=conformer", "table",
     ".841471 .540302 .00999983 .999950 0 1 0 1 -.841471 .540302 -.00999983 .999950"},
    {"transformer-xl",
     "len=2&out=scores&scale=1&w_r=0,0;0,0&queries=1,0;0,1&keys=0,0;0,0&seg_embed=1,2;3,4&"
     "r_s_bias=1,1&q_segment_ids=0,1",
     "scores", "4 10 11 5"},
    {"transformer-xl",
     "q=0&k=0:3&out=scores&scale=1&w_r=0,0;0,0&queries=1,0&keys=0,0;0,0;0,0&"
     "seg_embed=1,2;3,4&q_segment_ids=7&k_segment_ids=7,2,7",
     "scores", "1 3 1"},
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
    {"transformer-xl",
     {"len=2&out=scores&w_r=1,2,3;4,5,6&queries=1,0;0,1&keys=1,1;2,0", PE_CONFLICT, "w_r",
      "must have an even count of rows (d_model) of 2 elements, heads times dim; "
      "got 2 of 3",
      ""}},
    {"transformer-xl",
     {"len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&u=1", PE_CONFLICT, "u",
      "must have a row a head, 1, of 2 elements; got 1 of 1", ""}},
    {"transformer-xl",
     {"len=2&out=raw_bd&w_r=1,2;3,4&queries=1,0;0,1&v=1,2,3", PE_CONFLICT, "v",
      "must have a row a head, 1, of 2 elements; got 1 of 3", ""}},
    {"transformer-xl",
     {"q=0,1&k=0:3&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0", PE_CONFLICT, "keys",
      "must hold 3 keys along axis 1; got 2", ""}},
    {"transformer-xl",
     {"q=0,1000000000&k=0&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1", PE_TOO_LARGE, "w_r",
      "products for all distances", ""}},
    {"transformer-xl",
     {"len=2&order=xlnet", PE_CONFLICT, "order", "has no effect on out=distance",
      "out=raw_bd uses it"}},
    {"transformer-xl",
     {"len=2&out=table&dim=4&attn_type=uni", PE_CONFLICT, "attn_type",
      "has no effect with order=transformer-xl; xlnet has it", ""}},
    {"transformer-xl",
     {"len=2&out=table&dim=4&bi_data=1&order=conformer", PE_CONFLICT, "bi_data",
      "has no effect with order=conformer; xlnet has it", ""}},
    {"transformer-xl",
     {"q=0:1&k=0:2&out=table&dim=4&order=conformer", PE_CONFLICT, "order",
      "conformer has as many queries as keys; got 1 and 2", ""}},
    {"transformer-xl",
     {"len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&q_segment_ids=0,1",
      PE_CONFLICT, "q_segment_ids", "has no effect without seg_embed", ""}},
    {"transformer-xl",
     {"len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&"
      "seg_embed=1,2&q_segment_ids=0,1",
      PE_CONFLICT, "seg_embed", "must have 2 rows of 2 elements, heads times dim; got 1 of 2",
      ""}},
    {"transformer-xl",
     {"len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&seg_embed=1,2;3,4",
      PE_CONFLICT, "q_segment_ids", "must have a number a query, 2, with seg_embed; got 0",
      ""}},
    {"transformer-xl",
     {"len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&"
      "seg_embed=1,2;3,4&q_segment_ids=0,1&k_segment_ids=0,1,1",
      PE_CONFLICT, "k_segment_ids", "must have a number a key, 2; got 3", ""}},
    {"transformer-xl",
     {"len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&"
      "seg_embed=1,2;3,4&q_segment_ids=0,1&r_s_bias=1",
      PE_CONFLICT, "r_s_bias", "must have a row a head, 1, of 2 elements; got 1 of 1", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(without_learned_vectors_and_keys_scores_are_the_shifted_raw_term)
{
    static const char rest[] = "&w_r=1,2;3,4&queries=1,2;3,4;5,6&dtype=f64";
    char query[160];
    double *raw, *scores;

    snprintf(query, sizeof query, "len=3&out=raw_bd%s", rest);
    raw = core_query_values("transformer-xl", query, "raw_bd", NULL);
    snprintf(query, sizeof query, "len=3&out=scores&scale=1&keys=0,0;0,0;0,0%s", rest);
    scores = core_query_values("transformer-xl", query, "scores", NULL);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            ck_assert(scores[3 * i + j] == raw[3 * i + j + 2 - i]);
    free(raw);
    free(scores);
}
END_TEST

START_TEST(moving_queries_and_keys_together_changes_nothing)
{
    static const char rest[] =
        "&out=scores&w_r=1,2;3,4&u=1,2&v=3,4&queries=1,2;3,4&keys=5,6;7,8";
    char query[160];
    double *here, *there;

    snprintf(query, sizeof query, "q=1,2&k=0,1%s", rest);
    here = core_query_values("transformer-xl", query, "scores", NULL);
    snprintf(query, sizeof query, "q=1001,1002&k=1000,1001%s", rest);
    there = core_query_values("transformer-xl", query, "scores", NULL);
    for (int i = 0; i < 4; i++)
        ck_assert(here[i] == there[i]);
    free(here);
    free(there);
}
END_TEST

START_TEST(raw_columns_are_products_with_the_rows_of_the_table)
{
    static const char *const orders[] = {"transformer-xl", "xlnet", "xlnet&attn_type=uni",
                                         "conformer"};
    const char *order = orders[_i];
    bool in_turn = strcmp(order, "conformer") == 0;
    size_t count;
    char query[160];
    double *raw, *table;

    snprintf(query, sizeof query,
             "len=3&out=raw_bd&w_r=1;2;3;4&queries=1;1;1&dtype=f64&order=%s", order);
    raw = core_query_values("transformer-xl", query, "raw_bd", &count);
    snprintf(query, sizeof query, "len=3&out=table&dim=4&dtype=f64&order=%s", order);
    table = core_query_values("transformer-xl", query, "table", NULL);
    for (size_t c = 0; c < count / 3; c++) {
        const double *row = table + 4 * c;
        double sum = in_turn ? row[0] + 2 * row[2] + 3 * row[1] + 4 * row[3]
                             : row[0] + 2 * row[1] + 3 * row[2] + 4 * row[3];

        ck_assert_double_eq_tol(raw[c], sum, 1e-14);
    }
    free(raw);
    free(table);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(without_learned_vectors_and_keys_scores_are_the_shifted_raw_term),
    TEST(moving_queries_and_keys_together_changes_nothing),
    TEST_RANGE(raw_columns_are_products_with_the_rows_of_the_table, 0, 4),
};

const struct suite transformer_xl_suite = {SUITE_TESTS(tests)};
