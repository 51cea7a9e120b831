/* SPDX-License-Identifier: Apache-2.0
 * test_ids_chatglm2d.c - the two ids of GLM: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"ids-chatglm2d", "length=7&context=4&mask_position=2", "position_ids", "0 1 2 3 2 2 2"},
    {"ids-chatglm2d", "length=7&context=4&out=block_position_ids", "block_position_ids",
     "0 0 0 0 1 2 3"},
    {"ids-chatglm2d", "length=5&context=3&mask_position=1&two_d=0", "position_ids",
     "0 1 2 3 4"},
    {"ids-chatglm2d", "length=5&context=3&mask_position=1&two_d=0&token=mask", "position_ids",
     "0 1 2 1 1"},
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
    {"ids-chatglm2d",
     {"length=3&context=4&mask_position=2", PE_CONFLICT, "context",
      "must be at most length, 3; got 4", ""}},
    {"ids-chatglm2d",
     {"length=7&context=4&mask_position=4", PE_CONFLICT, "mask_position",
      "must be within the context, below 4; got 4", ""}},
    {"ids-chatglm2d",
     {"length=7&context=4&mask_position=1&token=mask", PE_CONFLICT, "token",
      "has no effect without two_d=0", ""}},
    {"ids-chatglm2d",
     {"length=7&context=4&out=block_position_ids&two_d=0", PE_CONFLICT, "out",
      "has no block_position_ids with two_d=0", ""}},
    {"ids-chatglm2d",
     {"context=4&mask_position=1", PE_MISSING_PARAMETER, "length", "is required: tokens in all",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(one_of_the_two_ids_grows_at_every_token)
{
    static const char query[] =
        "length=40&context=13&mask_position=5&out=position_ids,block_position_ids";
    size_t count;
    double *ids = core_query_values("ids-chatglm2d", query, "position_ids", &count);
    double *blocks = core_query_values("ids-chatglm2d", query, "block_position_ids", NULL);

    for (size_t i = 1; i < count; i++)
        ck_assert((ids[i] == ids[i - 1] + 1) != (blocks[i] == blocks[i - 1] + 1));
    free(ids);
    free(blocks);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(one_of_the_two_ids_grows_at_every_token),
};

const struct suite ids_chatglm2d_suite = {SUITE_TESTS(tests)};
