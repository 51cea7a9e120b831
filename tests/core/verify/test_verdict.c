/* SPDX-License-Identifier: Apache-2.0
 * test_verdict.c - no verdict depends on when a stop comes; what is told of tensors. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/stop_looks.h"
#include "tests/support/suite.h"

/* Numbers of another claim, whose shapes are those of this one. */
static const struct {
    const char *right, *claim;
} rows[] = {
    {"rope?dim=8&pos=0:16&out=cos,sin", "rope?dim=8&base=500000&pos=0:16"},
    {"alibi?heads=6&q=1:9&k=0:8", "alibi?heads=6&q=0:8&k=0:8"},
    {"sinusoidal?dim=8&pos=0:9", "sinusoidal?dim=8&pos=3:12"},
};

START_TEST(whenever_the_stop_comes_there_is_no_verdict_or_the_one_without_a_stop)
{
    struct verify_case made;
    enum pe_status status = PE_STOPPED;

    verify_case_of(&made, rows[_i].right);
    verify_case_claim(&made, rows[_i].claim);
    struct pe_verdict *whole = verify_case_verdict(&made);
    char *text = verify_case_text(whole);

    for (size_t look = 1; status == PE_STOPPED; look++) {
        struct pe_errors errors = {.count = 0};
        struct pe_verdict *verdict;

        stop_looks_begin(look);
        status = verify_case_try(&made, &verdict, &errors);
        const size_t looks = stop_looks_count();
        stop_looks_begin(0);
        if (status == PE_STOPPED) {
            ck_assert_str_eq(errors.at[0].detail, "the search did not end in time");
            continue;
        }
        ck_assert_int_eq(status, PE_OK);
        ck_assert_uint_lt(looks, look);
        char *again = verify_case_text(verdict);
        ck_assert_str_eq(again, text);
        free(again);
        pe_verdict_free(verdict);
    }
    free(text);
    pe_verdict_free(whole);
    verify_case_free(&made);
}
END_TEST

/* The claim takes two tables before x, which the other encoding takes alone. */
START_TEST(another_encoding_is_tried_with_the_tensors_of_its_names)
{
    struct verify_case made, other;

    verify_case_of(&made, "axial-learned/apply?pos=0:6&row_table=f64[3,4]&col_table=f64[2,4]&"
                          "x=f64[6,8]&method=reformer&out=x");
    verify_case_of(&other, "sinusoidal/apply?pos=0:6&x=f64[6,8]&out=x");
    for (uint64_t i = 0; i < verify_case_elements(&other, 0); i++) {
        verify_case_set(&made, 2, i, verify_case_get(&other, 0, i));
        verify_case_set(&made, 3, i, verify_case_get(&other, 1, i));
    }
    verify_case_claim(&made, "axial-learned/apply?pos=0:6&method=reformer");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);

    ck_assert_msg(strncmp(text, "mistake encoding", 16) == 0, "%s: %s", text, verdict->says);
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
    verify_case_free(&other);
}
END_TEST

/* Cosines and sines in one tensor differ in rows of their own. */
START_TEST(rows_that_differ_in_either_part_of_a_tensor_are_counted)
{
    struct verify_case made = {.count = 0}, tables;
    float parts[16 * 4 * 2];

    verify_case_of(&tables, "rope?dim=8&pos=0:16&out=cos,sin");
    for (uint64_t i = 0; i < 64; i++) {
        parts[2 * i] = (float)verify_case_get(&tables, 0, i);
        parts[2 * i + 1] = (float)verify_case_get(&tables, 1, i);
    }
    parts[2 * 4 * 2] = 7;      /* the first cosine of row 2, */
    parts[2 * 4 * 3 + 1] = 9;  /* the first sine of row 3, */
    parts[2 * 4 * 15 + 1] = 9; /* and of row 15 */
    verify_case_add(&made, "freqs_cis", PE_F32, 3, (const uint64_t[]){16, 4, 2}, parts);
    verify_case_claim(&made, "rope?dim=8&pos=0:16");
    struct pe_verdict *verdict = verify_case_verdict(&made);

    ck_assert_uint_eq(verdict->tensor[0].rows_differ, 3);
    ck_assert_uint_eq(verdict->tensor[0].wrong_rows.range_count, 2);
    pe_verdict_free(verdict);
    verify_case_free(&made);
    verify_case_free(&tables);
}
END_TEST

SUITE(verdict,
      TEST_EACH(whenever_the_stop_comes_there_is_no_verdict_or_the_one_without_a_stop, rows),
      TEST(another_encoding_is_tried_with_the_tensors_of_its_names),
      TEST(rows_that_differ_in_either_part_of_a_tensor_are_counted));
