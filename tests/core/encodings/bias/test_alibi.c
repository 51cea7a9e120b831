/* SPDX-License-Identifier: Apache-2.0
 * test_alibi.c - slopes and biases of ALiBi: the rules for head counts, and that every way to
 * ask for an entry gives the same bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* ---- slopes -------------------------------------------------------------------------- */

static double *slopes_of(int heads, const char *more)
{
    char query[100];

    snprintf(query, sizeof query, "heads=%d&out=slopes&dtype=f64%s", heads, more);
    return core_query_values("alibi", query, "slopes", NULL);
}

START_TEST(slopes_of_a_power_of_two_are_geometric)
{
    int heads = 1 << _i;
    double *slopes = slopes_of(heads, "");

    for (int h = 0; h < heads; h++)
        ck_assert_double_eq_tol(slopes[h], exp2(-8.0 * (h + 1) / heads), 0x1p-53);
    ck_assert(slopes[heads - 1] == 0x1p-8);
    free(slopes);
}
END_TEST

/* MPT takes the list of the next power of two, [odd indices | even indices], cut to the
 * heads. */
START_TEST(the_papers_rule_and_mpts_derivation_agree)
{
    static const int counts[] = {3, 6, 12, 20, 40, 71};
    int heads = counts[_i], above = 1, at = 0;
    double *paper = slopes_of(heads, ""), *mpt = slopes_of(heads, "&non_pow2=mpt");

    while (above < heads)
        above *= 2;
    for (int start = 1; start >= 0; start--) {
        for (int i = start; i < above && at < heads; i += 2, at++) {
            double slope = exp2(-8.0 * (i + 1) / above);

            ck_assert_double_eq_tol(paper[at], slope, slope * 0x1p-51);
            ck_assert(paper[at] == mpt[at]);
        }
    }
    free(paper);
    free(mpt);
}
END_TEST

/* ---- the same entries, asked in other ways ------------------------------------------- */

static const char *const shared[] = {
    "heads=6",
    "heads=4&causal=1",
    "heads=4&causal=1&future=zero&distance_kind=distance",
    "heads=4&distance_kind=signed&partial_heads=7",
    "heads=4&distance_kind=sqrt&causal=1&mask_value=-inf",
    "heads=4&distance_kind=tril",
    "heads=4&distance_kind=asymmetric",
    "heads=2&distance_kind=two-sided&slopes_left=.5,.25&slopes_right=1,2",
    "heads=3&slopes=0.1,0.2,0.3&length_scale=0.5&applies=before_scale&softmax_scale=0.125",
};
static const char *const dtypes[] = {"f64", "f32", "f16", "bf16"};

static double *values_of(const char *head, const char *tail, const char *dtype,
                         const char *output, size_t *count)
{
    char query[400];

    snprintf(query, sizeof query, "%s&%s&dtype=%s", head, tail, dtype);
    return core_query_values("alibi", query, output, count);
}

static size_t heads_of(const char *query)
{
    const char *all = strstr(query, "partial_heads=");

    return strtoul((all ? all : strstr(query, "heads=")) + (all ? 14 : 6), NULL, 10);
}

START_TEST(the_toeplitz_row_holds_the_diagonals_of_the_matrix)
{
    enum { QUERIES = 5, KEYS = 8, ROW = QUERIES + KEYS - 1 };
    const char *where = "q=3:8&k=0:8";

    for (size_t d = 0; d < PE_LEN(dtypes); d++) {
        size_t heads = heads_of(shared[_i]), count;
        double *bias = values_of(shared[_i], where, dtypes[d], "bias", &count);
        char asked[100];
        double *row;

        ck_assert_uint_eq(count, heads * QUERIES * KEYS);
        snprintf(asked, sizeof asked, "%s&out=toeplitz", where);
        row = values_of(shared[_i], asked, dtypes[d], "toeplitz", &count);
        ck_assert_uint_eq(count, heads * ROW);
        for (size_t h = 0; h < heads; h++) {
            for (size_t i = 0; i < QUERIES; i++) {
                for (size_t j = 0; j < KEYS; j++)
                    ck_assert(bias[(h * QUERIES + i) * KEYS + j] ==
                              row[h * ROW + i + (KEYS - 1 - j)]);
            }
        }
        free(bias);
        free(row);
    }
}
END_TEST

START_TEST(a_decode_row_is_the_last_row_of_the_square)
{
    enum { LEN = 9 };

    for (size_t d = 0; d < PE_LEN(dtypes); d++) {
        size_t heads = heads_of(shared[_i]);
        double *square = values_of(shared[_i], "len=9", dtypes[d], "bias", NULL);
        double *row = values_of(shared[_i], "q=8:9&k=0:9", dtypes[d], "bias", NULL);

        for (size_t h = 0; h < heads; h++)
            ck_assert_mem_eq(row + h * LEN, square + (h * LEN + LEN - 1) * LEN,
                             LEN * sizeof *row);
        free(square);
        free(row);
    }
}
END_TEST

START_TEST(scattered_positions_pick_entries_of_the_square)
{
    static const size_t q[] = {8, 1, 1, 5}, k[] = {0, 7, 3, 8, 2};

    for (size_t d = 0; d < PE_LEN(dtypes); d++) {
        size_t heads = heads_of(shared[_i]);
        double *square = values_of(shared[_i], "len=9", dtypes[d], "bias", NULL);
        double *picked =
            values_of(shared[_i], "q=8,1,1,5&k=0,7,3,8,2", dtypes[d], "bias", NULL);

        for (size_t i = 0; i < heads * 20; i++)
            ck_assert(picked[i] == square[(i / 20 * 9 + q[i % 20 / 5]) * 9 + k[i % 5]]);
        free(square);
        free(picked);
    }
}
END_TEST

START_TEST(strides_that_differ_pick_entries_of_the_square)
{
    for (size_t d = 0; d < PE_LEN(dtypes); d++) {
        size_t heads = heads_of(shared[_i]);
        double *square = values_of(shared[_i], "len=9", dtypes[d], "bias", NULL);
        double *picked = values_of(shared[_i], "q=0:9:2&k=8:-1:-4", dtypes[d], "bias", NULL);

        for (size_t i = 0; i < heads * 15; i++)
            ck_assert(picked[i] == square[(i / 15 * 9 + i / 3 % 5 * 2) * 9 + 8 - i % 3 * 4]);
        free(square);
        free(picked);
    }
}
END_TEST

SUITE(alibi, TEST_RANGE(slopes_of_a_power_of_two_are_geometric, 0, 9),
      TEST_RANGE(the_papers_rule_and_mpts_derivation_agree, 0, 6),
      TEST_EACH(the_toeplitz_row_holds_the_diagonals_of_the_matrix, shared),
      TEST_EACH(a_decode_row_is_the_last_row_of_the_square, shared),
      TEST_EACH(scattered_positions_pick_entries_of_the_square, shared),
      TEST_EACH(strides_that_differ_pick_entries_of_the_square, shared));
