/* SPDX-License-Identifier: Apache-2.0
 * test_mask_convert.c - forms of a mask, polarity, patterns; masks that were served come back
 * as what they are. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_mask.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *rows;
} examples[] = {
    {"matrix=1,0;1,1", "10 11"},
    {"matrix=1,0;1,1&true_means=masked", "01 00"},
    {"matrix=0,1;0,0&input_true_means=masked", "10 11"},
    {"matrix=0,-1e4;-0.5,0&from=additive", "10 01"},
    {"matrix=3,0;-1,2&from=int", "10 11"},
    {"matrix=3,0;-1,2&from=int&input_true_means=masked", "01 00"},
    {"matrix=0,0;1,0&fully_masked=unmask_all", "11 10"},
};

START_TEST(worked_examples_come_out)
{
    core_mask_prints("mask-convert", examples[_i].query, examples[_i].rows);
}
END_TEST

START_TEST(every_form_comes_out)
{
    core_query_prints("mask-convert", "matrix=1,0,1;0,1,1&out=additive&mask_value=-7",
                      "additive", "0 -7 0 -7 0 0");
    core_query_prints("mask-convert", "matrix=1,0,1;0,1,1&out=mask&dtype=i64", "mask",
                      "1 0 1 0 1 1");
    core_query_prints("mask-convert", "matrix=1,0,1;0,1,1&out=runs", "runs",
                      "0 1 2 3 1 3 -1 -1");
    core_query_prints("mask-convert", "matrix=1,0,1;0,1,1&out=packed", "packed", "5 6");
}
END_TEST

/* Other encodings' masks, and what they are told to be. */
static const struct {
    const char *encoding, *query, *pattern, *size;
} served[] = {
    {"bidirectional-mask", "q_len=3&k_len=4", "1", "0"},
    {"causal-mask", "q_len=3&k_len=5", "2", "0"},
    {"causal-mask", "q_len=3&k_len=5&alignment=top-left", "2", "0"},
    {"sliding-window-mask", "len=6&window=3", "3", "3"},
    {"sliding-window-bidirectional-mask", "len=6&window=2", "4", "2"},
    {"prefix-lm-mask", "len=6&prefix=3", "5", "3"},
    {"padding-mask", "attention_mask=0,1,1,0&causal=0", "6", "2"},
    {"document-mask", "lengths=2,1,3&causal=0", "7", "3"},
    {"document-mask", "lengths=2,1,3", "8", "3"},
    {"natten-mask", "len=5&kernel=3", "0", "0"},
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

static const struct core_refusal refused[] = {
    {"matrix=0,2", PE_BAD_VALUE, "matrix", "must hold 0 and 1 only; got 2", ""},
    {"matrix=0,1&from=additive", PE_BAD_VALUE, "matrix",
     "must hold 0 and negative numbers with from=additive; got 1", ""},
    {"matrix=0,1.5&from=int", PE_BAD_VALUE, "matrix",
     "must hold whole numbers with from=int; got 1.5", ""},
    {"matrix=0,-1&from=additive&input_true_means=masked", PE_CONFLICT, "input_true_means",
     "has no effect with from=additive", ""},
};

START_TEST(what_is_no_such_mask_is_refused)
{
    core_query_refused(core_query_find("mask-convert"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST(every_form_comes_out),
    TEST_EACH(masks_of_other_encodings_are_recognised, served),
    TEST_EACH(what_is_no_such_mask_is_refused, refused),
};

const struct suite mask_convert_suite = {SUITE_TESTS(tests)};
