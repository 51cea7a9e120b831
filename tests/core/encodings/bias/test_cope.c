/* SPDX-License-Identifier: Apache-2.0
 * test_cope.c - positions counted by gates: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"cope", "logits=0,9,9;1,2,9;.5,-1,.25&out=positions&mask_value=-inf", "positions",
     ".500000 -inf -inf 1.61186 .880797 -inf 1.45358 .831118 .562177"},
    {"cope", "logits=0,-9,-9;0,0,0;0,0,0&products=.1,.7;.1,.7;.1,.7&mask_value=-inf", "bias",
     ".400000 -inf -inf .700000 .400000 -inf .700000 .700000 .400000"},
    {"cope", "logits=0,0,0,0&products=1,2,4,8", "bias", "4 3 2 1.5"},
    {"cope", "logits=0,0,0,0&queries=2,1&table=0,1;1,0;1,2", "bias", "4 3 2 1.5"},
    {"cope", "logits=0,0&products=1,2&interpolation=softmax&temperature=.5", "bias",
     "1.88080 1.5"},
    {"cope", "logits=0,0&out=positions&npos_max=1", "positions", "0 0"},
    {"cope", "logits=1000,-1000&out=positions&talking_heads=1", "positions", "1 0"},
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
    {"cope",
     {"logits=0,0", PE_MISSING_PARAMETER, "queries",
      "is required for out=bias: queries and table, or products", ""}},
    {"cope",
     {"logits=0,0&queries=1,2", PE_MISSING_PARAMETER, "table", "is required for out=bias", ""}},
    {"cope",
     {"logits=0,0&products=1,2&table=1;2", PE_CONFLICT, "products",
      "stand for queries and table", ""}},
    {"cope",
     {"logits=0;0&products=1,2;3,4", PE_CONFLICT, "logits",
      "must have no more queries than keys", ""}},
    {"cope",
     {"logits=0,0&products=1,2;3,4", PE_CONFLICT, "products",
      "must have 1 heads of 1 queries, as logits; got 1 of 2", ""}},
    {"cope",
     {"logits=0,0&queries=1,2&table=1;2", PE_CONFLICT, "table",
      "must have 2 columns, as queries; got 1", ""}},
    {"cope",
     {"logits=0,0&products=1,2&temperature=2", PE_CONFLICT, "temperature",
      "has no effect without interpolation=softmax", ""}},
    {"cope",
     {"logits=0,0&out=positions&talking_heads=1,2", PE_CONFLICT, "talking_heads",
      "must have a row and a column a head, 1; got 1 of 2", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(open_gates_count_tokens)
{
    double *positions =
        core_query_values("cope", "logits=99,99,99,99,99&out=positions", "positions", NULL);

    for (int j = 0; j < 5; j++)
        ck_assert(positions[j] == 5 - j);
    free(positions);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(open_gates_count_tokens),
};

const struct suite cope_suite = {SUITE_TESTS(tests)};
