/* SPDX-License-Identifier: Apache-2.0
 * test_ids_videorope.c - ids of VideoRoPE: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"ids-videorope", "segments=text:2,video:2x2x3,text:1", "ids",
     "0 1 2 2 2 2 2 2 4 4 4 4 4 4 5 0 1 2 2 2 3 3 3 4 4 4 5 5 5 5 0 1 1 2 3 1 2 3 3 4 "
     "5 3 4 5 5"},
    {"ids-videorope", "segments=video:2x2x2,text:1&delta=0.5", "ids",
     "0 0 0 0 0.5 0.5 0.5 0.5 1.5 0 0 1 1 0.5 0.5 1.5 1.5 1.5 0 1 0 1 0.5 1.5 0.5 1.5 1.5"},
    {"ids-videorope", "segments=image:1x4x6&spatial_merge=2", "ids",
     "0 0 0 0 0 0 0 0 0 1 1 1 -1 0 1 -1 0 1"},
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
    {"ids-videorope",
     {"segments=text:1,audio:9", PE_CONFLICT, "segments",
      "must be text, images and videos without seconds", ""}},
    {"ids-videorope",
     {"segments=video:2x2x2@1", PE_CONFLICT, "segments",
      "must be text, images and videos without seconds", ""}},
    {"ids-videorope",
     {"segments=video:2x3x2&spatial_merge=2", PE_CONFLICT, "segments",
      "must have heights and widths that spatial_merge, 2, divides", ""}},
    {"ids-videorope",
     {"segments=text:1&delta=0", PE_OUT_OF_RANGE, "delta",
      "must be a number, above 0..1000000; got 0", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_middle_of_a_frame_has_its_time_on_all_axes)
{
    size_t count;
    double *ids =
        core_query_values("ids-videorope", "segments=text:3,video:4x5x7", "ids", &count);
    size_t tokens = count / 3;

    for (size_t frame = 0; frame < 4; frame++) {
        size_t middle = 3 + frame * 35 + 2 * 7 + 3;

        ck_assert(ids[middle] == 3 + 2 * (double)frame);
        ck_assert(ids[tokens + middle] == ids[middle]);
        ck_assert(ids[2 * tokens + middle] == ids[middle]);
    }
    free(ids);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(the_middle_of_a_frame_has_its_time_on_all_axes),
};

const struct suite ids_videorope_suite = {SUITE_TESTS(tests)};
