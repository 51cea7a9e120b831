/* SPDX-License-Identifier: Apache-2.0
 * test_rope_apply_rules.c - what wrong requests for rotated vectors are told, what right ones
 * are warned of, and what is canonical. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

extern const struct pe_encoding pe_encoding_rope_apply;
static const struct pe_encoding *const apply = &pe_encoding_rope_apply;

#define LONGROPE                                                                               \
    "&scaling=longrope&factor=4&original_max_position_embeddings=64&short_factor=1,1"          \
    "&long_factor=2,3"

static const struct core_refusal refusals[] = {
    {"pos=0:4", PE_MISSING_PARAMETER, "x", "is required: vectors", ""},
    {"x=f32:4", PE_MISSING_PARAMETER, "pos", "is required", ""},
    {"x=i64:4&pos=1", PE_CONFLICT, "x", "must hold reals, f32, f64, f16 or bf16; got i64", ""},
    {"x=f32:1&pos=1", PE_CONFLICT, "x",
     "must have vectors of 2..65536 elements (its last axis); got 1", ""},
    {"x=f32:5&pos=1", PE_CONFLICT, "rotary_dim",
     "is required where vectors have an odd number of elements, 5", ""},
    {"x=f32:4&pos=1&dim=8", PE_CONFLICT, "x",
     "must have 8 elements along its last axis, dim; got 4", ""},
    {"q=f32:3x4&k=f32:3x8&pos=0:3", PE_CONFLICT, "k",
     "must have 4 elements along its last axis, dim; got 8", ""},
    {"x=f32:4x8&pos=0:3", PE_CONFLICT, "pos",
     "must hold 4 positions, as many as x of shape (4, 8) has along axis 0; got 3", ""},
    {"x=f32:8&pos=0:3", PE_CONFLICT, "pos", "must hold 1 positions", ""},
    {"x=f32:5x2x8&pos=0:5", PE_MISSING_PARAMETER, "seq_axis",
     "is required for x of shape (5, 2, 8): 0 means 5 positions of 2 vectors each; 1 means 2 "
     "positions of 5 vectors each",
     "seq_axis=0 has as many positions as were given"},
    {"x=f32:2x2x8&pos=0:2", PE_MISSING_PARAMETER, "seq_axis", "is required for x", ""},
    {"x=f32:5x2x8&pos=0:8&seq_axis=2", PE_CONFLICT, "seq_axis",
     "must be below 2, the last axis of x of shape (5, 2, 8), which is the vector", ""},
    {"x=f32:8&pos=0&seq_axis=0", PE_CONFLICT, "seq_axis", "has no effect on x", ""},
    {"x=f32:8&pos=0&offset_dims=4", PE_MISSING_PARAMETER, "rotary_dim",
     "is required with offset_dims: how many of the 8 coordinates rotate", ""},
    {"x=f32:8&pos=0&offset_dims=6&rotary_dim=4", PE_CONFLICT, "offset_dims",
     "must leave room for 4 coordinates that rotate of 8; got 6", ""},
    {"x=f32:8&pos=0&rotary_dim=10", PE_CONFLICT, "rotary_dim", "must be at most dim, 8; got 10",
     ""},
    {"x=f32:8&pos=3&from=1&inverse=1", PE_CONFLICT, "inverse", "goes without from", ""},
    {"x=f32:2x8&pos=3,4&from=1", PE_CONFLICT, "from",
     "must hold as many positions as pos, 2; got 1", ""},
    {"x=f32:8&pos=9007199254740992&from=-1", PE_CONFLICT, "from",
     "must be less than 2^53 away from pos", ""},
    {"x=f32:4&pos=100&from=3" LONGROPE, PE_CONFLICT, "from",
     "and pos would have different frequencies: the keys were rotated by the short list; give "
     "which=short, which=long or seq_len",
     ""},
    {"x=f32:4&pos=0&scaling=linear", PE_MISSING_PARAMETER, "factor", "is required", ""},
    {"x=f32:4&pos=0&dtype=i64", PE_CONFLICT, "dtype", "which holds reals; got i64", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(apply, &refusals[_i]);
}
END_TEST

static const struct {
    const char *query, *warning; /* NULL: none */
    double applied;
} told[] = {
    {"x=f32:4&pos=5", NULL, 1},
    {"x=f32:4&pos=5&scaling=yarn&factor=4&original_max_position_embeddings=64"
     "&attention_factor=1.25",
     NULL, 1.25},
    {"x=f32:4&pos=5&scaling=yarn&factor=4&original_max_position_embeddings=64"
     "&attention_factor=1.25&inverse=1",
     NULL, 0.8},
    {"x=f32:4&pos=5&scaling=yarn&factor=4&original_max_position_embeddings=64"
     "&attention_factor=1.25&from=2",
     NULL, 1},
    {"x=bf16:4&pos=5", NULL, 1},
    {"x=bf16:4&pos=5&from=2", "every move of a bf16 key adds a relative error of up to 2^-8",
     1},
    {"x=f32:4&pos=100&from=3&which=long" LONGROPE, NULL, 1},
};

START_TEST(what_is_applied_is_a_fact_and_bf16_caches_are_warned_of)
{
    struct pe_plan *plan = core_query_plan(apply, told[_i].query);
    bool found = false;

    for (size_t i = 0; i < pe_plan_fact_count(plan); i++) {
        const struct pe_fact *fact = pe_plan_fact(plan, i);

        if (strcmp(fact->name, "applied_factor") == 0) {
            found = true;
            ck_assert(fact->number == told[_i].applied);
        }
    }
    ck_assert(found);
    ck_assert_uint_eq(pe_plan_warning_count(plan), told[_i].warning != NULL);
    if (told[_i].warning)
        ck_assert_ptr_nonnull(strstr(pe_plan_warning(plan, 0), told[_i].warning));
    pe_plan_free(plan);
}
END_TEST

START_TEST(width_and_axis_are_said_where_they_follow_from_the_tensor)
{
    struct pe_args *args = core_query_checked(apply, "x=bf16:4x8&pos=0:4");
    char *canonical = core_query_canonical(args);

    ck_assert_ptr_nonnull(strstr(canonical, "dim=8&"));
    ck_assert_ptr_nonnull(strstr(canonical, "seq_axis=0"));
    ck_assert_ptr_nonnull(strstr(canonical, "dtype=bf16"));
    free(canonical);
    pe_args_free(args);
}
END_TEST

START_TEST(nothing_to_rotate_is_an_empty_answer)
{
    struct pe_plan *plan = core_query_plan(apply, "x=f32:0x3x8&seq_axis=0&pos=0:0");

    ck_assert_uint_eq(pe_plan_elements(plan), 0);
    ck_assert_uint_eq(pe_plan_tensor(plan, 0)->cols, 8);
    free(core_query_bytes(plan, 0));
    pe_plan_free(plan);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
    TEST_EACH(what_is_applied_is_a_fact_and_bf16_caches_are_warned_of, told),
    TEST(width_and_axis_are_said_where_they_follow_from_the_tensor),
    TEST(nothing_to_rotate_is_an_empty_answer),
};

const struct suite rope_apply_rules_suite = {SUITE_TESTS(tests)};
