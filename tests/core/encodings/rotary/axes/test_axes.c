/* SPDX-License-Identifier: Apache-2.0
 * test_axes.c - rotations by several axes: the laws that tie them to RoPE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* ---- laws ---------------------------------------------------------------------------- */

static void expect_same(const char *encoding, const char *query, const char *other,
                        const char *other_query, const char *output)
{
    size_t count, other_count;
    double *values = core_query_values(encoding, query, output, &count);
    double *others = core_query_values(other, other_query, output, &other_count);

    ck_assert_uint_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i] == others[i], "%s: %s[%zu] %.17g, not %.17g", query, output, i,
                      values[i], others[i]);
    free(values);
    free(others);
}

static const char *const profiles[] = {"exact", "f64", "f32-pow", "f32-acc"};

START_TEST(equal_positions_on_all_axes_give_rope)
{
    static const char *const variants[] = {"chunked", "interleaved", "openpangu", "videorope"};
    char query[200], plain[200];

    for (size_t i = 0; i < PE_LEN(variants); i++) {
        snprintf(query, sizeof query,
                 "pos=-3,0.5,7,1000&dim=16&mrope_section=4,2,2&section_layout=%s&profile=%s&"
                 "width=full",
                 variants[i], profiles[_i]);
        snprintf(plain, sizeof plain, "pos=-3,0.5,7,1000&dim=16&profile=%s&width=full",
                 profiles[_i]);
        expect_same("mrope", query, "rope", plain, "cos");
        expect_same("mrope", query, "rope", plain, "sin");
    }
}
END_TEST

START_TEST(one_axis_of_its_own_is_rope)
{
    expect_same("rope-axes", "pos=0:9&axes_dim=8&dtype=f64", "rope", "pos=0:9&dim=8&dtype=f64",
                "sin");
    expect_same("rope-nd", "pos=0:9&freqs=0.5,-2&dtype=f64", "rope-nd",
                "ids=0;1;2;3;4;5;6;7;8&freqs=0.5,-2&dtype=f64", "sin");
}
END_TEST

/* Interleaved maps have as many pairs of each axis as the sections say, where they are as even
 * as models have them. */
START_TEST(maps_of_axes_deal_what_the_sections_say)
{
    static const char *const variants[] = {"chunked", "interleaved", "openpangu", "videorope"};
    char query[200];

    for (size_t i = 0; i < PE_LEN(variants); i++) {
        size_t count, dealt[3] = {0};
        double *axis;

        snprintf(query, sizeof query,
                 "dim=128&mrope_section=24,20,20&section_layout=%s&out=section_axis",
                 variants[i]);
        axis = core_query_values("mrope", query, "section_axis", &count);
        ck_assert_uint_eq(count, 64);
        for (size_t k = 0; k < count; k++)
            dealt[(size_t)axis[k]]++;
        ck_assert_msg(dealt[0] == 24 && dealt[1] == 20 && dealt[2] == 20, "%s", variants[i]);
        free(axis);
    }
}
END_TEST

START_TEST(remaining_pairs_go_to_the_fourth_axis_in_llama_cpp)
{
    size_t count;
    double *axis = core_query_values(
        "mrope",
        "dim=128&mrope_section=24,20,20,0&section_layout=interleaved&leftover=extra&"
        "out=section_axis",
        "section_axis", &count);

    ck_assert(axis[60] == 0 && axis[61] == 3 && axis[62] == 3 && axis[63] == 0);
    free(axis);
}
END_TEST

START_TEST(angles_of_axes_that_cancel_are_exactly_zero)
{
    size_t count;
    double *sine = core_query_values("rope-nd", "ids=2,-1;3,-1.5&freqs=1;2&out=sin&dtype=f64",
                                     "sin", &count);

    ck_assert(sine[0] == 0 && sine[1] == 0);
    free(sine);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------ */

static const struct {
    const char *encoding, *query, *parameter, *sentence;
} refused[] = {
    {"mrope", "pos=1&dim=8&mrope_section=2,1", "mrope_section", "must have 3 or 4 numbers"},
    {"mrope", "pos=1&dim=8&mrope_section=2,1,2", "mrope_section", "must add up to"},
    {"mrope", "pos=1&dim=8&mrope_section=2,1,.5", "mrope_section", "must be whole numbers"},
    {"mrope", "pos.t=1&dim=8&mrope_section=2,1,1", "pos.h", "is required"},
    {"mrope", "pos=1&pos.t=1,2&dim=8&mrope_section=2,1,1", "pos.t", "must have as many"},
    {"mrope", "pos=1&pos.e=1&dim=8&mrope_section=2,1,1", "pos.e", "has no effect"},
    {"mrope", "pos=1&ids=1,2,3&dim=8&mrope_section=2,1,1", "ids", "say the same thing"},
    {"mrope", "ids=1,2&dim=8&mrope_section=2,1,1", "ids",
     "3 columns (t, h, w), or 3 rows with a column a token; got 1 rows of 2"},
    {"mrope", "pos=1&dim=8&mrope_section=2,1,1&leftover=t", "leftover",
     "has no effect without section_layout=interleaved"},
    {"rope2d-qwen-vit", "grid_thw=1,3,4&dim=8", "grid_thw", "multiples of"},
    {"rope2d-qwen-vit", "grid_thw=3,4&dim=8", "grid_thw", "three numbers a grid"},
    {"rope2d-pixtral", "grid=65x1&dim=8", "grid", "at most image_size / patch_size"},
    {"rope2d-timm-cat", "grid=2x2&dim=8&base=100", "base", "has no effect with in_pixels=1"},
    {"rope2d-timm-cat", "grid=2x2&dim=8&in_pixels=0&max_res=9", "max_res", "has no effect"},
    {"rope2d-dinov3", "grid=2x2&dim=8&min_period=1", "max_period", "is required"},
    {"rope2d-loftr", "grid=2x2&dim=8&train_size=8x8", "test_size", "is required"},
    {"rope2d-chatglm", "pos=1&pos.block=1,2&dim=8", "pos.block", "must have as many"},
    {"rope2d-mixed", "grid=2x2&freqs=1,2", "freqs", "must have two rows"},
    {"rope-vision-llama4", "image_size=3&patch_size=4&dim=8", "patch_size", "at most"},
    {"rope-axes", "pos=1", "axes_dim", "is required"},
    {"rope-axes", "pos=1&axes_dim=2,3", "axes_dim", "must be even"},
    {"rope-axes", "pos=1&axes_dim=2,2&dim=8", "dim", "must be the sum"},
    {"rope-axes", "pos=1&preset=cogvideox&dim=24", "dim", "multiple of 16"},
    {"rope-axes", "pos=1&axes_dim=2,2&ids=1,2", "pos", "has no effect with ids"},
    {"rope-axes", "grid_sizes=1,2&axes_dim=2,2&ids=1,2", "ids",
     "has no effect with grid_sizes"},
    {"rope-axes", "pos=1&axes_dim=2,2&split=sixths", "split", "has no effect with axes_dim"},
    {"rope-axes", "pos=1&preset=lumina-next&axes_dim=2,2", "axes_dim",
     "without axis_order=blocks"},
    {"rope-axes", "pos=1&axes_dim=2,2&ntk_factor=2", "ntk_factor",
     "without axis_order=alternating"},
    {"rope-axes", "ids=1,2,3&axis_order=frequency-major&dim=6", "base_sizes", "is required"},
    {"rope-axes", "grid_sizes=2&axes_dim=2,2", "grid_sizes", "a number an axis"},
    {"rope-axes", "pos=1&axes_dim=2,2&base_fps=3", "base_fps", "without fps"},
    {"rope-golden-gate", "pos=1&pos_dim=3&dim=8&directions=angle", "directions", "pos_dim=2"},
    {"rope-nd", "grid_sizes=2,2&freqs=1;2&coord_range=mochi", "coord_range", "three axes"},
    {"rope-nd", "pos=1&freqs=1;2&coord_range=mochi", "coord_range", "without grid_sizes"},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    struct pe_errors errors = {.count = 0};
    struct pe_args *args;

    ck_assert_int_ne(core_query_args(&args, core_query_find(refused[_i].encoding),
                                     refused[_i].query, &errors),
                     PE_OK);
    ck_assert_uint_ge(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, refused[_i].parameter);
    ck_assert_msg(strstr(errors.at[0].detail, refused[_i].sentence) != NULL, "%s",
                  errors.at[0].detail);
    pe_args_free(args);
}
END_TEST

/* The width is not given, so it is no part of the cost. */
START_TEST(positions_alone_cost_no_table)
{
    static const struct {
        const char *encoding, *query;
    } asked[] = {
        {"rope2d-qwen-vit", "grid_thw=1,4,6&spatial_merge_size=2&out=hw_position_ids"},
        {"rope2d-pixtral", "image_size=1024&patch_size=16&grid=4x5&out=position_ids"},
    };

    for (size_t i = 0; i < PE_LEN(asked); i++) {
        struct pe_args *args =
            core_query_checked(core_query_find(asked[i].encoding), asked[i].query);

        ck_assert(pe_args_operations(args) == 0);
        pe_args_free(args);
    }
}
END_TEST

SUITE(axes, TEST_EACH(equal_positions_on_all_axes_give_rope, profiles),
      TEST(one_axis_of_its_own_is_rope), TEST(maps_of_axes_deal_what_the_sections_say),
      TEST(remaining_pairs_go_to_the_fourth_axis_in_llama_cpp),
      TEST(angles_of_axes_that_cancel_are_exactly_zero), TEST(positions_alone_cost_no_table),
      TEST_EACH(wrong_requests_are_told_what_would_be_right, refused));
