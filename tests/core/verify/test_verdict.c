/* SPDX-License-Identifier: Apache-2.0
 * test_verdict.c - the kinds of the tensors agree with the verdict's, whenever the stop
 * comes. */
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

START_TEST(whenever_the_stop_comes_the_verdict_is_that_of_its_worst_tensor)
{
    static const char shape[] = "the shape of";
    bool before = false, spent = true;
    struct verify_case made;

    verify_case_of(&made, rows[_i].right);
    verify_case_claim(&made, rows[_i].claim);
    for (size_t look = 1; spent; look++) {
        enum pe_verdict_kind worst = PE_EXACT;

        stop_looks_begin(look);
        struct pe_verdict *verdict = verify_case_verdict(&made);
        stop_looks_begin(0);

        for (size_t i = 0; i < made.count; i++)
            if (verdict->tensor[i].kind > worst)
                worst = verdict->tensor[i].kind;
        ck_assert_int_eq(verdict->kind, worst);
        ck_assert_msg(strncmp(verdict->says, shape, sizeof shape - 1) != 0, "%s",
                      verdict->says);
        before |= strstr(verdict->says, "the time was over before") != NULL;
        spent = verdict->budget_spent;
        pe_verdict_free(verdict);
    }
    ck_assert(before);
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

SUITE(verdict, TEST_EACH(whenever_the_stop_comes_the_verdict_is_that_of_its_worst_tensor, rows),
      TEST(another_encoding_is_tried_with_the_tensors_of_its_names));
