/* SPDX-License-Identifier: Apache-2.0
 * test_amplitude.c - a factor of cosines and sines that is missing, or too much, is said with
 * its number, whichever parameter it came from; and what mistakes tell of themselves. */
#include <stdio.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

#define YARN "scaling=yarn&factor=4&original_max_position_embeddings=4096"

static const struct {
    const char *made, *claim, *says, *code; /* code: NULL: not compared */
} rows[] = {
    {"rope?dim=64&pos=0:64&out=cos,sin&scaling=ntk-by-parts&factor=4&"
     "original_max_position_embeddings=4096",
     "rope?dim=64&pos=0:64&" YARN,
     "cos and sin: YaRN's attention factor 1.1386 (= 0.1 ln 4 + 1) is missing",
     "cos, sin = cos * 1.138629436, sin * 1.138629436"},
    {"rope?dim=64&pos=0:64&out=cos,sin&attention_factor=1.5&" YARN,
     "rope?dim=64&pos=0:64&" YARN,
     "cos and sin: cosines and sines are multiplied by 1.5 where YaRN's attention factor "
     "1.1386 (= 0.1 ln 4 + 1) is right",
     NULL},
    {"rope?dim=64&pos=0:64&out=cos,sin&" YARN,
     "rope?dim=64&pos=0:64&attention_factor=1.5&" YARN,
     "cos and sin: cosines and sines are multiplied by 1.1386 where the attention factor 1.5 "
     "is right",
     "cos, sin = cos * 1.5, sin * 1.5"},
    {"rope?dim=64&pos=1:65&out=cos,sin&scaling=ntk-by-parts&factor=4"
     "&original_max_position_embeddings=4096",
     "rope?dim=64&pos=0:64&" YARN,
     "cos and sin: YaRN's attention factor 1.1386 (= 0.1 ln 4 + 1) is missing; and every "
     "position is shifted by 1 where 0 is right",
     NULL},
    {"sinusoidal?dim=64&pos=0:40&preset=tensor2tensor", "sinusoidal?dim=64&pos=0:40",
     "rows: preset is tensor2tensor (get_timing_signal_1d: all sines, then all cosines, the "
     "last frequency is 1/base) where none is right",
     NULL},
    {"rope?dim=64&pos=3:67&out=cos,sin", "rope?dim=64&pos=0:64",
     "cos and sin: every position is shifted by 3 where 0 is right", "pos = pos - 3"},
    {"rope?dim=64&pos=5:197:3&out=cos,sin", "rope?dim=64&pos=5:69",
     "cos and sin: the positions of adjoining rows are 3 apart where 1 is right", NULL},
};

START_TEST(the_fault_is_said_with_its_numbers)
{
    struct pe_verdict *verdict = verify_case_compare(rows[_i].made, rows[_i].claim);

    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->says, rows[_i].says);
    if (rows[_i].code)
        ck_assert_str_eq(verdict->explanation.mistake[0].code, rows[_i].code);
    pe_verdict_free(verdict);
}
END_TEST

SUITE(amplitude, TEST_EACH(the_fault_is_said_with_its_numbers, rows));
