/* SPDX-License-Identifier: Apache-2.0
 * test_alphafold_relpos.c - AlphaFold's bins: worked examples, a law, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"alphafold-relpos", "residue_index=0:4&r_max=2", "index",
     "2 1 0 0 3 2 1 0 4 3 2 1 4 4 3 2"},
    {"alphafold-relpos", "residue_index=3,10&r_max=2", "index", "2 0 4 2"},
    {"alphafold-relpos", "residue_index=0,1&r_max=1&out=features", "features",
     "0 1 0 1 0 0 0 0 1 0 1 0"},
    {"alphafold-relpos", "residue_index=0,1&r_max=1&out=bias&table=1,2;3,4;5,6", "bias",
     "3 4 1 2 5 6 3 4"},
    {"alphafold-relpos",
     "residue_index=0,0&asym_id=1,2&entity_id=1,1&sym_id=1,2&version=multimer"
     "&r_max=1&s_max=1&out=features",
     "features", "0 1 0 0 1 0 1 0 0 0 0 0 1 1 1 0 0 0 0 0 0 1 1 0 0 1 0 0 1 0 0 1 0 1 0 0"},
    {"alphafold-relpos",
     "residue_index=0,0&asym_id=1,1&entity_id=1,1&sym_id=1,1&token_index=0,1"
     "&version=3&r_max=1&s_max=0&out=features",
     "features",
     "0 1 0 0 0 1 0 0 1 1 0 0 1 0 0 1 0 0 0 1 1 0 0 1 0 0 0 0 1 0 1 1 0 0 1 0 0 "
     "0 1 0 0 1 1 0"},
    {"alphafold-relpos",
     "residue_index=0,0&asym_id=1,2&entity_id=1,2&sym_id=1,3&token_index=0,1"
     "&version=3&r_max=0&s_max=1&chain_rule=chain&out=bias"
     "&table=1;2;4;8;16;32;64;128;256",
     "bias", "277 42 138 277"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"alphafold-relpos",
     {"residue_index=0:4&s_max=1", PE_CONFLICT, "s_max", "has no effect with version=2", ""}},
    {"alphafold-relpos",
     {"residue_index=0:4&chain_rule=chain", PE_CONFLICT, "chain_rule",
      "has no effect with version=2", ""}},
    {"alphafold-relpos",
     {"residue_index=0:4&asym_id=1,1,1,1", PE_CONFLICT, "asym_id",
      "has no effect with version=2", ""}},
    {"alphafold-relpos",
     {"residue_index=0,1&asym_id=1,1&entity_id=1,1&version=multimer", PE_MISSING_PARAMETER,
      "sym_id", "is required with version=multimer", ""}},
    {"alphafold-relpos",
     {"residue_index=0,1&asym_id=1,1&entity_id=1&sym_id=1,1&version=multimer", PE_CONFLICT,
      "entity_id", "must have one number a residue, 2; got 1", ""}},
    {"alphafold-relpos",
     {"residue_index=0,1&r_max=1&out=bias&table=1,2;3,4", PE_CONFLICT, "table",
      "must have 3 rows, one a column; got 2", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

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

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(multimer_has_73_columns_and_alphafold_3_has_139),
};

const struct suite alphafold_relpos_suite = {SUITE_TESTS(tests)};
