/* SPDX-License-Identifier: Apache-2.0
 * test_transformer_xl.c - Transformer-XL's scores: laws beyond the rows of transformer_xl.txt.
 * */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

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
             "len=3&out=raw_bd&w_r=1;2;3;4&queries=1;1;1&dtype=f64&distance_order=%s", order);
    raw = core_query_values("transformer-xl", query, "raw_bd", &count);
    snprintf(query, sizeof query, "len=3&out=table&dim=4&dtype=f64&distance_order=%s", order);
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

SUITE(transformer_xl, TEST(without_learned_vectors_and_keys_scores_are_the_shifted_raw_term),
      TEST_RANGE(raw_columns_are_products_with_the_rows_of_the_table, 0, 4));
