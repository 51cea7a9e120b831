/* SPDX-License-Identifier: Apache-2.0
 * test_trial_three.c - three mistakes that hide each other are named where frequencies show the
 * second by the first. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

static const struct {
    const char *made, *claim, *verdict;
} rows[] = {
    {"rope/apply?pos=2:26&x=f32[24,64]&pairing=adjacent&base=10000",
     "rope/apply?pos=0:24&pairing=half&base=500000",
     "mistake pairing pairing adjacent->half + base base 10000->500000 + position-offset "
     "pos 2:26->0:24"},
    {"sinusoidal?dim=32&pos=1:25&layout=concat&ladder=geometric-closed&out=rows",
     "sinusoidal?dim=32&pos=0:24&layout=interleaved&ladder=geometric-open",
     "mistake layout layout concat->interleaved + "
     "ladder ladder geometric-closed->geometric-open + position-offset pos 1:25->0:24"},
    {"rope/apply?pos=0:24&x=f32[24,64]&pairing=adjacent&base=10000",
     "rope/apply?pos=0:24&pairing=half&base=500000",
     "mistake pairing pairing adjacent->half + base base 10000->500000"},
};

START_TEST(mistakes_that_hide_each_other_are_named_together)
{
    struct pe_verdict *verdict = verify_case_compare(rows[_i].made, rows[_i].claim);
    char *text = verify_case_text(verdict);

    ck_assert_msg(strcmp(text, rows[_i].verdict) == 0, "%s against %s is %s", rows[_i].made,
                  rows[_i].claim, text);
    ck_assert_double_ge(verdict->explanation.mistake[0].evidence.without,
                        8 * verdict->explanation.mistake[0].evidence.max_abs);
    free(text);
    pe_verdict_free(verdict);
}
END_TEST

SUITE(trial_three, TEST_EACH(mistakes_that_hide_each_other_are_named_together, rows));
