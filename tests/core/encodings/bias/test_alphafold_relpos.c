/* SPDX-License-Identifier: Apache-2.0
 * test_alphafold_relpos.c - AlphaFold's bins: a law beyond the rows of alphafold_relpos.txt.
 * */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(multimer_has_73_columns_and_alphafold_3_has_139)
{
    static const char ids[] = "&residue_index=0&asym_id=1&entity_id=1&sym_id=1&out=features";
    char query[160];
    size_t count;

    snprintf(query, sizeof query, "version=multimer%s", ids);
    free(core_query_values("alphafold-relpos", query, "features", &count));
    ck_assert_uint_eq(count, 73);
    snprintf(query, sizeof query, "version=3&token_index=0%s", ids);
    free(core_query_values("alphafold-relpos", query, "features", &count));
    ck_assert_uint_eq(count, 139);
}
END_TEST

SUITE(alphafold_relpos, TEST(multimer_has_73_columns_and_alphafold_3_has_139));
