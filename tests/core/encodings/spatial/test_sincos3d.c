/* SPDX-License-Identifier: Apache-2.0
 * test_sincos3d.c - frames, rows and columns: a law beyond the rows of sincos3d.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* V-JEPA's second half is the two-dimensional encoding with rows first. */
START_TEST(places_of_a_frame_are_those_of_an_image)
{
    size_t count;
    double *video = core_query_values(
        "sincos3d", "frames=1&grid=3x4&dim=16&convention=vjepa&dtype=f64", "table", NULL);
    double *image =
        core_query_values("sincos2d-mae", "grid=3x4&dim=8&order=hw&dtype=f64", "rows", &count);

    for (size_t i = 0; i < count; i++)
        ck_assert(video[i / 8 * 16 + 8 + i % 8] == image[i]);
    free(video);
    free(image);
}
END_TEST

SUITE(sincos3d, TEST(places_of_a_frame_are_those_of_an_image));
