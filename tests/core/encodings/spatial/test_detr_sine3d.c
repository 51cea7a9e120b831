/* SPDX-License-Identifier: Apache-2.0
 * test_detr_sine3d.c - pixels of videos that are no padding: laws beyond the rows of
 * detr_sine3d.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* A frame of VisTR's video without its first channels is an image. */
START_TEST(each_frame_has_the_channels_of_an_image)
{
    size_t count, places = 4, feats = 4;
    double *image = core_query_values(
        "detr-sine", "padding_mask=0,1;0,0&num_pos_feats=4&dtype=f64&out=rows", "rows", &count);
    double *video = core_query_values("detr-sine3d",
                                      "frames=2&padding_mask=0,1;0,0;0,1;0,0&num_pos_feats=4&"
                                      "convention=vistr&dtype=f64&out=table",
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

SUITE(detr_sine3d, TEST(each_frame_has_the_channels_of_an_image),
      TEST(maps_are_tables_with_channels_first));
