/* SPDX-License-Identifier: Apache-2.0
 * test_bound.c - how far from the claim's numbers float32's arithmetic may be, and how far is a
 * mistake or unexplained. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define VIDEO                                                                                  \
    "segments=text:1000,video:40x4x6@0.3,text:9,video:7x2x2@0.7,text:3&preset=qwen3-omni"

/* Judges a difference as float32. */
static char *text_of(double delta)
{
    struct verify_case made;

    verify_case_of(&made, "ids-mrope?" VIDEO "&out=position_delta");
    verify_case_set(&made, 0, 0, delta);
    verify_case_claim(&made, "ids-mrope?" VIDEO);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);
    pe_verdict_free(verdict);
    verify_case_free(&made);
    return text;
}

/* The largest id is between 1024 and 2048, so that float32 has steps of 2^-13 there. */
static const struct {
    double steps;
    bool right;
} deltas[] = {{0, true}, {1, true}, {-4, true}, {100, false}, {-100, false}};

START_TEST(a_difference_of_ids_has_the_error_of_the_ids)
{
    double *exact =
        core_query_values("ids-mrope", VIDEO "&out=position_delta", "position_delta", NULL);
    char *text = text_of(*exact + deltas[_i].steps * 0x1p-13);

    ck_assert_msg((strcmp(text, "exact") == 0 || strcmp(text, "profile f32") == 0) ==
                      deltas[_i].right,
                  "%g steps: %s", deltas[_i].steps, text);
    free(text), free(exact);
}
END_TEST

/* A table has no angles, whose error grows with the position. */
START_TEST(a_table_of_zeros_is_not_the_one_that_is_looked_up)
{
    struct verify_case made;

    verify_case_of(&made, "learned?table=f32[8192,2]&pos=0:8192&out=rows");
    for (uint64_t i = 0; i < 16384; i++) {
        verify_case_set(&made, 0, i, 1e-4 * (double)(i % 7 + 1));
        verify_case_set(&made, 1, i, 0);
    }
    verify_case_claim(&made, "learned?pos=0:8192");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert(verdict->kind != PE_EXACT && verdict->kind != PE_PROFILE);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(bound, TEST(a_table_of_zeros_is_not_the_one_that_is_looked_up),
      TEST_EACH(a_difference_of_ids_has_the_error_of_the_ids, deltas));
