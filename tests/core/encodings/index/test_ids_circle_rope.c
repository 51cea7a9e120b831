/* SPDX-License-Identifier: Apache-2.0
 * test_ids_circle_rope.c - what Circle-RoPE is for: a text token is equally far from all
 * patches of an image. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* Three tokens of text, then an image. The radius is that of the query. */
static const struct {
    const char *query;
    double radius;
} images[] = {
    {"segments=text:3,image:1x8x12&dtype=f64", 10},
    {"segments=text:3,image:1x2x14&alpha=0&radius=3.5&dtype=f64", 3.5},
    {"segments=text:3,image:1x10x10&alpha=1&radius=4&move_to_origin=0&dtype=f64", 4},
    {"segments=text:3,image:1x6x4&radius_rule=auto&radius_scale=6&dtype=f64", 6},
};

START_TEST(every_text_token_is_equally_far_from_all_patches)
{
    size_t count;
    double *ids = core_query_values("ids-circle-rope", images[_i].query, "positions", &count);
    const size_t tokens = count / 3;

    ck_assert_uint_gt(tokens, 4);
    for (size_t text = 0; text < 3; text++)
        for (size_t patch = 3; patch < tokens; patch++) {
            double square = 0;

            for (size_t axis = 0; axis < 3; axis++)
                square += pow(ids[axis * tokens + patch] - ids[axis * tokens + text], 2);
            ck_assert_double_eq_tol(
                square, pow(images[_i].radius, 2) + 3 * pow(3 - (double)text, 2), 1e-12);
        }
    free(ids);
}
END_TEST

SUITE(ids_circle_rope, TEST_EACH(every_text_token_is_equally_far_from_all_patches, images));
