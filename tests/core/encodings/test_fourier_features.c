/* SPDX-License-Identifier: Apache-2.0
 * test_fourier_features.c - waves of coordinates: fourier-features, nerf, pixel-fourier and
 * sam-random: worked examples, laws, refusals. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} known[] = {
    {"fourier-features", "coords=.1,.2&b=1,0;0,2", "rows",
     ".809016994 -.809016994 .587785252 .587785252"},
    {"fourier-features", "coords=.25,.25&b=1,0;1,1&a=2,-3", "rows", "0 3 2 0"},
    {"fourier-features", "coords=0,0&f=2&sigma=2&seed=42", "directions",
     "-.606526129 .576923478 2.68762353 -1.37595036"},
    {"nerf", "coords=.5&num_freqs=3", "rows",
     ".5 .479425539 .877582562 .841470985 .540302306 .909297427 -.416146837"},
    {"nerf", "coords=.5&num_freqs=3&multiply_pi=1", "rows", ".5 1 0 0 -1 0 1"},
    {"nerf", "coords=.5,-.25&num_freqs=2", "rows",
     ".5 -.25 .479425539 -.247403959 .877582562 .968912422 .841470985 -.479425539 .540302306 "
     ".877582562"},
    {"nerf", "coords=.25&num_freqs=3&log_sampling=0&multiply_pi=1&include_input=0", "rows",
     ".707106781 .707106781 .923879533 -.382683432 0 -1"},
    {"nerf", "coords=.5&num_freqs=3&max_freq_log2=0&multiply_pi=1", "rows", ".5 1 0 1 0 1 0"},
    {"nerf", "coords=2&num_freqs=1&include_input=0", "rows", ".909297427 -.416146837"},
    {"pixel-fourier", "coords=.3&num_bands=2&max_freq=4", "features",
     ".809016994 .951056516 .587785252 -.309016994 .3"},
    {"pixel-fourier", "grid=1x3&num_bands=1", "features",
     "-1 0 -1 -1 0 -1 -1 0 -1 0 0 1 -1 0 -1 1 0 -1"},
    {"pixel-fourier", "coords=.5&num_bands=3&max_freq=8&linear_bands=0&concat_grid=0",
     "features", "1 0 0 0 -1 1"},
    {"pixel-fourier", "coords=1&num_bands=4&max_freq=10&order=grid-first&concat_grid=1",
     "features", "1 0 .866025404 -.866025404 0 -1 .5 .5 -1"},
    {"sam-random", "g=1,-.5;.5,2&points=1,2&image_size=4x4", "rows", "0 1 -1 0"},
    {"sam-random", "g=1,-.5;.5,2&points=.5,1.5&image_size=4x4&point_offset=.5", "rows",
     "0 1 -1 0"},
    {"sam-random", "g=1,-.5;.5,2&grid=1x2", "rows", "0 1 -1 0 0 -1 -1 0"},
    {"sam-random", "g=1,-.5;.5,2&grid=1x2", "map", "0 0 1 -1 -1 -1 0 0"},
    {"sam-random", "g=1;1&points=1.5,3.5&image_size=7x3", "rows", "0 1"},
};

START_TEST(worked_examples_come_out)
{
    char query[200];

    snprintf(query, sizeof query, "%s&dtype=f64&out=%s", known[_i].query, known[_i].output);
    core_query_prints(known[_i].encoding, query, known[_i].output, known[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding, *query, *other, *other_query, *output;
} equal[] = {
    /* cells are points at their centres */
    {"sam-random", "g=1.5,-.7;.3,2&grid=2x3", "sam-random",
     "g=1.5,-.7;.3,2&points=.5,.5;1.5,.5;2.5,.5;.5,1.5;1.5,1.5;2.5,1.5&image_size=2x3", "rows"},
    /* a matrix without mixing is NeRF's ladder of two frequencies in turns */
    {"fourier-features", "coords=.3;1.7&b=.5;1&a=1,1", "fourier-features",
     "coords=.3;1.7&b=.5;1", "rows"},
    /* a grid is the coordinates of its points */
    {"pixel-fourier", "grid=1x3&num_bands=3&max_freq=5&order=grid-last", "pixel-fourier",
     "coords=-1,-1;-1,0;-1,1&num_bands=3&max_freq=5", "features"},
    /* the last frequency of K bands is 2^F however they are spaced */
    {"nerf", "coords=.7&num_freqs=2&log_sampling=0&max_freq_log2=5", "nerf",
     "coords=.7&num_freqs=2&max_freq_log2=5", "rows"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    size_t count, other_count;
    double *values =
        core_query_values(equal[_i].encoding, equal[_i].query, equal[_i].output, &count);
    double *others = core_query_values(equal[_i].other, equal[_i].other_query, equal[_i].output,
                                       &other_count);

    ck_assert_uint_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i] == others[i], "%s: element %zu", equal[_i].query, i);
    free(values);
    free(others);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"fourier-features", {"coords=1,2", PE_MISSING_PARAMETER, "b", "or f is required", ""}},
    {"fourier-features",
     {"coords=1,2&b=1,2&sigma=3", PE_CONFLICT, "b", "is used as it is", ""}},
    {"fourier-features",
     {"coords=1,2&b=1,2,3", PE_CONFLICT, "b", "must have a column a coordinate, 2; got 3", ""}},
    {"fourier-features",
     {"coords=1,2&b=1,2&a=1,2", PE_CONFLICT, "a", "must have a number a feature, 1; got 2",
      ""}},
    {"fourier-features",
     {"coords=1,2,3,4,5,6,7,8,9&f=1", PE_CONFLICT, "coords", "at most 8 columns; got 9", ""}},
    {"nerf",
     {"coords=1&num_freqs=1&max_freq_log2=3", PE_CONFLICT, "max_freq_log2", "has no effect",
      ""}},
    {"nerf",
     {"coords=1&num_freqs=122", PE_OUT_OF_RANGE, "num_freqs",
      "must be at most 121 unless max_freq_log2 is given; got 122", ""}},
    {"pixel-fourier",
     {"num_bands=2", PE_MISSING_PARAMETER, "grid", "or coords is required", ""}},
    {"pixel-fourier",
     {"grid=2x2&coords=1", PE_CONFLICT, "coords", "cannot be given together with grid", ""}},
    {"pixel-fourier",
     {"grid=2x2&concat_grid=0&order=grid-last", PE_CONFLICT, "order", "has no effect", ""}},
    {"pixel-fourier",
     {"grid=2x2&num_bands=1&max_freq=4", PE_CONFLICT, "max_freq", "has no effect", ""}},
    {"sam-random",
     {"g=1,2&grid=2x2", PE_CONFLICT, "g", "must have two rows, of x and of y; got 1", ""}},
    {"sam-random", {"g=1;2", PE_MISSING_PARAMETER, "grid", "is required, or points", ""}},
    {"sam-random",
     {"g=1;2&points=1,2", PE_MISSING_PARAMETER, "image_size", "is required with points", ""}},
    {"sam-random",
     {"g=1;2&grid=2x2&image_size=2x2", PE_CONFLICT, "image_size", "has no effect", ""}},
    {"sam-random",
     {"g=1;2&grid=2x2&points=1,2&image_size=2x2", PE_CONFLICT, "grid", "together with points",
      ""}},
    {"sam-random",
     {"g=1;2&points=1&image_size=2x2", PE_CONFLICT, "points", "must have two columns", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

Suite *fourier_features_suite(void);

Suite *fourier_features_suite(void)
{
    Suite *suite = suite_create("fourier_features");
    TCase *tests = tcase_create("fourier_features");

    tcase_add_loop_test(tests, worked_examples_come_out, 0, PE_LEN(known));
    tcase_add_loop_test(tests, what_means_the_same_has_the_same_bits, 0, PE_LEN(equal));
    tcase_add_loop_test(tests, wrong_requests_are_told_what_would_be_right, 0, PE_LEN(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
