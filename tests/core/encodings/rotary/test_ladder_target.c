/* SPDX-License-Identifier: Apache-2.0
 * test_ladder_target.c - the factor of a scaling divided out of frequencies, positions or
 * angles: laws that hold bit for bit in float32, and what has no effect. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define ROW "dim=16&out=cos&dtype=f64&"
#define LINEAR ROW "scaling=linear&"

static const struct core_twin twins[] = {
    /* position 7 over 3 in float32, as a position without a scaling */
    {LINEAR "pos=7&factor=3&profile=f32-pow&scale_target=position", "rope",
     ROW "pos=2.3333332538604736&profile=f32-pow", "cos"},
    {LINEAR "pos=1000000&factor=3&profile=f32-exp&scale_target=position", "rope",
     ROW "pos=333333.34375&profile=f32-exp", "cos"},
    {LINEAR "pos=1000000&factor=3&profile=f32-div&scale_target=position", "rope",
     ROW "pos=333333.34375&profile=f32-div", "cos"},
    /* a power of two may be divided out anywhere */
    {LINEAR "pos=100003&factor=4&profile=f32-pow&scale_target=angle", "rope",
     LINEAR "pos=100003&factor=4&profile=f32-pow", "cos"},
    {LINEAR "pos=100003&factor=4&profile=f32-exp&scale_target=angle", "rope",
     LINEAR "pos=100003&factor=4&profile=f32-exp", "cos"},
    {LINEAR "pos=100003&factor=4&profile=f32-div&scale_target=angle", "rope",
     LINEAR "pos=100003&factor=4&profile=f32-div", "cos"},
    {LINEAR "pos=100003&factor=4&profile=bf16-table&scale_target=position", "rope",
     LINEAR "pos=100003&factor=4&profile=bf16-table", "cos"},
    {"dim=4&pos=77&out=cos&scaling=factors&freq_factors=2,8&profile=f32-pow&scale_target=angle",
     "rope", "dim=4&pos=77&out=cos&scaling=factors&freq_factors=2,8&profile=f32-pow", "cos"},
    /* what is said anyway says nothing */
    {LINEAR "pos=5&factor=3&profile=f32-pow&scale_target=freq", "rope",
     LINEAR "pos=5&factor=3&profile=f32-pow", "cos"},
    /* equal axes are one */
    {"dim=8&mrope_section=2,1,1&pos.t=77&pos.h=77&pos.w=77&scaling=linear&factor=3&"
     "profile=f32-pow&scale_target=angle&out=cos",
     "rope", "dim=8&pos=77&scaling=linear&factor=3&profile=f32-pow&scale_target=angle&out=cos",
     "cos"},
};

START_TEST(a_factor_is_divided_out_where_it_is_said)
{
    bool axes = _i + 1 == (int)PE_LEN(twins);

    core_query_twins(axes ? "mrope" : "rope", &twins[_i]);
}
END_TEST

/* A third is no float32: each target rounds in its own place. */
START_TEST(the_targets_differ_in_their_roundings)
{
    static const char *const query[] = {
        LINEAR "pos=100003&factor=3&profile=f32-pow",
        LINEAR "pos=100003&factor=3&profile=f32-pow&scale_target=position",
        LINEAR "pos=100003&factor=3&profile=f32-pow&scale_target=angle",
    };
    double *rows[3];
    size_t count, apart[3] = {0, 0, 0};

    for (size_t i = 0; i < 3; i++)
        rows[i] = core_query_values("rope", query[i], "cos", &count);
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < 3; i++)
            apart[i] += rows[i][j] != rows[(i + 1) % 3][j];
        ck_assert_double_eq_tol(rows[0][j], rows[1][j], 1e-2);
        ck_assert_double_eq_tol(rows[0][j], rows[2][j], 1e-2);
    }
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_gt(apart[i], 0);
        free(rows[i]);
    }
}
END_TEST

/* inv_freq is what position and angle amount to, so the factor is in it. */
static const struct core_known known[] = {
    {"dim=4&scaling=linear&factor=4&profile=f32-pow&scale_target=angle", "inv_freq",
     ".25 .0024999999441206455"},
    {"dim=4&scaling=linear&factor=4&profile=f32-pow&scale_target=position", "inv_freq",
     ".25 .0024999999441206455"},
};

START_TEST(frequencies_are_what_the_target_amounts_to)
{
    core_query_known("rope", &known[_i]);
}
END_TEST

#define WHERE                                                                                  \
    "goes with scaling=linear or factors, and profile=f32-pow, f32-exp, f32-div or bf16-table"
static const struct core_refusal refusals[] = {
    {"pos=1&dim=8&scaling=linear&factor=3&scale_target=angle", PE_CONFLICT, "scale_target",
     WHERE, ""},
    {"pos=1&dim=8&profile=f32-pow&scale_target=angle", PE_CONFLICT, "scale_target", WHERE, ""},
    {"pos=1&dim=8&scaling=linear&factor=3&profile=f32-acc&scale_target=freq", PE_CONFLICT,
     "scale_target", WHERE, ""},
    {"pos=1&dim=4&scaling=factors&freq_factors=1,2&profile=f32-pow&scale_target=position",
     PE_CONFLICT, "scale_target", "must be freq or angle with scaling=factors", ""},
};

START_TEST(a_target_without_effect_is_refused)
{
    core_query_refused(core_query_find("rope"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_factor_is_divided_out_where_it_is_said, twins),
    TEST(the_targets_differ_in_their_roundings),
    TEST_EACH(frequencies_are_what_the_target_amounts_to, known),
    TEST_EACH(a_target_without_effect_is_refused, refusals),
};

const struct suite ladder_target_suite = {SUITE_TESTS(tests)};
