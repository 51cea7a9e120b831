/* SPDX-License-Identifier: Apache-2.0
 * test_mask_convert.c - the masks of other encodings are recognised. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* These masks of other encodings have a pattern that mask-convert recognises. */
static const struct {
    const char *encoding, *query, *pattern, *size;
} served[] = {
    {"bidirectional-mask", "q_len=3&k_len=4", "1", "0"},
    {"causal-mask", "q_len=3&k_len=5", "2", "0"},
    {"causal-mask", "q_len=3&k_len=5&alignment=top-left", "2", "0"},
    {"sliding-window-mask", "len=6&window=3", "3", "3"},
    {"sliding-window-bidirectional-mask", "len=6&window=2", "4", "2"},
    {"prefix-lm-mask", "len=6&prefix_len=3", "5", "3"},
    {"padding-mask", "attention_mask=0,1,1,0&causal=0", "6", "2"},
    {"document-mask", "lengths=2,1,3&causal=0", "7", "3"},
    {"document-mask", "lengths=2,1,3", "8", "3"},
    {"natten-mask", "len=5&kernel_size=3", "0", "0"},
};

START_TEST(masks_of_other_encodings_are_recognised)
{
    char query[400], text[600];
    struct pe_plan *plan;
    size_t count, cols, len = 0;
    double *values;

    snprintf(query, sizeof query, "%s&out=mask", served[_i].query);
    plan = core_query_plan(core_query_find(served[_i].encoding), query);
    cols = (size_t)pe_plan_tensor(plan, 0)->cols;
    pe_plan_free(plan);
    values = core_query_values(served[_i].encoding, query, "mask", &count);
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%g",
                                i == 0         ? "matrix="
                                : i % cols > 0 ? ","
                                               : ";",
                                values[i]);
    snprintf(text + len, sizeof text - len, "&out=pattern,pattern_size");
    core_query_prints("mask-convert", text, "pattern", served[_i].pattern);
    core_query_prints("mask-convert", text, "pattern_size", served[_i].size);
    free(values);
}
END_TEST

SUITE(mask_convert, TEST_EACH(masks_of_other_encodings_are_recognised, served));
