/* SPDX-License-Identifier: Apache-2.0
 * test_segments.c - the grammar of segments: what is read, how it is said again, and the
 * sentence for what is not a list of segments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/segments.h"
#include "core/encoding.h"
#include "tests/support/suite.h"

static const struct {
    const char *text, *canonical;
    size_t count;
} taken[] = {
    {"text:3", "text:3", 1},
    {"text:3,image:1x4x6,text:2", "text:3,image:1x4x6,text:2", 3},
    {"video:4x4x6@0.50", "video:4x4x6@0.5", 1},
    {"video:004x4x6@2e0,audio:100", "video:4x4x6@2,audio:100", 2},
    {"audio:1073741824", "audio:1073741824", 1},
};

START_TEST(segments_are_read_and_said_canonically)
{
    struct pe_errors errors = {.count = 0};
    struct pe_segments segments = {0};
    char text[80], cut[5];
    size_t len;

    ck_assert_int_eq(
        segments_parse(&segments, "segments", taken[_i].text, strlen(taken[_i].text), &errors),
        PE_OK);
    ck_assert_uint_eq(segments.count, taken[_i].count);
    len = segments_print(&segments, text, sizeof text);
    ck_assert_str_eq(text, taken[_i].canonical);
    ck_assert_uint_eq(len, strlen(text));
    ck_assert_uint_eq(segments_print(&segments, cut, sizeof cut), len);
    ck_assert(strncmp(cut, text, 4) == 0 && cut[4] == '\0');
    ck_assert_uint_eq(segments_print(&segments, NULL, 0), len);
    segments_free(&segments);
    ck_assert(!segments.items && segments.count == 0);
}
END_TEST

START_TEST(sizes_and_seconds_are_where_they_were_said)
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

static const char *const refused[] = {
    "text",     "text:",           "text:0",        "text:-1",        "text:1x2",
    "text:3@1", "image:4x6",       "image:1x4x6x2", "image:1xx6",     "image:1x4x6@",
    "speech:3", "text:3,",         ",text:3",       "video:1x2x3@-1", "video:1x2x3@x",
    "text:1.5", "text:1073741825", "Text:3",        " text:3",        "image:1x4x6,text",
};

START_TEST(what_is_no_segment_is_told_how_segments_look)
{
    struct pe_errors errors = {.count = 0};
    struct pe_segments segments = {0};

    ck_assert_int_eq(
        segments_parse(&segments, "segments", refused[_i], strlen(refused[_i]), &errors),
        PE_BAD_VALUE);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, "segments");
    ck_assert_ptr_nonnull(
        strstr(errors.at[0].detail, "must be segments such as text:3,image:1x4x6,"));
    ck_assert_ptr_null(segments.items);
}
END_TEST

START_TEST(more_segments_than_anyone_needs_are_refused)
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

static const struct suite_test tests[] = {
    TEST_EACH(segments_are_read_and_said_canonically, taken),
    TEST(sizes_and_seconds_are_where_they_were_said),
    TEST_EACH(what_is_no_segment_is_told_how_segments_look, refused),
    TEST(more_segments_than_anyone_needs_are_refused),
};

const struct suite segments_suite = {SUITE_TESTS(tests)};
