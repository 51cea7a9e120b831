/* SPDX-License-Identifier: Apache-2.0
 * test_window.c - offsets in a window, of Swin and BEiT: worked examples, laws, refusals. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"swin", "window=2x2", "index", "4 3 1 0 5 4 2 1 7 6 4 3 8 7 5 4"},
    {"swin", "window=2x3", "index",
     "7 6 5 2 1 0 8 7 6 3 2 1 9 8 7 4 3 2 12 11 10 7 6 5 13 12 11 8 7 6 14 13 12 9 8 7"},
    {"swin", "window=1x1", "index", "0"},
    {"beit-index", "window=2x2", "index",
     "11 9 9 9 9 10 4 3 1 0 10 5 4 2 1 10 7 6 4 3 10 8 7 5 4"},
    {"swin", "window=1x2&out=bias&table=1,2;3,4;5,6", "bias", "3 1 5 3 4 2 6 4"},
    {"beit-index", "window=1x1&out=bias&table=1;2;3;4", "bias", "4 2 3 1"},
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
    {"swin", {"window=7", PE_BAD_VALUE, "window", "a grid HEIGHTxWIDTH", "a square is 7x7"}},
    {"swin",
     {"", PE_MISSING_PARAMETER, "window", "is required: patches HEIGHTxWIDTH of the window",
      ""}},
    {"swin",
     {"window=16x16&dtype=u8", PE_CONFLICT, "dtype",
      "must hold every value of index exactly, 0..960; u8 cannot", ""}},
    {"swin",
     {"window=2x2&out=bias&table=1;2;3", PE_CONFLICT, "table", "must have 9 rows; got 3", ""}},
    {"beit-index",
     {"window=2x2&out=bias&table=1;2;3", PE_CONFLICT, "table", "must have 12 rows; got 3", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(without_a_class_token_beit_numbers_as_swin)
{
    size_t count, same;
    double *swin = core_query_values("swin", "window=5x3", "index", &count);
    double *beit = core_query_values("beit-index", "window=5x3&class_token=0", "index", &same);

    ck_assert_uint_eq(count, same);
    for (size_t i = 0; i < count; i++)
        ck_assert(swin[i] == beit[i]);
    free(swin);
    free(beit);
}
END_TEST

START_TEST(the_way_back_has_the_mirrored_number)
{
    double *index = core_query_values("swin", "window=4x5", "index", NULL);

    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            ck_assert(index[20 * i + j] + index[20 * j + i] == 7 * 9 - 1);
    free(index);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(without_a_class_token_beit_numbers_as_swin),
    TEST(the_way_back_has_the_mirrored_number),
};

const struct suite window_suite = {SUITE_TESTS(tests)};
