/* SPDX-License-Identifier: Apache-2.0
 * test_ids_grid.c - coordinates of patches: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"ids-grid", "grid=2x3&out=ids", "ids", "0 0 0 1 0 2 1 0 1 1 1 2"},
    {"ids-grid", "grid=2x3", "coords", "0 0 0 1 0 2 1 0 1 1 1 2"},
    {"ids-grid", "grid=1x3&coords=signed", "coords", "0 -0.666667 0 0 0 0.666667"},
    {"ids-grid", "grid=2x3&coords=signed&prefix=1", "coords",
     "0 0 -.5 -0.666667 -.5 0 -.5 0.666667 .5 -0.666667 .5 0 .5 0.666667"},
    {"ids-grid", "grid=3x2&coords=centred&out=ids", "ids", "-2 -1 -2 0 -1 -1 -1 0 0 -1 0 0"},
    {"ids-grid", "grid=1x2&coords=pixel_centre", "coords", ".5 .5 .5 1.5"},
    {"ids-grid", "grid=1x2&coords=unit", "coords", ".5 .25 .5 .75"},
    {"ids-grid", "grid=1x3&coords=endpoints", "coords", "-1 -1 -1 0 -1 1"},
    {"ids-grid", "grid=2x3&order=xy&out=ids", "ids", "0 0 1 0 2 0 0 1 1 1 2 1"},
    {"ids-grid", "grid=1x2&frames=2&order=xy&out=ids", "ids", "0 0 0 0 1 0 1 0 0 1 1 0"},
    {"ids-grid", "grid=2x4&merge=2&out=ids", "ids", "0 0 0 1 1 0 1 1 0 2 0 3 1 2 1 3"},
    {"ids-grid", "grid=1x2&suffix=1&scale=2,3&offset=1&out=ids", "ids", "1 1 1 4 0 0"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"ids-grid",
     {"grid=3x4&merge=2", PE_CONFLICT, "merge", "must divide height and width of grid, 3x4",
      ""}},
    {"ids-grid",
     {"grid=2x2&scale=1,2,3", PE_CONFLICT, "scale",
      "must have one number or one an axis, 2; got 3", ""}},
    {"ids-grid",
     {"grid=2x2&frames=2&offset=1,2", PE_CONFLICT, "offset",
      "must have one number or one an axis, 3; got 2", ""}},
    {"ids-grid",
     {"grid=2x2&coords=unit&out=ids", PE_CONFLICT, "out",
      "has ids only for coords=index and centred with whole scale and offset; take coords",
      ""}},
    {"ids-grid",
     {"grid=2x2&scale=0.5&out=ids", PE_CONFLICT, "out", "has ids only for coords=index", ""}},
    {"ids-grid",
     {"out=ids", PE_MISSING_PARAMETER, "grid", "is required: patches HEIGHTxWIDTH", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(signed_coordinates_are_odd_about_the_middle)
{
    size_t count;
    double *values =
        core_query_values("ids-grid", "grid=5x7&coords=signed&dtype=f64", "coords", &count);

    for (size_t i = 0; i < count / 2; i++)
        ck_assert(values[2 * i] == -values[count - 2 - 2 * i] &&
                  values[2 * i + 1] == -values[count - 1 - 2 * i]);
    free(values);
}
END_TEST

START_TEST(blocks_hold_every_patch_once)
{
    double seen[48] = {0};
    double *ids = core_query_values("ids-grid", "grid=6x8&merge=2&out=ids", "ids", NULL);

    for (size_t i = 0; i < 48; i++)
        seen[(size_t)(ids[2 * i] * 8 + ids[2 * i + 1])]++;
    for (size_t i = 0; i < 48; i++)
        ck_assert(seen[i] == 1);
    free(ids);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(signed_coordinates_are_odd_about_the_middle),
    TEST(blocks_hold_every_patch_once),
};

const struct suite ids_grid_suite = {SUITE_TESTS(tests)};
