/* SPDX-License-Identifier: Apache-2.0
 * test_window.c - offsets in a window, of Swin and BEiT: laws beyond the rows of window.txt.
 * */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

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
    TEST(without_a_class_token_beit_numbers_as_swin),
    TEST(the_way_back_has_the_mirrored_number),
};

const struct suite window_suite = {SUITE_TESTS(tests)};
