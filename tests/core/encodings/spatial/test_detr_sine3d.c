/* SPDX-License-Identifier: Apache-2.0
 * test_detr_sine3d.c - pixels of videos that are no padding: examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* Sines and cosines of 1 and 2, of .01 and .02, of .1 and .2. */
static const struct core_known known[] = {
    {"frames=2&grid=1x1&num_pos_feats=2&normalize=0", "map",
     "1.68294197 1.08060461 .851470818 1.54025231 1.75076841 .124155469 .861469652 "
     "1.54010231"},
    {"frames=2&grid=1x1&num_pos_feats=2&normalize=0&preset=vistr", "table",
     ".841470985 .540302306 .841470985 .540302306 .841470985 .540302306 .909297427 -.416146837 "
     ".841470985 .540302306 .841470985 .540302306"},
    /* the second frame is padding on the left: its pixel there is still the first's place */
    {"frames=2&mask=0,0;1,0&num_pos_feats=2&eps=1&scale=1&preset=vistr", "map",
     ".479425539 .327194697 .877582562 .944956946 .479425539 .479425539 .877582562 .877582562 "
     ".327194697 .618369803 .944956946 .785887261 "
     ".479425539 .618369803 .877582562 .785887261 0 .479425539 1 .877582562 0 .479425539 1 "
     ".877582562"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("detr-sine3d", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    {"frames=2&grid=2x3&num_pos_feats=6", "detr-sine3d",
     "frames=2&mask=0,0,0;0,0,0;0,0,0;0,0,0&num_pos_feats=6", "map"},
    {"frames=2&grid=2x3&num_pos_feats=6&preset=vistr", "detr-sine3d",
     "frames=2&mask=0,0,0;0,0,0;0,0,0;0,0,0&num_pos_feats=6&preset=vistr", "map"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("detr-sine3d", &equal[_i]);
}
END_TEST

/* A frame of VisTR's video without its first channels is an image. */
START_TEST(each_frame_has_the_channels_of_an_image)
{
    size_t count, places = 4, feats = 4;
    double *image = core_query_values(
        "detr-sine", "mask=0,1;0,0&num_pos_feats=4&dtype=f64&out=rows", "rows", &count);
    double *video = core_query_values("detr-sine3d",
                                      "frames=2&mask=0,1;0,0;0,1;0,0&num_pos_feats=4&"
                                      "preset=vistr&dtype=f64&out=table",
                                      "table", NULL);

    for (size_t i = 0; i < 2 * count; i++) {
        size_t row = i / (2 * feats), col = i % (2 * feats);

        ck_assert(video[row * 3 * feats + feats + col] ==
                  image[row % places * 2 * feats + col]);
    }
    free(image);
    free(video);
}
END_TEST

START_TEST(maps_are_tables_with_channels_first)
{
    size_t count, places = 6, channels = 8;
    double *table = core_query_values("detr-sine3d",
                                      "frames=2&grid=2x3&num_pos_feats=4&dtype=f64&out=table",
                                      "table", &count);
    double *map = core_query_values(
        "detr-sine3d", "frames=2&grid=2x3&num_pos_feats=4&dtype=f64&out=map", "map", NULL);

    for (size_t i = 0; i < count; i++) {
        size_t t = i / (places * channels), place = i / channels % places, c = i % channels;

        ck_assert(table[i] == map[(t * channels + c) * places + place]);
    }
    free(table);
    free(map);
}
END_TEST

static const struct core_refusal refused[] = {
    {"frames=2&num_pos_feats=4", PE_MISSING_PARAMETER, "grid", "or mask is required", ""},
    {"frames=2&mask=0,0;0,0;0,0", PE_CONFLICT, "mask",
     "must have as many rows for each of the 2 frames; got 3", ""},
    {"frames=1&mask=0,.5", PE_BAD_VALUE, "mask", "must be zeros and ones; got 0.5", ""},
    {"frames=1&grid=1x2&normalize=0&scale=2", PE_CONFLICT, "scale",
     "has no effect with normalize=0", ""},
    /* a pixel that is padding in each frame, but no row or column; of one frame, too */
    {"frames=2&mask=1,0;0,0;1,0;0,0&eps=0", PE_OUT_OF_RANGE, "eps",
     "must be at least 1e-12 with a row, column or pixel that is all padding", ""},
    {"frames=1&mask=1,0;0,0&eps=0", PE_OUT_OF_RANGE, "eps", "must be at least 1e-12", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("detr-sine3d"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST(each_frame_has_the_channels_of_an_image),
    TEST(maps_are_tables_with_channels_first),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite detr_sine3d_suite = {SUITE_TESTS(tests)};
