/* SPDX-License-Identifier: Apache-2.0
 * test_rope_apply_rules.c - the limits of vectors to rotate. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

extern const struct pe_encoding pe_encoding_rope_apply;
static const struct pe_encoding *const apply = &pe_encoding_rope_apply;

START_TEST(nothing_to_rotate_is_an_empty_answer)
{
    struct pe_plan *plan = core_query_plan(apply, "x=f32:0x3x8&seq_axis=0&pos=0:0");

    ck_assert_uint_eq(pe_plan_elements(plan), 0);
    ck_assert_uint_eq(pe_plan_tensor(plan, 0)->cols, 8);
    free(core_query_bytes(plan, 0));
    pe_plan_free(plan);
}
END_TEST

SUITE(rope_apply_rules, TEST(nothing_to_rotate_is_an_empty_answer));
