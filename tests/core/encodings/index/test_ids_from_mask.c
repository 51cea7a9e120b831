/* SPDX-License-Identifier: Apache-2.0
 * test_ids_from_mask.c - position ids of padded batches: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"ids-from-mask", "attention_mask=0,0,1,1,1", "position_ids", "1 1 0 1 2"},
    {"ids-from-mask", "attention_mask=0,1,0,1&pad_value=0", "position_ids", "0 0 0 1"},
    {"ids-from-mask", "attention_mask=0,0,1,1,1&rule=roberta", "position_ids", "1 1 2 3 4"},
    {"ids-from-mask", "attention_mask=0,0,1,1,1&rule=opt", "position_ids", "1 1 2 3 4"},
    {"ids-from-mask", "attention_mask=0,0,1,1,1&rule=bloom_alibi", "position_ids", "0 0 0 1 2"},
    {"ids-from-mask", "input_ids=1,1,8,2&rule=roberta&past=10", "position_ids", "1 1 12 13"},
    {"ids-from-mask", "attention_mask=0,1,1,1,1,1,1&rule=opt&past=4", "position_ids", "5 6 7"},
    {"ids-from-mask", "rule=arange&seq_len=5&offset=2&past=3", "position_ids", "5 6 7 8 9"},
    {"ids-from-mask", "attention_mask=0,1;1,1&rule=arange", "position_ids", "0 1 0 1"},
    {"ids-from-mask", "rule=arange&seq_len=2&batch=2", "position_ids", "0 1 0 1"},
    {"ids-from-mask", "input_ids=0,5,0,7;1,0,0,0&rule=from_input_ids&padding_idx=0",
     "position_ids", "0 1 0 2 1 0 0 0"},
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
    {"ids-from-mask",
     {"rule=opt", PE_MISSING_PARAMETER, "attention_mask", "is required, or input_ids", ""}},
    {"ids-from-mask",
     {"rule=arange", PE_MISSING_PARAMETER, "attention_mask",
      "is required, or input_ids, or seq_len", ""}},
    {"ids-from-mask",
     {"attention_mask=1&input_ids=1", PE_CONFLICT, "input_ids",
      "stand in for attention_mask; give one of them", ""}},
    {"ids-from-mask",
     {"attention_mask=1,0.5", PE_BAD_VALUE, "attention_mask",
      "must hold whole numbers; got 0.5", ""}},
    {"ids-from-mask",
     {"attention_mask=1,2", PE_OUT_OF_RANGE, "attention_mask", "must be rows of numbers 0..1",
      ""}},
    {"ids-from-mask",
     {"attention_mask=1,1&past=1", PE_CONFLICT, "past",
      "has no effect with rule=left_pad here; leave it out", ""}},
    {"ids-from-mask",
     {"attention_mask=1,1&padding_idx=1", PE_CONFLICT, "padding_idx",
      "has no effect with rule=left_pad here; leave it out", ""}},
    {"ids-from-mask",
     {"attention_mask=1,1&rule=roberta&offset=1", PE_CONFLICT, "offset",
      "has no effect with rule=roberta here; leave it out", ""}},
    {"ids-from-mask",
     {"attention_mask=1,1&rule=opt&pad_value=1", PE_CONFLICT, "pad_value",
      "has no effect with rule=opt here; leave it out", ""}},
    {"ids-from-mask",
     {"attention_mask=1,1&rule=arange&seq_len=2", PE_CONFLICT, "seq_len",
      "has no effect with rule=arange here; leave it out", ""}},
    {"ids-from-mask",
     {"attention_mask=1,1&rule=arange&batch=2", PE_CONFLICT, "batch",
      "has no effect with rule=arange here; leave it out", ""}},
    {"ids-from-mask",
     {"attention_mask=1,1&rule=opt&past=3", PE_CONFLICT, "past",
      "must be at most the columns of the mask, 2, which covers past tokens too; got 3", ""}},
    {"ids-from-mask",
     {"rule=arange&seq_len=300&dtype=u8", PE_CONFLICT, "dtype",
      "must hold every value of position_ids exactly, -1..300; u8 cannot", ""}},
    {"ids-from-mask",
     {"rule=arange&seq_len=65537", PE_TOO_LARGE, "",
      "the answer has 65537 elements; at most 65536 where all of it is computed at once", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

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
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(without_padding_all_rules_count_from_their_first_id),
};

const struct suite ids_from_mask_suite = {SUITE_TESTS(tests)};
