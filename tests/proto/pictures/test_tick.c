/* SPDX-License-Identifier: Apache-2.0
 * test_tick.c - round values of axes, and how they are written. */
#include "proto/pictures/tick.h"

#include "proto/text/buffer.h"
#include "tests/support/suite.h"

static const struct {
    double low, high, about;
    bool whole, log;
    const char *ticks;
} axes[] = {
    {0, 127, 7, true, false, "0 20 40 60 80 100 120"},
    {0, 3, 8, true, false, "0 1 2 3"},
    {0, 0, 8, true, false, "0"},
    {-1, 1, 3, false, false,
     "\xe2\x88\x92"
     "1 0 1"},
    {-0.97, 0.97, 6, false, false,
     "\xe2\x88\x92"
     "0.5 0 0.5"},
    {0, 0.3, 3, false, false, "0 0.1 0.2 0.3"},
    {0, 131071, 3, true, false,
     "0 50\xe2\x80\xaf"
     "000 100\xe2\x80\xaf"
     "000"},
    {1e-7, 4e-7, 3, false, false,
     "10\xe2\x81\xbb\xe2\x81\xb7 2\xc3\x97"
     "10\xe2\x81\xbb\xe2\x81\xb7 "
     "3\xc3\x97"
     "10\xe2\x81\xbb\xe2\x81\xb7 4\xc3\x97"
     "10\xe2\x81\xbb\xe2\x81\xb7"},
    {6.28, 54000, 8, false, true,
     "10 100 1000 10\xe2\x80\xaf"
     "000"},
    {1, 30, 8, false, true, "1 2 5 10 20"},
    {1, 1e6, 3, false, true,
     "1 100 10\xe2\x80\xaf"
     "000 10\xe2\x81\xb6"},
};

START_TEST(an_axis_has_round_values)
{
    double ticks[TICK_MAX];
    char text[TICK_TEXT_SIZE], all[400];
    struct buffer words = buffer_over(all, sizeof all);
    const size_t count =
        axes[_i].log
            ? tick_decades(axes[_i].low, axes[_i].high, axes[_i].about, ticks)
            : tick_linear(axes[_i].low, axes[_i].high, axes[_i].about, axes[_i].whole, ticks);

    for (size_t i = 0; i < count; i++)
        buffer_add_format(&words, "%s%s", i == 0 ? "" : " ", tick_print(ticks[i], 9, text));
    ck_assert_str_eq(all, axes[_i].ticks);
}
END_TEST

START_TEST(numbers_that_are_no_numbers_have_words)
{
    char text[TICK_TEXT_SIZE];

    ck_assert_str_eq(tick_print(0.0 / 0.0, 9, text), "NaN");
    ck_assert_str_eq(tick_print(-1 / 0.0, 9, text), "\xe2\x88\x92\xe2\x88\x9e");
    ck_assert_str_eq(tick_print(2.0 / 3, 3, text), "0.667");
    ck_assert_str_eq(tick_print_power(1e-12, text), "10\xe2\x81\xbb\xc2\xb9\xc2\xb2");
}
END_TEST

SUITE(tick, TEST_EACH(an_axis_has_round_values, axes),
      TEST(numbers_that_are_no_numbers_have_words));
