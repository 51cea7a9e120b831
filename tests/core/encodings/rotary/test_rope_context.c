/* SPDX-License-Identifier: Apache-2.0
 * test_rope_context.c - how often pairs turn in a context, of rope and of sinusoidal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} known[] = {
    {"rope", "dim=128&context=4096", "critical_dim", "92"},
    {"sinusoidal", "dim=128&context=4096", "critical_dim", "92"},
    {"rope", "dim=128&context=6", "critical_dim", "0"},
    {"rope", "dim=128&context=6.28318530717958", "critical_dim", "0"},
    {"rope", "dim=128&context=6.2831853071796", "critical_dim", "2"},
    {"rope", "dim=128&context=54410", "critical_dim", "126"},
    {"rope", "dim=128&context=54411", "critical_dim", "128"},
    {"rope", "dim=128&context=16384&scaling=linear&factor=4", "critical_dim", "92"},
    {"rope", "dim=128&context=4096&profile=f32-pow", "critical_dim", "92"},
    {"rope", "dim=8&resonance=1&context=63", "critical_dim", "2"}, /* 6, 63, 628, 6283 */
    {"rope", "dim=8&resonance=1&context=64", "critical_dim", "4"},
    {"rope", "dim=256&rotary_dim=128&context=4096", "critical_dim", "92"},
    {"sinusoidal", "dim=3&odd=extra-sin&context=1000000", "critical_dim", "3"},
    {"rope", "dim=8&context=6283.185307179586", "context_turns", "1000 100 10 1"},
    {"rope", "dim=8&context=6283.185307179586&scaling=linear&factor=4", "context_turns",
     "250 25 2.5 .25"},
    {"sinusoidal", "dim=8&context=6283.185307179586", "context_turns", "1000 100 10 1"},
};

START_TEST(turns_in_a_context_are_served)
{
    char query[200];

    snprintf(query, sizeof query, "%s&out=%s&dtype=f64", known[_i].query, known[_i].output);
    core_query_prints(known[_i].encoding, query, known[_i].output, known[_i].numbers);
}
END_TEST

/* 2 ceil(d/2 ln(L / 2 pi) / ln base), within 0 .. d. */
START_TEST(the_critical_dim_is_the_closed_formula)
{
    static const double bases[] = {100, 10000, 500000, 1e6};
    char query[200];

    for (int dim = 2; dim <= 256; dim += 22) {
        double context = 5 * pow(1.7, dim % 17), base = bases[dim % 4 + dim / 2 % 2];
        double pairs = ceil(dim / 2.0 * log(context / (2 * acos(-1))) / log(base));
        double *served;

        snprintf(query, sizeof query, "dim=%d&base=%.17g&context=%.17g&out=critical_dim", dim,
                 base, context);
        served = core_query_values("rope", query, "critical_dim", NULL);
        ck_assert_double_eq(served[0], fmin(fmax(2 * pairs, 0), dim));
        free(served);
    }
}
END_TEST

static const struct core_refusal refused[] = {
    {"dim=8&out=critical_dim", PE_MISSING_PARAMETER, "context",
     "is required: length of the context", ""},
    {"dim=8&context=0&out=context_turns", PE_OUT_OF_RANGE, "context",
     "must be a number, 1..1000000000000000000; got 0", ""},
};

START_TEST(wrong_contexts_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("rope"), &refused[_i]);
    core_query_refused(core_query_find("sinusoidal"), &refused[_i]);
}
END_TEST

START_TEST(a_context_without_effect_is_told_what_uses_it)
{
    static const struct core_refusal of_rope = {"dim=8&context=9&out=inv_freq", PE_CONFLICT,
                                                "context", "has no effect on out=inv_freq",
                                                "out=min_theta uses it"};
    struct core_refusal of_sinusoidal = of_rope;

    of_sinusoidal.hint = "out=context_turns uses it";
    core_query_refused(core_query_find("rope"), &of_rope);
    core_query_refused(core_query_find("sinusoidal"), &of_sinusoidal);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(turns_in_a_context_are_served, known),
    TEST(the_critical_dim_is_the_closed_formula),
    TEST_EACH(wrong_contexts_are_told_what_would_be_right, refused),
    TEST(a_context_without_effect_is_told_what_uses_it),
};

const struct suite rope_context_suite = {SUITE_TESTS(tests)};
