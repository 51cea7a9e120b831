/* SPDX-License-Identifier: Apache-2.0
 * test_ids_from_mask.c - position ids of padded batches: a law beyond the rows of
 * ids_from_mask.txt. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

START_TEST(without_padding_all_rules_count_from_their_first_id)
{
    static const struct {
        const char *rule;
        double first;
    } rules[] = {{"left_pad", 0},
                 {"roberta", 2},
                 {"opt", 2},
                 {"bloom_alibi", 0},
                 {"arange", 0}};

    for (size_t i = 0; i < PE_LEN(rules); i++) {
        char query[80];
        size_t count;
        double *ids;

        snprintf(query, sizeof query, "attention_mask=1,1,1,1&rule=%s", rules[i].rule);
        ids = core_query_values("ids-from-mask", query, "position_ids", &count);
        for (size_t j = 0; j < count; j++)
            ck_assert(ids[j] == rules[i].first + (double)j);
        free(ids);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(without_padding_all_rules_count_from_their_first_id),
};

const struct suite ids_from_mask_suite = {SUITE_TESTS(tests)};
