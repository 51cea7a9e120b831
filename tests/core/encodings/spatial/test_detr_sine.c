/* SPDX-License-Identifier: Apache-2.0
 * test_detr_sine.c - places among the pixels that are no padding: examples, laws, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"grid=1x1&num_pos_feats=4&normalize=0", "rows",
     ".841470985 .540302306 .00999983333 .999950000 .841470985 .540302306 .00999983333 "
     ".999950000"},
    {"mask=0,1&num_pos_feats=2&eps=1&scale=1", "rows",
     ".479425539 .877582562 .479425539 .877582562 0 1 .479425539 .877582562"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("detr-sine", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    /* a grid is a mask without padding */
    {"grid=2x3&num_pos_feats=6", "detr-sine", "mask=0,0,0;0,0,0&num_pos_feats=6", "map"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("detr-sine", &equal[_i]);
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

START_TEST(maps_are_rows_with_channels_first)
{
    static const char asked[] = "mask=0,0,1;0,1,1&num_pos_feats=5&dtype=f64&out=";
    char query[200];
    size_t count, channels;
    double *rows, *map;

    snprintf(query, sizeof query, "%srows", asked);
    rows = core_query_values("detr-sine", query, "rows", &count);
    snprintf(query, sizeof query, "%smap", asked);
    map = core_query_values("detr-sine", query, "map", NULL);
    channels = count / 6;
    for (size_t i = 0; i < count; i++)
        ck_assert(map[i] == rows[i % 6 * channels + i / 6]);
    free(rows);
    free(map);
}
END_TEST

static const struct core_refusal refused[] = {
    {"num_pos_feats=4", PE_MISSING_PARAMETER, "grid", "or mask is required", ""},
    {"grid=1x2&mask=0,0", PE_CONFLICT, "grid", "cannot be given together with mask", ""},
    {"mask=0,.5", PE_BAD_VALUE, "mask", "must be zeros and ones; got 0.5", ""},
    {"grid=1x2&normalize=0&scale=2", PE_CONFLICT, "scale", "has no effect with normalize=0",
     ""},
    {"grid=1x2&normalize=0&eps=0", PE_CONFLICT, "eps", "has no effect with normalize=0", ""},
    {"mask=0,1;0,1&eps=0", PE_OUT_OF_RANGE, "eps", "must be at least 1e-12 with a row or", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("detr-sine"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST(detr_divides_by_the_last_place_and_a_little_more),
    TEST(maps_are_rows_with_channels_first),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite detr_sine_suite = {SUITE_TESTS(tests)};
