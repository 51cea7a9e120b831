/* SPDX-License-Identifier: Apache-2.0
 * test_segments.c - the items of a list of segments, and the limit of a list. The grammar is
 * rows of segments.txt. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/segments.h"
#include "core/encoding.h"
#include "tests/support/suite.h"

START_TEST(each_segment_keeps_its_sizes_and_seconds)
{
    const char *text = "text:7,video:2x3x4@1.5,image:1x5x6";
    struct pe_errors errors = {.count = 0};
    struct pe_segments s = {0};

    ck_assert_int_eq(segments_parse(&s, "segments", text, strlen(text), &errors), PE_OK);
    ck_assert(s.items[0].kind == PE_SEGMENT_TEXT && s.items[0].size[0] == 7);
    ck_assert(s.items[1].kind == PE_SEGMENT_VIDEO && s.items[1].size[0] == 2 &&
              s.items[1].size[1] == 3 && s.items[1].size[2] == 4 && s.items[1].seconds == 1.5);
    ck_assert(s.items[2].kind == PE_SEGMENT_IMAGE && isnan(s.items[2].seconds));
    segments_free(&s);
}
END_TEST

START_TEST(too_many_segments_are_refused)
{
    struct pe_errors errors = {.count = 0};
    struct pe_segments segments = {0};
    size_t len = (size_t)7 * SEGMENTS_MAX + 6;
    char *text = malloc(len + 1);

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i <= SEGMENTS_MAX; i++)
        memcpy(text + 7 * i, "text:1,", 7 - (i == SEGMENTS_MAX));
    ck_assert_int_eq(segments_parse(&segments, "segments", text, len, &errors),
                     PE_OUT_OF_RANGE);
    ck_assert_str_eq(errors.at[0].detail, "must have at most 65536 segments; got 65537");
    free(text);
}
END_TEST

SUITE(segments, TEST(each_segment_keeps_its_sizes_and_seconds),
      TEST(too_many_segments_are_refused));
