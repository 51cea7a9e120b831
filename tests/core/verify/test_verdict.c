/* SPDX-License-Identifier: Apache-2.0
 * test_verdict.c - the kinds of the tensors agree with the verdict's, whenever the stop
 * comes. */
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

SUITE(verdict,
      TEST_EACH(whenever_the_stop_comes_the_verdict_is_that_of_its_worst_tensor, rows));
