/* SPDX-License-Identifier: Apache-2.0
 * test_streaming_llm.c - bounded caches: worked examples, a law, refusals. */
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
    {"streaming-llm", "length=12&start=2&recent=4", "kept", "0 1 8 9 10 11"},
    {"streaming-llm", "length=12&start=2&recent=4", "positions", "0 1 2 3 4 5"},
    {"streaming-llm", "length=3&recent=4", "kept", "0 1 2"},
    {"streaming-llm", "length=9&start=0&recent=2", "kept", "7 8"},
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
    {"streaming-llm",
     {"recent=4", PE_MISSING_PARAMETER, "length", "is required: tokens so far", ""}},
    {"streaming-llm",
     {"length=4", PE_MISSING_PARAMETER, "recent", "is required: tokens kept at the end", ""}},
    {"streaming-llm",
     {"length=4&recent=-1", PE_OUT_OF_RANGE, "recent", "must be a whole number, 0..", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_last_token_is_always_kept)
{
    for (int length = 1; length < 30; length++) {
        char query[64];
        size_t count;
        double *kept;

        snprintf(query, sizeof query, "length=%d&start=3&recent=5", length);
        kept = core_query_values("streaming-llm", query, "kept", &count);
        ck_assert(kept[0] == 0 && kept[count - 1] == length - 1);
        ck_assert(count == (size_t)(length < 8 ? length : 8));
        free(kept);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_last_token_is_always_kept),
};

const struct suite streaming_llm_suite = {SUITE_TESTS(tests)};
