/* SPDX-License-Identifier: Apache-2.0
 * test_learnable_fourier.c - learned directions: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"coords=480,120&wr=1,0;0,2&size=640,480", "angles", ".5 -.75"},
    {"coords=320,240&wr=1,3;0,2&size=640,480", "cos", "1 1"},
    {"coords=.5,-.375&wr=1,0;0,2", "cos", ".877582562 .731688869"},
    {"coords=.5,-.375&wr=1,0;0,2&width=full", "sin",
     ".479425539 .479425539 -.681638760 -.681638760"},
    {"coords=.5,-.375&wr=1,0;0,2", "features", ".438791281 .365844434 .239712769 -.340819380"},
    {"coords=.5;1&wr=2&w1=1,2;0,-1;.5,.5&b1=0,1,-1&w2=1,2,3&b2=.5", "rows",
     "2.04606408 1.28241655"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("learnable-fourier", &known[_i]);
}
END_TEST

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

/* A keypoint of .5 and -.75 radians. */
START_TEST(descriptors_turn_in_adjacent_pairs)
{
    static const struct core_known turned = {"coords=480,120&wr=1,0;0,2&size=640,480&x=1,2,3,4",
                                             "x",
                                             "-.0812685153 2.23459066 4.92162165 .881839195"};
    static const struct core_twin general = {
        "coords=1,2;3,-4&wr=1,.5;.3,-2&x=1,2,3,4;5,6,7,8", "rope-nd/apply",
        "ids=1,2;3,-4&freqs=1,.3;.5,-2&x=1,2,3,4;5,6,7,8", "x"};

    core_query_known("learnable-fourier/apply", &turned);
    core_query_twins("learnable-fourier/apply", &general);
}
END_TEST

static const struct core_refusal refused[] = {
    {"coords=1,2&wr=1", PE_CONFLICT, "wr", "must have a column a coordinate, 2; got 1", ""},
    {"coords=1&wr=1&size=4,4", PE_CONFLICT, "size", "must be width and height", ""},
    {"coords=1,2&wr=1,1&size=4", PE_CONFLICT, "size", "must be width and height", ""},
    {"coords=1&wr=1&out=rows&w1=1&b1=1&w2=1&b2=1", PE_CONFLICT, "w1",
     "must have 2 columns; got 1", ""},
    {"coords=1&wr=1&out=rows&w1=1,1&b1=1,2&w2=1&b2=1", PE_CONFLICT, "b1",
     "must have 1 columns; got 2", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("learnable-fourier"), &refused[_i]);
}
END_TEST

static const struct core_refusal unturned[] = {
    {"coords=1,2&wr=1,1&x=1,2,3,4", PE_CONFLICT, "wr",
     "must have a row a pair, dim/2 = 2; got 1", ""},
    {"coords=1&wr=1,1;2,2&x=1,2,3,4", PE_CONFLICT, "wr", "must have a column a coordinate", ""},
    {"coords=1;2&wr=1;2&x=1,2,3,4", PE_CONFLICT, "coords", "must hold 1 positions", ""},
};

START_TEST(descriptors_that_do_not_fit_are_told_what_would)
{
    core_query_refused(core_query_find("learnable-fourier/apply"), &unturned[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(every_number_of_a_keypoint_adds_to_its_angle),
    TEST(descriptors_turn_in_adjacent_pairs),
    TEST_EACH(descriptors_that_do_not_fit_are_told_what_would, unturned),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite learnable_fourier_suite = {SUITE_TESTS(tests)};
