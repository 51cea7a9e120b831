/* SPDX-License-Identifier: Apache-2.0
 * test_learnable_fourier.c - learned directions: laws beyond the rows of
 * learnable_fourier.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(every_number_of_a_keypoint_adds_to_its_angle)
{
    size_t count, plain_count;
    double *angles = core_query_values(
        "learnable-fourier", "coords=1,2,3;-1,0,.5&wr=.5,1,2;3,-1,.25&out=angles&dtype=f64",
        "angles", &count);
    double *cosines = core_query_values("fourier-features",
                                        "coords=1,2,3;-1,0,.5&b=.5,1,2;3,-1,.25&dtype=f64",
                                        "rows", &plain_count);
    static const double right[] = {8.5, 1.75, .5, -2.875};

    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert(angles[i] == right[i]);
    ck_assert(cosines[0] == -1 && cosines[2] == 0); /* 8.5 turns there */
    free(angles);
    free(cosines);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(every_number_of_a_keypoint_adds_to_its_angle),
};

const struct suite learnable_fourier_suite = {SUITE_TESTS(tests)};
