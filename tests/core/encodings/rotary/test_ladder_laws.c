/* SPDX-License-Identifier: Apache-2.0
 * test_ladder_laws.c - bounds of scaled frequencies, and what repeats under resonance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define L2048 "&original_max_position_embeddings=2048"

static const struct {
    const char *query;
    double factor;
} blends[] = {
    {"dim=128&base=1000000&scaling=yarn&factor=4&original_max_position_embeddings=32768", 4},
    {"dim=64&base=150000&scaling=yarn&factor=32&truncate=0"
     "&original_max_position_embeddings=4096",
     32},
    {"dim=128&base=500000&scaling=llama3&factor=32", 32},
    {"dim=16&scaling=ntk-by-parts&factor=8" L2048, 8},
};

START_TEST(blends_lie_between_kept_and_divided_and_fall_with_the_pair)
{
    char query[300];
    double *kept, before = 1;
    size_t count;

    snprintf(query, sizeof query, "%s&out=kept&dtype=f64", blends[_i].query);
    kept = core_query_values("rope", query, "kept", &count);
    for (size_t i = 0; i < count; i++) {
        ck_assert(kept[i] <= before);
        ck_assert(kept[i] >= (1 - 0x1p-52) / blends[_i].factor);
        before = kept[i];
    }
    ck_assert(kept[0] == 1);
    ck_assert(kept[count - 1] < 1);
    free(kept);
}
END_TEST

/* Equal factors leave no blend: nothing is divided by zero (Llama 4 Scout). */
START_TEST(llama3_with_equal_factors_only_keeps_and_divides)
{
    size_t count, divided = 0;
    double *kept = core_query_values(
        "rope",
        "dim=128&base=500000&scaling=llama3&factor=16&high_freq_factor=1&out=kept&dtype=f64",
        "kept", &count);

    for (size_t i = 0; i < count; i++) {
        ck_assert(kept[i] == 1 || fabs(kept[i] * 16 - 1) < 1e-15);
        divided += kept[i] != 1;
    }
    ck_assert_uint_eq(divided, 29); /* lambda > 8192: pairs 35..63 */
    free(kept);
}
END_TEST

START_TEST(resonant_tables_repeat_with_whole_periods)
{
    double *cosines =
        core_query_values("rope", "pos=1,7,601,60000001&dim=2&resonance=1", "cos", NULL);

    for (size_t i = 1; i < 4; i++)
        ck_assert(cosines[i] == cosines[0]); /* period 6 */
    free(cosines);
}
END_TEST

SUITE(ladder_laws,
      TEST_EACH(blends_lie_between_kept_and_divided_and_fall_with_the_pair, blends),
      TEST(llama3_with_equal_factors_only_keeps_and_divides),
      TEST(resonant_tables_repeat_with_whole_periods));
