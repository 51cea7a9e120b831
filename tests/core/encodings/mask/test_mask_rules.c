/* SPDX-License-Identifier: Apache-2.0
 * test_mask_rules.c - each mask's worked examples and refusals; what they share is
 * test_masks.c. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_mask.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *rows;
} examples[] = {
    {"bidirectional-mask", "q_len=2&k_len=3", "111 111"},
    {"sliding-window-mask", "len=5&window=3", "10000 11000 11100 01110 00111"},
    {"sliding-window-mask", "len=4&window=1&convention=inclusive", "1000 1100 0110 0011"},
    {"sliding-window-mask", "len=3&window=0", "100 110 111"},
    {"sliding-window-mask", "len=3&window=-1", "100 110 111"},
    {"sliding-window-mask", "len=5&convention=flash&left=2", "10000 11000 11100 01110 00111"},
    {"sliding-window-mask", "len=4&convention=flash&left=1&right=1", "1100 1110 0111 0011"},
    {"sliding-window-mask", "len=3&convention=flash&left=0&right=-1", "111 011 001"},
    {"sliding-window-bidirectional-mask", "len=4&window=1", "1100 1110 0111 0011"},
    {"sliding-window-bidirectional-mask", "len=4&window=3&convention=llamacpp",
     "1100 1110 0111 0011"},
    {"sliding-window-bidirectional-mask", "len=4&window=2&convention=longformer",
     "1100 1110 0111 0011"},
    {"chunked-mask", "len=4&chunk=2", "1000 1100 0010 0011"},
    {"chunked-mask", "len=4&chunk=2&left_padding=1", "1000 0100 0110 0001"},
    {"chunked-mask", "len=3&chunk=2&left_padding=0,1", "100 110 001 100 010 011"},
    {"chunked-mask", "q=-3:0&k=-3:0&chunk=2", "100 010 011"},
    {"chunk-left-context-mask", "len=6&chunk=2&left=1",
     "110000 110000 111100 111100 001111 001111"},
    {"chunk-left-context-mask", "len=5&chunk=2&left=0", "11000 11000 00110 00110 00001"},
    {"chunk-left-context-mask", "len=5&chunk=2", "11000 11000 11110 11110 11111"},
    {"prefix-lm-mask", "len=4&prefix=2", "1100 1100 1110 1111"},
    {"prefix-lm-mask", "len=3&prefix=0", "100 110 111"},
    {"prefix-lm-mask", "len=3&prefix=3", "111 111 111"},
    {"prefix-lm-mask", "len=2&prefix=0,2", "10 11 11 11"},
    {"causal-with-blocks-mask", "len=4&block=2", "1100 1100 1111 1111"},
    {"attention-sink-window-mask", "q=4&k=0:5&start=1&window=2", "10011"},
    {"attention-sink-window-mask", "len=3&start=4&window=1", "100 110 111"},
    {"dilated-mask", "q=3&k=0:7&window=1&dilation=2", "0101010"},
    {"dilated-mask", "q=3&k=0:7&window=1&dilation=2&causal=1", "0101000"},
    {"sparse-strided-mask", "q=7&k=0:8&stride=3", "01001111"},
    {"sparse-fixed-mask", "q=6&k=0:7&stride=4&summary=1", "0001111"},
};

START_TEST(worked_examples_come_out)
{
    core_mask_prints(examples[_i].encoding, examples[_i].query, examples[_i].rows);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"sliding-window-mask",
     {"len=4", PE_MISSING_PARAMETER, "window", "is required: keys of the window", ""}},
    {"sliding-window-mask",
     {"len=4&window=-2", PE_OUT_OF_RANGE, "window", "must be a whole number, -1..", ""}},
    {"sliding-window-mask",
     {"len=4&window=2&left=1", PE_CONFLICT, "left", "has no effect without convention=flash",
      ""}},
    {"sliding-window-mask",
     {"len=4&convention=flash&left=1&window=2", PE_CONFLICT, "window",
      "has no effect with convention=flash; give left and right", ""}},
    {"sliding-window-mask",
     {"len=4&convention=flash", PE_MISSING_PARAMETER, "left",
      "is required with convention=flash", ""}},
    {"sliding-window-bidirectional-mask",
     {"len=4&window=3&convention=longformer", PE_CONFLICT, "window",
      "must be even with convention=longformer; got 3", ""}},
    {"chunked-mask",
     {"len=4&chunk=2&left_padding=-1", PE_OUT_OF_RANGE, "left_padding",
      "must be 0 or more; got -1", ""}},
    {"prefix-lm-mask",
     {"len=4&prefix=0:0", PE_BAD_VALUE, "prefix", "must have a number, such as 2", ""}},
    {"prefix-lm-mask",
     {"len=2&prefix=1,2&padding=1,1;1,0;1,1", PE_CONFLICT, "prefix",
      "must be one number, or one for each row of padding, 3; got 2", ""}},
    {"sparse-fixed-mask",
     {"len=4&stride=2&summary=3", PE_CONFLICT, "summary", "must be at most stride, 2; got 3",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

/* Masks that are the same by their definitions. */
static const struct {
    const char *one, *query, *other, *same;
} equals[] = {
    {"sliding-window-mask", "len=9&window=4", "sliding-window-mask",
     "len=9&window=3&convention=inclusive"},
    {"sliding-window-mask", "len=9&window=9", "causal-mask", "len=9"},
    {"chunked-mask", "len=9&chunk=9", "causal-mask", "len=9"},
    {"prefix-lm-mask", "len=9&prefix=9", "bidirectional-mask", "len=9"},
    {"causal-with-blocks-mask", "len=9&block=1", "causal-mask", "len=9"},
    {"chunk-left-context-mask", "len=9&chunk=3", "causal-with-blocks-mask", "len=9&block=3"},
    {"attention-sink-window-mask", "len=9&start=0&window=3", "sliding-window-mask",
     "len=9&window=3"},
    {"dilated-mask", "len=9&window=2", "sliding-window-bidirectional-mask", "len=9&window=2"},
    {"sparse-strided-mask", "len=9&stride=9", "causal-mask", "len=9"},
    {"sparse-fixed-mask", "len=9&stride=3&summary=3", "causal-mask", "len=9"},
};

START_TEST(masks_meet_where_their_definitions_do)
{
    double *one = core_query_values(equals[_i].one, equals[_i].query, "mask", NULL);
    double *other = core_query_values(equals[_i].other, equals[_i].same, "mask", NULL);

    for (int i = 0; i < 81; i++)
        ck_assert_double_eq(one[i], other[i]);
    free(one);
    free(other);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST_EACH(masks_meet_where_their_definitions_do, equals),
};

const struct suite mask_rules_suite = {SUITE_TESTS(tests)};
