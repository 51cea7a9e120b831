/* SPDX-License-Identifier: Apache-2.0
 * test_xpos.c - xPos tables: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"xpos", "pos=512&dim=8&out=scale", "scale", "0.285714 0.464286 0.642857 0.821429"},
    {"xpos", "pos=100&dim=8&out=scale", "scale", "0.782955 0.860833 0.917323 0.962309"},
    {"xpos", "pos=0&length=5&centre=torchscale&dim=8&out=scale", "scale",
     "1.007367 1.004506 1.002592 1.001153"},
    {"xpos", "pos=0&length=5&centre=floor_half&dim=8&out=scale", "scale",
     "1.004906 1.003002 1.001727 1.000769"},
    {"xpos", "pos=0:5&centre=floor_half&dim=2&out=scale&scale_base=2&dtype=f64", "scale",
     "3.500000000 1.870828693 1.000000000 0.534522484 0.285714286"},
    {"xpos", "pos=0&dim=4", "cos", "1 1"},
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
    {"xpos",
     {"pos=1&dim=8&length=5", PE_CONFLICT, "length", "has no effect with centre=none", ""}},
    {"xpos",
     {"pos=400000&dim=8", PE_OUT_OF_RANGE, "pos",
      "must stay where scales are doubles, within 286087 of the centre, 0", ""}},
    {"xpos",
     {"pos=1&dim=8&scale_base=0", PE_OUT_OF_RANGE, "scale_base", "must be a number, 0.001..",
      ""}},
    {"xpos",
     {"pos=1&dim=8&zeta_gamma=0", PE_OUT_OF_RANGE, "zeta_gamma", "must be a number, above 0..",
      ""}},
    {"xpos", {"pos=1&dim=8&factor=2", PE_CONFLICT, "factor", "has no effect", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(queries_and_keys_together_decay_with_their_distance_alone)
{
    double *q = core_query_values("xpos", "pos=7,107&dim=8&out=scale&dtype=f64", "scale", NULL);
    double *k = core_query_values("xpos", "pos=3,103&dim=8&out=scale&dtype=f64&downscale=1",
                                  "scale", NULL);
    double *apart = core_query_values("xpos", "pos=4&dim=8&out=scale&dtype=f64", "scale", NULL);

    for (size_t j = 0; j < 4; j++) {
        ck_assert(fabs(q[j] * k[j] - apart[j]) < 1e-15);
        ck_assert(fabs(q[4 + j] * k[4 + j] - apart[j]) < 1e-15);
    }
    free(q);
    free(k);
    free(apart);
}
END_TEST

START_TEST(tables_are_those_of_rope_times_the_scale)
{
    double *cos = core_query_values("xpos", "pos=3:9&dim=8&dtype=f64", "cos", NULL);
    double *sin = core_query_values("xpos", "pos=3:9&dim=8&dtype=f64", "sin", NULL);
    double *scale =
        core_query_values("xpos", "pos=3:9&dim=8&dtype=f64&out=scale", "scale", NULL);
    double *plain = core_query_values("rope", "pos=3:9&dim=8&dtype=f64", "cos", NULL);

    for (size_t i = 0; i < 24; i++) {
        ck_assert(fabs(cos[i] - plain[i] * scale[i]) < 1e-15);
        ck_assert(fabs(cos[i] * cos[i] + sin[i] * sin[i] - scale[i] * scale[i]) < 1e-15);
    }
    free(cos);
    free(sin);
    free(scale);
    free(plain);
}
END_TEST

START_TEST(scales_beyond_float32_are_warned_of)
{
    struct pe_plan *near = core_query_plan(core_query_find("xpos"), "pos=30000&dim=8");
    struct pe_plan *far = core_query_plan(core_query_find("xpos"), "pos=40000&dim=8");

    ck_assert_uint_eq(pe_plan_warning_count(near), 0);
    ck_assert_uint_eq(pe_plan_warning_count(far), 1);
    ck_assert_ptr_nonnull(strstr(pe_plan_warning(far, 0), "leave the range of float32"));
    pe_plan_free(near);
    pe_plan_free(far);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(queries_and_keys_together_decay_with_their_distance_alone),
    TEST(tables_are_those_of_rope_times_the_scale),
    TEST(scales_beyond_float32_are_warned_of),
};

const struct suite xpos_suite = {SUITE_TESTS(tests)};
