/* SPDX-License-Identifier: Apache-2.0
 * test_shown.c - what tensors show of parameters: sizes, counts in masks, runs of positions. */
#include "core/verify/sight/sight.h"

#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

static struct sight shown_of(const char *request)
{
    struct verify_case made;
    struct sight sight;

    verify_case_of(&made, request);
    ck_assert(sight_init(&sight, made.tensor, made.count, &verify_case_limits));
    verify_case_free(&made);
    return sight;
}

/* Returns whether a value is among those of a type, of sizes alone or of all. */
static bool has(const struct shown *shown, enum pe_type type, bool sizes, const char *value)
{
    const struct pe_param param = {.type = type};
    const char *text;

    for (size_t i = 0; (text = shown_text(shown, &param, sizes, i)) != NULL; i++)
        if (strcmp(text, value) == 0)
            return true;
    return false;
}

static const struct {
    const char *request;
    enum pe_type type;
    bool sizes;
    const char *value;
} rows[] = {
    {"rope?dim=64&pos=0:12&out=cos", PE_INT, true, "32"},
    {"rope?dim=64&pos=0:12&out=cos", PE_INT, true, "64"},
    {"rope?dim=64&pos=0:12&out=cos", PE_POSITIONS, true, "0:12"},
    {"rope2d-axial?grid=4x6&dim=16&out=cos", PE_GRID, true, "4x6"},
    {"sliding-window-mask?len=30&window=7&out=mask", PE_INT, false, "7"},
    {"sliding-window-mask?len=30&window=7&out=additive", PE_INT, false, "7"},
    {"sliding-window-mask?len=30&window=7&mask_value=-inf&out=additive", PE_INT, false, "7"},
    {"attention-sink-window-mask?len=30&sink_tokens=3&window=6&out=mask", PE_INT, false, "3"},
    {"attention-sink-window-mask?len=30&sink_tokens=3&window=6&out=mask", PE_INT, false, "6"},
    {"prefix-lm-mask?len=20&prefix_len=5&out=mask", PE_INT, false, "5"},
    {"chunked-mask?len=24&chunk=6&out=mask", PE_INT, false, "6"},
    {"document-mask?lengths=5,9,3&out=mask", PE_REALS, false, "5,9,3"},
    {"padding-mask?attention_mask=0,0,1,1,1&out=mask", PE_REALS, false, "0,0,1,1,1"},
    {"ids-packed?lengths=5,9,3&out=positions", PE_REALS, false, "5,9,3"},
    {"ids-from-mask?attention_mask=0,0,1,1,1,1", PE_REALS, false, "0,0,1,1,1,1"},
    {"ids-from-mask?attention_mask=0,0,1,1;1,1,1,1;0,1,1,1", PE_REALS, false,
     "0,0,1,1;1,1,1,1;0,1,1,1"},
    {"ids-mrope?segments=text:3,image:1x4x6,text:2&out=ids", PE_SEGMENTS, false,
     "text:3,image:1x4x6,text:2"},
    {"ids-mrope?segments=image:1x4x6,image:1x2x4,text:2&spatial_merge_size=1&out=ids",
     PE_SEGMENTS, false, "image:1x4x6,image:1x2x4,text:2"},
    {"ids-mrope?segments=text:2,video:3x4x4,text:5&out=ids", PE_SEGMENTS, false,
     "text:2,video:3x4x4,text:5"},
};

START_TEST(a_value_that_the_tensors_show_is_among_those_that_are_tried)
{
    struct sight sight = shown_of(rows[_i].request);

    ck_assert_msg(has(sight.shown, rows[_i].type, rows[_i].sizes, rows[_i].value), "%s: %s",
                  rows[_i].request, rows[_i].value);
    sight_fini(&sight);
}
END_TEST

START_TEST(no_value_is_tried_twice)
{
    struct sight sight = shown_of(rows[_i].request);

    for (size_t i = 0; i < sight.shown->whole_count; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(sight.shown->whole[i], sight.shown->whole[j]);
    for (size_t i = 0; i < sight.shown->list_count; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(sight.shown->list[i], sight.shown->list[j]);
    sight_fini(&sight);
}
END_TEST

START_TEST(numbers_of_many_values_show_no_mask_and_no_positions)
{
    struct sight sight = shown_of("sinusoidal?dim=16&pos=0:12&out=rows");

    ck_assert_uint_eq(sight.shown->list_count, 0);
    ck_assert_uint_eq(sight.shown->whole_count, sight.shown->whole_sizes + 4);
    sight_fini(&sight);
}
END_TEST

SUITE(shown, TEST_EACH(a_value_that_the_tensors_show_is_among_those_that_are_tried, rows),
      TEST_EACH(no_value_is_tried_twice, rows),
      TEST(numbers_of_many_values_show_no_mask_and_no_positions));
