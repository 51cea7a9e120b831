/* SPDX-License-Identifier: Apache-2.0
 * test_spatial_columns.c - additive encodings of images and videos: worked examples of their
 * sources, laws that tie them to each other, and what wrong requests are told. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} known[] = {
    {"sincos2d-mae", "grid=1x2&dim=8", "rows",
     "0 0 1 1 0 0 1 1 .84147098 .0099998333 .54030231 .999950000 0 0 1 1"},
    {"sincos2d-mae", "grid=1x2&dim=8&order=hw&cls_token=1", "rows",
     "0 0 0 0 0 0 0 0 0 0 1 1 0 0 1 1 0 0 1 1 .84147098 .0099998333 .54030231 .999950000"},
    {"sincos2d-timm", "grid=2x1&dim=8", "rows",
     "0 0 0 0 1 1 1 1 .84147098 .0099998333 0 0 .54030231 .999950000 1 1"},
    {"sincos2d-timm", "grid=2x1&dim=8&interleave_sin_cos=1", "rows",
     "0 0 1 1 0 0 1 1 .84147098 .0099998333 .54030231 .999950000 0 0 1 1"},
    {"sincos2d-timm", "grid=1x2&dim=8&preset=simple-vit", "rows",
     "0 0 1 1 0 0 1 1 .84147098 .0000999999998 .54030231 .999999995 0 0 1 1"},
    {"detr-sine", "grid=1x1&num_pos_feats=4&normalize=0", "rows",
     ".841470985 .540302306 .00999983333 .999950000 .841470985 .540302306 .00999983333 "
     ".999950000"},
    {"detr-sine", "mask=0,1&num_pos_feats=2&eps=1&scale=1", "rows",
     ".479425539 .877582562 .479425539 .877582562 0 1 .479425539 .877582562"},
    {"detr-query-sine", "points=.25,.5&num_pos_feats=4", "rows",
     "0 -1 .0314107591 .99950656 1 0 .0157073173 .999876632"},
    {"detr-query-sine", "boxes=.25,.5,1,.75&num_pos_feats=2", "rows", "0 -1 1 0 0 1 -1 0"},
    {"detr-query-sine", "boxes=1,1,1,1&num_pos_feats=3&base=10&base_w=1&scale=1", "rows",
     ".841470985 .540302306 .213780666 .841470985 .540302306 .841470985 .841470985 "
     ".540302306 .841470985 .841470985 .540302306 .213780666"},
    {"loftr-sine", "grid=1x1&dim=8", "map",
     ".841470985 .540302306 .841470985 .540302306 .00999983333 .999950000 .00999983333 "
     ".999950000"},
    {"loftr-sine", "grid=1x2&dim=8&bug_compat=1", "rows",
     ".841470985 .540302306 .841470985 .540302306 .134922536 .990856150 .134922536 "
     ".990856150 .909297427 -.416146837 .841470985 .540302306 .267377649 .963591819 "
     ".134922536 .990856150"},
    {"multidim-sine", "grid_sizes=2,1&dim=6", "table",
     "0 1 0 1 0 1 .841470985 .540302306 .00999983333 .999950000 0 1"},
    {"multidim-sine", "grid_sizes=2&dim=3", "table",
     "0 1 0 .841470985 .540302306 .00999983333"},
    {"sincos3d", "frames=1&grid=1x2&dim=16", "table",
     "0 0 1 1 0 0 0 1 1 1 0 0 0 1 1 1 0 0 1 1 .841470985 .0463992235 .00215443302 "
     ".540302306 .998922976 .999997679 0 0 0 1 1 1"},
    {"sincos3d", "frames=1&grid=2x1&dim=8&preset=vjepa", "table",
     "0 0 1 1 0 1 0 1 0 0 1 1 .841470985 .540302306 0 1"},
    {"sincos3d", "frames=2&grid=1x1&dim=5&preset=vjepa-uniform", "table",
     "0 1 0 1 0 .841470985 .540302306 0 1 0"},
    {"sincos3d", "frames=1&grid=1x2&dim=8&preset=t2t", "table",
     "0 1 0 1 0 1 0 0 0 1 0 1 .841470985 .540302306 0 0"},
    {"coordconv", "grid=1x3&with_r=1", "map",
     "-1 0 1 -1 -1 -1 2.12132034 1.58113883 1.58113883"},
    {"coordconv", "grid=3x1&with_r=1&r_center=0&order=yx", "map",
     "-1 0 1 -1 -1 -1 1.41421356 1 1.41421356"},
};

START_TEST(worked_examples_come_out)
{
    char query[200];

    snprintf(query, sizeof query, "%s&dtype=f64&out=%s", known[_i].query, known[_i].output);
    core_query_prints(known[_i].encoding, query, known[_i].output, known[_i].numbers);
}
END_TEST

/* The printed example of the source, to the digits it has. */
START_TEST(detr_divides_by_the_last_place_and_a_little_more)
{
    static const double plain[] = {.00000157, -1,       .0314107, .999507,
                                   .866026,   -.499999, .0209424, .999781};
    static const double centred[] = {1,       .0000008, .0157073, .999877,
                                     .866025, .5,       .0104718, .999945};
    double *first =
        core_query_values("detr-sine", "grid=2x3&num_pos_feats=4&out=rows", "rows", NULL);
    double *second = core_query_values(
        "detr-sine", "grid=2x3&num_pos_feats=4&out=rows&offset=-0.5", "rows", NULL);

    for (size_t i = 0; i < 8; i++) {
        ck_assert_double_eq_tol(first[i], plain[i], 6e-7);
        ck_assert_double_eq_tol(second[i], centred[i], 6e-7);
    }
    free(first);
    free(second);
}
END_TEST

/* ---- laws -------------------------------------------------------------------------------- */

static const struct {
    const char *encoding, *query, *other, *other_query, *output;
} equal[] = {
    /* a grid is a mask without padding */
    {"detr-sine", "grid=2x3&num_pos_feats=6", "detr-sine", "mask=0,0,0;0,0,0&num_pos_feats=6",
     "map"},
    /* a grid stretched to its own size is itself */
    {"sincos2d-mae", "grid=4x6&dim=8", "sincos2d-mae", "grid=4x6&dim=8&base_size=4,6", "rows"},
    {"sincos2d-mae", "grid=4x6&dim=8", "sincos2d-mae",
     "grid=4x6&dim=8&base_size=12,18&interpolation_scale=3", "rows"},
    /* simple ViT's columns on an open ladder are MAE's */
    {"sincos2d-timm", "grid=3x5&dim=12&order=wh&interleave_sin_cos=1", "sincos2d-mae",
     "grid=3x5&dim=12", "rows"},
    /* MoCo v3 on a square grid is the interleaved form */
    {"sincos2d-timm", "grid=3x3&dim=12&preset=moco-v3", "sincos2d-timm",
     "grid=3x3&dim=12&interleave_sin_cos=1", "rows"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    const char *output = equal[_i].output;
    size_t count, other_count;
    double *values, *others;

    values = core_query_values(equal[_i].encoding, equal[_i].query, output, &count);
    others = core_query_values(equal[_i].other, equal[_i].other_query, output, &other_count);
    ck_assert_uint_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i] == others[i], "%s: element %zu", equal[_i].query, i);
    free(values);
    free(others);
}
END_TEST

START_TEST(maps_are_rows_with_channels_first)
{
    static const struct {
        const char *encoding, *query;
    } asked[] = {{"detr-sine", "mask=0,0,1;0,1,1&num_pos_feats=5&dtype=f64&out="},
                 {"loftr-sine", "grid=2x3&dim=8&dtype=f64&out="}};

    for (size_t e = 0; e < PE_LEN(asked); e++) {
        char query[200];
        double *rows, *map;
        size_t count, channels;

        snprintf(query, sizeof query, "%srows", asked[e].query);
        rows = core_query_values(asked[e].encoding, query, "rows", &count);
        snprintf(query, sizeof query, "%smap", asked[e].query);
        map = core_query_values(asked[e].encoding, query, "map", NULL);
        channels = count / 6;
        for (size_t i = 0; i < count; i++)
            ck_assert(map[i] == rows[i % 6 * channels + i / 6]);
        free(rows);
        free(map);
    }
}
END_TEST

/* ---- refusals ---------------------------------------------------------------------------- */

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"sincos2d-mae",
     {"grid=2x2&dim=8&interpolation_scale=2", PE_CONFLICT, "interpolation_scale",
      "has no effect without base_size", ""}},
    {"sincos2d-mae",
     {"grid=2x2&dim=8&base_size=1,2,3", PE_CONFLICT, "base_size", "must be one number or two",
      ""}},
    {"sincos2d-timm",
     {"grid=2x2&dim=8&reverse_coord=1&order=wh", PE_CONFLICT, "order", "must be hw or absent",
      ""}},
    {"detr-sine", {"num_pos_feats=4", PE_MISSING_PARAMETER, "grid", "or mask is required", ""}},
    {"detr-sine",
     {"grid=1x2&mask=0,0", PE_CONFLICT, "grid", "cannot be given together with mask", ""}},
    {"detr-sine", {"mask=0,.5", PE_BAD_VALUE, "mask", "must be zeros and ones; got 0.5", ""}},
    {"detr-sine",
     {"grid=1x2&normalize=0&scale=2", PE_CONFLICT, "scale", "has no effect with normalize=0",
      ""}},
    {"detr-sine",
     {"grid=1x2&normalize=0&eps=0", PE_CONFLICT, "eps", "has no effect with normalize=0", ""}},
    {"detr-sine",
     {"mask=0,1;0,1&eps=0", PE_OUT_OF_RANGE, "eps", "must be at least 1e-12 with a row or",
      ""}},
    {"detr-query-sine",
     {"num_pos_feats=4", PE_MISSING_PARAMETER, "points", "or boxes is required", ""}},
    {"detr-query-sine",
     {"points=1,2&boxes=1,2,3,4", PE_CONFLICT, "boxes", "cannot be given together", ""}},
    {"detr-query-sine",
     {"points=1,2,3", PE_CONFLICT, "points", "must have 2 columns; got 3", ""}},
    {"loftr-sine",
     {"grid=2x2&dim=8&bug_compat=1&base=100", PE_CONFLICT, "base",
      "has no effect with bug_compat", ""}},
    {"multidim-sine",
     {"grid_sizes=2,2,2,2&dim=8", PE_CONFLICT, "grid_sizes", "must have 1 to 3 axes; got 4",
      ""}},
    {"multidim-sine",
     {"grid_sizes=2.5&dim=8", PE_BAD_VALUE, "grid_sizes", "must be whole numbers; got 2.5",
      ""}},
    {"sincos3d",
     {"frames=1&grid=1x1&dim=24", PE_CONFLICT, "dim",
      "must be a multiple of 16 and at least 16 with preset=diffusers; got 24", ""}},
    {"sincos3d",
     {"frames=1&grid=1x1&dim=8&preset=vjepa&spatial_interpolation_scale=2", PE_CONFLICT,
      "spatial_interpolation_scale", "has no effect without preset=diffusers", ""}},
    {"coordconv",
     {"grid=1x3&r_center=0", PE_CONFLICT, "r_center", "has no effect without with_r", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

Suite *spatial_columns_suite(void);

Suite *spatial_columns_suite(void)
{
    Suite *suite = suite_create("spatial_columns");
    TCase *tests = tcase_create("spatial_columns");

    tcase_add_loop_test(tests, worked_examples_come_out, 0, PE_LEN(known));
    tcase_add_test(tests, detr_divides_by_the_last_place_and_a_little_more);
    tcase_add_loop_test(tests, what_means_the_same_has_the_same_bits, 0, PE_LEN(equal));
    tcase_add_test(tests, maps_are_rows_with_channels_first);
    tcase_add_loop_test(tests, wrong_requests_are_told_what_would_be_right, 0, PE_LEN(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
