/* SPDX-License-Identifier: Apache-2.0
 * test_learned.c - lookups and offsets: laws beyond the rows of learned.txt. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* Within the table the mixture is the table itself. */
START_TEST(the_hierarchy_begins_with_the_table_itself)
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
        if (t > 0) /* a norm below 1e-12 is taken as 1e-12 */
            ck_assert_double_eq_tol(squares, 1, 1e-14);
        else
            ck_assert_double_lt(squares, 1e-30);
        free(rows);
    }
}
END_TEST

/* The dtype of a table does not decide the dtype of the answer, and a table is no output. */
START_TEST(the_answers_dtype_does_not_follow_the_table)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find("learned"), "table=bf16:3x4&pos=0:2");

    ck_assert_uint_eq(pe_plan_tensor_count(plan), 1);
    ck_assert_int_eq(pe_plan_tensor(plan, 0)->dtype, PE_F32);
    pe_plan_free(plan);
}
END_TEST

SUITE(learned, TEST(the_hierarchy_begins_with_the_table_itself),
      TEST(rows_of_length_one_have_length_one_at_any_size),
      TEST(the_answers_dtype_does_not_follow_the_table));
