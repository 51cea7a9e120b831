/* SPDX-License-Identifier: Apache-2.0
 * test_softmax_scale.c - scales by rule: worked examples, what they read, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"softmax-scale", "dim=128&dtype=f64", "scale", "0.0883883476"},
    {"softmax-scale", "rule=scalar&query_pre_attn_scalar=256", "scale", ".0625"},
    {"softmax-scale", "rule=one", "scale", "1"},
    {"softmax-scale", "rule=mup&dim=64", "scale", "0.015625"},
    {"softmax-scale", "rule=multiplier&attention_multiplier=0.0078125", "scale", "0.0078125"},
    {"softmax-scale", "rule=deepseek&dim=192&factor=40&mscale_all_dim=1&dtype=f64", "scale",
     "0.135233779"},
    {"softmax-scale", "rule=deepseek&dim=64&factor=40&mscale_all_dim=0", "scale", "0.125"},
    {"softmax-scale", "rule=deepseek&dim=64&factor=0.5&mscale_all_dim=1", "scale", "0.125"},
    {"softmax-scale", "rule=deberta&dim=64&dtype=f64", "scale", "0.0721687836"},
    {"softmax-scale", "rule=deberta&dim=64&terms=0", "scale", "0.125"},
    {"softmax-scale", "rule=swinv2&logit_scale=0,2.302585093,4,9&dtype=f64", "scale",
     "1 10.0000 54.598150 100"},
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
    {"softmax-scale",
     {"rule=sqrt", PE_MISSING_PARAMETER, "dim", "is required with rule=sqrt", ""}},
    {"softmax-scale",
     {"rule=swinv2", PE_MISSING_PARAMETER, "logit_scale", "is required with rule=swinv2", ""}},
    {"softmax-scale",
     {"rule=one&dim=64", PE_CONFLICT, "dim", "has no effect with rule=one; leave it out", ""}},
    {"softmax-scale",
     {"dim=64&terms=1", PE_CONFLICT, "terms", "has no effect with rule=sqrt; leave it out",
      ""}},
    {"softmax-scale",
     {"rule=deberta&dim=64&terms=3", PE_OUT_OF_RANGE, "terms",
      "must be a whole number, 0..2; got 3", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(deepseek_without_a_temperature_is_the_square_root)
{
    double *plain = core_query_values("softmax-scale", "dim=192&dtype=f64", "scale", NULL);
    double *deep =
        core_query_values("softmax-scale", "rule=deepseek&dim=192&dtype=f64", "scale", NULL);

    ck_assert(plain[0] == deep[0]);
    free(plain);
    free(deep);
}
END_TEST

START_TEST(only_what_the_rule_reads_is_said)
{
    struct pe_args *args =
        core_query_checked(core_query_find("softmax-scale"), "rule=deberta&dim=64");
    char *canonical = core_query_canonical(args);

    ck_assert_str_eq(canonical, "dim=64&dtype=f32&out=scale&rule=deberta&terms=2");
    free(canonical);
    pe_args_free(args);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(deepseek_without_a_temperature_is_the_square_root),
    TEST(only_what_the_rule_reads_is_said),
};

const struct suite softmax_scale_suite = {SUITE_TESTS(tests)};
