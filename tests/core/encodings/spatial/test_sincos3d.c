/* SPDX-License-Identifier: Apache-2.0
 * test_sincos3d.c - frames, rows and columns: worked examples, a law, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"frames=1&grid=1x2&dim=16", "table",
     "0 0 1 1 0 0 0 1 1 1 0 0 0 1 1 1 0 0 1 1 .841470985 .0463992235 .00215443302 "
     ".540302306 .998922976 .999997679 0 0 0 1 1 1"},
    {"frames=1&grid=2x1&dim=8&preset=vjepa", "table",
     "0 0 1 1 0 1 0 1 0 0 1 1 .841470985 .540302306 0 1"},
    {"frames=2&grid=1x1&dim=5&preset=vjepa-uniform", "table",
     "0 1 0 1 0 .841470985 .540302306 0 1 0"},
    {"frames=1&grid=1x2&dim=8&preset=t2t", "table",
     "0 1 0 1 0 1 0 0 0 1 0 1 .841470985 .540302306 0 0"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("sincos3d", &known[_i]);
}
END_TEST

/* V-JEPA's second half is the two-dimensional encoding with rows first. */
START_TEST(places_of_a_frame_are_those_of_an_image)
{
    size_t count;
    double *video = core_query_values(
        "sincos3d", "frames=1&grid=3x4&dim=16&preset=vjepa&dtype=f64", "table", NULL);
    double *image =
        core_query_values("sincos2d-mae", "grid=3x4&dim=8&order=hw&dtype=f64", "rows", &count);

    for (size_t i = 0; i < count; i++)
        ck_assert(video[i / 8 * 16 + 8 + i % 8] == image[i]);
    free(video);
    free(image);
}
END_TEST

static const struct core_refusal refused[] = {
    {"frames=1&grid=1x1&dim=24", PE_CONFLICT, "dim",
     "must be a multiple of 16 and at least 16 with preset=diffusers; got 24", ""},
    {"frames=1&grid=1x1&dim=8&preset=vjepa&spatial_interpolation_scale=2", PE_CONFLICT,
     "spatial_interpolation_scale", "has no effect without preset=diffusers", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("sincos3d"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(places_of_a_frame_are_those_of_an_image),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite sincos3d_suite = {SUITE_TESTS(tests)};
